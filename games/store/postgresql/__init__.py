"""Django's PostgreSQL backend with an end to every wait; named by ENGINE in the settings."""
