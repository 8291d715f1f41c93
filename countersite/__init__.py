"""The site around the games: settings, URLs, security headers and health checks."""

__version__ = "0.1.0"
