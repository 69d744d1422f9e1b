"""The law: the session-local Schedule, version 1, as pure functions over values.

No I/O, no clock, no threads. Every function names the clauses it states; `schedule_spec.register` holds
the clauses themselves. Nothing here knows the court, the command or the bundled implementation.
"""
