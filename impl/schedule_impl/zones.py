"""Time zones by name, from the `tzdata` package alone.

Neither the machine's own zone files nor the search path of `zoneinfo` are consulted: a name from outside is
looked up in the release's own list, and only a spelling of that list leads to a file.
Clauses: zone.names, zone.release, at.no-ambient.
"""

import pkgutil
from functools import cache
from io import BytesIO
from typing import Final
from zoneinfo import ZoneInfo

import tzdata  # type: ignore[import-untyped]

RELEASE: Final[str] = tzdata.IANA_VERSION
"""The tzdata release in use, such as `2026f` (zone.release)."""

_UTC: Final = "UTC"


@cache
def names() -> tuple[str, ...]:
    """Every accepted name in the release's spelling, sorted: `UTC`, and all with a `/` (zone.names)."""
    listed = _read("zones").decode().split()
    return tuple(sorted(name for name in listed if name == _UTC or "/" in name))


def canonical(name: str) -> str | None:
    """The release's spelling of an accepted name, or None for any other text.

    `UTC` is accepted as it stands, the others without regard to ASCII case (zone.names).
    """
    if name == _UTC:
        return name
    # Lower-casing maps some letters beyond ASCII into it, the Kelvin sign for one.
    return _spellings().get(name.lower()) if name.isascii() else None


@cache
def load(name: str) -> ZoneInfo:
    """The zone of a name in the release's spelling, read once; KeyError for any other name."""
    if name not in names():
        raise KeyError(name)
    return ZoneInfo.from_file(BytesIO(_read(f"zoneinfo/{name}")))


@cache
def _spellings() -> dict[str, str]:
    return {name.lower(): name for name in names() if name != _UTC}


def _read(path: str) -> bytes:
    data = pkgutil.get_data("tzdata", path)
    assert data is not None  # it is None only for a package that has no files
    return data
