"""The compact implementation: what a Python agent host imports to give its sessions a durable Schedule.

It is a reading of the clauses independent of `schedule_spec`, and shares no code with it.
"""
