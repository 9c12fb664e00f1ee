"""Bring a stored index up to date with its root: plan what changed, analyse it, write one generation.

A first build is an update of nothing. Whatever the history of an index, its content is that of a fresh build. `prepare` says what there is
to do, `run` does it; only the second loads parsers and the linker.
"""

from coderag.update.prepare import Prepared, prepare, unchanged
from coderag.update.report import Progress, Report

__all__ = ["Prepared", "Progress", "Report", "prepare", "unchanged"]
