"""The API for other programs: JSON in, JSON out, by a token instead of a cookie (docs/api.md)."""
