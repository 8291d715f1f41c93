"""The addresses of the games' pages."""

from django.urls import include, path

from . import acts, exports, hosting, log_views, rematch, rulebook, seating, setups, views

game = [
    path("", views.board, name="board"),
    path("command", views.command, name="command"),
    path("log", log_views.log, name="log"),
    path("log.md", exports.markdown, name="markdown"),
    path("scenario.json", exports.as_scenario, name="scenario"),
    path("state.json", exports.state, name="state"),
    path("keep", setups.keep, name="keep"),
    path("setups", setups.save, name="save-setup"),
    path("again", rematch.again, name="again"),
    path("mine", log_views.mine, name="mine"),
    path("rules", rulebook.rules_here, name="rules"),
    path("share", seating.share, name="share"),
    path("share/rotate", seating.rotate, name="rotate"),
    path("objects/<str:key>", views.thing, name="object"),
    path("cards/new", views.new_card, name="new-card"),
    path("acts/<slug:name>", acts.act, name="act"),
    path("known", acts.known, name="known"),
    path("seats/", seating.seats, name="seats"),
    path("seats/<str:key>", seating.seat, name="seat"),
    path("seats/<str:key>/claim", seating.claim, name="claim"),
    path("seats/<str:key>/name", seating.rename, name="rename"),
    path("seats/<str:key>/leave", seating.leave, name="leave"),
    path("seats/<str:key>/knock", seating.knock, name="knock"),
    path("seats/<str:key>/host", hosting.lead, name="lead"),
    path("all-right", seating.all_right, name="all-right"),
    path("knocks/<int:asking>", hosting.answer, name="answer"),
    path("beside", hosting.around, name="beside"),
    path("lock", hosting.lock, name="lock"),
]

urlpatterns = [
    path("", views.home, name="home"),
    path("new", views.new, name="new"),
    path("new/file", setups.from_file, name="from-file"),
    path("s/<str:token>", setups.begin, name="setup"),
    path("code", seating.code, name="code"),
    path("j/<str:token>", seating.join, name="join"),
    path("h/<str:token>", seating.host, name="host"),
    path("g/<slug:slug>/", include(game)),
    path("g/<slug:slug>/slots/", include("games.slot_urls")),
    path("help/<str:system>", rulebook.rules_help, name="help"),
    path("about", views.about, name="about"),
]
