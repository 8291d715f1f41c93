"""Summary of a log: counted, drawn as charts, and put in words."""
