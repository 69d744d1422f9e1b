"""A run: how much it tries, the checks one after another, what is known to fail, and its report as data."""
