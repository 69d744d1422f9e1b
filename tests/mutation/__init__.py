"""Mutation testing of the law and of the implementation: `python -m tests.mutation`; see docs/mutation.md."""
