"""The running tables: one owner per game; commit, then tell."""
