"""Why a trace is not allowed: modules for the kinds of observations, for what is owed, and for replies."""
