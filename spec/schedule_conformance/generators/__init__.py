"""Hypothesis strategies for requests: valid ones, ones that are one edit from valid, and hostile ones.

Imported only where properties run, because Hypothesis is slow to import.
"""
