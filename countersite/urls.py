"""The URLs of the site: health, language, admin and the games."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.i18n import set_language

from . import health, operating, public

handler400 = "countersite.unreadable.bad_request"
handler500 = "countersite.unreadable.server_error"

admin.site.index_template = "pages/admin.html"
admin_pages = [
    path("admin/operating", admin.site.admin_view(operating.page), name="operating"),
    path("admin/", admin.site.urls),
]
urlpatterns = [
    path("livez", health.live, name="livez"),
    path("readyz", health.ready, name="readyz"),
    path("robots.txt", public.robots, name="robots"),
    path("terms", public.terms, name="terms"),
    path("language", set_language, name="language"),
    *(admin_pages if settings.ADMIN else []),
    *([path("metrics", operating.metrics, name="metrics")] if settings.METRICS_TOKEN else []),
    path("", include("games.pages.urls")),
]
