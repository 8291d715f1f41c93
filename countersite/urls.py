"""The URLs of the site: health, language, admin and the games."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.i18n import set_language

from . import health

handler400 = "countersite.unreadable.bad_request"

urlpatterns = [
    path("livez", health.live, name="livez"),
    path("readyz", health.ready, name="readyz"),
    path("language", set_language, name="language"),
    *([path("admin/", admin.site.urls)] if settings.ADMIN else []),
    path("", include("games.urls")),
]
