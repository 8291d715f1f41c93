"""Inputs that a coverage-guided fuzzer finds: `python -m tests.fuzz TARGET --seconds 60`.

Needs Atheris (the fuzz extra). What it found once is in `kept/`, and is tried again by every run of
the tests. `python -m tests.fuzz TARGET FILE…` tries single inputs, without Atheris.
"""
