"""The zones of a Yu-Gi-Oh! card."""

MONSTER, SPELL_TRAP, FIELD, PENDULUM = "monster", "spell-trap", "field-zone", "pendulum"
FIELD_ZONES = (MONSTER, SPELL_TRAP, FIELD, PENDULUM)
"""The zones in which a card is on the field."""
