"""The boards of the card games, and what a command changes on them."""
