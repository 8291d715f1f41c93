"""A table's set: the types of its counters, its turn order, conditions and outcomes, as data."""
