"""The command `schedule-spec`."""
