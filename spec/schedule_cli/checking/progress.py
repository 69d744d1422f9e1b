"""A line on standard error that tells how far long work has come, on a terminal only."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Meter:
    """Call it with bytes read and events passed, inside a `with`; it draws from the first call on."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> "Meter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, bytes_read: int, events: int) -> None:
        """Show that so many bytes have been read, and so many events passed."""
        if not (sys.stderr and sys.stderr.isatty()):
            return
        if self._bar is None:
            self._begin()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=bytes_read, events=f"{events:,}")

    def _begin(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - only long work on a terminal needs it
        from rich.progress import DownloadColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            DownloadColumn(),
            TextColumn("{task.fields[events]} events"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task(self._name, total=None, events="0")
        self._bar.start()
