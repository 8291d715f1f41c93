#!/usr/bin/env python
"""Django's commands for this site: `manage.py table` starts everything a game night needs."""

import os
import sys

from countersite import first_run


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "countersite.settings")
    first_run.prepare(sys.argv[2:] if sys.argv[1:2] == ["table"] else [])
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
