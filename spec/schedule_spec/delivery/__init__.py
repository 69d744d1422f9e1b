"""The live law: the whole life of a session, as an input/output transition system with quiescence.

Inputs are the world commands of the adapter protocol, outputs its observations, and a settled reply is the
observation that nothing more comes. Specifies the clauses barrier.*, owner.* and deliver.*, and when the
tools answer (tool.*); what they decide and say is stated by `due`, `framing` and `tools`.

`model` holds what is known of a world; `owners`, `calls` and `barriers` say what each of them may do, `steps`
puts them together as the transitions of a session, `inputs` has the commands, `judge` the sets of possible
situations and their clock, `explain` the words for what is not allowed and `stories` what led to it;
`machine` runs the system as one that behaves well, and `choices` serves generators.
"""

from schedule_spec.delivery.judge import after_exchange, after_input, after_observation, initial, settled
from schedule_spec.delivery.model import Session, States, Terms, Violation

__all__ = [
    "Session",
    "States",
    "Terms",
    "Violation",
    "after_exchange",
    "after_input",
    "after_observation",
    "initial",
    "settled",
]
