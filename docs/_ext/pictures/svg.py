"""Writing SVG: one width for all pictures, time and events downwards, two colour schemes in one file.

A picture is `WIDTH` units wide, so that a phone of 360 px shows it at about its own size and no text is
smaller than 12 px. Colours are variables: they follow the reader's scheme, and a page's `data-theme` where
the picture stands in a page. All rules hold within `.law-picture` alone, since a style within a page is
everyone's.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

WIDTH = 340
"""The width of every picture in its own units."""
TITLE, BODY, SMALL = 14, 13, 12.5
"""Sizes of text, in the picture's own units."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture: its name, the SVG for both schemes, what it shows to whom can't see it, and its caption.

    `alt` and `caption` are plain text without markup.
    """

    name: str
    svg: str
    alt: str
    caption: str


_LIGHT = (
    "--ink:#1b1f24;--soft:#59626c;--line:#a9b2bb;--paper:var(--color-background-primary,#fff);"
    "--good:#0b5fa5;--good-wash:#e4eefa;--bad:#a3261d;--bad-wash:#fbe6e3;--still:#eef0f2"
)
_DARK = (
    "--ink:#e3e6e9;--soft:#a3acb5;--line:#5b656f;--paper:var(--color-background-primary,#131416);"
    "--good:#79b8f5;--good-wash:#16293d;--bad:#ff9c92;--bad-wash:#40201d;--still:#23272b"
)
_STYLE = (
    f".law-picture{{{_LIGHT};color-scheme:light dark;display:block;height:auto;margin:0 auto;"
    "width:min(100%,27rem)}"
    f"@media (prefers-color-scheme:dark){{.law-picture{{{_DARK}}}}}"
    f"[data-theme=light] .law-picture{{{_LIGHT}}}"
    f"[data-theme=dark] .law-picture{{{_DARK}}}"
    ".law-picture text{fill:var(--ink);"
    f"font:{BODY}px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}}"
    f".law-picture .title{{font-size:{TITLE}px;font-weight:700}}"
    ".law-picture .strong{font-weight:700}"
    f".law-picture .small{{font-size:{SMALL}px}}"
    ".law-picture .soft{fill:var(--soft)}"
    ".law-picture .good{fill:var(--good)}"
    ".law-picture .bad{fill:var(--bad)}"
    ".law-picture .paper{fill:var(--paper)}"
    ".law-picture .box{fill:var(--paper);stroke:var(--ink);stroke-width:1.25}"
    ".law-picture .box-good{fill:var(--good-wash);stroke:var(--good);stroke-width:1.25}"
    ".law-picture .box-bad{fill:var(--paper);stroke:var(--bad);stroke-width:1.25}"
    ".law-picture .box-still{fill:var(--still);stroke:var(--line);stroke-width:1.25}"
    ".law-picture .wash-bad{fill:var(--bad-wash)}"
    ".law-picture .wash-good{fill:var(--good-wash)}"
    ".law-picture .wash-still{fill:var(--still)}"
    ".law-picture .dot-good{fill:var(--good);stroke:var(--good);stroke-width:2}"
    ".law-picture .ring-good{fill:var(--paper);stroke:var(--good);stroke-width:2}"
    ".law-picture .ring-soft{fill:var(--paper);stroke:var(--soft);stroke-dasharray:2.5 2.5;stroke-width:1.5}"
    ".law-picture .dot-ink{fill:var(--ink);stroke:var(--paper);stroke-width:1}"
    ".law-picture .stroke{fill:none;stroke:var(--line);stroke-width:1.5}"
    ".law-picture .stroke-ink{fill:none;stroke:var(--ink);stroke-width:1.5}"
    ".law-picture .stroke-good{fill:none;stroke:var(--good);stroke-width:1.5}"
    ".law-picture .stroke-bad{fill:none;stroke:var(--bad);stroke-width:1.5}"
    ".law-picture .dashed{stroke-dasharray:4 3}"
    ".law-picture .head-ink{fill:var(--ink)}"
    ".law-picture .head-good{fill:var(--good)}"
    ".law-picture .head-bad{fill:var(--bad)}"
)


def document(name: str, height: int, title: str, description: str, parts: Iterable[str]) -> str:
    """Return a whole picture, `height` units high, with its text alternatives."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="law-picture" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-labelledby="picture-{name}-title picture-{name}-text">\n'
        f'<title id="picture-{name}-title">{escape(title)}</title>\n'
        f'<desc id="picture-{name}-text">{escape(description)}</desc>\n'
        f"<style>{_STYLE}</style>\n"
        f"{rect((0, 0, WIDTH, height), 'paper', round=0)}\n" + "\n".join(parts) + "\n</svg>"
    )


def fact(parts: Iterable[str], **data: object) -> str:
    """Return parts with the fact that they show: each member becomes a `data-` attribute."""
    attributes = "".join(
        f' data-{key.replace("_", "-")}="{escape(str(value))}"' for key, value in data.items()
    )
    return f"<g{attributes}>{''.join(parts)}</g>"


def text(x: float, y: float, words: str, style: str = "", anchor: str = "start") -> str:
    """Return a line of text whose base line is at `y`."""
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}"{_styled(style)}{placed}>{escape(words)}</text>'


def upright(x: float, y: float, words: str, style: str = "") -> str:
    """Return a line of text that runs upwards, centred about a point."""
    turned = f' transform="rotate(-90 {x:g} {y:g})"'
    return f'<text x="{x:g}" y="{y:g}"{_styled(style)} text-anchor="middle"{turned}>{escape(words)}</text>'


def rect(place: tuple[float, float, float, float], style: str, *, round: float = 6) -> str:
    """Return a rectangle; `place` is its left edge, top, width and height."""
    x, y, width, height = place
    corners = f' rx="{round:g}"' if round else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corners}{_styled(style)}/>'


def circle(x: float, y: float, radius: float, style: str) -> str:
    """Return a circle."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"{_styled(style)}/>'


def path(points: Iterable[tuple[float, float]], style: str) -> str:
    """Return a line through points."""
    drawn = " L".join(f"{x:g} {y:g}" for x, y in points)
    return f'<path d="M{drawn}"{_styled(style)}/>'


def arrow(points: tuple[tuple[float, float], ...], colour: str = "ink", style: str = "") -> str:
    """Return a line through points with a head at its end; its last stretch is level or upright, or any."""
    (x0, y0), (x, y) = points[-2], points[-1]
    length = ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5
    dx, dy = (x - x0) / length, (y - y0) / length
    base = (round(x - 7 * dx, 2), round(y - 7 * dy, 2))
    left = (round(base[0] - 4 * dy, 2), round(base[1] + 4 * dx, 2))
    right = (round(base[0] + 4 * dy, 2), round(base[1] - 4 * dx, 2))
    head = "".join(
        f"{mark}{px:g} {py:g}" for mark, (px, py) in zip("MLL", ((x, y), left, right), strict=True)
    )
    return (
        path((*points[:-1], base), f"stroke-{colour} {style}".strip())
        + f'<path d="{head}Z"{_styled(f"head-{colour}")}/>'
    )


def _styled(style: str) -> str:
    return f' class="{style}"' if style else ""
