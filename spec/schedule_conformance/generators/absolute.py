"""Strategies for `at`: strings with an offset, and dates and times in a zone; valid, nearly valid, hostile.

Wall times lie where a zone's offset changes: before, at the first, in the middle, at the last and after each
gap and overlap of the law's own list. Half of the zones drawn are those whose past no release revises.
"""

from functools import cache

from hypothesis import strategies as st

from schedule_conformance.generators import near_times
from schedule_conformance.generators.values import Object, moments, of_other_types
from schedule_conformance.judgement.creations import STABLE_WALLS, STABLE_ZONES
from schedule_spec import zones
from schedule_spec.instants import EARLIEST, LATEST, render
from schedule_spec.zones import Transition, transitions_between

FIRST_WALL, LAST_WALL = -2_208_988_800_000, 4_102_444_800_000
"""Wall times, in ms, from the year 1900 to the year 2100: every transition between them may be drawn."""

REMARKABLE_ZONES = (
    "Africa/Casablanca",
    "Africa/Monrovia",
    "America/Juneau",
    "America/Nuuk",
    "Antarctica/Troll",
    "Asia/Gaza",
    "Asia/Manila",
    "Europe/Amsterdam",
    "Europe/Dublin",
    "Pacific/Kwajalein",
)
"""Zones with offsets of odd seconds, days left out or doubled, negative saving, rules of unusual hours."""

REAL_DATES = (
    "2028-02-29",
    "2000-02-29",
    "0001-01-01",
    "0004-02-29",
    "9999-12-31",
    "1582-10-10",
    "2030-12-31",
)
NO_DATES = (
    "2030-02-30",
    "2030-02-29",
    "1900-02-29",
    "2100-02-29",
    "2030-04-31",
    "2030-13-01",
    "2030-00-10",
    "2030-01-00",
    "2030-01-32",
    "0000-01-01",
    "0000-02-29",
    "0000-12-31",
)
"""Well formed, and no date of the calendar from the year 1 on."""
FORMLESS_DATES = (
    "10000-01-01",
    "+002030-01-01",
    "-001-01-01",
    "-0001-01-01",
    "30-01-01",
    "203-06-15",
    "2030-1-1",
    "2030-06-015",
    "20300615",
    "2030/06/15",
    "2030.06.15",
    "15-06-2030",
    "2030-W01-2",
    "2030-166",
    "２０３０-06-15",
    "٢٠٣٠-06-15",
    "2030-06-1٥",
    "2030\u201306\u201315",
    "2030-06-15\n",
    " 2030-06-15",
    "2030-06",
    "",
)
NO_TIMES = ("24:00:00", "24:00:00.000", "23:59:60", "23:60:00", "12:60:00", "25:00:00", "99:99:99")
"""Well formed, and no time of a day."""
FORMLESS_TIMES = (
    "12:00",
    "12",
    "120000",
    "1:00:00",
    "12:0:00",
    "12:00:0",
    "012:00:00",
    "12:00:00 PM",
    "12:00:00.",
    "12:00:00.0000",
    "12:00:00.1234",
    "12:00:00,5",
    "12:00:00. 5",
    "12:00:00.٥",
    "12:00:0٠",
    "１２:00:00",
    "12\uff1a00\uff1a00",
    "+1:00:00",
    "-1:00:00",
    " 12:00:00",
    "12:00:00 ",
    "12:00:00\n",
    "12:00:00\ufeff",
    "12:00:00Z",
    "12:00:00+00:00",
    "noon",
    "",
)
NO_OFFSETS = ("-00:00", "+24:00", "-24:00", "+23:60", "-05:60", "+99:99", "-99:00", "+00:99")
"""Well formed, and not allowed."""
FORMLESS_OFFSETS = (
    "z",
    "+5:30",
    "+05",
    "+0530",
    "+05:3",
    "+05:30:00",
    "+05:30.5",
    "+005:30",
    "05:30",
    "++05:30",
    "\u221205:30",
    "\uff0b05:30",
    "\u201305:30",
    "+٠٥:30",
    "+05\uff1a30",
    " +05:30",
    " Z",
    "Z ",
    "Z\n",
    "ZZ",
    "UTC",
    "GMT",
    "[UTC]",
    "+05:30[Asia/Kolkata]",
    "Z[UTC]",
    "\u2124",
)
FORMLESS_SEPARATORS = ("t", " ", "", "_", "  ", "T ", " T", "TT", "\u0422")
SHELLS = (
    ("", "\n"),
    ("", " "),
    (" ", ""),
    ("\n", ""),
    ("", "\x00"),
    ("\ufeff", ""),
    ("", "\u200b"),
    ('"', '"'),
    ("@", ""),
)
"""What stands before and after a text that has to be the whole string."""


