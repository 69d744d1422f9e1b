"""The pictures of the site: what they show is held against the clauses, how they show it against readers."""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import resources
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from zoneinfo import ZoneInfo

import pytest
from docs._ext.pictures import Figure, figures

ROOT = Path(__file__).parents[2]
FIGURES = {figure.name: figure for figure in figures()}
SVG = "{http://www.w3.org/2000/svg}"
PHONE = 328
"""What a phone of 360 px leaves for the text of a page, in px."""

each_figure = pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES.keys())


def drawn(name: str) -> Element:
    return ElementTree.fromstring(FIGURES[name].svg)


def groups(name: str, kind: str, inside: Element | None = None) -> list[Element]:
    root = drawn(name) if inside is None else inside
    return [each for each in root.iter(f"{SVG}g") if each.get("data-kind") == kind]


def facts(name: str, kind: str) -> list[dict[str, str]]:
    return [
        {key.removeprefix("data-"): value for key, value in each.attrib.items() if key != "data-kind"}
        for each in groups(name, kind)
    ]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text.removesuffix("Z")).replace(tzinfo=UTC)


# --- every picture ---


def test_each_picture_stands_on_a_page_and_each_page_finds_its_pictures() -> None:
    asked = [
        name
        for page in (ROOT / "docs" / "areas").glob("*.md")
        for name in re.findall(r"^```\{picture\} (\S+)", page.read_text("utf-8"), re.MULTILINE)
    ]
    assert sorted(asked) == sorted(FIGURES)


def test_the_bytes_are_the_same_whatever_hash_seed_zone_and_locale() -> None:
    program = (
        "import hashlib, sys; from docs._ext.pictures import figures; "
        "sys.stdout.write(hashlib.sha256(repr(figures()).encode()).hexdigest())"
    )
    surroundings = os.environ | {"PYTHONHASHSEED": "7", "TZ": "Pacific/Apia", "LC_ALL": "C"}
    elsewhere = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=surroundings,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert elsewhere == hashlib.sha256(repr(figures()).encode()).hexdigest()


