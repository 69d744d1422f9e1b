"""What `schedule-spec bench` measures: `generate` writes logs, `work` does one piece of work on one."""
