"""What a seat sees, as values and HTML, without HTTP."""
