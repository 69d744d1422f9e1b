"""What is mutated of a module, what is not, and that a mutant's key stands for its change alone."""

from pathlib import Path
from textwrap import dedent

import pytest
from tests.mutation.mutants import Module, Mutant

FUNCTION = '''
def held(value, least=3):
    """Return 1 of two."""
    return value if value > least else least
'''


def module(tmp_path: Path, text: str, name: str = "package.subject") -> Module:
    file = tmp_path / "subject.py"
    file.write_text(text, "utf-8")
    return Module(name, file)


def mutants(tmp_path: Path, text: str, name: str = "package.subject") -> tuple[Mutant, ...]:
    return module(tmp_path, text, name).mutants


def changes(tmp_path: Path, text: str, name: str = "package.subject") -> list[str]:
    return [f"{mutant.before} -> {mutant.after}" for mutant in mutants(tmp_path, text, name)]


def test_a_function(tmp_path: Path) -> None:
    assert changes(tmp_path, FUNCTION) == [
        "return value if value > least else least -> return None",
        "value if value > least else least -> value",
        "value if value > least else least -> least",
        "value > least -> value >= least",
        "value > least -> value <= least",
        "3 -> 4",
        "3 -> 2",
    ]


@pytest.mark.parametrize(
    "text",
    [
        '"""A text of the module."""',
        "from a import b",
        "def f(a: 'int' = None) -> 'str':\n    'A text.'\n    a: 'int'\n",
        "@mark('a.clause')\ndef f(a): ...",
        "def _held(a):\n    return _more(a) > 1\ndef _more(a):\n    return a\n"
        "@ensure(lambda a: _held(a), 'b')\ndef f(a): ...",
        "def f(a):\n    assert a == 1\n    assert_never(a)\n",
        "A: TypeAlias = Literal['a', 'b']",
        "A = int | None",
        "if TYPE_CHECKING:\n    a = 1\n",
        "__slots__ = ('a', 'b')",
        "class A(B, frozen=True, gc=False): ...",
        "def f(a):\n    cast('int', a)\n",
    ],
)
def test_what_no_run_could_tell_is_not_mutated(tmp_path: Path, text: str) -> None:
    assert changes(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A = 1", ["1 -> 2", "1 -> 0"]),
        ("class A(B, tag='a'): ...", ["'a' -> 'a~'"]),
        ("class A:\n    b: Literal[1]\n", ["1 -> 2", "1 -> 0"]),
        ("class A:\n    b: Annotated[int, Meta(ge=1)]\n", ["Meta(ge=1) -> Meta()", "1 -> 2", "1 -> 0"]),
        ("class A:\n    b: int = 1\n", ["1 -> 2", "1 -> 0"]),
        (
            "def f():\n    return a\n    def g():\n        return b\n",
            ["return a -> return None", "return b -> return None"],
        ),
    ],
)
def test_what_a_module_or_a_class_holds_is_mutated(tmp_path: Path, text: str, wanted: list[str]) -> None:
    assert changes(tmp_path, text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "def f(a):\n    why = 'it is late' if a else 'it is early'\n    raise ValueError(f'so {why}')\n",
        "def f(a):\n    return 'it is late' if a == 1 else f'it is {a + 1}'\n",
        "def f(a):\n    raise ValueError('a b {}'.format(a + 1))\n",
        "def f(a):\n    raise ValueError(f'so it is {_so(a)}')\ndef _so(a):\n    return 'a' if a else 'b'\n",
    ],
)
def test_words_for_people_are_not_mutated(tmp_path: Path, text: str) -> None:
    assert [change for change in changes(tmp_path, text) if not change.startswith("raise")] == []


def test_what_words_share_with_other_things_is_mutated(tmp_path: Path) -> None:
    text = "def f(a):\n    b = a + 1\n    g(f'so it is {b}')\n    return b\n"
    assert "a + 1 -> a - 1" in changes(tmp_path, text)


def test_the_words_of_a_framing_are_mutated(tmp_path: Path) -> None:
    text = "def f(a):\n    return 'it is late'\n"
    assert changes(tmp_path, text) == []
    assert "'it is late' -> 'it is late~'" in changes(tmp_path, text, "package.framing")


def test_every_mutant_is_code_of_its_own_and_leaves_the_module_as_it_was(tmp_path: Path) -> None:
    whole = module(tmp_path, FUNCTION + "\nA = 1\n")
    plain = compile(whole.tree, str(whole.file), "exec", dont_inherit=True)
    codes = [mutant.code() for mutant in whole.mutants]
    assert len({plain, *codes}) == len(codes) + 1
    assert compile(whole.tree, str(whole.file), "exec", dont_inherit=True) == plain


def keys(tmp_path: Path, text: str) -> list[str]:
    return [mutant.key for mutant in mutants(tmp_path, text)]


def test_keys_are_distinct_also_for_changes_that_look_alike(tmp_path: Path) -> None:
    found = keys(tmp_path, "def f(a):\n    return [a + 1, a + 1]\n")
    assert len(set(found)) == len(found) == 7


@pytest.mark.parametrize(
    "text",
    [
        f"import a\nB = a.b\n{FUNCTION}",
        FUNCTION.replace("Return 1 of two.", "Another text."),
        FUNCTION.replace("def held", "@mark('a')\ndef held"),
        FUNCTION.replace("    return", "    # A word on it.\n    return"),
    ],
)
def test_a_key_outlives_what_changes_around_the_function(tmp_path: Path, text: str) -> None:
    assert keys(tmp_path, FUNCTION) == [
        key for key in keys(tmp_path, text) if key in keys(tmp_path, FUNCTION)
    ]


def test_a_key_goes_stale_with_the_function(tmp_path: Path) -> None:
    before = keys(tmp_path, FUNCTION)
    for changed in (FUNCTION.replace("> least", ">= least"), FUNCTION.replace("held", "kept")):
        assert set(before).isdisjoint(keys(tmp_path, changed))


def test_the_lines_of_a_mutant_are_those_of_its_statement(tmp_path: Path) -> None:
    text = dedent(
        """\
        def f(a):
            if a:
                return 1
            for b in a:
                g(b)
            return [
                a,
                2,
            ]
        """
    )
    lines = {mutant.told.partition(" ")[2]: list(mutant.lines) for mutant in mutants(tmp_path, text)}
    assert lines["always: a -> True"] == [2]
    assert lines["constant: 1 -> 2"] == [3]
    assert lines["statement dropped: g(b) -> nothing"] == [5]
    assert lines["constant: 2 -> 3"] == [6, 7, 8, 9]
