"""JSON values: when two are the same, and one text for each.

Numbers count by value (`300.0` is `300`), keys have no order, and `true` is no number.
"""

import json

from schedule_spec.json_text import Json
from schedule_spec.numbers import safe_integer
from schedule_spec.text import join_surrogates

_TOO_DEEP = '[ "nested too deeply to be compared" ]'
"""JSON with spaces, which no other canonical text has."""


def canonical(value: Json) -> str:
    """Return the one text that the value and its equals have."""
    try:
        return json.dumps(_normal(value), sort_keys=True, separators=(",", ":"))
    except RecursionError:
        return _TOO_DEEP


def same(one: Json, other: Json) -> bool:
    """Tell whether two values are equal as JSON values; what is nested too deeply equals nothing."""
    text = canonical(one)
    return text == canonical(other) and text != _TOO_DEEP


def _normal(value: Json) -> Json:
    match value:
        case list():
            return [_normal(element) for element in value]
        case dict():
            # Of keys a pair of surrogates would be sorted in another place than its code point; in any
            # other string the two are written alike.
            return {join_surrogates(key): _normal(member) for key, member in value.items()}
        case _:
            integer = safe_integer(value)
            return value if integer is None else integer
