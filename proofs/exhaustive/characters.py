"""Every character there is, escaped and trimmed by law and implementation (text.json-string, text.trim).

What is expected is told here from the clauses' words alone. A literal is made character by character, but for
surrogates, of which a high one and a low one that follows it are one character.
"""

from collections.abc import Callable, Iterator

from proofs.outcomes import Counterexample, Counts
from schedule_impl import rendering
from schedule_impl import text as impl_text
from schedule_spec import text

ALL = 0x110000
HIGH, LOW, BEYOND = 0xD800, 0xDC00, 0xE000
"""The first of the high surrogates, of the low ones, and of what comes after them."""
NAMED = {"\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
TRIMMED = frozenset(
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def _literal(character: str) -> str:
    """Return the literal that the clause gives a string of one character."""
    if character in NAMED:
        return f'"\\{NAMED[character]}"'
    if character < " " or HIGH <= ord(character) < BEYOND:
        return f'"\\u{ord(character):04x}"'
    return f'"{character}"'


def _every_character(json_string: Callable[[str], str]) -> Counts:
    """Hold the law, and what stands for the implementation, to the clauses."""
    for character in map(chr, range(ALL)):
        for found in (text.json_string(character), json_string(character)):
            if found != _literal(character):
                raise Counterexample(f"U+{ord(character):04X} is escaped as {found!a}")
        between = f"{character}a{character}"
        expected = "a" if character in TRIMMED else between
        if not text.trim(between) == impl_text.trim(between) == expected:
            raise Counterexample(f"U+{ord(character):04X} is trimmed wrongly, by law or implementation")
    pairs = 0
    for high, low in _pairs():
        joined = chr(0x10000 + (high - HIGH) * 0x400 + low - LOW)
        for found in (text.json_string(chr(high) + chr(low)), json_string(chr(high) + chr(low))):
            if found != _literal(joined):
                raise Counterexample(f"the pair {high:04X} {low:04X} is escaped as {found!a}")
        pairs += 1
    return {"characters": ALL, "pairs": pairs}


def _pairs() -> Iterator[tuple[int, int]]:
    """Yield every high surrogate with the first and last low one, and every low with the ends of the high."""
    yield from ((high, low) for high in range(HIGH, LOW) for low in (LOW, BEYOND - 1))
    yield from ((high, low) for low in range(LOW, BEYOND) for high in (HIGH, LOW - 1))


def every_character_is_escaped_and_trimmed_alike() -> Counts:
    """Law and implementation on every character, and on the pairs of surrogates."""
    return _every_character(rendering.json_text)


def _without_the_last_surrogate(string: str) -> str:
    """Take the range of surrogates for one that ends before its last."""
    return '"\udfff"' if string == "\udfff" else rendering.json_text(string)


def the_last_surrogate_is_left_as_it_is() -> Counts:
    """The same of an implementation whose range of surrogates is one too short."""
    return _every_character(_without_the_last_surrogate)
