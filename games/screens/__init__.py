"""View of a seat as values and HTML, without HTTP."""
