"""Numbers: the safe integers, and how the spelling of a JSON number becomes a value.

Specifies number.safe-integer. A number of the protocol is an IEEE 754 double; those that are safe integers
are held as `int`, so that all arithmetic on them is exact.
"""

from schedule_spec.marks import defines

MAX_SAFE = 2**53 - 1
"""The greatest magnitude of a safe integer."""


@defines("number.safe-integer")
def safe_integer(value: object) -> int | None:
    """Return the safe integer that the value is, or None (number.safe-integer).

    `300` and `300.0` are the integer 300; `True`, `"300"`, `None`, 300.5, NaN, infinities and 2^53 are none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return int(value) if -MAX_SAFE <= value <= MAX_SAFE else None


@defines("number.safe-integer")
def number(spelling: str) -> int | float:
    """Return the double that a JSON number's spelling means, as an int where it is a safe integer.

    A spelling beyond every double is an infinity, as `1e400` is in ECMAScript.
    """
    double = float(spelling)
    integer = safe_integer(double)
    return double if integer is None else integer