@cache
def offsets() -> st.SearchStrategy[str]:
    """Offsets that are allowed, the widest and +00:00 among them."""
    spelt = st.builds(
        lambda sign, hours, minutes: f"{sign}{hours:02}:{minutes:02}",
        st.sampled_from("+-"),
        st.integers(0, 23),
        st.sampled_from((0, 30, 45, 1, 59)) | st.integers(0, 59),
    ).filter(lambda offset: offset != "-00:00")
    return st.one_of(
        st.sampled_from(("Z", "+00:00", "-00:01", "+23:59", "-23:59", "+14:00", "-12:00")), spelt
    )


_DIGITS = st.sampled_from(("", "", ".S", ".SS", ".SSS"))


@st.composite
def _spelt_time(draw: st.DrawFn, wall: int) -> tuple[str, str]:
    """A date and a time with as many digits of the second's fraction as are drawn, or all that matter."""
    date, time = render(wall).removesuffix("Z").split("T")
    clock, fraction = time.split(".")
    digits = fraction[: max(0, len(draw(_DIGITS)) - 1)]
    kept = digits if digits.ljust(3, "0") == fraction or draw(st.booleans()) else fraction
    return date, f"{clock}.{kept}" if kept else clock


_WALLS_NEAR_THE_ENDS = st.one_of(
    st.integers(EARLIEST, EARLIEST + 86_400_000), st.integers(LATEST - 86_400_000, LATEST)
)


@cache
@st.composite
def offset_strings(draw: st.DrawFn) -> str:
    """Valid strings, some of whose instants lie outside the range."""
    wall = draw(st.one_of(moments(), moments(), _WALLS_NEAR_THE_ENDS))
    date, time = draw(_spelt_time(wall))
    return f"{draw(st.sampled_from((date, date, *REAL_DATES)))}T{time}{draw(offsets())}"


_PART = st.sampled_from(
    (
        *("date", "time", "separator", "offset", "offset form", "no offset", "shell", "character"),
        *["slip"] * 12,
    )
)
_PUT = st.sampled_from(
    ("", "0", "1", "9", "-", ":", ".", "T", "t", "Z", "z", "+", " ", "\n", "٣", "６", "²", "\u2212")
)


@cache
@st.composite
def near_offset_strings(draw: st.DrawFn) -> str:
    """Strings with one slip: a part that is none, what surrounds them, one character, or a slip of a kind."""
    date, time = draw(_spelt_time(draw(moments())))
    offset, separator = draw(offsets()), "T"
    match draw(_PART):
        case "date":
            date = draw(st.sampled_from((*NO_DATES, *FORMLESS_DATES)))
        case "time":
            time = draw(st.sampled_from((*NO_TIMES, *FORMLESS_TIMES)))
        case "separator":
            separator = draw(st.sampled_from(FORMLESS_SEPARATORS))
        case "offset":
            offset = draw(st.sampled_from(("-00:00", "-00:00", *NO_OFFSETS)))
        case "offset form":
            offset = draw(st.sampled_from(FORMLESS_OFFSETS))
        case "no offset":
            offset = ""
        case "shell":
            before, after = draw(st.sampled_from(SHELLS))
            return f"{before}{date}T{time}{offset}{after}"
        case "slip":
            return near_times.slipped(draw, f"{date}T{time}{offset}")
        case "character":
            text = f"{date}T{time}{offset}"
            place = draw(st.integers(0, len(text)))
            return text[:place] + draw(_PUT) + text[place + draw(st.integers(0, 1)) :]
    return f"{date}{separator}{time}{offset}"


@cache
def transitions(name: str, first: int, last: int) -> tuple[Transition, ...]:
    """Return the changes of a zone's offset between two instants in ms."""
    return transitions_between(zones.zone(name), first, last)


def edges(transition: Transition) -> tuple[int, ...]:
    """Return the wall times, in ms, that a gap or an overlap may be tripped over at."""
    shown = (transition.at + transition.before, transition.at + transition.after)
    first, end = min(shown), max(shown)
    return first - 1, first, (first + end) // 2, end - 1, end


@cache
def zone_names() -> st.SearchStrategy[str]:
    """Accepted names in the release's spelling, half of them those of the stable zones."""
    stable = st.sampled_from(sorted(STABLE_ZONES))
    return st.one_of(stable, stable, st.sampled_from(REMARKABLE_ZONES), st.sampled_from(zones.names()))


