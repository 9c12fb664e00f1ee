"""Which files a root holds, how each is read and decoded, and why every other one is left out.

Knows git's ignore rules, the project's own and the built-in ones, encodings, and what a secret looks like. Knows no
language and no index; runs nothing that the tree brings with it, and opens nothing outside of it.
"""

from coderag.walk.decode import original_offsets
from coderag.walk.elide import elided
from coderag.walk.git import GitUnavailable, find_work_tree, head_commit, run_git
from coderag.walk.history import read_history
from coderag.walk.reader import digest, git_ids, read
from coderag.walk.uncommitted import find_uncommitted
from coderag.walk.walker import walk
from coderag.walk.worktrees import sibling_roots

__all__ = [
    "GitUnavailable",
    "digest",
    "elided",
    "find_uncommitted",
    "find_work_tree",
    "git_ids",
    "head_commit",
    "original_offsets",
    "read",
    "read_history",
    "run_git",
    "sibling_roots",
    "walk",
]
