"""The checks of pure commands: trials of cases, generated properties, the log machine, every short log."""