def _in_some_case(name: str) -> st.SearchStrategy[str]:
    cases = (name, name, name.lower(), name.upper(), name.swapcase()) if "/" in name else (name,)
    return st.sampled_from(cases)


_WHERE = st.sampled_from(("edge", "edge", "edge", "near", "any", "past"))


@cache
@st.composite
def local_times(draw: st.DrawFn) -> Object:
    """Well-formed dates and times in accepted zones, mostly at changes of the zone's offset."""
    name = draw(zone_names())
    window = (STABLE_WALLS.start, STABLE_WALLS.stop) if name in STABLE_ZONES else (FIRST_WALL, LAST_WALL)
    where = draw(_WHERE)
    wall = draw(st.integers(*window)) if where == "past" else draw(moments())
    changing = transitions(name, *window)
    if changing and where in ("edge", "near"):
        wall = draw(st.sampled_from(edges(draw(st.sampled_from(changing)))))
        wall += draw(st.integers(-7_200_000, 7_200_000)) if where == "near" else 0
    date, time = draw(_spelt_time(min(max(wall, EARLIEST), LATEST)))
    return {"date": date, "time": time, "time_zone": draw(_in_some_case(name))}


@cache
@st.composite
def walls_at_the_ends(draw: st.DrawFn) -> Object:
    """Dates and times of the first and last day of the range, which the shift to UTC may leave."""
    date, time = draw(_spelt_time(draw(_WALLS_NEAR_THE_ENDS)))
    name = draw(st.sampled_from(("UTC", "Etc/GMT+12", "Etc/GMT-14", "Etc/GMT-1", "etc/gmt+1")) | zone_names())
    return {"date": date, "time": time, "time_zone": name}


_PLAIN = {"date": "2012-06-15", "time": "12:00:00", "time_zone": "UTC"}
"""A day in the stable past, so that whether a name is accepted may be asked of any release."""


_DATES = st.sampled_from((*REAL_DATES, *NO_DATES, *FORMLESS_DATES))
_TIMES = st.sampled_from((*NO_TIMES, *FORMLESS_TIMES))
_EXTRA_MEMBERS = st.sampled_from(("offset", "timeZone", "fold", "Date", ""))
_OTHER_NAMES = st.sampled_from((("time_zone", "timeZone"), ("time_zone", "tz"), ("date", "Date")))
_SLIPS = st.sampled_from(("date", "time", *["slip"] * 6, "drop", "add", "rename", "type", "types", "turn"))
_SLIPPED_PARTS = st.sampled_from(("date", "date", "time", "time", "time_zone"))


@cache
@st.composite
def near_local_times(draw: st.DrawFn) -> Object:
    """Structured values with one slip: a date or time that is none, a key too few or many, another type."""
    at: Object = {**_PLAIN, "time_zone": draw(st.sampled_from(("UTC", "Europe/Paris", "No/Such")))}
    match draw(_SLIPS):
        case "date":
            at["date"] = draw(_DATES)
        case "time":
            at["time"] = draw(_TIMES)
        case "slip":
            part = draw(_SLIPPED_PARTS)
            at[part] = (near_times.enclosed if part == "time_zone" else near_times.slipped)(draw, at[part])
        case "drop":
            del at[draw(st.sampled_from(sorted(at)))]
        case "add":
            at[draw(_EXTRA_MEMBERS)] = draw(of_other_types())
        case "rename":
            key, name = draw(_OTHER_NAMES)
            at[name] = at.pop(key)
        case "type":
            at[draw(st.sampled_from(sorted(at)))] = draw(of_other_types())
        case "types":
            at |= draw(st.sampled_from(({"date": 1}, {"time": 1}, {"date": "x"})))
            at["time_zone"] = draw(of_other_types())
        case _:
            at = {key: at[key] for key in draw(st.permutations(sorted(at)))}
    return at


