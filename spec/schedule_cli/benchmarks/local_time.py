"""How long a local time takes to become an instant: in the implementation, and in the law for scale.

`cold` is the first local time in a zone: the zone's file is read and parsed. `warm` is any later one. The
process has started and knows the zones' names in both. What is timed is what `at` costs: from the strings
`date`, `time` and `time_zone` to the instant, their checks included.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter

from schedule_impl import absolute as impl_absolute
from schedule_impl import zones as impl_zones
from schedule_spec import absolute as law_absolute
from schedule_spec import zones as law_zones

ZONES = (
    "Europe/Paris",
    "America/New_York",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "America/Nuuk",
    "Asia/Gaza",
    "Africa/Casablanca",
    "Pacific/Apia",
)
"""The eight zones that are mixed; the first is the one zone. Each differs from the others in its rules."""

READINGS = {"implementation": impl_absolute.read_local_form, "law": law_absolute.parse_local_form}
_FORGET = {"implementation": impl_zones.load.cache_clear, "law": law_zones.zone.cache_clear}

Local = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Figure:
    """The best of several runs; `seconds` is the time of one run of so many `calls`."""

    reading: str
    zones: int
    is_warm: bool
    calls: int
    seconds: float

    @property
    def microseconds(self) -> float:
        """How long one call takes, in µs."""
        return self.seconds / self.calls * 1e6

    @property
    def per_second(self) -> float:
        """How many calls a second."""
        return self.calls / self.seconds


def local_times(zone_names: Sequence[str], count: int, seed: int) -> list[Local]:
    """Return so many local times of the years 1970 to 2099, the zones in turn; none lies in a gap.

    No zone here skips the hours from 10 to 15, whole days apart, which 2011-12-30 in Apia was: the days end
    with the 28th.
    """
    random = Random(seed)
    return [
        {
            "date": f"{random.randint(1970, 2099)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}",
            "time": f"{random.randint(10, 15)}:{random.randint(0, 59):02}:{random.randint(0, 59):02}",
            "time_zone": zone_names[position % len(zone_names)],
        }
        for position in range(count)
    ]


def measure(reading: str, zone_names: Sequence[str], is_warm: bool, calls: int, best_of: int) -> Figure:
    """Return the best of so many runs over the same local times; AssertionError where one has no instant."""
    times = local_times(zone_names, calls, seed=1)
    resolve = READINGS[reading]
    if not all(isinstance(resolve(each), int) for each in times[: 2 * len(zone_names)]):
        raise AssertionError(f"{reading}: a local time of the benchmark has no instant")
    run = _warm if is_warm else _cold
    seconds = min(run(reading, times) for _ in range(best_of))
    return Figure(reading, len(zone_names), is_warm, calls, seconds)


def _warm(reading: str, times: Sequence[Local]) -> float:
    resolve: Callable[[Local], object] = READINGS[reading]
    begin = perf_counter()
    for each in times:
        resolve(each)
    return perf_counter() - begin


def _cold(reading: str, times: Sequence[Local]) -> float:
    """Return the time of the calls alone, the zones forgotten before each."""
    resolve: Callable[[Local], object] = READINGS[reading]
    seconds = 0.0
    for each in times:
        _FORGET[reading]()
        begin = perf_counter()
        resolve(each)
        seconds += perf_counter() - begin
    return seconds
