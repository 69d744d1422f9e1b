"""What an adapter answers that is asked to speak another protocol than its own."""

import pytest

from schedule_impl.adapter import handle


@pytest.mark.parametrize("protocol", [0, 2, "1", None, True], ids=repr)
def test_another_protocol_is_refused_in_the_adapters_own_words(protocol: object) -> None:
    reply = handle({"seq": 5, "cmd": "hello", "protocol": protocol})
    assert reply == {"seq": 5, "error": {"message": "this adapter speaks protocol 1 alone"}}
