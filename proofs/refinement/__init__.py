"""Refinement: the implementation's incremental state, step by step, is the law's fold.

`relation` states which state of the law an implementation's state stands for; `simulation` checks that
related states stay related, whatever event comes.
"""
