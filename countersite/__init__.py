"""The site around the games: settings, URLs, security headers, health."""
