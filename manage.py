#!/usr/bin/env python
"""Django's commands for this site: `manage.py table` starts everything a game night needs."""

from countersite.__main__ import main

if __name__ == "__main__":
    main()
