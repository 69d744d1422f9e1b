"""A process on a real file, killed at random moments while reminders are made, taken back and come due.

    python -m tests.impl.live.kills [--count 300] [--seed N]

After each kill the log is held against what the process had told: nothing acknowledged is lost, nothing
durable is repeated, and a reminder that came twice did so in the one window that allows it. SIGKILL takes the
process but not the system's cache, so what is in the file then is what counts as durable.
"""

import argparse
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

from tests.impl.live.restless_agent import digest

from schedule_impl.instants import to_ms
from schedule_impl.scan import scan
from schedule_impl.session_log import read_lines

RESTLESS: Final = Path(__file__).parent / "restless_agent.py"
NAMES: Final = ("session.jsonl", "session.jsonl.zstd")
SPEED: Final = 1000
LIVES: Final = 6
"""Lives of one session, before another begins."""

Told = list[list[Any]]
Change = dict[str, Any]
Occurrence = tuple[str, int]
"""An id, and the instant in ms for which it is presented."""


class BrokenPromiseError(Exception):
    """What the process told and what its log holds do not agree."""


def demand(condition: bool, what: str) -> None:
    if not condition:
        raise BrokenPromiseError(what)


def dispatched(changes: list[Change]) -> list[Occurrence]:
    """The occurrences that a log's dispatches stand for, in order."""
    records: dict[str, dict[str, Any]] = {}
    found = []
    for change in changes:
        if change["operation"] == "create":
            records[change["schedule"]["id"]] = change["schedule"]
        elif change["operation"] == "dispatch":
            record = records[change["id"]]
            first = to_ms(record["scheduledAt"])
            if "acceptedAt" in change:
                interval = record["everySeconds"] * 1000
                first += (to_ms(change["acceptedAt"]) - first) // interval * interval
            found.append((change["id"], first))
    return found


@dataclass(slots=True)
class Witness:
    """One session over all its lives: what was told, and what the log held after each."""

    counts: Counter[str] = field(default_factory=Counter)
    changes: list[Change] = field(default_factory=list)
    queued: set[Occurrence] = field(default_factory=set)

    def judge(self, told: Told, changes: list[Change]) -> None:
        """Hold one life against the log that it left; BrokenPromiseError."""
        before, after = self.changes, changes[len(self.changes) :]
        demand(changes[: len(before)] == before, "what the log held before this life has changed")
        self._judge_start(told)
        self._judge_answers(told, after)
        self._judge_deliveries(told, before, after)
        self.changes = changes

    def _judge_start(self, told: Told) -> None:
        made = [change["schedule"]["id"] for change in self.changes if change["operation"] == "create"]
        for word, *rest in told:
            if word == "up":
                demand(
                    rest == [digest(json.dumps(made))], "the resumed session has seen other ids than the log"
                )
                self.counts["killed at work"] += 1
                return
        self.counts["killed while it started"] += 1

    def _judge_answers(self, told: Told, after: list[Change]) -> None:
        made = [change["schedule"] for change in after if change["operation"] == "create"]
        gone = [change["id"] for change in after if change["operation"] == "delete"]
        confirmed = [line[1] for line in told if line[0] == "created"]
        deleted = [line[1]["id"] for line in told if line[0] == "deleted" and line[1]["deleted"]]
        failed = [line[1] for line in told if line[0] == "failed"]
        demand(not failed, f"a call failed without a fault: {failed}")
        shown = [{**record, "prompt": digest(record["prompt"])} for record in made]
        stored = [
            {name: value for name, value in view.items() if name not in {"state", "deliveryMode"}}
            for view in confirmed
        ]
        demand(shown[: len(stored)] == stored, "a create that was acknowledged is not in the log, or not so")
        demand(len(made) <= len(stored) + 1, "more creates in the log than the one that was under way")
        demand(gone[: len(deleted)] == deleted, "a delete that was acknowledged is not in the log")
        demand(len(gone) <= len(deleted) + 1, "more deletes in the log than the one that was under way")
        self.counts["creates acknowledged"] += len(stored)
        self.counts["creates in the log, not yet acknowledged"] += len(made) - len(stored)
        self.counts["deletes acknowledged"] += len(deleted)
        self.counts["deletes in the log, not yet acknowledged"] += len(gone) - len(deleted)

    def _judge_deliveries(self, told: Told, before: list[Change], after: list[Change]) -> None:
        durable = dispatched(before)
        fresh = dispatched(before + after)[len(durable) :]
        ended = {change["id"] for change in before if change["operation"] == "delete"}
        prompts = {
            change["schedule"]["id"]: digest(change["schedule"]["prompt"])
            for change in before + after
            if change["operation"] == "create"
        }
        queued: list[list[Occurrence]] = []
        for word, what, *rest in (line for line in told if line[0] in {"queued", "deleted"}):
            if word == "deleted":
                ended.add(what["id"])
                continue
            items = [(identity, to_ms(occurrence)) for identity, occurrence, _ in what]
            for (identity, occurrence), (_, _, prompt) in zip(items, what, strict=True):
                seen = (identity, occurrence)
                demand(occurrence <= rest[0], f"{identity} was queued before its target")
                demand(identity not in ended, f"{identity} was queued though its delete was acknowledged")
                demand(prompts.get(identity) == prompt, f"{identity} was queued with another prompt")
                demand(seen not in durable, f"{identity} was queued again though its dispatch was durable")
                demand(
                    all(seen not in earlier for earlier in queued), f"{identity} was queued twice in one life"
                )
                self.counts["duplicates, each explained"] += seen in self.queued
            queued.append(items)
            self.counts["batches of two and more"] += len(items) > 1
        flat = [occurrence for items in queued for occurrence in items]
        demand(fresh == flat[: len(fresh)], "a dispatch in the log whose follow-up was not queued before it")
        last = len(queued[-1]) if queued else 0
        demand(
            len(flat) - len(fresh) <= last,
            "a follow-up was queued before the dispatch of the last was durable",
        )
        self.counts["occurrences queued"] += len(flat)
        self.counts["dispatches in the log"] += len(fresh)
        self.counts["killed between enqueue and dispatch"] += len(flat) > len(fresh)
        self.queued |= set(flat)


