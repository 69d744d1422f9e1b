"""The court for live sessions: worlds under virtual time, driven by the suite and judged by the live law.

`world` holds a system to the law for one sequence of world commands; `inputs` chooses what to ask next, for
the seeded `walk` and the Hypothesis `machine` alike; `situations` counts what the two have come through;
`traces` keeps what happened as JSON, `replaying` asks it again and `minimise` makes it short; `trying` puts
them together as one run.
"""
