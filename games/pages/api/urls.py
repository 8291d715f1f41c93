"""The addresses of the API; its socket is routed in `countersite.asgi`."""

from django.urls import path

from games.pages.api import document, views

urlpatterns = [
    path("state", views.state, name="api-state"),
    path("log", views.log, name="api-log"),
    path("commands", views.commands, name="api-commands"),
    path("openapi.json", document.served, name="api-document"),
    path("<path:rest>", views.nowhere, name="api-nowhere"),
]
