"""Frozen cases: kept under ids that never change, promoted from what a run found, published as files."""
