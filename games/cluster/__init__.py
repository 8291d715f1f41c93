"""Several processes that share the games: each owns some, and follows the others."""
