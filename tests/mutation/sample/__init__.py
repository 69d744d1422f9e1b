"""A package to be mutated in the harness's own tests, and its killers; the verdicts are known beforehand."""
