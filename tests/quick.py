"""The sample of `pytest -m quick`, chosen by hand: each room, in ten processor seconds."""

QUICK = (
    "tests/live/test_table.py::test_a_tap",
    "tests/pages/test_board.py::test_an_undone_line",
    "tests/rules/test_scenarios.py::test_every_scenario_holds[grand-archive-2026",
    "tests/rules/test_scenarios.py::test_every_scenario_holds[magic-2026",
    "tests/rules/test_scenarios.py::test_every_scenario_holds[own-game",
    "tests/rules/test_scenarios.py::test_every_scenario_holds[stars-and-signs",
    "tests/rules/test_input.py::test_",
    "tests/screens/test_tags.py::test_",
    "tests/seats/test_seating.py::test_a_seat_that_was_left",
    "tests/site/test_house.py::test_every",
    "tests/site/test_readme.py::test_",
    "tests/site/test_templates.py::test_",
    "tests/store/test_models.py::test_",
    "tests/systems/test_typed_line.py::test_",
)
"""Prefixes of their ids. `tests/site/test_suite.py` adds up their cost."""