NO_NAMES = (
    "utc",
    "Utc",
    "UTC ",
    " UTC",
    "UTC\n",
    "UTC0",
    "UTC+1",
    "ＵＴＣ",
    "GMT",
    "GMT0",
    "Z",
    "z",
    "EST",
    "CET",
    "PST",
    "IST",
    "EST5EDT",
    "UCT",
    "Zulu",
    "Universal",
    "Greenwich",
    "Japan",
    "PRC",
    "W-SU",
    "NZ-CHAT",
    "Factory",
    "localtime",
    "posixrules",
    "posix/Europe/Paris",
    "right/Europe/Paris",
    "posix/UTC",
    "+01:00",
    "-05:00",
    "Etc",
    "Etc/",
    "Europe",
    "Europe/",
    "/Europe/Paris",
    "Europe//Paris",
    "Europe/Paris/",
    "./Europe/Paris",
    "Europe/./Paris",
    "../Europe/Paris",
    "Europe/../Europe/Paris",
    "Europe/../UTC",
    "/usr/share/zoneinfo/Europe/Paris",
    "/etc/localtime",
    "Europe\\Paris",
    "Europe/Paris\n",
    "Europe/Paris\x00",
    "Europe/Paris ",
    "\tEurope/Paris",
    "\ufeffEurope/Paris",
    "Europe/Paris\u200b",
    "Eur\u043epe/Paris",
    "Europe/Par\u0131s",
    "EUROPE/PAR\u0130S",
    "A\u017fia/Tokyo",
    "Asia/To\u212ayo",
    "America/New York",
    "America/NewYork",
    "America/New-York",
    "America/Argentina",
    "America/New_York/Sub",
    "Europe/Atlantis",
    "Mars/Olympus",
    "Etc/GMT+15",
    "Etc/GMT-15",
    "Etc/GMT+05",
    "Etc/GMT\u22125",
    "Etc/GMT+5:00",
    "Etc/UTC+1",
    "GMT+1",
    "UTC/",
    "/UTC",
    "tzdata.zi",
    "zone.tab",
    "zone1970.tab",
    "America/__init__.py",
    "__init__.py",
    "CON",
    "..",
    "/",
    "",
    "None",
    "null",
    "Local",
    "SYSTEM",
    "Asia/Hanoi",
    "BST",
    "JST",
    "AEST",
    "UT",
    "UTC+00:00",
    "GMT+0",
    "GMT-0",
    "Etc/GMT+00",
    "Etc/GMT-00",
    "UTC/UTC",
    ":Europe/Paris",
    "<+03>-3",
    "EST5EDT,M3.2.0,M11.1.0",
    "Europe/Paris.",
    "Europe\uff0fParis",
    "America/Los Angeles",
    "Paris",
    "Navajo",
    "Iran",
    "Eire",
    "WET",
    "MET",
    "ROC",
    "GB-Eire",
    "MST7MDT",
    "constructor",
    "__proto__",
    "toString",
    "Tokyo Standard Time",
    "Coordinated Universal Time",
    "system",
    "default",
    "New_York",
    "VST",
    "Etc/UTC0",
    "Etc/Local",
    "EUROPE_PARIS",
    "right/UTC",
    "+00:00",
    "-00:00",
    "+00",
    "+0000",
    "UTC+00",
    "Etc/UTC+5",
    "Etc/UTC-0",
    "Etc/GMT +5",
    "Europe/Paris.tzif",
    "Europe/Paris.tab",
    "Europe/Paris.txt",
    "Europe/Paris~",
    "Europe/Paris?x",
    "Europe/Paris#x",
    "Europe/Paris[UTC]",
    "Europe/Paris+01:00",
    "Europe/Paris CET",
    "Europe/Paris,Europe/Rome",
    "europe\u2215paris",
    "America/New\xa0York",
    "America/New\uff3fYork",
)
"""Names that are none: abbreviations, padding, path tricks, look-alikes, files beside the zones."""


@cache
def named_zones() -> st.SearchStrategy[Object]:
    """A plain wall time in a zone by many names: accepted in some case, refused, and open ones."""
    accepted = st.sampled_from(zones.names()).flatmap(_in_some_case)
    refused = st.sampled_from(NO_NAMES)
    either_way = st.sampled_from(zones.OPEN_NAMES).flatmap(_in_some_case)
    core = st.sampled_from(sorted(STABLE_ZONES)).flatmap(_in_some_case)
    return st.one_of(accepted, refused, refused, core, either_way).map(
        lambda name: {**_PLAIN, "time_zone": name}
    )


_ONE_IN_THREE = st.sampled_from((False, False, True))


@cache
@st.composite
def mutated_names(draw: st.DrawFn) -> Object:
    """A plain wall time in a zone whose name has one character changed, dropped or put in, or is enclosed."""
    name = draw(zone_names())
    if draw(_ONE_IN_THREE):
        return {**_PLAIN, "time_zone": near_times.enclosed(draw, name)}
    place = draw(st.integers(0, len(name)))
    put = draw(st.sampled_from(("", "_", "/", " ", "a", "A", "-", ".", "\u212a", "\u0131", "\n")))
    return {**_PLAIN, "time_zone": name[:place] + put + name[place + draw(st.integers(0, 1)) :]}
