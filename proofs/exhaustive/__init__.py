"""Every case up to a bound, or of a list: days, decisions about the range's ends, changes with one member
other, requests to create, short strings, event sequences, and the live worlds.

Each function tries all of its cases and returns how many there were, or raises `Counterexample` with the
first that fails.
"""
