"""Saboteurs of zone.*, local.* and at.no-ambient: which zones there are, what a wall time in one means."""

import re
from collections.abc import Callable
from functools import cache

from tests.saboteurs.model import Handler
from tests.saboteurs.pure.absolute import is_local
from tests.saboteurs.pure.lenient import unquoted
from tests.saboteurs.pure.ways import (
    Object,
    code_of,
    coded,
    correct,
    granted,
    members,
    on_local,
    refused,
    rendered,
    sabotage,
)

from schedule_spec import absolute, local_time, zones
from schedule_spec.instants import in_range
from schedule_spec.text import trim
from schedule_spec.zones import Zone

Resolve = Callable[[Zone, int], int | None]
"""From a zone and a wall time in ms to an instant, or None where it is as it should be."""

HOUR = 3_600_000
TODAY = 1_767_225_600_000
"""An instant of the present rules: the beginning of 2026."""


def resolving(resolve: Resolve) -> Handler:
    """Resolve wall times in a zone otherwise."""

    def handle(request: Object) -> Object:
        given = members(request) if request["cmd"] == "create" else {}
        wall, zone, now = wall_of(given), zone_of(given), given.get("now")
        if wall is None or zone is None or type(now) is not int:
            return correct(request)
        instant = resolve(zone, wall)
        if instant is None or not in_range(instant) or not is_sound_beside(request, given):
            return correct(request)
        return stored(request, given, instant) if instant > now else refused(request, "not_future")

    return handle


def is_sound_beside(request: Object, given: Object) -> bool:
    """Tell whether a creation is sound but for its `at`."""
    plain = {key: value for key, value in given.items() if key != "at"}
    return "result" in correct(
        {**plain, "seq": request["seq"], "cmd": "create", "after_seconds": 1, "now": 0}
    )


def stored(request: Object, given: Object, instant: int) -> Object:
    """Return the reply that stores an instant."""
    record = {
        "id": given["id"],
        "kind": "at",
        "prompt": trim(given["prompt"]),
        "scheduledAt": rendered(instant),
    }
    return granted(request, {"record": record})


def wall_of(given: Object) -> int | None:
    """Return the wall time, in ms, of a creation that has a sound one."""
    at = given.get("at")
    if not is_local(at):
        return None
    wall = absolute.parse_offset_form(f"{at['date']}T{at['time']}Z")
    return wall if isinstance(wall, int) else None


def zone_of(given: Object) -> Zone | None:
    """Return the zone of a creation that names one."""
    at = given.get("at")
    name = zones.canonical(at["time_zone"]) if is_local(at) else None
    return zones.zone(name) if name else None


@cache
def _instants_of(name: str, wall: int) -> tuple[int, ...]:
    return local_time.instants_of(zones.zone(name), wall)


def instants_of(zone: Zone, wall: int) -> tuple[int, ...]:
    """Return the instants at which a zone's clocks show a wall time; all in ms."""
    return _instants_of(zone.name, wall)


def gap_shifted(zone: Zone, wall: int, *, forward: bool) -> int | None:
    if instants_of(zone, wall):
        return None
    gap = local_time.gap_around(zone, wall)
    return wall - (gap.before if forward else gap.after)


def gap_closed(zone: Zone, wall: int) -> int | None:
    return None if instants_of(zone, wall) else local_time.gap_around(zone, wall).at


def gap_of_other_lengths(zone: Zone, wall: int) -> int | None:
    """Know gaps of one hour alone."""
    if instants_of(zone, wall):
        return None
    gap = local_time.gap_around(zone, wall)
    return None if gap.after - gap.before == HOUR else wall - gap.before


def end_of_gap(zone: Zone, wall: int) -> int | None:
    """Take the last millisecond of a gap for its end."""
    if instants_of(zone, wall):
        return None
    gap = local_time.gap_around(zone, wall)
    return gap.at if wall == gap.at + gap.after - 1 else None


def second_of_overlap(zone: Zone, wall: int) -> int | None:
    found = instants_of(zone, wall)
    return found[-1] if len(found) > 1 else None


def in_minutes(zone: Zone, wall: int) -> int | None:
    """Round offsets to minutes, as zone data of some runtimes has them."""
    found = instants_of(zone, wall)
    return wall - (wall - found[0]) // 60_000 * 60_000 if len(found) == 1 else None


def by_present_offset(zone: Zone, wall: int) -> int | None:
    """Use the zone's offset of today."""
    return wall - zones.offset_at(zone, TODAY) if instants_of(zone, wall) else None


def by_last_entry(zone: Zone, wall: int) -> int | None:
    """Read the table of a zone and not the rule that follows it."""
    if not zone.onsets or zone.rule is None or not instants_of(zone, wall):
        return None
    last = zone.onsets[-1]
    return wall - last.offset if wall > last.at + 86_400_000 else None


