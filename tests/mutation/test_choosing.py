"""Which tests are tried: those that ran a mutant's lines, each kind once before any twice."""

from tests.mutation.choosing import Killer, Reach, in_order, in_turns

CASES = [Killer(f"a.py::test_many[{number}]", 0.01 * number) for number in range(1, 5)]
SLOW = Killer("b.py::test_slow", 5.0)
VECTORS = [
    Killer(f"c.py::test_a_check_is_passed[vector/hand-{case}]", 0.02) for case in ("due-a", "due-b", "at-a")
]


def test_every_function_has_its_turn_before_any_has_a_second() -> None:
    chosen = in_turns([*CASES, SLOW, *VECTORS], 100.0)
    assert chosen[:4] == (CASES[0], VECTORS[0], VECTORS[2], SLOW)
    assert sorted(chosen, key=lambda test: test.id) == sorted(
        [*CASES, SLOW, *VECTORS], key=lambda test: test.id
    )


def test_seconds_bound_what_comes_after_the_first_turn_alone() -> None:
    assert in_turns([*CASES, SLOW], 0.055) == (CASES[0], SLOW, CASES[1], CASES[2])
    assert in_turns([*CASES, SLOW], 0.0) == (CASES[0], SLOW)
    assert in_turns([], 1.0) == ()


def test_generated_checks_are_kinds_of_their_own() -> None:
    checks = [Killer(f"c.py::test_a_check_is_passed[property/{name}]", 1.0) for name in ("a", "b")]
    assert in_turns(checks, 0.0) == tuple(checks)


def test_reach() -> None:
    reach = Reach(tuple(CASES), {"f.py": {1: 0b0001, 2: 0b0110}}, frozenset())
    assert reach.of("f.py", [1]) == (CASES[0],)
    assert reach.of("f.py", range(1, 3)) == tuple(CASES[:3])
    assert reach.of("f.py", [3]) == reach.of("g.py", [1]) == ()
    assert reach.of_file("f.py") == tuple(CASES[:3])


def test_what_is_near_comes_before_the_turns_the_cheapest_first() -> None:
    tests = [*CASES, SLOW, *VECTORS]
    near = frozenset({"a.py"})
    assert in_order(tests, near, 0.055)[:6] == (CASES[0], VECTORS[0], VECTORS[2], SLOW, CASES[1], CASES[2])
    assert in_order(tests, near, 0.0) == in_turns(tests, 0.0)
    assert set(in_order(tests, near, 100.0)) == set(tests)
    assert in_order(tests, frozenset(), 0.055) == in_turns(tests, 0.055)


def test_a_file_is_near_of_which_nearly_all_tests_run_a_module() -> None:
    tests = (*CASES, SLOW, *VECTORS)
    lines = {"f.py": {1: 0b1111, 2: 0b0010000}, "g.py": {1: 0b11100011}}
    reach = Reach(tests, lines, frozenset())
    assert reach.near("f.py") == {"a.py", "b.py"}
    assert reach.near("g.py") == {"c.py"}
