"""Generators of what the law judges: values, records, changes and logs; sound ones, odd ones, broken ones."""

from hypothesis import strategies as st

from schedule_spec.changes import Change, Create, Delete, DispatchEvery, DispatchOneShot, encode
from schedule_spec.fields import is_id
from schedule_spec.instants import EARLIEST, LATEST
from schedule_spec.json_text import Json
from schedule_spec.numbers import MAX_SAFE
from schedule_spec.records import LONGEST_INTERVAL, SHORTEST_INTERVAL, After, At, Every, Record
from schedule_spec.text import TRIM_SET, join_surrogates

ODD_CHARACTERS = "".join(
    ("a", TRIM_SET, "\x00\x1c\x1f\x7f\x85\u180e\u200b\u2060", "\ud83d\ude00", "😀", '"\\/')
)
NOON = 1_893_499_200_000
"""2030-01-01T12:00:00.000Z."""

odd_text = st.one_of(
    st.text(alphabet=ODD_CHARACTERS, max_size=6), st.text(st.characters(codec=None), max_size=6)
).map(join_surrogates)
trimmed = st.one_of(
    st.sampled_from(
        ["a", "b", "schedule-1", "__proto__", "constructor", "\x85x", "\u180e", "\u200b", "\ud800"]
    ),
    odd_text.filter(is_id),
)
numbers = st.one_of(
    st.integers(-MAX_SAFE, MAX_SAFE),
    st.sampled_from([0, -0.0, 1, 299, 300, 300.0, 300.5, MAX_SAFE, MAX_SAFE + 1, 1e300, 10**400]),
    st.floats(),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, odd_text)
json_values: st.SearchStrategy[Json] = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(odd_text, inner, max_size=4)),
    max_leaves=12,
)

instants = st.one_of(
    st.integers(EARLIEST, LATEST),
    st.sampled_from([EARLIEST, EARLIEST + 1, -1, 0, 1, LATEST - 300_000, LATEST - 299_999, LATEST]),
)
after_records = st.builds(After, trimmed, trimmed, st.integers(1, MAX_SAFE), instants)
at_records = st.builds(At, trimmed, trimmed, instants)
every_records = st.builds(
    Every,
    trimmed,
    trimmed,
    st.one_of(
        st.integers(SHORTEST_INTERVAL, LONGEST_INTERVAL),
        st.sampled_from([SHORTEST_INTERVAL, LONGEST_INTERVAL, 86400]),
    ),
    instants,
)
records: st.SearchStrategy[Record] = st.one_of(after_records, at_records, every_records)
changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(Create, records),
    st.builds(Delete, trimmed),
    st.builds(DispatchOneShot, trimmed),
    st.builds(DispatchEvery, trimmed, instants),
)

few_ids = st.sampled_from(["a", "b", "c"])
few_instants = st.sampled_from(
    [NOON, NOON + 299_999, NOON + 300_000, NOON + 900_001, LATEST - 300_000, LATEST]
)
few_records: st.SearchStrategy[Record] = st.one_of(
    st.builds(After, few_ids, st.just("p"), st.just(1), few_instants),
    st.builds(At, few_ids, st.just("p"), few_instants),
    st.builds(Every, few_ids, st.just("p"), st.sampled_from([300, 301]), few_instants),
)
few_changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(Create, few_records),
    st.builds(Delete, few_ids),
    st.builds(DispatchOneShot, few_ids),
    st.builds(DispatchEvery, few_ids, few_instants),
)


def event(change: Change) -> dict[str, Json]:
    """Return the event that carries a change."""
    return {"type": "schedule/change", "data": encode(change)}


schedule_events: st.SearchStrategy[Json] = few_changes.map(event)
other_events: st.SearchStrategy[Json] = st.one_of(
    st.just({"type": "turn/start"}),
    st.builds(lambda data: {"type": "Schedule/change", "data": data}, scalars),
    st.just({"data": {"version": 9}}),
)
broken_events: st.SearchStrategy[Json] = st.one_of(
    scalars,
    st.just({"type": "schedule/change"}),
    st.just({"type": "schedule/change", "data": {"version": 2}}),
)
logs: st.SearchStrategy[list[Json]] = st.lists(
    st.one_of(schedule_events, schedule_events, other_events), max_size=12
)
"""Few ids and few instants, so that every refusal of the fold comes up, and most logs do not fold."""
broken_logs: st.SearchStrategy[list[Json]] = st.lists(
    st.one_of(schedule_events, other_events, broken_events), max_size=8
)
