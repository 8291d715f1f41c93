"""The addresses of the games' pages."""

from django.urls import include, path

from . import acts, views

game = [
    path("", views.board, name="board"),
    path("command", views.command, name="command"),
    path("log", views.log, name="log"),
    path("mine", views.mine, name="mine"),
    path("share", views.share, name="share"),
    path("share/rotate", views.rotate, name="rotate"),
    path("objects/<str:key>", views.thing, name="object"),
    path("cards/new", views.new_card, name="new-card"),
    path("acts/<slug:name>", acts.act, name="act"),
    path("known", acts.known, name="known"),
    path("seats/", views.seats, name="seats"),
    path("seats/<str:key>", views.seat, name="seat"),
    path("seats/<str:key>/claim", views.claim, name="claim"),
    path("seats/<str:key>/name", views.rename, name="rename"),
    path("seats/<str:key>/leave", views.leave, name="leave"),
]

urlpatterns = [
    path("", views.home, name="home"),
    path("new", views.new, name="new"),
    path("code", views.code, name="code"),
    path("j/<str:token>", views.join, name="join"),
    path("h/<str:token>", views.host, name="host"),
    path("g/<slug:slug>/", include(game)),
    path("g/<slug:slug>/slots/", include("games.slot_urls")),
    path("help/<str:system>", views.rules_help, name="help"),
    path("about", views.about, name="about"),
]
