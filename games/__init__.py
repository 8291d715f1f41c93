"""Games at shared tables: the rules, the running tables, the rows, the screens."""
