"""Text of an implementation, made fit to be shown: what the eye would miss is escaped.

Control characters, unpaired surrogates, and format characters such as those that turn the direction of
writing stand as `\\x00`, `\\ud800`, `\\u202e`. What is left is legal in XML 1.0 and in HTML, and reads as it
is written. Pure.
"""


def visible(text: str) -> str:
    """Return the text with everything that is not plainly visible escaped, but for the ends of its lines."""
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in line
    )
