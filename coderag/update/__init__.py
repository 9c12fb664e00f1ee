"""Bring a stored index up to date with its root: plan what changed, analyse it, write one generation.

A first build is an update of nothing. Whatever the history of an index, its content is that of a fresh build.
"""

from coderag.update.run import Prepared, Progress, Report, apply, prepare, unchanged

__all__ = ["Prepared", "Progress", "Report", "apply", "prepare", "unchanged"]
