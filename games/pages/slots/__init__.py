"""The pages of slot counters."""
