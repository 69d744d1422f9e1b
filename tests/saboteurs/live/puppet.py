"""Ways to break a live system in a few lines.

A puppet is the law's own world with one thing altered: what is asked of it, what is seen of it, or one of its
functions while it answers (`replaced`). The court judges by the same functions, and never while they are
replaced. Once a fault has shown, the puppet's log and the court's may go apart as they like.
"""

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, cast

from tests.saboteurs.model import Handler, Make

from schedule_conformance.law import law_adapter
from schedule_spec.profiles import Profile

Object = dict[str, Any]


@dataclass(slots=True)
class Puppet:
    """The law, the wall clock that it was told, and a place for what a fault has to remember of one world."""

    law: Handler = field(default_factory=lambda: law_adapter.adapter(Profile.V1))
    memory: Object = field(default_factory=dict)
    now: int = 0

    def ask(self, request: Object) -> Object:
        """Return the law's reply."""
        if request["cmd"] in ("open", "set_clock", "reopen"):
            self.now = request.get("now", self.now)
        if request["cmd"] == "advance_time":
            self.now += request["ms"]
        return self.law(request)

    def also(self, reply: Object, **request: Any) -> Object:
        """Return the reply with what the law does on a further request behind it."""
        more = self.law({"seq": 0, **request})
        return with_observed(reply, [*observed(reply), *observed(more)])


Fault = Callable[[Puppet, Object], Object]


def breaking(fault: Fault) -> Make:
    """A fault that sees each request, and answers it with the puppet's help."""

    def make() -> Handler:
        puppet = Puppet()

        def handle(request: Object) -> Object:
            if request["cmd"] == "hello":
                puppet.memory.clear()
            return fault(puppet, request)

        return handle

    return make


def observed(reply: Object) -> list[Object]:
    """The observations of a reply."""
    return list(reply.get("result", {}).get("observed", []))


def with_observed(reply: Object, seen: Iterable[Object]) -> Object:
    """The reply with other observations, where it is one that has any."""
    if "observed" not in reply.get("result", {}):
        return reply
    return {**reply, "result": {**reply["result"], "observed": list(seen)}}


# --- what is asked ---


def asking(alter: Callable[[Object], Object], *commands: str) -> Make:
    """The law hears something else, of any command or of these alone."""

    def fault(puppet: Puppet, request: Object) -> Object:
        heard = request if commands and request["cmd"] not in commands else alter(request)
        return {**puppet.ask(heard), "seq": request["seq"]}

    return breaking(fault)


def given(alter: Callable[[Object], Object]) -> Make:
    """Tools take their arguments otherwise."""

    def heard(request: Object) -> Object:
        arguments = request.get("arguments")
        return {**request, "arguments": alter(arguments)} if isinstance(arguments, dict) else request

    return asking(heard, "call")


def unheard(command: str) -> Make:
    """The law is never told of a command; one that does nothing stands in for it."""
    return asking(lambda request: {"seq": request["seq"], "cmd": "advance_time", "ms": 0}, command)


def forgetting(member: str, command: str) -> Make:
    """The law never sees a member of a command."""
    return asking(lambda request: {k: v for k, v in request.items() if k != member}, command)


# --- what is seen ---


def seeing(alter: Callable[[list[Object]], list[Object]], *commands: str) -> Make:
    """Something else is seen of the law, after any command or these alone."""

    def fault(puppet: Puppet, request: Object) -> Object:
        reply = puppet.ask(request)
        if commands and request["cmd"] not in commands:
            return reply
        return with_observed(reply, alter(observed(reply)))

    return breaking(fault)


def each(alter: Callable[[Object], Object | None]) -> Callable[[list[Object]], list[Object]]:
    """Alter observations one by one; None leaves one out."""
    return lambda seen: [altered for one in seen if (altered := alter(one)) is not None]


def framing(alter: Callable[[str], str]) -> Make:
    """Follow-ups have another text."""
    return seeing(each(lambda one: {**one, "followup": alter(one["followup"])} if "followup" in one else one))


