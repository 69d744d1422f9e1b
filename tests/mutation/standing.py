"""What a run stands on, and whether that is changed while the run goes on.

Killers are imported once, but for some mutants anew, and they read files as they run: with one that is edited
meanwhile a killer may fail that passed before. A file tells of it by itself, by the time of its last change
of any kind, which no copy and no move can set back.
"""

import time
from collections.abc import Iterable
from pathlib import Path

from tests.mutation.children import HarnessError
from tests.mutation.placing import loaded
from tests.mutation.sides import ROOT

BEGAN = time.time()
"""When this module was imported: before any killer was, and anything that is mutated."""
DATA = (ROOT / "spec", ROOT / "tests" / "data")
"""Where the data are that killers read."""


def stood_on() -> frozenset[Path]:
    """Return the files of all modules of the checkout that are loaded, and of the data that killers read."""
    data = (file for folder in DATA for file in folder.rglob("*") if file.suffix not in (".py", ".pyc"))
    return frozenset([*loaded().values(), *(file for file in data if file.is_file())])


def state_of(files: Iterable[Path]) -> tuple[int, int]:
    """Return what any change of one of the files makes another: how many there are, and the last change."""
    changes = [changed for file in files if (changed := _changed(file)) is not None]
    return len(changes), max(changes, default=0)


def must_stand(files: Iterable[Path]) -> None:
    """Raise HarnessError where one of the files was changed, or taken away, since the run began."""
    changed = [file for file in files if is_changed(file)]
    if changed:
        raise HarnessError(
            f"{min(changed).relative_to(ROOT)} was changed after the run began; "
            "what was found before is kept, and the next run goes on from there"
        )


def is_changed(file: Path) -> bool:
    """Tell whether a file was changed, or taken away, since the run began."""
    changed = _changed(file)
    return changed is None or changed > BEGAN * 1e9


def _changed(file: Path) -> int | None:
    """Return when a file was last changed, in nanoseconds; None where it is not there."""
    try:
        return file.stat().st_ctime_ns
    except FileNotFoundError:
        return None