@dataclass(frozen=True, slots=True)
class Life:
    """How long a process may live: `seconds` from when it told `word`."""

    word: str
    seconds: float
    seed: int


def next_life(dice: random.Random) -> Life:
    """A moment in a start, anywhere, right behind an enqueue, or around a long write."""
    word, longest = dice.choice([("starting", 0.03), ("up", 0.35), ("queued", 0.002), ("long", 0.1)])
    return Life(word, dice.uniform(0.0, longest), dice.getrandbits(32))


def live(log: Path, origin: int, life: Life) -> Told:
    """What a process told before it was killed; a line that the kill cut was not told."""
    command = [sys.executable, str(RESTLESS), str(log), str(life.seed), str(origin), str(SPEED)]
    told: list[bytes] = []
    begun = Event()

    def listen() -> None:
        for line in process.stdout or ():
            told.append(line)
            if line.startswith(f'["{life.word}"'.encode()):
                begun.set()
        begun.set()

    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        listener = Thread(target=listen)
        listener.start()
        begun.wait(60)
        time.sleep(life.seconds)
        demand(process.poll() is None, "the process ended by itself")
        process.send_signal(signal.SIGKILL)
        listener.join()
    return [json.loads(line) for line in told if line.endswith(b"\n")]


def changes_of(log: Path, counts: Counter[str]) -> list[Change]:
    """The changes that a log holds, what a kill left at its end left out; the log must be sound."""
    if not log.exists():
        counts["killed before there was a log"] += 1
        return []
    with log.open("rb") as stream:
        found = scan(stream)
        demand(found.stop is None, f"the log is not sound: {found.stop and found.stop.message}")
        counts["ends torn"] += found.torn is not None
        stream.seek(0)
        _, *events = map(json.loads, read_lines(stream))
    return [event["data"] for event in events if event["type"] == "schedule/change"]


def run(folder: Path, count: int, seed: int, lives: int = LIVES, *, progress: bool = False) -> Counter[str]:
    """Kill so many processes; what happened, counted. BrokenPromiseError, and the folder tells more."""
    dice = random.Random(seed)
    counts: Counter[str] = Counter()
    origin = time.time_ns() // 1_000_000
    witness = Witness()
    for number in range(count):
        session, life = divmod(number, lives)
        if not life:
            witness = Witness(counts)
            counts["sessions"] += 1
        log = folder / str(session) / NAMES[session % len(NAMES)]
        told = live(log, origin, next_life(dice))
        witness.judge(told, changes_of(log, counts))
        counts["kills"] += 1
        if progress and (number + 1) % 10 == 0:
            sys.stderr.write(f"{number + 1} of {count} kills, {counts['occurrences queued']} occurrences\n")
    return counts


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.impl.live.kills", description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="how many processes to kill")
    parser.add_argument("--seed", type=int, default=1, help="what the moments and the habits come from")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="schedule-kills-"))
    say(f"seed {options.seed}, {options.count} kills")
    try:
        counts = run(folder, options.count, options.seed, progress=True)
    except BrokenPromiseError as broken:
        say(f"broken: {broken}\nthe logs are in {folder}")
        return 1
    shutil.rmtree(folder)
    for what, number in sorted(counts.items()):
        say(f"{number:>8,}  {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
