"""What the fold's code can know of: nothing but its arguments (fold.deterministic).

Every function that a fold may reach stands in the modules that its own module imports, directly or through
others. Their sources are searched for each name by which Python code learns of clock, process, locale, files,
randomness or object identities, or reaches a name that does not stand there; for sets, whose order depends on
the hash seed; and for what changes a value of the module's own, which would be there at the next call.
"""

import ast
from collections.abc import Iterator
from importlib import import_module
from inspect import getsource
from types import ModuleType

from proofs.outcomes import Counterexample, Counts
from schedule_impl import fold as impl_fold
from schedule_spec import fold

# fmt: off
AMBIENT_MODULES = frozenset(
    (
        "asyncio", "calendar", "importlib", "io", "locale", "os", "pathlib", "platform", "random",
        "secrets", "shutil", "signal", "socket", "subprocess", "sys", "tempfile", "threading",
        "time", "tzdata", "uuid", "zoneinfo",
    )
)
AMBIENT_NAMES = frozenset(
    (
        "__import__", "astimezone", "environ", "eval", "exec", "fromtimestamp", "getattr", "getenv",
        "globals", "hash", "id", "input", "locals", "localtime", "now", "open", "setattr", "today",
        "utcnow", "vars",
    )
)
CHANGING = frozenset(
    (
        "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "reverse",
        "setdefault", "sort", "update",
    )
)
# fmt: on
MEMOS = frozenset(("schedule_impl.instants._hours",))
"""What is only remembered, and would be computed again: that both give the same is shown where it is read."""
PACKAGES = ("schedule_spec", "schedule_impl")


def _reached(module: ModuleType) -> dict[str, ModuleType]:
    """Return the module and all of our own that it imports."""
    found: dict[str, ModuleType] = {}
    waiting = [module]
    while waiting:
        each = waiting.pop()
        if each.__name__ not in found:
            found[each.__name__] = each
            waiting += (import_module(name) for name in _own_imports(ast.parse(getsource(each))))
    return found


def _own_imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(PACKAGES):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if _is_module(name) else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith(PACKAGES))


def _is_module(name: str) -> bool:
    try:
        import_module(name)
    except ModuleNotFoundError:
        return False
    return True


def ambient(tree: ast.Module) -> Iterator[str]:
    """Yield what a module's code knows of beyond its arguments."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names if each.name.partition(".")[0] in AMBIENT_MODULES)
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in AMBIENT_MODULES:
                yield module
            case ast.Attribute(attr=name) if name in AMBIENT_NAMES - {"id"}:
                yield name
            case ast.Call(func=ast.Name(id=name)) if name in AMBIENT_NAMES:
                yield name
            case ast.For(iter=iterated) | ast.comprehension(iter=iterated) | ast.Starred(value=iterated):
                yield from _set_order(iterated)
            case ast.Call(func=ast.Name(id="iter" | "list" | "map" | "next" | "tuple"), args=arguments):
                for argument in arguments:
                    yield from _set_order(argument)


def _set_order(iterated: ast.expr) -> Iterator[str]:
    match iterated:
        case ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set" | "frozenset")):
            yield "the order of a set"


def kept(tree: ast.Module) -> Iterator[str]:
    """Yield what a module changes of its own values while it runs: they would outlast the call."""
    own = {
        target.id
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
        if isinstance(target, ast.Name)
    }
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    for node in {inner: None for function in functions for inner in ast.walk(function)}:
        match node:
            case ast.Global(names=names):
                yield from names
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)) if (
                name in own and attribute in CHANGING
            ):
                yield name
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()) if name in own:
                yield name


def _knows_nothing(*modules: ModuleType) -> Counts:
    counts = {"modules": 0, "nodes": 0}
    for module in modules:
        for name, each in _reached(module).items():
            tree = ast.parse(getsource(each))
            counts["modules"] += 1
            counts["nodes"] += sum(1 for _ in ast.walk(tree))
            for found in ambient(tree):
                raise Counterexample(f"{name} knows of {found}")
            for found in kept(tree):
                if f"{name}.{found}" not in MEMOS:
                    raise Counterexample(f"{name} changes {found}, and would find it changed")
    return counts


def the_fold_knows_its_arguments_alone() -> Counts:
    """The code of the law's fold and of the implementation's."""
    return _knows_nothing(fold, impl_fold)


def local_times_know_their_arguments_alone() -> Counts:
    """The same of local times, which read the zone data from files."""
    from schedule_spec import local_time  # noqa: PLC0415

    return _knows_nothing(local_time)
