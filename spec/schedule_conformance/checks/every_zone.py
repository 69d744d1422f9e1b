"""Every accepted zone name at a few wall times that tell builds and releases of the zone data apart.

A name may be a link, and what it links to differs between the default build and one with backzone; so each
name is asked for itself, and not each set of rules. Touches the law's zone data. Clauses: zone.release,
zone.names, local.unique.
"""

from collections.abc import Iterator

from schedule_conformance.checks.trials import Trial
from schedule_conformance.judgement.cases import Case
from schedule_conformance.judgement.narrowing import concerned
from schedule_conformance.law.rulings import Granted
from schedule_spec import local_time, zones
from schedule_spec.absolute import parse_offset_form
from schedule_spec.instants import EARLIEST, render

ID = "exhaustive/zones"

DAYS = (
    "1860-01-01",
    "2026-07-01",
    "1942-07-01",
    "2026-03-01",
    "2026-11-15",
    "1965-05-01",
    "2040-09-01",
    "1980-04-01",
    "1931-05-01",
    "1925-10-01",
    "1993-02-15",
    "1978-11-15",
    "1911-05-15",
    "1966-09-01",
    "1982-11-15",
    "2015-01-15",
)
"""Days at whose noon zones differ, the most telling first.

Before standard time; in summer, in winter and in a Ramadan of these years; in the war, and when zones that
the default build merges differed; past the years that a table of transitions lists.
"""

_TIME = "12:00:00"


def cases(trial: Trial, days: int) -> Iterator[Case]:
    """Yield a case for every name at noon of each of the first `days` days, day by day."""
    for day in DAYS[:days]:
        for name in zones.names():
            yield _case(trial, name, day)


def _case(trial: Trial, name: str, day: str) -> Case:
    at = {"date": day, "time": _TIME, "time_zone": name}
    request = {"cmd": "create", "id": "a", "prompt": "p", "at": at, "now": EARLIEST}
    wall = parse_offset_form(f"{day}T{_TIME}Z")
    instant = local_time.resolve(zones.zone(name), wall) if isinstance(wall, int) else None
    if instant is None:
        return trial.case(request)
    record = {"id": "a", "kind": "at", "prompt": "p", "scheduledAt": render(instant)}
    return trial.case(request, Granted({"record": record}))


def run(trial: Trial, days: int) -> None:
    """Try the system with every name at noon of each of the first `days` days.

    The first name and day that fails under a clause tells it; all are counted.
    """
    with trial.check(ID, generated=False):
        if not concerned(trial.only, "create"):
            return
        for case in cases(trial, days):
            failure = trial.hear(case)
            if failure is not None:
                trial.record(failure)
