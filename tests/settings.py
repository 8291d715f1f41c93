"""The site's settings, as the tests need them: a secret and a data folder of their own.

The database is SQLite; PostgreSQL stands beside it where a server answers.
"""

import atexit
import os
import shutil
import socket
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

os.environ["COUNTERSITE_DATA"] = tempfile.mkdtemp(prefix="countersite-tests-")
atexit.register(shutil.rmtree, os.environ["COUNTERSITE_DATA"], ignore_errors=True)
os.environ["COUNTERSITE_SECRET_KEY"] = "a secret for tests, which keep nothing"
for name in ("COUNTERSITE_DEBUG", "COUNTERSITE_HTTPS", "COUNTERSITE_HOSTS"):
    os.environ.pop(name, None)
os.environ["COUNTERSITE_ADMIN"] = "on"
os.environ.pop("DATABASE_URL", None)
os.environ.pop("REDIS_URL", None)

from countersite import environment  # noqa: E402
from countersite.settings import *  # noqa: E402, F403

ALLOWED_HOSTS = [*ALLOWED_HOSTS, "testserver"]  # noqa: F405
STATIC_ROOT.mkdir()  # noqa: F405
# In a file, so that threads and other connections see what they see in earnest.
DATABASES["default"]["TEST"] = {"NAME": DATA / "test.sqlite3"}  # noqa: F405
# It need not outlast a power cut: waiting for the disk at each commit is a tenth of a long test.
DATABASES["default"]["OPTIONS"]["init_command"] += "; PRAGMA synchronous=OFF"  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}


def answers(address: str) -> bool:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return False
    url = urlsplit(address)
    try:
        socket.create_connection((url.hostname or "", url.port or 5432), timeout=1).close()
    except OSError:
        return False
    return True


POSTGRES = os.environ.setdefault(
    "POSTGRES_TEST_URL", "postgresql://postgres@127.0.0.1:5432/postgres"
)
if answers(POSTGRES):
    DATABASES["postgres"] = environment.database("POSTGRES_TEST_URL", Path())  # noqa: F405
    # Tests open and close connections of their own; a pool would keep the database busy.
    del DATABASES["postgres"]["OPTIONS"]["pool"]  # noqa: F405
    DATABASES["postgres"]["TEST"] = {"NAME": f"countersite_test_{os.getpid()}"}  # noqa: F405
