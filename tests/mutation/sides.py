"""The two sides that are mutated: which modules, with what killers, and what is left out for which reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The checkout."""


@dataclass(frozen=True, slots=True)
class Side:
    """A package with its killers: paths of tests, relative to the checkout.

    `left_out` are modules, with those within them, that are not mutated, each with the reason.
    """

    name: str
    package: str
    source: Path
    killers: tuple[str, ...]
    left_out: Mapping[str, str]

    @property
    def directory(self) -> Path:
        """The package's directory."""
        return self.source.joinpath(*self.package.split("."))

    def modules(self) -> dict[str, Path]:
        """Return the files of the modules that are mutated, by their names, sorted."""
        found = {self._module(file): file for file in sorted(self.directory.rglob("*.py"))}
        return {name: file for name, file in found.items() if not self._is_left_out(name)}

    def short(self, module: str) -> str:
        """Return a module's name within the package."""
        return module.removeprefix(f"{self.package}.")

    def _module(self, file: Path) -> str:
        parts = file.relative_to(self.source).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _is_left_out(self, module: str) -> bool:
        short = self.short(module)
        return module == self.package or any(
            short == name or short.startswith(f"{name}.") for name in self.left_out
        )


LAW = Side(
    "law",
    "schedule_spec",
    ROOT / "spec",
    ("tests/mutation/asking_the_law.py", "tests/spec", "tests/saboteurs/live/test_live.py"),
    {
        "register": "the clauses as data; tests hold them to their document, letter by letter",
        "marks": "marks carry clause ids for readers, and do nothing",
        "delivery.explain": "tells in words what the judge found",
        "delivery.stories": "tells in words what happened",
        "delivery.reasons": "says in words why something is not allowed",
    },
)
IMPLEMENTATION = Side(
    "impl",
    "schedule_impl",
    ROOT / "impl",
    ("tests/mutation/asking_the_implementation.py", "tests/impl"),
    {
        "simulation": "the world that the adapter is driven in, no part of what a host imports",
        "durable_schemas": "published data, compared with the decoder value by value in its own tests",
        "tool_schemas": "published data, compared with the tools value by value in its own tests",
    },
)
SIDES = {side.name: side for side in (LAW, IMPLEMENTATION)}
