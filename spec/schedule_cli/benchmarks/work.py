"""One measured piece of work, in a process of its own: `python -m schedule_cli.benchmarks.work WORK LOG`.

Prints one JSON object: `seconds` of the work itself, `peak` bytes of memory of the whole process, `events`.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter


def check(log: Path) -> Callable[[], int]:
    """What `schedule-spec check` does with a sound log; AssertionError where it is not."""
    from schedule_cli.checking.judging import Outcome, judge  # noqa: PLC0415 - a part of this work alone
    from schedule_cli.checking.sources import Source  # noqa: PLC0415
    from schedule_spec.profiles import Profile  # noqa: PLC0415

    def work() -> int:
        verdict = judge(Source(str(log)), Profile.V1)
        if verdict.outcome is not Outcome.SOUND:
            raise AssertionError(f"the generated log is not sound: {verdict}")
        return verdict.events

    return work


def decode(log: Path) -> Callable[[], int]:
    """The yardstick: every line decoded by msgspec as one tagged union of the events, and nothing else."""
    from schedule_cli.benchmarks.yardstick import decoder  # noqa: PLC0415

    def work() -> int:
        line = decoder()
        with log.open("rb") as file:
            next(file)
            events = 0
            for raw in file:
                line.decode(raw)
                events += 1
        return events

    return work


def fold(log: Path) -> Callable[[], int]:
    """The implementation's fold over events that are in memory already."""
    import msgspec  # noqa: PLC0415

    from schedule_impl.fold import fold as fold_events  # noqa: PLC0415

    with log.open("rb") as file:
        next(file)
        events = [msgspec.json.decode(raw) for raw in file]

    def work() -> int:
        fold_events(events)
        return len(events)

    return work


WORKS = {"check": check, "decode": decode, "fold": fold}


def peak_bytes() -> int | None:
    """Return the most memory this process has held, in bytes; None where the system does not say.

    Linux counts in getrusage what the parent held before it became this process, so its own figure comes
    first.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main(name: str, log: str) -> None:
    """Prepare the work, do it, and print its figures."""
    work = WORKS[name](Path(log))
    begin = perf_counter()
    events = work()
    seconds = perf_counter() - begin
    sys.stdout.write(json.dumps({"seconds": seconds, "peak": peak_bytes(), "events": events}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
