"""JSON text as ECMAScript's `JSON.stringify` writes it: one line, ASCII escapes only where they must be.

An unpaired surrogate has no UTF-8, so it stands as an escape; a pair that stands as two code points is the
one character that it encodes. Clauses: text.json-string, tool.deterministic-text.
"""

import json
import re
from typing import Final

from schedule_impl.ecma_json import Json
from schedule_impl.text import joined

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def json_text(value: Json) -> str:
    """The JSON of a value without spaces; ValueError for a number that JSON has no spelling for."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _SURROGATE.sub(lambda unit: f"\\u{ord(unit[0]):04x}", joined(text))
