"""The built site, and what can be read off its pages."""

import fcntl
import os
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[2]
SITE = ROOT / "docs" / "_build" / "html"


def built() -> Path:
    """Build the site, warnings as errors, unless this run of the tests has built it; return its folder."""
    SITE.mkdir(parents=True, exist_ok=True)
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    stamp = SITE.parent / "built-by"
    with (SITE.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != run:
            command = [
                sys.executable,
                "-m",
                "sphinx",
                "-W",
                "--keep-going",
                "-q",
                "-b",
                "html",
                "docs",
                str(SITE),
            ]
            build = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            assert build.returncode == 0, build.stdout + build.stderr
            stamp.write_text(run)
    return SITE


@dataclass
class Read(HTMLParser):
    """A page: the ids in it, where its links lead, and what it loads."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        members = dict(attrs)
        self.ids |= {value for name in ("id", "name") if (value := members.get(name))}
        link = members.get("href")
        if tag == "a" and link is not None:
            self.links.append(link)
        elif tag == "link" and link is not None and members.get("rel") not in ("canonical", "next", "prev"):
            self.loads.append(link)
        source = members.get("src")
        if source is not None:
            self.loads.append(source)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(text: str) -> Read:
    """Read a page."""
    page = Read()
    page.feed(text)
    page.close()
    return page


def broken_links(site: Path) -> list[str]:
    """Every link inside the pages below a folder that leads to no file, or to no such place in it."""
    pages = {path.resolve(): read(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        for link in (*page.links, *page.loads):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            wanted = unquote(parts.fragment)
            if not target.is_file() or (wanted and target in pages and wanted not in pages[target].ids):
                found.append(f"{path.relative_to(site.resolve())}: {link}")
    return sorted(set(found))
