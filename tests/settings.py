"""The site's settings, as the tests need them: a secret and a data folder of their own."""

import os
import tempfile

os.environ["COUNTERSITE_DATA"] = tempfile.mkdtemp(prefix="countersite-tests-")
os.environ["COUNTERSITE_SECRET_KEY"] = "a secret for tests, which keep nothing"
for name in ("COUNTERSITE_DEBUG", "COUNTERSITE_HTTPS", "COUNTERSITE_HOSTS", "DATABASE_URL"):
    os.environ.pop(name, None)

from countersite.settings import *  # noqa: E402, F403

ALLOWED_HOSTS = [*ALLOWED_HOSTS, "testserver"]  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
