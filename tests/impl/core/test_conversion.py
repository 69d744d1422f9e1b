"""What a program hands over becomes a change as JSON text does, whatever types its numbers and texts have."""

from typing import Any

import pytest
from tests.impl.logs import create, delete

from schedule_impl.changes import Delete
from schedule_impl.codec import CHANGES


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        pytest.param({**delete("a"), "version": 1.0}, delete("a"), id="of-a-change"),
        pytest.param(create("a", "every", everySeconds=300.0), create("a", "every"), id="of-a-record"),
    ],
)
def test_a_number_may_be_spelt_as_a_double(value: dict[str, Any], meant: dict[str, Any]) -> None:
    assert CHANGES.convert(value) == CHANGES.convert(meant)


class Text(str):
    """Text of a type of its own."""

    __slots__ = ()


def test_names_and_texts_may_be_of_a_type_of_their_own() -> None:
    value = {Text(name): Text(member) if name == "id" else member for name, member in delete("a").items()}
    change = CHANGES.convert(value)
    assert change == CHANGES.convert(delete("a"))
    assert type(change) is Delete
    assert type(change.id) is str
