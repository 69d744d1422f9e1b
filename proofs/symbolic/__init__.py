"""Obligations that CrossHair carries: law and implementation run on symbolic values.

An obligation is a function with icontract contracts that CrossHair is to confirm over all paths. It is either
a function of the law, under the law's own contracts, or stands here and says what law and implementation owe
each other. Its control is the same contract over a body that is broken in one place. Which is which, within
what bounds, and what was found stands in `ledger.toml`.
"""
