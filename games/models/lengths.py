"""The greatest length of keys and names in rows."""

KEY_LENGTH = 40
HOLDER_LENGTH = 45
"""The length of a key, or of "team:" and a key."""
NAME_LENGTH = 80
URL_LENGTH = 500
