"""The lines of a log go to the storage in blocks, each a frame of its own where the log is compressed."""

from schedule_impl.store import _blocks

MEBI = 1 << 20


def test_a_block_of_lines_ends_with_the_line_that_makes_it_8_mib() -> None:
    lines = [bytes(8 * MEBI - 2), b"", b"x", b""]
    assert [len(block) for block in _blocks(lines)] == [8 * MEBI, 3]
