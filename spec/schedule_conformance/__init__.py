"""The court: drives an implementation through the adapter protocol and judges it by the law.

From the ground up: `protocol` is what is said to a system, `law` what the law answers, `judgement` whether a
reply is allowed and what it breaks if not. `generators` makes requests, `worlds` leads live sessions, and
`frozen` keeps cases for ever; `checks` tries pure commands, `adapters` reaches systems in other processes.
`runs` puts them together as one run with honest counts, `rendering` shows it. A package knows only those
below it. `evidence` reads what stands behind each clause.
"""