def by_first_entry(zone: Zone, wall: int) -> int | None:
    """Use the first standard offset for all before it, and not local mean time."""
    if not zone.onsets or not instants_of(zone, wall):
        return None
    first = zone.onsets[0]
    return wall - first.offset if wall < first.at - 86_400_000 else None


def one_guess(zone: Zone, wall: int) -> int | None:
    """Look the offset up once, at the wall time taken for UTC."""
    return wall - zones.offset_at(zone, wall) if instants_of(zone, wall) else None


def as_utc(_: Zone, wall: int) -> int | None:
    return wall


def in_process_zone(_: Zone, wall: int) -> int | None:
    """Take the zone of the process, five and a half hours east."""
    return wall - 19_800_000


def without_whole_days(zone: Zone, wall: int) -> int | None:
    """Know no change of the calendar's day: Samoa keeps its old offset until the year ends."""
    if zone.name != "Pacific/Apia" or not instants_of(zone, wall):
        return None
    return wall + 10 * HOUR if 1_325_203_200_000 <= wall < 1_325_376_000_000 else None


def second_where_first_is_past(request: Object) -> Object:
    """Take whichever of an overlap is still to come."""
    reply = correct(request)
    given = members(request) if request["cmd"] == "create" else {}
    wall, zone = wall_of(given), zone_of(given)
    if code_of(reply) != "not_future" or wall is None or zone is None:
        return reply
    later = [instant for instant in instants_of(zone, wall) if instant > given["now"]]
    return stored(request, given, later[0]) if later else reply


def gap_coded(code: str) -> Handler:
    """Refuse a wall time in a gap with another code."""

    def handle(request: Object) -> Object:
        reply = correct(request)
        given = members(request) if request["cmd"] == "create" else {}
        wall, zone = wall_of(given), zone_of(given)
        if "rejected" not in reply or wall is None or zone is None or instants_of(zone, wall):
            return reply
        return refused(request, code)

    return handle


# --- names


def case_sensitive(request: Object) -> Object:
    """Compare names with regard to case."""
    at = members(request).get("at") if request["cmd"] == "create" else None
    if (
        isinstance(at, dict)
        and is_local(at)
        and zones.canonical(at["time_zone"]) not in (None, at["time_zone"])
    ):
        return refused(request, "invalid_time_zone")
    return correct(request)


def unknown(pattern: str) -> Handler:
    """Do not know the names that match."""

    def handle(request: Object) -> Object:
        at = members(request).get("at") if request["cmd"] == "create" else None
        if isinstance(at, dict) and is_local(at) and re.fullmatch(pattern, at["time_zone"]):
            return refused(request, "invalid_time_zone")
        return correct(request)

    return handle


def aliased(names: dict[str, str]) -> Handler:
    """Know further names."""
    return on_local("time_zone", lambda zone: names.get(zone, zone))


def _offset_as_zone(zone: str) -> str:
    return "UTC" if re.fullmatch(r"(?:UTC|GMT)?[+-]\d\d?(?::?\d\d)?", zone, re.ASCII) else zone


# --- other zone data

SINCE_2023 = 1_672_531_200_000
"""The wall time of the beginning of 2023, in ms."""

BEFORE_2023 = {
    "America/Mexico_City": (-6 * HOUR, -5 * HOUR),
    "Asia/Tehran": (12_600_000, 16_200_000),
    "Asia/Amman": (2 * HOUR, 3 * HOUR),
    "America/Nuuk": (-3 * HOUR, -2 * HOUR),
    "Africa/Cairo": (2 * HOUR, 2 * HOUR),
}
"""For zones that changed their rules in and after 2022 the winter and the summer offset before that."""


def by_rules_before_2023(zone: Zone, wall: int) -> int | None:
    """Use the rules of a release of 2022 in winter and in high summer."""
    if wall < SINCE_2023 or zone.name not in BEFORE_2023 or not instants_of(zone, wall):
        return None
    winter, summer = BEFORE_2023[zone.name]
    return wall - (summer if rendered(wall)[5:7] in ("05", "06", "07", "08") else winter)


STANDARD_OF_ITS_OWN = {
    "Europe/Stockholm": HOUR,
    "Europe/Oslo": HOUR,
    "Europe/Amsterdam": 1_172_000,
    "Atlantic/Reykjavik": -HOUR,
    "America/Antigua": -5 * HOUR,
    "Africa/Luanda": 3_124_000,
}
"""Zones that the default build merges with others, with their own standard time within FORMER_WALLS."""

