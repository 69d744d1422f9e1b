"""A session on a real file whose medium fills up again and again: no false success, and it goes on.

    python -m tests.impl.live.full_medium [--rounds 200] [--seed N]

A limit on the size of files stands for the full medium; where this process may mount one, a small file system
in memory is filled as well. In each round there is room, then little or none while calls are made and
reminders come due, then room again. A value is believed only if a fresh reading of the file bears it out.
"""

import argparse
import asyncio
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

from tests.impl.live.restless_agent import reminders

from schedule_impl.feature import Installation, ScheduleFeature
from schedule_impl.host import Agent
from schedule_impl.persistence import Persistence
from schedule_impl.scan import scan
from schedule_impl.session import Session
from schedule_impl.simulation.virtual_time import VirtualClock, VirtualTimers
from schedule_impl.storage import Disk
from schedule_impl.store import SessionStore

START: Final = 1_785_931_200_000
CODES: Final = {"persistence_uncertain", "internal_error"}
SMALL: Final = 32 << 20
"""The size in bytes of the small file system."""


class Medium(Protocol):
    """Where the log lies."""

    def fill(self, room: int) -> None:
        """Leave about `room` bytes."""
        ...

    def clear(self) -> None:
        """Make room again."""
        ...


class LimitedFile:
    """No file may grow beyond the log's size and the room."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]

    def fill(self, room: int) -> None:
        size = self._log.stat().st_size if self._log.exists() else 0
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + room, self._hard))

    def clear(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (self._hard, self._hard))


class SmallDisk:
    """Another file takes all that is left; room comes in whole blocks."""

    def __init__(self, log: Path) -> None:
        self._filler = log.with_name("filler")

    def fill(self, room: int) -> None:
        self.clear()
        free = os.statvfs(self._filler.parent)
        blocks = max(free.f_bavail - -(-room // free.f_bsize), 0)
        self._filler.write_bytes(bytes(blocks * free.f_bsize))

    def clear(self) -> None:
        self._filler.unlink(missing_ok=True)


class Host:
    """An agent that is always idle, and keeps what was queued for it."""

    def __init__(self) -> None:
        self.queued: list[tuple[str, str]] = []

    def claim_idle(self) -> "Host":
        return self

    def release(self) -> None:
        pass

    def follow_up(self, text: str) -> None:
        self.queued += [(identity, occurrence) for identity, occurrence, _ in reminders(text)]

    def watch_idle(self, callback: object) -> Callable[[], None]:
        return lambda: None


class Trial:
    """One session on one medium, through all rounds."""

    def __init__(self, log: Path, medium: Medium, seed: int) -> None:
        self.counts: Counter[str] = Counter()
        self._log = log
        self._medium = medium
        self._dice = random.Random(seed)
        self._clock = VirtualClock()
        self._clock.time = START
        self._timers = VirtualTimers()
        self._host = Host()
        self._known: set[str] = set()

    async def run(self, rounds: int) -> None:
        store = SessionStore(Disk(self._log.parent), self._clock)
        self._medium.fill(0)
        try:
            await store.create("full", self._log.name)
        except OSError:
            self.counts["sessions not made for want of room"] += 1
        self._medium.clear()
        session = await store.create("full", self._log.name)
        persistence = Persistence()
        persistence.attach(store)
        feature = ScheduleFeature(persistence, self._clock, self._timers)
        installed = feature.agent_created(Agent("full", session, self._host))
        assert installed is not None
        try:
            for _ in range(rounds):
                await self._round(installed, session)
        finally:
            self._medium.clear()
            await store.close(session)
        assert len(set(self._host.queued)) == len(self._host.queued), "an occurrence was queued twice"
        self.counts["occurrences queued"] = len(self._host.queued)

    async def _round(self, installed: Installation, session: Session) -> None:
        self.counts["rounds"] += 1
        self._medium.fill(self._dice.choice([0, 1, 50, 200, 1000]))
        for _ in range(self._dice.randint(1, 6)):
            await self._call(installed, session, CODES)
            await self._pass_time()
        self._medium.clear()
        await self._call(installed, session, set())
        found = self._read()
        assert found == session.agenda.seen(), "the file is behind although a barrier succeeded"
        assert self._known <= set(found), "what was appended before an uncertain answer is lost"

    async def _call(self, installed: Installation, session: Session, codes: set[str]) -> None:
        """One call; what it answers must be borne out by the file, or be an error that is admitted."""
        create, listing, delete = (tool.run for tool in installed.tools)
        active = [record.id for record in session.agenda.active()]
        match self._dice.choice(["create", "create", "create", "list", "delete"]):
            case "create":
                rule = self._dice.choice([{"after_seconds": 60}, {"every_seconds": 300}])
                answer: Any = await create({"prompt": self._prompt(), **rule})
                if "kind" in answer:
                    assert answer["id"] in self._read(), "a create was confirmed that is not in the file"
                if "id" in answer:
                    self._known.add(answer["id"])
            case "list":
                answer = await listing({})
                if isinstance(answer, list):
                    assert [view["id"] for view in answer] == self._read_active(), (
                        "a list that the file denies"
                    )
            case _:
                answer = await delete({"id": self._dice.choice(active or ["none"])})
                if answer.get("deleted"):
                    assert answer["id"] not in self._read_active(), "a delete was confirmed and did not last"
        code = answer["code"] if isinstance(answer, dict) and "message" in answer else None
        assert code is None or code in codes, f"{code} where none of {codes or 'no error'} was due"
        room = "with little or no room" if codes else "with room"
        self.counts[f"calls {room}: {code or 'a value'}"] += 1

    async def _pass_time(self) -> None:
        """Let what comes due in a minute or so be delivered, or fail to be."""
        delay = self._dice.choice([0, 30_000, 90_000])
        self._clock.time += delay
        while (left := self._timers.next_delay()) is not None and left <= delay:
            self._timers.elapse(left)
            delay -= left
            self._timers.fire()
            await asyncio.sleep(0.002)
        self._timers.elapse(delay)

    def _prompt(self) -> str:
        return f"{self._dice.getrandbits(4 * self._dice.choice([1, 300, 9000])):x}"

    def _read(self) -> list[str]:
        with self._log.open("rb") as stream:
            found = scan(stream)
        assert found.stop is None, found.stop
        return found.state.seen()

    def _read_active(self) -> list[str]:
        with self._log.open("rb") as stream:
            return [record["id"] for record in scan(stream).active]


@contextmanager
def small_disk() -> Iterator[Path | None]:
    """A small file system in memory, or None where this process may not mount one."""
    with tempfile.TemporaryDirectory(prefix="schedule-full-") as folder:
        options = ["-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", folder]
        try:
            mounted = subprocess.run(["mount", *options], capture_output=True, check=False).returncode == 0
        except FileNotFoundError:
            mounted = False
        if not mounted:
            yield None
            return
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


def trials(folder: Path, rounds: int, seed: int) -> Iterator[tuple[str, Counter[str]]]:
    """What happened on each medium, each with a plain and a compressed log."""
    for name in ("s.jsonl", "s.jsonl.zstd"):
        trial = Trial(folder / name, LimitedFile(folder / name), seed)
        asyncio.run(trial.run(rounds))
        yield f"limited file, {name}", trial.counts
        with small_disk() as disk:
            if disk is not None:
                trial = Trial(disk / name, SmallDisk(disk / name), seed)
                asyncio.run(trial.run(rounds))
                yield f"small disk, {name}", trial.counts


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.impl.live.full_medium", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="how often each medium fills up")
    parser.add_argument("--seed", type=int, default=1, help="what the calls and the room come from")
    options = parser.parse_args()
    sys.stdout.write(f"seed {options.seed}, {options.rounds} rounds\n")
    with tempfile.TemporaryDirectory(prefix="schedule-full-") as folder:
        for medium, counts in trials(Path(folder), options.rounds, options.seed):
            sys.stdout.write(f"{medium}\n")
            for what, number in sorted(counts.items()):
                sys.stdout.write(f"{number:>8,}  {what}\n")


if __name__ == "__main__":
    main()
