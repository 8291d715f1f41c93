"""Storage of games: their rows, log and backup."""
