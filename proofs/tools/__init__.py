"""The tools: each runs one function of the proofs and answers with an `Outcome`.

The verdict is what the tool's own interface says; nothing is read from exit codes or from printed text.
"""
