"""Theorems for all integers, each a function of them that Z3 runs through (`proofs.paths`).

They are about the code itself: the law's own functions and contracts, and the implementation's, are called
with integers that stand for all. `broken` twins of what they call are the negative controls.
"""
