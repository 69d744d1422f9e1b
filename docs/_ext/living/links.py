"""Wherever a page names a clause, the name leads to the clause's page."""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from schedule_spec import register

_IDS = {clause.id for clause in register.CLAUSES}
_AREAS = {area.name for area in register.AREAS}
_NAME = re.compile(r"(?<![\w./-])([a-z]+)\.(\*|[a-z0-9]+(?:-[a-z0-9]+)*)(?![\w-])")


class ClauseLinks(SphinxPostTransform):
    """Turns names of clauses in text and code spans into links; headings, links and code blocks stay."""

    default_priority = 400
    formats = ("html",)

    def run(self, **_: object) -> None:
        """Link the names of one page."""
        for text in list(self.document.findall(nodes.Text)):
            if not _is_prose(text):
                continue
            pieces = list(self._pieces(str(text), isinstance(text.parent, nodes.literal)))
            if any(isinstance(piece, nodes.reference) for piece in pieces):
                _put(text, pieces)

    def _pieces(self, text: str, whole: bool) -> Iterator[nodes.Node]:
        done = 0
        for found in _NAME.finditer(text):
            target = _target(found)
            own = target == self.env.docname
            if target is None or own or (whole and found.group() != text):
                continue
            if found.start() > done:
                yield nodes.Text(text[done : found.start()])
            uri = self.env.app.builder.get_relative_uri(self.env.docname, target)
            yield nodes.reference("", found.group(), refuri=uri, internal=True)
            done = found.end()
        if done < len(text):
            yield nodes.Text(text[done:])


def _target(found: re.Match[str]) -> str | None:
    if found.group() in _IDS:
        return f"clauses/{found.group()}"
    return f"areas/{found[1]}" if found[2] == "*" and found[1] in _AREAS else None


def _is_prose(text: nodes.Text) -> bool:
    parent = text.parent
    while parent is not None:
        if isinstance(parent, (nodes.reference, nodes.title, nodes.literal_block, nodes.raw, nodes.term)):
            return False
        parent = parent.parent
    return True


def _put(text: nodes.Text, pieces: list[nodes.Node]) -> None:
    parent = text.parent
    if isinstance(parent, nodes.literal) and len(pieces) == 1:
        (link,) = pieces
        assert isinstance(link, nodes.reference)
        parent.replace_self(nodes.reference("", "", nodes.literal("", link.astext()), **link.attributes))
        return
    assert isinstance(parent, nodes.Element)
    parent.replace(text, pieces)
