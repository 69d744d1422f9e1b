"""Every case up to a bound: days, decisions about the range's ends, event sequences, and the live worlds.

Each function tries all of its cases and returns how many there were, or raises `Counterexample` with the
first that fails.
"""
