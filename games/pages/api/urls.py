"""The addresses of the API; its socket is routed in `countersite.asgi`."""

from django.urls import path

from games.pages.api import document, games, table, views

urlpatterns = [
    path("games", games.games, name="api-games"),
    path("state", views.state, name="api-state"),
    path("log", views.log, name="api-log"),
    path("commands", views.commands, name="api-commands"),
    path("throw", table.throw, name="api-throw"),
    path("toss", table.toss, name="api-toss"),
    path("draw", table.draw, name="api-draw"),
    path("table", table.table, name="api-table"),
    path("clock", table.clock, name="api-clock"),
    path("lock", table.lock, name="api-lock"),
    path("requests/<int:asking>", table.answer, name="api-answer"),
    path("seats/<str:key>/free", table.free, name="api-free"),
    path("again", table.again, name="api-again"),
    path("openapi.json", document.served, name="api-document"),
    path("<path:rest>", views.nowhere, name="api-nowhere"),
]
