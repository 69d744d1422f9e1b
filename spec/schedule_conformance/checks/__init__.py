"""The checks of pure commands: trials, generated properties, the log machine, short logs, every zone name."""