def changed(operation: str, alter: Callable[[Object], Object | None]) -> Callable[[Object], Object | None]:
    """Alter the data of appended changes; None appends nothing."""

    def altered(one: Object) -> Object | None:
        data = one.get("append", {}).get("data")
        if not isinstance(data, dict) or data.get("operation") != operation:
            return one
        other = alter(data)
        return None if other is None else {**one, "append": {**one["append"], "data": other}}

    return altered


def changing(operation: str, alter: Callable[[Object], Object | None]) -> Make:
    """The data of an appended change are others; None appends nothing."""
    return seeing(each(changed(operation, alter)))


def answered(alter: Callable[[Any], Any]) -> Callable[[Object], Object]:
    """Alter the values of answers."""

    def altered(one: Object) -> Object:
        answer = one.get("answer", {})
        return {**one, "answer": {**answer, "value": alter(answer["value"])}} if "value" in answer else one

    return altered


def answering(alter: Callable[[Any], Any]) -> Make:
    """The values of answers are others."""
    return seeing(each(answered(alter)))


def erring(alter: Callable[[Object], Any], *codes: str) -> Make:
    """The error objects of these codes are others, or all."""

    def altered(value: Any) -> Any:
        error = isinstance(value, dict) and "code" in value and "deleted" not in value
        return alter(value) if error and (not codes or value["code"] in codes) else value

    return answering(altered)


def coding(told: str, *codes: str) -> Make:
    """Errors of these codes have another one."""
    return erring(lambda value: {"code": told, "message": value["message"]}, *codes)


def swapped(first: str, second: str) -> Callable[[list[Object]], list[Object]]:
    """Where one kind comes right before another, they change places."""

    def alter(seen: list[Object]) -> list[Object]:
        seen = list(seen)
        place = 0
        while place + 1 < len(seen):
            if first in seen[place] and second in seen[place + 1]:
                seen[place], seen[place + 1] = seen[place + 1], seen[place]
                place += 1
            place += 1
        return seen

    return alter


# --- what the law does ---


@dataclass(frozen=True, slots=True)
class Patch:
    """Another function in the place of one of the law's: a module's, or a table's."""

    place: ModuleType | MutableMapping[str, Any]
    name: str
    other: Callable[..., Any]


def patch(place: ModuleType | Any, name: str, other: Callable[..., Any]) -> Patch:
    """A patch whose function gets the law's own one first, and then what that would get."""
    own = getattr(place, name) if isinstance(place, ModuleType) else place[name]
    if not isinstance(place, ModuleType):
        place = cast("MutableMapping[str, Any]", place)
    return Patch(place, name, lambda *given: other(own, *given))


@contextmanager
def standing(patches: Iterable[Patch]) -> Iterator[None]:
    """Let patches stand, and put back what was there."""
    before = []
    try:
        for each_ in patches:
            before.append((each_, _get(each_)))
            _put(each_, each_.other)
        yield
    finally:
        for each_, function in reversed(before):
            _put(each_, function)


def _get(patch: Patch) -> Any:
    return (
        getattr(patch.place, patch.name) if isinstance(patch.place, ModuleType) else patch.place[patch.name]
    )


def _put(patch: Patch, function: Any) -> None:
    if isinstance(patch.place, ModuleType):
        setattr(patch.place, patch.name, function)
    else:
        patch.place[patch.name] = function


def replaced(*patches: Patch, commands: tuple[str, ...] = ()) -> Make:
    """While the law answers, after any command or these alone, some of its functions are others."""
    return remembering(lambda memory: patches, commands=commands)


def remembering(patches: Callable[[Object], Iterable[Patch]], commands: tuple[str, ...] = ()) -> Make:
    """The same where the functions share a memory of one world; `cmd` in it is the command."""

    def make() -> Handler:
        puppet = Puppet()
        made = tuple(patches(puppet.memory))

        def handle(request: Object) -> Object:
            if request["cmd"] == "hello":
                puppet.memory.clear()
            puppet.memory["cmd"] = request["cmd"]
            if commands and request["cmd"] not in commands:
                return puppet.ask(request)
            with standing(made):
                return puppet.ask(request)

        return handle

    return make
