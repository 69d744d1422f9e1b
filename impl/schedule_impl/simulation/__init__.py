"""The implementation under virtual time, on a disk and before an agent that fail as they are told to.

The session, the tools and the owner are the real ones; what is simulated is only what they are given.
"""
