"""The addresses below a game that has slot counters."""

from django.urls import path

from . import board as boards
from . import counters as views
from . import making, numbers, sessions

urlpatterns = [
    path("new", making.new, name="slot-new"),
    path("made", making.made, name="slot-made"),
    path("line", making.line, name="slot-line"),
    path("action", views.action, name="slot-action"),
    path("acted", views.acted, name="slot-acted"),
    path("after", views.after, name="slot-after"),
    path("milestone/<str:which>", views.milestone, name="slot-milestone"),
    path("end", sessions.end, name="slot-end"),
    path("previously", sessions.previously, name="slot-previously"),
    path("board", boards.tools, name="slot-board"),
    path("of/<str:key>", boards.protagonist_sheet, name="slot-of"),
    path("as", boards.see_as, name="slot-see-as"),
    path("as/<str:key>", boards.seen_by, name="slot-as"),
    path("own", numbers.own, name="slot-own"),
    path("scene", boards.scene, name="slot-scene"),
    path("export", boards.export, name="slot-export"),
    path("import", boards.bring_in, name="slot-import"),
    path("<str:key>", views.counter, name="slot"),
    path("<str:key>/roll", views.roll, name="slot-roll"),
    path("<str:key>/link", views.link, name="slot-link"),
    path("<str:key>/overflow", views.overflow, name="slot-overflow"),
]
