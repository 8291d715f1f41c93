"""A game watched again, moment by moment."""
