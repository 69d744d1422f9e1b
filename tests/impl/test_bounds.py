"""As much is written at a time, and written again, as the documentation says."""

import re

from tests.impl.logs import DOCS

from schedule_impl.durable_file import extend, restate


class Written:
    """A file that holds nothing but zeros, and tells what is written to it before each sync."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.told: list[tuple[int, int]] = []
        self.synced: list[tuple[int, int]] = []

    def read(self) -> bytes:
        return bytes(self.size)

    def write(self, offset: int, data: bytes) -> None:
        self.told.append((offset, len(data)))

    def cut(self, size: int) -> None:
        self.size = size

    def sync(self) -> None:
        self.synced += self.told
        self.told = []


def test_as_much_is_written_beyond_what_is_durable_as_the_decisions_say() -> None:
    text = (DOCS / "decisions.md").read_text(encoding="utf-8")
    said = re.findall(r"(?:never has more than|writes its last) (\d+) MiB", text)
    written, again = (int(number) << 20 for number in said)
    file = Written(7)
    extend(file, 7, bytes(2 * written + 1))
    assert file.synced == [(7, written), (7 + written, written), (7 + 2 * written, 1)]
    for size, expected in ((again, (0, again)), (again + 1, (1, again)), (5, (0, 5))):
        file = Written(size)
        assert len(restate(file)) == size
        assert file.synced == [expected]