@each_figure
def test_it_loads_and_runs_nothing(figure: Figure) -> None:
    alone = figure.svg.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|url\(|@import|<script|<image|<use|href|\bon[a-z]+=", alone)


@each_figure
def test_it_has_a_title_and_a_description(figure: Figure) -> None:
    root = ElementTree.fromstring(figure.svg)
    title, description = root[0], root[1]
    assert (title.tag, description.tag) == (f"{SVG}title", f"{SVG}desc")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert title.text
    assert description.text == figure.alt
    assert not re.search("[<>&]", figure.caption + figure.alt)


def test_no_id_occurs_twice_on_one_page() -> None:
    ids = [id for figure in figures() for id in re.findall(r' id="([^"]+)"', figure.svg)]
    assert len(ids) == len(set(ids))


def sizes(root: Element) -> dict[str, float]:
    style = next(root.iter(f"{SVG}style")).text or ""
    named = re.findall(r"\.law-picture \.([a-z]+)\{font-size:([0-9.]+)px", style)
    body = re.findall(r"font:([0-9.]+)px", style)
    return {name: float(size) for name, size in named} | {"": float(body[0])}


def texts(root: Element) -> Iterator[tuple[Element, float, str]]:
    known = sizes(root)
    for each in root.iter(f"{SVG}text"):
        styles = each.get("class", "").split()
        yield each, next((known[style] for style in styles if style in known), known[""]), each.text or ""


@each_figure
def test_a_phone_shows_text_of_twelve_pixels_or_more(figure: Figure) -> None:
    root = ElementTree.fromstring(figure.svg)
    width = float(root.get("viewBox", "").split()[2])
    assert min(size for _, size, _ in texts(root)) * min(1, PHONE / width) >= 12


def breadth(words: str, size: float) -> float:
    """Return about how wide a text is in DejaVu Sans, which is wider than what most readers have."""

    def share(letter: str) -> float:
        if letter in " .,:;'’|!iljftr-/()“”":
            return 0.38
        return 0.84 if letter in "mwMW→" or (letter.isupper() and letter != "I") else 0.62

    return size * sum(map(share, words))


@each_figure
def test_no_text_leaves_the_picture_even_in_a_wide_font(figure: Figure) -> None:
    root = ElementTree.fromstring(figure.svg)
    _, _, width, height = map(float, root.get("viewBox", "").split())
    for each, size, words in texts(root):
        x, y, long = float(each.get("x", "")), float(each.get("y", "")), breadth(words, size)
        if "transform" in each.attrib:
            assert y - long / 2 >= 0, words
            assert x - size >= 0, words
            continue
        left = x - {"end": long, "middle": long / 2}.get(each.get("text-anchor", ""), 0)
        assert left >= 0, words
        assert left + long <= width, words
        assert size <= y <= height - 4, words


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def schemes(style: str) -> dict[str, dict[str, str]]:
    def colours(rule: str) -> dict[str, str]:
        (block,) = re.findall(rule + r"\.law-picture\{([^}]*)\}", style)
        return dict(re.findall(r"--([a-z-]+):(?:var\([^,]*,)?(#[0-9a-f]+)", block))

    return {
        "by default": colours("^"),
        "in the dark": colours(re.escape("@media (prefers-color-scheme:dark){")),
        "on a light page": colours(re.escape("[data-theme=light] ")),
        "on a dark page": colours(re.escape("[data-theme=dark] ")),
    }


@each_figure
def test_both_schemes_are_served_and_readable_in_each(figure: Figure) -> None:
    style = next(ElementTree.fromstring(figure.svg).iter(f"{SVG}style")).text or ""
    found = schemes(style)
    assert found["by default"] == found["on a light page"]
    assert found["in the dark"] == found["on a dark page"]
    assert luminance(found["by default"]["paper"]) > 0.9
    assert luminance(found["in the dark"]["paper"]) < 0.1
    used = set(re.findall(r"var\(--([a-z-]+)\)", style))
    grounds = {"good": "good-wash", "bad": "bad-wash", "soft": "still"}
    for scheme in found.values():
        assert used <= scheme.keys()
        for ink in ("ink", "soft", "good", "bad"):
            assert contrast(scheme[ink], scheme["paper"]) >= 4.5, ink
        for ink, ground in grounds.items():
            assert contrast(scheme[ink], scheme[ground]) >= 4.5, ink
            assert contrast(scheme["ink"], scheme[ground]) >= 4.5, ground


# --- the timeline ---


def test_the_timeline_delivers_the_latest_occurrence_and_passes_over_the_missed_ones() -> None:
    (created,) = facts("timeline", "created")
    interval = timedelta(seconds=int(created["every-seconds"]))
    grid = [moment(created["at"]) + k * interval for k in range(1, 100)]
    left, missed, delivered = grid[0], [], []
    for decision in facts("timeline", "decision"):
        accepted = moment(decision["accepted-at"])
        assert left <= accepted
        due = [at for at in grid if left <= at <= accepted]
        assert moment(decision["occurrence"]) == due[-1]
        delivered.append(due[-1])
        missed += due[:-1]
        left = next(at for at in grid if at > accepted)
        assert moment(decision["next"]) == left
    shown: dict[str, list[datetime]] = {"delivered": [], "missed": [], "next": []}
    for occurrence in facts("timeline", "occurrence"):
        shown[occurrence["fate"]].append(moment(occurrence["at"]))
    assert shown == {"delivered": delivered, "missed": missed, "next": [left]}
    assert len(missed) >= 2


def test_the_timeline_is_drawn_to_scale() -> None:
    placed = [
        (moment(each.get("data-at", "")), float(circle.get("cy", "")))
        for each in groups("timeline", "occurrence")
        for circle in each.iter(f"{SVG}circle")
    ]
    placed.sort()
    speeds = {
        round((y - y_before) / (at - at_before).total_seconds(), 6)
        for (at_before, y_before), (at, y) in pairwise(placed)
    }
    assert len(speeds) == 1
    assert min(speeds) > 0


# --- the wall clocks ---

TRANSITIONS = {
    "clock-new-york": ("America/New_York", ("2030-03-10T07:00", 60), ("2030-11-03T06:00", 60)),
    "clock-lord-howe": ("Australia/Lord_Howe", ("2030-10-05T15:30", 30), ("2030-04-06T15:00", 30)),
    "clock-troll": ("Antarctica/Troll", ("2030-03-31T01:00", 120), ("2030-10-27T01:00", 120)),
    "clock-apia": ("Pacific/Apia", ("2011-12-30T10:00", 1440), ("1892-07-04T11:26:56", 1440)),
}
"""The gap and the overlap, as instant and length in minutes, as the tz database's sources tell them."""

each_clock = pytest.mark.parametrize("name", TRANSITIONS)


def zone_of(name: str) -> ZoneInfo:
    """Return the zone as the standard library reads it from the package that the law reads."""
    zone = TRANSITIONS[name][0]
    with resources.files("tzdata").joinpath("zoneinfo", *zone.split("/")).open("rb") as file:
        return ZoneInfo.from_file(file, zone)


def wall_of(at: datetime, zone: ZoneInfo) -> datetime:
    return at.astimezone(zone).replace(tzinfo=UTC)


def instants_that_show(wall: datetime, zone: ZoneInfo) -> list[datetime]:
    hours = (wall + timedelta(hours=hour) for hour in range(-50, 51))
    offsets = {wall_of(hour, zone) - hour for hour in hours}
    return sorted(wall - offset for offset in offsets if wall_of(wall - offset, zone) == wall)


@each_clock
def test_a_clock_shows_its_gap_and_its_overlap(name: str) -> None:
    assert [(moment(each["at"]), int(each["lost"]) // 60_000) for each in facts(name, "transition")] == [
        (moment(at), minutes) for at, minutes in TRANSITIONS[name][1:]
    ]


@each_clock
def test_a_clock_shows_for_each_wall_time_its_instants_and_the_first_as_meant(name: str) -> None:
    zone = zone_of(name)
    counts = []
    for each in facts(name, "wall"):
        expected = instants_that_show(moment(each["wall"]), zone)
        assert [moment(text) for text in each["instants"].split()] == expected
        assert each["meant"] == (each["instants"].split()[0] if expected else "")
        counts.append(len(expected))
    assert counts == [1, 1, 0, 0, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1]


@each_clock
def test_a_clock_shows_for_each_instant_its_wall_time(name: str) -> None:
    zone, shown = zone_of(name), facts(name, "instant")
    assert len(shown) == 5 + 9
    for each in shown:
        assert moment(each["wall"]) == wall_of(moment(each["at"]), zone)


@each_clock
def test_a_clock_draws_a_line_from_each_instant_and_the_second_one_dashed(name: str) -> None:
    for panel in groups(name, "transition"):
        heights = {
            each.get("data-at"): circle.get("cy")
            for each in groups(name, "instant", panel)
            for circle in each.iter(f"{SVG}circle")
        }
        for each in groups(name, "wall", panel):
            lines = list(each.iter(f"{SVG}path"))
            (mark,) = each.iter(f"{SVG}circle")
            found = each.get("data-instants", "").split()
            ends = [re.findall(r"[0-9.]+", line.get("d", ""))[1::2] for line in lines]
            assert ends == [[heights[at], mark.get("cy")] for at in found]
            assert ["dashed" in line.get("class", "") for line in lines] == [at != found[0] for at in found]


@each_clock
def test_a_clock_tells_what_a_create_says_in_the_gap_and_in_the_overlap(name: str) -> None:
    zone = zone_of(name)
    gap, overlap = facts(name, "create")
    assert instants_that_show(moment(gap["wall"]), zone) == []
    assert (gap["code"], gap["scheduled-at"]) == ("invalid_rule", "")
    first, second = instants_that_show(moment(overlap["wall"]), zone)
    assert first < second
    assert (overlap["code"], moment(overlap["scheduled-at"])) == ("", first)


# --- the delivery ---

WAYS = {
    ("waiting", "target reached", "due"),
    ("due", "barrier", "ready"),
    ("due", "barrier fails", "halted"),
    ("ready", "claim", "claimed"),
    ("claimed", "not due after all", "waiting"),
    ("claimed", "enqueue", "queued"),
    ("claimed", "enqueue fails", "halted"),
    ("queued", "append", "appended"),
    ("queued", "append fails", "stopped"),
    ("appended", "release", "released"),
    ("released", "barrier", "done"),
    ("released", "barrier fails", "unsure"),
    ("halted", "a trigger", "due"),
    ("unsure", "barrier", "done"),
}
"""What deliver.sequence, deliver.append-failure-faults, owner.activity-retry and barrier.recovers say."""


def test_the_delivery_has_the_ways_that_the_clauses_tell() -> None:
    shown = facts("delivery", "way")
    assert {(each["origin"], each["label"], each["goal"]) for each in shown} == WAYS
    assert len(shown) == len(WAYS)


def test_a_crash_repeats_a_message_only_between_the_enqueue_and_the_durable_dispatch() -> None:
    shown = {each["place"]: each["crash"] for each in facts("delivery", "place")}
    assert shown == {
        "waiting": "no-repeat",
        "due": "no-repeat",
        "ready": "no-repeat",
        "claimed": "no-repeat",
        "halted": "no-repeat",
        "queued": "again",
        "stopped": "again",
        "appended": "again-unless-kept",
        "released": "again-unless-kept",
        "unsure": "again-unless-kept",
        "done": "no-repeat",
    }


def box_of(group: Element) -> tuple[float, float]:
    """Return top and bottom of a group's rectangle."""
    rectangle = next(group.iter(f"{SVG}rect"))
    top = float(rectangle.get("y", ""))
    return top, top + float(rectangle.get("height", ""))


def test_the_crash_window_is_drawn_around_the_places_that_it_holds_and_no_others() -> None:
    (window,) = groups("delivery", "crash-window")
    top, bottom = box_of(window)
    held = set(window.get("data-places", "").split())
    for place in groups("delivery", "place"):
        begin, end = box_of(place)
        if place.get("data-place") in held:
            assert top <= begin < end <= bottom
        else:
            assert end <= top or begin >= bottom
    repeating = {each["place"] for each in facts("delivery", "place") if each["crash"] != "no-repeat"}
    assert held == repeating


# --- the fork ---


def test_the_child_has_the_parents_events_before_the_fork_and_none_of_its_reminders() -> None:
    (boundary,) = facts("fork", "boundary")
    seed_length = int(boundary["seed-length"])
    logs: dict[str, list[dict[str, str]]] = {"parent": [], "child": []}
    for event in facts("fork", "event"):
        logs[event["log"]].append(event)
    for log in logs.values():
        assert [int(event["position"]) for event in log] == list(range(len(log)))
    words = {name: [event["words"] for event in log] for name, log in logs.items()}
    assert words["child"][:seed_length] == words["parent"][:seed_length]
    assert [event["part"] for event in logs["child"]] == ["inherited"] * seed_length + ["own"]
    assert boundary["active"] == "none"


def test_what_is_active_follows_from_the_own_events_alone() -> None:
    expected = {}
    for log in ("parent", "child"):
        active: list[str] = []
        for event in facts("fork", "event"):
            verb, _, id = event["words"].partition(" ")
            if event["log"] != log or event["part"] != "own" or verb == "a":
                continue
            active = [*active, id] if verb == "create" else [other for other in active if other != id]
        expected[log] = ", ".join(active)
    assert {each["log"]: each["active"] for each in facts("fork", "state")} == expected
    assert expected["parent"] != expected["child"]


def test_the_child_may_not_end_a_reminder_that_its_parent_alone_created() -> None:
    (tried,) = facts("fork", "tried")
    verb, _, id = tried["words"].partition(" ")
    own = [
        each["words"] for each in facts("fork", "event") if (each["log"], each["part"]) == ("child", "own")
    ]
    assert verb == "delete"
    assert f"create {id}" not in own
    assert (tried["code"], tried["clause"]) == ("corrupt_schedule_log", "fork.no-adoption")


# --- the record's life ---

CHANGES = (
    "create",
    "delete",
    "dispatch by id",
    "dispatch with acceptedAt",
    "dispatch with the last acceptedAt",
    "dispatch before its target",
)
MOVES = {
    ("never created", "create", "one-shot", "False"),
    ("never created", "create", "every", "False"),
    ("one-shot", "delete", "ended", "False"),
    ("one-shot", "dispatch by id", "ended", "False"),
    ("every", "delete", "ended", "False"),
    ("every", "dispatch with acceptedAt", "every", "True"),
    ("every", "dispatch with the last acceptedAt", "ended", "False"),
}
"""What fold.create, fold.delete, fold.dispatch-one-shot, fold.dispatch-every and rate.exhausted say."""


def clause_against(stage: str, change: str) -> str:
    """Return the clause that refuses whatever is not among `MOVES`."""
    if change == "create":
        return "fold.no-id-reuse"
    if stage in ("never created", "ended"):
        return "fold.inactive"
    early = stage == "every" and change == "dispatch before its target"
    return "rate.not-early" if early else "fold.shape-match"


def test_a_record_begins_moves_and_ends_by_these_changes_alone() -> None:
    shown = facts("record-life", "move")
    assert {(each["origin"], each["change"], each["goal"], each["moves"]) for each in shown} == MOVES
    assert len(shown) == len(MOVES)


def test_every_other_change_is_refused_by_the_clause_that_forbids_it() -> None:
    stages = [each["stage"] for each in facts("record-life", "stage")]
    allowed = {(origin, change) for origin, change, _, _ in MOVES}
    shown = [(each["origin"], each["change"], each["clause"]) for each in facts("record-life", "refusal")]
    assert sorted(shown) == sorted(
        (stage, change, clause_against(stage, change))
        for stage in stages
        for change in CHANGES
        if (stage, change) not in allowed
    )
