"""The site around the games: settings, URLs, security headers and health checks."""
