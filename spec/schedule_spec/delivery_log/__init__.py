"""What a session log shows of delivery: the host's events beside the schedule changes, held to the clauses.

Says of follow-ups and tool results in a log what due.*, frame.*, deliver.*, owner.never-early, tool.* and
view.state demand of them, as far as a log can tell. It never accuses what may be a crash, a failed append or
a clock that was set in between: that is a note, or said not to be shown.

`host_events` reads the host's events, `findings` is what can be said, `followups` judges what a follow-up
frames, `answers` what a tool result answers, and `judge` goes through a log event by event.
"""
