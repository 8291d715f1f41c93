"""The running tables: one process plays each game; it commits first and shows afterwards."""
