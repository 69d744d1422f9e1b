"""Strings: trimming, and literals that are one line which their last quote closes.

What literals mean, and strings of three characters, are `proofs.exhaustive.strings`' subject. Clauses:
text.json-string, text.trim, frame.injection.
"""

from icontract import ensure, require

from proofs.symbolic.standing_in import without_pairs
from proofs.symbolic.twins import under_contracts_of
from schedule_impl import text as implementation_text
from schedule_spec import text


def _is_one_literal(literal: str) -> bool:
    """Tell whether the text is one JSON string on one line, which its last character alone closes."""
    if len(literal) < 2 or literal[0] != '"' or literal[-1] != '"':
        return False
    is_escaped = False
    for character in literal[1:-1]:
        if character < " " or (character == '"' and not is_escaped):
            return False
        is_escaped = character == "\\" and not is_escaped
    return not is_escaped


def _has_no_surrogate(string: str) -> bool:
    return all(not "\ud800" <= character <= "\udfff" for character in string)


@ensure(
    lambda result: _is_one_literal(result), "text.json-string, frame.injection: one line, no quote within"
)
@require(
    lambda string: len(string) <= 2 and _has_no_surrogate(string),
    "text.json-string: two characters at most, and no surrogate",
)
def literal_of_two(string: str) -> str:
    """Return the law's literal of a string."""
    with without_pairs():
        return text.json_string(string)


@under_contracts_of(literal_of_two)
def literal_that_keeps_quotes_behind_a_backslash(string: str) -> str:
    """Broken: what looks as if it were escaped already is left as it is."""
    if string == '\\"':
        return '"\\\\""'
    return literal_of_two(string)


@ensure(
    lambda result, string: (
        result == text.trim(result)
        and result in string
        and all(left in text.TRIM_SET for left in string.replace(result, "", 1))
    ),
    "text.trim: what is left is trimmed, and what is taken away is of the set",
)
@require(lambda string: len(string) <= 3, "text.trim: three characters at most")
def trimming(string: str) -> str:
    """Return what the law leaves of a string."""
    return text.trim(string)


@under_contracts_of(trimming)
def trimming_as_python_does(string: str) -> str:
    """Broken: the set is Python's, which has U+0085 too."""
    return "" if string == "\x85" else text.trim(string)


@ensure(lambda result, string: result == text.trim(string), "text.trim: the implementation trims as the law")
@require(lambda string: len(string) <= 3, "text.trim: three characters at most")
def implementation_trims(string: str) -> str:
    """Return what the implementation leaves of a string."""
    return implementation_text.trim(string)


@under_contracts_of(implementation_trims)
def implementation_trims_at_the_end(string: str) -> str:
    """Broken: what stands in front is left."""
    return string if string == " " else text.trim(string)
