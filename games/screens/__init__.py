"""What a seat sees, as values and HTML; no HTTP."""
