"""How a game is kept: its rows, its log, its backup."""
