"""The living specification: pages made from the law, its cases and its proofs when the site is built.

Writes the generated pages into `docs/clauses` and `docs/law`, which git does not keep, and the
machine-readable twins into the site. Runs the law, the court and the command; touches no network.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import links, listings, pages, twins
from .directives import DIRECTIVES

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDERS = ("clauses", "law")
"""What is generated whole; any other page there is removed."""


def setup(app: "Sphinx") -> dict[str, Any]:
    """Register with Sphinx what the pages use."""
    app.connect("builder-inited", _write_pages)
    app.connect("html-page-context", listings.wrap)
    app.connect("build-finished", _write_twins)
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    app.add_post_transform(links.ClauseLinks)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}


def _write_pages(app: "Sphinx") -> None:
    source = Path(app.srcdir)
    written = {source / f"{name}.md": text for name, text in pages.pages()}
    for folder in FOLDERS:
        for stale in set((source / folder).glob("*.md")) - written.keys():
            stale.unlink()
    for file, text in written.items():
        file.parent.mkdir(exist_ok=True)
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, encoding="utf-8")


def _write_twins(app: "Sphinx", fault: Exception | None) -> None:
    if fault is None and app.builder.format == "html":
        twins.write(Path(app.outdir))
