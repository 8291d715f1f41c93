"""The only settings file. README lists the environment variables it reads."""

from __future__ import annotations

from . import environment, plugins
from .addresses import host_names, lan_addresses
from .first_run import FILES, ROOT, SECRET, SECRET_FILE, data_folder

DATA = data_folder()
DEBUG = environment.flag("COUNTERSITE_DEBUG", False)
HTTPS = environment.flag("COUNTERSITE_HTTPS", False)
SECRET_KEY = environment.secret(SECRET, DATA / SECRET_FILE)

# The next seat becomes host after the host has had no screen open for this many seconds.
HOST_AWAY = environment.whole("COUNTERSITE_HOST_AWAY", 60, 86_400, "whole seconds")

# A server that anybody may use: what it needs is on by default, and search engines find it.
PUBLIC = environment.flag("COUNTERSITE_PUBLIC", False)

# The operator's text about who runs this server and what it keeps.
TERMS = environment.file("COUNTERSITE_TERMS")

# Games that others made, to which the home page links.
GAMES = environment.index("COUNTERSITE_GAMES")

# How many clubs' worth of new games and visitors one address, and all together, may bring.
CROWD = environment.whole("COUNTERSITE_CROWD", 10 if PUBLIC else 1, 1000)

# Days after its last tap that an evening is deleted; None for never. A host may choose fewer.
DAYS = 30 if PUBLIC else None
KEEP_DAYS = environment.whole("COUNTERSITE_KEEP_DAYS", DAYS, 36_500, "whole days")

# The addresses whose X-Forwarded headers are believed: the reverse proxy's. By default one on this
# computer, and without https none.
PROXIES = environment.networks("COUNTERSITE_PROXIES", ["127.0.0.1", "::1"] if HTTPS else [])

# The admin shows every game as it is: it is offered only if asked for.
ADMIN = environment.flag("COUNTERSITE_ADMIN", False)

# Prometheus' metrics are served only with this token; without one, not at all.
METRICS_TOKEN = environment.token("COUNTERSITE_METRICS_TOKEN")

# A program that shows this token may open tables (games.pages.api.games).
PROGRAM_TOKEN = environment.token("COUNTERSITE_PROGRAM_TOKEN")

# Never "*": a page under a stranger's host name could use our cookies.
PUBLIC_HOSTS = environment.words("COUNTERSITE_HOSTS")
# `countersite.neighbourhood` keeps these lists up to date while the server runs.
LAN_ADDRESSES = lan_addresses()
LAN_NAMES: list[str] = []
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *host_names(), *LAN_ADDRESSES]
ALLOWED_HOSTS += [environment.without_port(host) for host in PUBLIC_HOSTS]

# The sites whose pages may have a table in a frame.
FRAMED_BY = environment.origins("COUNTERSITE_FRAMED_BY")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "countersite",
    "games",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "countersite.security.to_https",
    "countersite.security.security_headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Compressing pages with secrets is safe from BREACH here: each page masks its CSRF token anew,
    # cookies are SameSite=Lax, so another site cannot request pages for a visitor again and again,
    # and Django adds a random length to every answer.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "countersite.zones.local_times",
    "django_htmx.middleware.HtmxMiddleware",
    "countersite.unreadable.Readable",
    "countersite.renewals.renewals",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "countersite.urls"
ASGI_APPLICATION = "countersite.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "games.screens.templates.Templates",
        "DIRS": [FILES / "templates", *plugins.folders("templates")],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "games.screens.templates.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "games.screens.tags",
                "games.screens.slots.tags",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "countersite.health.room",
                "games.pages.parts.its",
            ],
        },
    },
]

DATABASES = {"default": environment.database("DATABASE_URL", DATA / "games.sqlite3")}

# For several processes that share the games (games.cluster.relay); a single one needs none of this.
REDIS = environment.redis("REDIS_URL", DATABASES["default"])
REDIS_OPTIONS = environment.timeouts(REDIS)
SHARED = bool(REDIS)
# The address of this process in the list of its proxy, if it is not the one it serves on.
ADDRESS = environment.text("COUNTERSITE_ADDRESS", "")
if SHARED:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS,
            "OPTIONS": REDIS_OPTIONS,
        }
    }

LANGUAGE_CODE = "en"
# Each language is named in itself. docs/translating.md says how to add one.
LANGUAGES = [("en", "English"), ("es", "Español"), ("de", "Deutsch")]
LOCALE_PATHS = [
    FILES / "locale",
    *sorted(ROOT.glob("games/systems/*/locale")),
    *plugins.folders("locale"),
]
# A language chosen by hand lasts as long as browsers keep a cookie.
LANGUAGE_COOKIE_AGE = 400 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
TIME_ZONE = "UTC"
USE_TZ = True

# What a form may hold in memory; `games.pages.setups` promises two megabytes of a pasted game.
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * 1024 * 1024

STATIC_URL = "static/"
STATIC_ROOT = DATA / "static"
WHITENOISE_ALLOW_ALL_ORIGINS = False
STATICFILES_DIRS = [FILES / "static", *plugins.folders("static")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "countersite.storage.NamedAfterContent"},
}

# With "no-referrer", browsers would send "Origin: null" with every form, which the CSRF check must
# refuse. This reveals as little to other sites.
SECURE_REFERRER_POLICY = "same-origin"
# Without https browsers ignore this header, and warn about it on every page.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SAMESITE = SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True  # scripts take the token from a form
# With https, no other site of the same domain can set a cookie of this name.
HOST_ONLY = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{HOST_ONLY}sessionid", f"{HOST_ONLY}csrftoken"
DEVICE_COOKIE_NAME = f"{HOST_ONLY}device"
CSRF_FAILURE_VIEW = "countersite.unreadable.wrong_origin"
# For a proxy that does not pass on the port: table.example.org:8443 among the hosts.
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in PUBLIC_HOSTS] if HTTPS else []
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    # The domain's other sites are none of our business, unless their owner says so.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = environment.flag("COUNTERSITE_HSTS_SUBDOMAINS", False)
    SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS
    # The last one: `countersite.security.to_https` does it.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", "security.W008"]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "without_tokens": {"()": "countersite.security.WithoutTokens"},
        "sparing": {"()": "countersite.logs.Sparing"},
        # Whatever made the site answer that was logged when it began; probes ask every second.
        "not_503": {
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: getattr(record, "status_code", None) != 503,
        },
    },
    "formatters": {
        "text": {
            "()": "countersite.logs.Line",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "countersite.logs.Json"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": environment.choice("COUNTERSITE_LOG", ("text", "json")),
            "filters": ["sparing", "without_tokens"],
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # The host of a server need not hear of every wrong link and refused command.
        "django.request": {"level": "ERROR", "filters": ["not_503"]},
        # It tells each failed attempt; `games.live.outage` tells its beginning and its end.
        "psycopg": {"level": "ERROR"},
        "daphne": {"level": "WARNING"},
        # It warns of a network that goes, with a traceback; `countersite.neighbourhood` tells.
        "zeroconf": {"level": "ERROR"},
    },
}

if PUBLIC and not (PUBLIC_HOSTS and HTTPS and TERMS):
    environment.incomplete(
        "COUNTERSITE_PUBLIC",
        COUNTERSITE_HOSTS=PUBLIC_HOSTS,
        COUNTERSITE_HTTPS=HTTPS,
        COUNTERSITE_TERMS=TERMS,
    )
if FRAMED_BY and not HTTPS:
    environment.incomplete("COUNTERSITE_FRAMED_BY", COUNTERSITE_HTTPS=HTTPS)
environment.refuse_mistyped()
