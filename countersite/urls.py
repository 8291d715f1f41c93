"""The addresses: the games, their admin, and health."""

from django.contrib import admin
from django.urls import include, path

from . import health

urlpatterns = [
    path("livez", health.live, name="livez"),
    path("readyz", health.ready, name="readyz"),
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
]
