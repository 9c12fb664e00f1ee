"""Git's own ignore rules where git is not asked: which files apply to a path, and which of them wins.

From strong to weak: `.gitignore` of the deepest directory up to the top of the work tree, `info/exclude`, the global
excludes file. Reads those files; knows nothing of the index and so nothing of tracked files.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from coderag.types import Reason, Skipped
from coderag.walk.files import read_small
from coderag.walk.git import EXCLUDE_FILE, common_directory, git_directory, global_excludes
from coderag.walk.patterns import Rule, RuleList, parse_rules

RULE_FILE = ".gitignore"
RULE_FILE_LIMIT = 10_000_000


@dataclass(frozen=True, slots=True)
class GitRules:
    """The rule files that apply in one directory, the strongest first.

    A path relative to the root becomes one relative to the top of its work tree by `offset + path[cut:]`; the number
    beside a list of rules is how much of that its directory takes.
    """

    cut: int = 0
    offset: bytes = b""
    lists: tuple[tuple[int, RuleList], ...] = ()

    def judge(self, path: str, is_directory: bool) -> Skipped | None:
        """What leaves the entry itself out; None where no rule matches or the last one that does is a negation."""
        if not self.lists:
            return None
        rule = self.last_match(self.offset + os.fsencode(path)[self.cut :], is_directory)
        if rule is None or rule.negated:
            return None
        return Skipped(path + "/" if is_directory else path, Reason.IGNORED, rule.detail)

    def last_match(self, inside: bytes, is_directory: bool) -> Rule | None:
        """The rule that decides about a path relative to the top of the work tree."""
        for start, rules in self.lists:
            if rule := rules.last_match(inside[start:], is_directory):
                return rule
        return None

    def inside(self, directory: str, content: bytes) -> GitRules:
        """The rules below `directory` (relative to the root), whose ignore file has this content."""
        source = f"{directory}/{RULE_FILE}" if directory else RULE_FILE
        top_relative = self.offset + os.fsencode(directory + "/" if directory else "")[self.cut :]
        return self._with(len(top_relative), RuleList.of(parse_rules(content, source)))

    def _with(self, start: int, rules: RuleList) -> GitRules:
        return GitRules(self.cut, self.offset, ((start, rules), *self.lists)) if rules.rules else self


def rules_at(top: str | None, tree: str, prefix: str) -> tuple[GitRules, str]:
    """The rules that hold at `tree` before its own ignore file is read, and why those from above it do not hold ("" if they do).

    `tree` is the directory that is walked, `top` the top of its work tree (None: there is none) and `prefix` the path
    of `tree` below the root, with "/" at its end, or "".
    """
    shared = None if top is None else common_directory(git_directory(top) or top)
    base = GitRules(cut=len(os.fsencode(prefix)))
    for path, source in _shared_files(shared, prefix + EXCLUDE_FILE):
        base = base._with(0, RuleList.of(parse_rules(read_small(path, RULE_FILE_LIMIT) or b"", source)))
    if top is None or top == tree:
        return base, ""
    return _from_above(base, top, os.path.relpath(tree, top).split("/"))


def _shared_files(shared: str | None, name: str) -> list[tuple[str, str]]:
    chosen = global_excludes(shared)
    found = [] if chosen is None else [(chosen, chosen)]
    return found if shared is None else [*found, (os.path.join(shared, "info", "exclude"), name)]


def _from_above(base: GitRules, top: str, parts: list[str]) -> tuple[GitRules, str]:
    rules = base
    for depth in range(len(parts)):
        directory = "/".join(parts[:depth])
        up = "../" * (len(parts) - depth)
        content = read_small(os.path.join(top, directory, RULE_FILE), RULE_FILE_LIMIT) or b""
        start = len(os.fsencode(directory)) + 1 if directory else 0
        rules = rules._with(start, RuleList.of(parse_rules(content, up + RULE_FILE)))
        rule = rules.last_match(os.fsencode("/".join(parts[: depth + 1])), True)
        if rule is not None and not rule.negated:
            return base, rule.detail
    return GitRules(rules.cut, os.fsencode("/".join(parts) + "/"), rules.lists), ""
