"""The rules core: pure functions over immutable state.

Nothing in this package knows Django, reads a clock, draws dice, opens a file or starts a thread.
Dice and facts that only the players know arrive as numbers in a command. A test guards this.
"""