FORMER_WALLS = range(-2_051_222_400_000, -147_000_000_000)
"""Wall times, in ms, from 1905 to the spring of 1965."""


def by_backzone(zone: Zone, wall: int) -> int | None:
    """Use a build with backzone."""
    own = STANDARD_OF_ITS_OWN.get(zone.name)
    return None if own is None or wall not in FORMER_WALLS or not instants_of(zone, wall) else wall - own


def gap_on_one_day(zone: Zone, wall: int) -> int | None:
    """Look for gaps that begin on the day in question."""
    if instants_of(zone, wall):
        return None
    gap = local_time.gap_around(zone, wall)
    first = gap.at + gap.before
    same_day = first // (24 * HOUR) == wall // (24 * HOUR)
    return None if same_day else wall - gap.before


SABOTEURS = (
    # zone.names
    sabotage("minds_the_case_of_zones", "zone.names", "Compares names with regard to case.", case_sensitive),
    sabotage(
        "accepts_abbreviations",
        "zone.names",
        "Takes abbreviations for zones, as many runtimes do.",
        aliased({"EST": "Etc/GMT+5", "CET": "Europe/Paris", "MST": "Etc/GMT+7", "HST": "Etc/GMT+10"}),
    ),
    sabotage(
        "accepts_posix_rules_for_zones",
        "zone.names",
        "Takes the release's names without a slash, such as EST5EDT.",
        aliased(
            {"EST5EDT": "America/New_York", "CST6CDT": "America/Chicago", "PST8PDT": "America/Los_Angeles"}
        ),
    ),
    sabotage(
        "accepts_gmt",
        "zone.names",
        "Takes GMT and Z for UTC.",
        aliased({"GMT": "UTC", "Z": "UTC", "Zulu": "UTC", "Greenwich": "UTC"}),
    ),
    sabotage(
        "accepts_country_names",
        "zone.names",
        "Takes names of the release without a slash, such as Japan or Singapore.",
        aliased(
            {
                "Japan": "Asia/Tokyo",
                "Singapore": "Asia/Singapore",
                "Cuba": "America/Havana",
                "GB": "Europe/London",
            }
        ),
    ),
    sabotage(
        "accepts_localtime",
        "zone.names",
        "Takes localtime for the process's zone, which a machine has as a file.",
        aliased({"localtime": "Europe/Paris", "": "UTC", "local": "Europe/Paris"}),
    ),
    sabotage(
        "accepts_offsets_for_zones",
        "zone.names",
        "Takes an offset for a zone, as ECMAScript does of late.",
        on_local("time_zone", _offset_as_zone),
    ),
    sabotage(
        "reads_posix_and_right",
        "zone.names",
        "Finds zones in the folders posix and right of a machine.",
        on_local("time_zone", lambda zone: zone.removeprefix("posix/").removeprefix("right/")),
    ),
    sabotage("trims_zone_names", "zone.names", "Trims names.", on_local("time_zone", str.strip)),
    sabotage(
        "accepts_utc_in_lower_case",
        "zone.names",
        "Takes utc without regard to case, as it does all others.",
        on_local("time_zone", lambda zone: zone.upper() if zone.lower() == "utc" else zone),
    ),
    sabotage(
        "follows_paths",
        "zone.names",
        "Opens a name as a path, so that dots lead elsewhere.",
        on_local("time_zone", lambda zone: re.sub(r"[A-Za-z]+/\.\./|\./|(?<=/)/", "", zone)),
    ),
    sabotage(
        "lowers_zone_names_as_unicode_does",
        "zone.names",
        "Folds case by Unicode's rules, to which U+212A is a k and U+017F an s.",
        on_local("time_zone", lambda zone: zone.casefold() if "/" in zone else zone),
    ),
    sabotage(
        "takes_spaces_for_underscores",
        "zone.names",
        "Takes a space for the underscore of a name.",
        on_local("time_zone", lambda zone: zone.replace(" ", "_") if zone == zone.strip() else zone),
    ),
    sabotage(
        "does_not_know_links",
        "zone.names",
        "Knows the zones of the release and not its links: Europe/Kiev and Asia/Calcutta are refused.",
        unknown("(?i)Europe/Kiev|Asia/Calcutta|US/.*|Asia/Saigon|Asia/Katmandu|Asia/Rangoon"),
    ),
    sabotage(
        "does_not_know_fixed_zones",
        "zone.names",
        "Knows no zone of the folder Etc.",
        unknown("(?i)Etc/.*"),
    ),
    sabotage(
        "does_not_know_zones_of_three_parts",
        "zone.names",
        "Splits a name at its slash and expects two parts.",
        unknown(".*/.*/.*"),
    ),
    sabotage(
        "calls_a_bad_zone_a_bad_rule",
        "zone.names",
        "Has one code for whatever is wrong with a structured time.",
        coded("invalid_time_zone", "invalid_rule", lambda given: is_local(given.get("at"))),
    ),
    # zone.release, at.no-ambient
    sabotage(
        "has_zone_data_of_another_build",
        "zone.release",
        "Has no local mean time before a zone's first standard offset, as packed zone data.",
        resolving(by_first_entry),
    ),
    sabotage(
        "knows_no_change_of_day",
        "zone.release",
        "Has zone data from before Samoa went without a day.",
        resolving(without_whole_days),
    ),
    sabotage(
        "reads_wall_times_in_utc",
        "at.no-ambient",
        "Runs in UTC and resolves by the process's zone.",
        resolving(as_utc),
    ),
    sabotage(
        "reads_wall_times_in_process_zone",
        "at.no-ambient",
        "Resolves by the process's zone, whatever zone is named.",
        resolving(in_process_zone),
    ),
    # local.*
    sabotage(
        "rounds_offsets_to_minutes",
        "local.unique",
        "Holds offsets in minutes, so that those of the 19th century lose their seconds.",
        resolving(in_minutes),
    ),
    sabotage(
        "uses_the_present_offset",
        "local.unique",
        "Uses the offset that the zone has today.",
        resolving(by_present_offset),
    ),
    sabotage(
        "ignores_the_rule_after_the_table",
        "local.unique",
        "Reads the table of a zone's transitions, which ends in 2037, and not the rule after it.",
        resolving(by_last_entry),
    ),
    sabotage(
        "guesses_the_offset_once",
        "local.unique",
        "Looks the offset up at the wall time taken for UTC, and is off near a transition.",
        resolving(one_guess),
    ),
    sabotage(
        "resolves_gap_forward",
        "local.gap-rejected",
        "Moves a wall time in a gap forward, as most libraries of dates do.",
        resolving(lambda zone, wall: gap_shifted(zone, wall, forward=True)),
    ),
    sabotage(
        "resolves_gap_backward",
        "local.gap-rejected",
        "Moves a wall time in a gap backward.",
        resolving(lambda zone, wall: gap_shifted(zone, wall, forward=False)),
    ),
    sabotage(
        "resolves_gap_to_its_end",
        "local.gap-rejected",
        "Moves a wall time in a gap to the gap's end, as cron does.",
        resolving(gap_closed),
    ),
    sabotage(
        "knows_gaps_of_an_hour_alone",
        "local.gap-rejected",
        "Looks for gaps of one hour; those of 30 minutes, two hours or a day pass.",
        resolving(gap_of_other_lengths),
    ),
    sabotage(
        "ends_gaps_a_millisecond_early",
        "local.gap-rejected",
        "Takes the last millisecond of a gap for its end.",
        resolving(end_of_gap),
    ),
    sabotage(
        "calls_a_gap_not_future",
        "local.gap-rejected",
        "Answers with another code where a wall time occurs never.",
        gap_coded("not_future"),
    ),
    sabotage(
        "takes_the_second_of_an_overlap",
        "local.overlap-first",
        "Takes the later of two instants.",
        resolving(second_of_overlap),
    ),
    sabotage(
        "takes_whichever_of_an_overlap_is_to_come",
        "local.overlap-first",
        "Takes the later of two instants where the first is past.",
        second_where_first_is_past,
    ),
    # other zone data
    sabotage(
        "has_zone_data_of_2022",
        "zone.release",
        "Carries the zone data of 2022 and names the release that is current.",
        resolving(by_rules_before_2023),
    ),
    sabotage(
        "has_zone_data_with_backzone",
        "zone.release",
        "Uses the system's zone data, which is built with backzone.",
        resolving(by_backzone),
    ),
    sabotage(
        "knows_gaps_of_the_day_alone",
        "local.gap-rejected",
        "Looks for a gap among the changes of the day; one that began the evening before passes.",
        resolving(gap_on_one_day),
    ),
    sabotage(
        "takes_quotes_off_zone_names",
        "zone.names",
        "Reads a name that comes with its quotes.",
        on_local("time_zone", unquoted),
    ),
    sabotage(
        "takes_names_of_files_for_zones",
        "zone.names",
        "Takes the name of a zone's file, with its ending, for the zone.",
        on_local("time_zone", lambda name: name.removesuffix(".tzif")),
    ),
    sabotage(
        "shifts_etc_utc",
        "zone.names",
        "Takes an offset behind Etc/UTC for a fixed zone.",
        on_local("time_zone", lambda name: re.sub(r"^Etc/UTC([+-][0-9])$", r"Etc/GMT\1", name)),
    ),
)
