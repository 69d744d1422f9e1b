"""The proofs: what is shown of law and implementation for all inputs, or for all within stated bounds.

`ledger` says of each obligation what is to be shown, by which tool and how strongly; `tools` run one,
`running` runs them all beside each other, `judging` holds what came against the ledger, `contracts` finds the
contracts of the law that must be among them, `page` tells it in words. What is shown stands in `unbounded`
(Z3), `symbolic` (CrossHair), `exhaustive` and `refinement`. This package imports law, court and
implementation; none of them imports it.
"""
