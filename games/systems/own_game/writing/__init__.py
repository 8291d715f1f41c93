"""The page on which a game is written: its draft, each change to it, and a trial beside it."""
