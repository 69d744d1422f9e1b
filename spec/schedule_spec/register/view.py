"""The clauses of `view`: what tools show."""

from typing import Final

from schedule_spec.register.model import Area, Clause, Subject
from schedule_spec.register.sources import S1_VIEWS

AREA: Final = Area(
    name="view",
    title="what tools show",
    preamble="",
    clauses=(
        Clause(
            id="view.fields",
            sentence='A view is the record plus `state` and `deliveryMode: "session-local"`, nothing else.',
            rationale=(
                "What a tool shows is the record itself and two facts about it. What is not shown "
                "cannot be relied on."
            ),
            note="S1",
            sources=(S1_VIEWS,),
            subject=Subject.PURE,
            implied_by=("tool.case", "tool.create-result", "tool.list"),
        ),
        Clause(
            id="view.state",
            sentence="`overdue` when the clock sample is at or past the target, else `scheduled`.",
            rationale=(
                "Past its target and still active means that it is waiting to be delivered, and whoever "
                "looks should see that."
            ),
            note="S1",
            sources=(S1_VIEWS,),
            subject=Subject.PURE,
            implied_by=("tool.create-result", "tool.list"),
        ),
    ),
)
