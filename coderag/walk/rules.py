"""What the project says on top of git: `.coderagignore`, the settings, and the built-in names, in one judgement.

From weak to strong: git, built-in names, `.coderagignore` from the root down, `settings.exclude`, `settings.include`. A
parent that is left out takes everything below with it, with one exception that git does not know: a `!` rule that
names directories (`!generated/api.py`) reaches into a directory that was left out. A bare `!*.py` does not, and `!*/`
only takes back what its own list excluded; otherwise an allow-list would bring `node_modules` in.

Paths are relative to the root.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache

from coderag.config import Settings
from coderag.types import Reason, Skipped
from coderag.walk.builtin import LOCK_FILES, OWN_ENDING, installed_or_output, is_secret_directory, is_secret_file
from coderag.walk.patterns import Rule, RuleList, parse_rule, parse_rules, translate

RULE_FILE = ".coderagignore"
_DEFAULT_INDEX = ".coderag"


class Rules:
    """The rules of one root, filled while it is walked; `judge` is the one place where they are weighed."""

    def __init__(self, root: str, settings: Settings) -> None:
        self.environments: set[str] = set()
        self._built_in = settings.built_in_rules
        self._settings = RuleList.of(_from_settings(settings))
        self._files: dict[str, RuleList] = {}
        self._own = frozenset({_DEFAULT_INDEX, os.path.relpath(os.path.join(root, settings.index_directory), root)})
        self._reaching = [("", rule) for rule in self._settings.rules if rule.negated and rule.names_directories]

    def add_file(self, directory: str, content: bytes) -> None:
        """Takes up the `.coderagignore` in `directory` ("" for the root)."""
        source = f"{directory}/{RULE_FILE}" if directory else RULE_FILE
        rules = self._files[directory] = RuleList.of(parse_rules(content, source))
        self._reaching += [(directory, rule) for rule in rules.rules if rule.negated and rule.names_directories]

    @property
    def is_empty(self) -> bool:
        """Whether nothing but built-in names is asked."""
        return not self._files and not self._settings.rules

    def is_own(self, path: str) -> bool:
        """Whether a directory is an index of ours: no part of what the root holds, and so never listed at all."""
        return path in self._own

    def judge(
        self, parent: Skipped | None, path: str, is_directory: bool, lower: Skipped | None, *, tracked: bool = False
    ) -> Skipped | None:
        """None when the entry is kept, otherwise what leaves it out.

        `parent` is the judgement on its directory, `lower` what git says of the entry itself.
        """
        rule = self.last_match(path, is_directory)
        if rule is not None and rule.negated and self._takes_back(rule, parent):
            return None if rule.names_file else _secret(path, is_directory)
        if parent is not None:
            return parent
        if rule is not None and not rule.negated:
            return _skipped(path, is_directory, Reason.IGNORED, rule.detail)
        return lower or self._built_in_judgement(path, is_directory, tracked) or _secret(path, is_directory)

    def _takes_back(self, rule: Rule, parent: Skipped | None) -> bool:
        return rule.names_directories if parent is not None else not rule.is_catch_all

    def last_match(self, path: str, is_directory: bool) -> Rule | None:
        """The strongest rule of the project that matches the entry itself."""
        if self.is_empty:
            return None
        encoded = os.fsencode(path)
        if found := self._settings.last_match(encoded, is_directory):
            return found
        for directory in _above(path) if self._files else ():
            rules = self._files.get(directory)
            start = len(os.fsencode(directory)) + 1 if directory else 0
            if rules is not None and (found := rules.last_match(encoded[start:], is_directory)):
                return found
        return None

    def may_reach(self, directory: str) -> bool:
        """Whether a rule could take back something below a directory that is left out."""
        return any(_may_match_below(base, rule, directory) for base, rule in self._reaching)

    def _built_in_judgement(self, path: str, is_directory: bool, tracked: bool) -> Skipped | None:
        if not self._built_in:
            return None
        name = path[path.rfind("/") + 1 :]
        if not is_directory:
            if name.endswith(OWN_ENDING):
                return Skipped(path, Reason.BUILT_IN, "written by coderag")
            return Skipped(path, Reason.BUILT_IN, "lock file") if name in LOCK_FILES else None
        what = "virtual environment" if path in self.environments else installed_or_output(name, tracked=tracked)
        return Skipped(path + "/", Reason.BUILT_IN, f"{what}: {name}/") if what else None


def _from_settings(settings: Settings) -> Iterator[Rule]:
    for number, pattern in enumerate(settings.exclude, start=1):
        yield parse_rule(os.fsencode(pattern), "settings.exclude", number)
    for number, pattern in enumerate(settings.include, start=1):
        yield parse_rule(b"!" + os.fsencode(pattern), "settings.include", number)


def _skipped(path: str, is_directory: bool, reason: Reason, detail: str) -> Skipped:
    return Skipped(path + "/" if is_directory else path, reason, detail)


def _secret(path: str, is_directory: bool) -> Skipped | None:
    name = path[path.rfind("/") + 1 :]
    if is_directory:
        return Skipped(path + "/", Reason.SECRET, name) if is_secret_directory(name) else None
    return Skipped(path, Reason.SECRET, name) if is_secret_file(name) else None


def _above(path: str) -> Iterator[str]:
    """The directories that hold `path`, the deepest first, the root ("") last."""
    end = path.rfind("/")
    while end > 0:
        yield path[:end]
        end = path.rfind("/", 0, end)
    yield ""


def _may_match_below(base: str, rule: Rule, directory: str) -> bool:
    if base and not directory.startswith(base + "/"):
        return False
    parts = os.fsencode(directory[len(base) + 1 :] if base else directory).split(b"/")
    wanted = rule.pattern.split(b"/")
    for part, pattern in zip(parts, wanted, strict=False):
        if pattern == b"**":
            return True
        if not _matches(pattern, part):
            return False
    return len(parts) < len(wanted)


def _matches(pattern: bytes, part: bytes) -> bool:
    expression = _compiled(pattern)
    return expression is not None and expression.fullmatch(part) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: bytes) -> re.Pattern[bytes] | None:
    expression = translate(pattern, by_path=False)
    return None if expression is None else re.compile(expression, re.DOTALL)
