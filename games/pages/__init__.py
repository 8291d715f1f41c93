"""HTTP in, HTML out."""
