"""What `schedule-spec check` does: the implementation finds the first event it refuses, the law says why.

`sources` opens logs, `judging` gives one verdict a log, `law_scan` is the law's own slow way through a log,
`salvage` writes the sound prefix, `words` and `report` tell it all.
"""
