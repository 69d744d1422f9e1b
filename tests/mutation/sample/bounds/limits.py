"""What a bound is, worked out when the module is imported."""


def doubled(value: int) -> int:
    """Return the double of a value."""
    return value * 2


LEAST = 3
MOST = doubled(5)
