"""The log as people read it, and what it adds up to."""
