"""How long the keys and names in the rows may be."""

KEY_LENGTH = 40
HOLDER_LENGTH = 45
"""A key, or "team:" and a key."""
NAME_LENGTH = 80
