"""Template filters of the screens with slot counters."""

from __future__ import annotations

from django import template

from games.screens.slots import words

register = template.Library()
register.filter("reading", words.reading)
register.filter("amount", words.amount)
register.filter("worth", words.worth)
