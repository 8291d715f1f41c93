"""The board of slot counters."""
