"""What a log adds up to: counted, drawn as charts, and told."""
