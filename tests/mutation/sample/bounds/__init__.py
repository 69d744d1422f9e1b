"""Numbers held within bounds."""
