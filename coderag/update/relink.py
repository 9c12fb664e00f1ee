"""Link what an update touched: the changed files, and those whose links may depend on what changed in them.

The rule is by name (`coderag.link.names`): a file is linked again when it uses a name that means something else than before. It may link a
file in vain, never forget one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from coderag.link import (
    LINK_RULES,
    Linker,
    definition_of,
    files_to_relink,
    is_guessed,
    names_derived,
    names_used,
)
from coderag.records import (
    CONFIDENCES,
    EDGE_KINDS,
    EdgeColumns,
    FileRecord,
    Graph,
    definitions_from_bytes,
    has_key,
    keys_from_bytes,
    name_key,
    parsed_from_bytes,
    use_key,
)
from coderag.store import Table, Writer
from coderag.types import Confidence, Definition, Link, Parsed
from coderag.update.draft import Draft
from coderag.workers import spread

PARSED_KEPT = 2_000
FEW_USERS = 10
"""So few files that use a member's name are linked again without asking whether they can reach its type."""
MOST_REACHING = 2
"""Files, for each one that uses the name, that are looked at to find out."""
SHARED_REFERENCES = 20_000
"""From about half a second of linking on, a fork (some 20 ms for each 100 MB in memory) is worth its while."""
OWN_SHARE = 0.25
"""What this process links of it, for each 1 that a fork links: it has files, vectors and postings to write."""


class StoredUniverse:
    """What the linker may ask: changed files and what they define from memory, all others from the index."""

    def __init__(
        self,
        writer: Writer,
        draft: Draft,
        changed: Mapping[str, Parsed],
        defined: Mapping[str, Iterable[Definition]],
        records: Mapping[str, FileRecord],
    ) -> None:
        self._writer = writer
        self._draft = draft
        self._changed = changed
        self._records = dict(records)
        self._paths = sorted(draft.entries)
        self._named = _by_name(defined)
        self._name_keys = keys_from_bytes(writer.block("names"))
        replaced = set(changed)
        self._path_of = {entry.number: path for path, entry in draft.entries.items() if path not in replaced}
        self._stored_parsed = lru_cache(PARSED_KEPT)(self._load)

    @property
    def is_in_memory(self) -> bool:
        """Whether no question will be put to the index."""
        return not self._path_of

    def paths(self) -> Sequence[str]:
        """All indexed paths, sorted."""
        return self._paths

    def unchanged(self, numbers: Iterable[int]) -> Iterator[str]:
        """The paths of files by number, those that changed or went left out."""
        return (self._path_of[number] for number in numbers if number in self._path_of)

    def language(self, path: str) -> str:
        """The language of a file."""
        return self._draft.entries[path].language

    def family(self, path: str) -> str:
        """The symbol space of a file, "" where there is none."""
        rules = LINK_RULES.get(self.language(path))
        return rules.family if rules else ""

    def is_changed(self, path: str) -> bool:
        """Whether a file is new or other than it was."""
        return path in self._changed

    def parsed(self, path: str) -> Parsed:
        """The structure of a file."""
        return self._changed[path] if path in self._changed else self._stored_parsed(path)

    def _load(self, path: str) -> Parsed:
        return parsed_from_bytes(self._writer.get(Table.PARSED, self._draft.entries[path].number))

    def named(self, name: str) -> Sequence[Definition]:
        """Definitions whose last name component is `name`, by (path, index)."""
        fresh = self._named.get(name, [])
        if not self._path_of:
            return fresh
        stored = self._stored_named(name)
        return sorted([*fresh, *stored], key=_place) if stored else fresh

    def _stored_named(self, name: str) -> list[Definition]:
        key = name_key(name)
        if not has_key(self._name_keys, key):
            return []
        found = definitions_from_bytes(self._writer.get(Table.NAMES, key), self._path_of)
        return [entry for _, entry in found if entry.name == name]

    def record(self, path: str) -> FileRecord:
        """What is kept of a file."""
        if path not in self._records:
            self._records[path] = FileRecord.from_bytes(self._writer.get(Table.FILES, self._draft.entries[path].number))
        return self._records[path]


def definitions(path: str, parsed: Parsed) -> list[Definition]:
    """The symbols of a file as others can find them by name."""
    return [definition_of(path, parsed, index) for index in range(len(parsed.symbols))]


def _place(definition: Definition) -> tuple[str, int]:
    return definition.path, definition.index


def _by_name(defined: Mapping[str, Iterable[Definition]]) -> dict[str, list[Definition]]:
    named: dict[str, list[Definition]] = {}
    for path in sorted(defined):
        for definition in defined[path]:
            named.setdefault(definition.name, []).append(definition)
    return named


@dataclass(frozen=True, slots=True)
class Touched:
    """Names that mean something else than before, and members: name -> the keys through which it is reached, in files of `languages`."""

    names: set[str] = field(default_factory=set)
    members: dict[str, set[str]] = field(default_factory=dict)
    languages: set[str] = field(default_factory=set)


def affected(universe: StoredUniverse, graph: Graph, touched: Touched, changed: Iterable[str]) -> list[str]:
    """The paths to link: `changed`, and each file of `graph` whose links may follow from what was `touched`; sorted."""
    own = {path: _used_keys(path, universe.parsed(path)) for path in changed}

    def users(keys: frozenset[str]) -> Iterator[str]:
        wanted = np.asarray(sorted({use_key(key) for key in keys}), np.uint32)
        numbers = np.unique(graph.users[np.isin(graph.used, wanted)]).tolist()
        yield from universe.unchanged(numbers)
        yield from (path for path, used in own.items() if np.isin(wanted, used).any())

    names, found = set(touched.names), set(own)
    for name, keys in sorted(touched.members.items()):
        using = frozenset(users(frozenset({name}))) if name not in names else frozenset()
        reaching = _reaching(universe, touched, name, keys, users, using) if len(using) >= FEW_USERS else None
        if reaching is None:
            names.add(name)
            continue
        found |= reaching
        for path in sorted(reaching):
            names |= names_derived(path, universe.parsed(path), frozenset({name}))
    return sorted(files_to_relink(names, users, universe.parsed) | found)


def _reaching(
    universe: StoredUniverse,
    touched: Touched,
    name: str,
    keys: Iterable[str],
    users: Callable[[frozenset[str]], Iterable[str]],
    using: frozenset[str],
) -> frozenset[str] | None:
    """Of the files that use a member's name those that can reach its types; None when others may be meant, or to ask costs too much."""
    others = [each for each in universe.named(name) if not universe.is_changed(each.path)]
    for rules in (LINK_RULES[language] for language in sorted(touched.languages)):
        if is_guessed(name, rules, [each for each in others if universe.family(each.path) == rules.family]):
            return None
    most = MOST_REACHING * len(using)
    reaching = files_to_relink(keys, users, universe.parsed, most)
    return using & reaching if len(reaching) <= most else None


def _used_keys(path: str, parsed: Parsed) -> NDArray[np.uint32]:
    return np.asarray(sorted({use_key(name) for name in names_used(path, parsed)}), np.uint32)


@contextmanager
def linking(
    universe: StoredUniverse, draft: Draft, paths: Sequence[str], workers: int
) -> Iterator[Iterator[tuple[str, bytes]]]:
    """Each path with its encoded `EdgeColumns`. Linking is pure, so what is large and lies in memory is shared among forks, which begin at
    once; anything else, and a small share for which there is time, is linked here when it is asked for.
    """

    def link(part: Sequence[str]) -> Iterator[bytes]:
        linker = Linker(universe, LINK_RULES)
        for path in part:
            yield _columns(universe, draft, path, linker.link(path)).to_bytes()

    own, *shares = _shares(universe, paths, workers) if universe.is_in_memory else [paths]
    with spread(link, own, shares) as results:
        yield zip(paths, results, strict=True)


def _shares(universe: StoredUniverse, paths: Sequence[str], workers: int) -> list[Sequence[str]]:
    """Runs of paths: a short one for this process and one for each fork, with about the same number of references; a single run where
    forks would not pay.
    """
    weights = np.cumsum([len(universe.parsed(path).references) for path in paths]) if paths else np.zeros(1)
    if weights[-1] < SHARED_REFERENCES:
        return [paths]
    cuts = np.searchsorted(weights, weights[-1] * (OWN_SHARE + np.arange(workers)) / (OWN_SHARE + workers)).tolist()
    return [paths[first:end] for first, end in pairwise([0, *cuts, len(paths)])]


def _columns(universe: StoredUniverse, draft: Draft, path: str, links: Sequence[Link]) -> EdgeColumns:
    """Links between symbols as edges between chunk rows. A split symbol's uses leave from the part that shows their line."""
    record = universe.record(path)
    rows = draft.entries[path].rows.tolist()
    parts = _parts(record.names)
    merged: dict[tuple[int, int, int, int, int, str], list[int]] = {}
    for link in links if rows else ():
        target_rows = draft.entries[link.path].rows
        if not len(target_rows):
            continue
        target = int(target_rows[universe.record(link.path).homes[link.target] if link.target >= 0 else 0])
        count = max(1, round(1 / link.weight)) if link.confidence is Confidence.AMBIGUOUS else 1
        kind, confidence = EDGE_KINDS.index(link.kind), CONFIDENCES.index(link.confidence)
        home = record.homes[link.source] if link.source >= 0 else 0
        for ordinal, lines in _by_part(record.starts, parts.get(home, (home,)), link.lines):
            key = (rows[ordinal], target, kind, confidence, min(count, 255), link.name)
            merged.setdefault(key, []).extend(lines)
    keys = sorted(merged)
    columns = np.asarray([key[:5] for key in keys], np.int64).reshape(-1, 5)
    return EdgeColumns(
        columns[:, 0].astype(np.int32),
        columns[:, 1].astype(np.int32),
        columns[:, 2].astype(np.uint8),
        columns[:, 3].astype(np.uint8),
        columns[:, 4].astype(np.uint8),
        _used_keys(path, universe.parsed(path)),
        tuple(key[5] for key in keys),
        tuple(tuple(sorted(set(merged[key]))) for key in keys),
    )


def _parts(names: Sequence[str]) -> dict[int, tuple[int, ...]]:
    """Ordinals of all parts of each split chunk, by the ordinal of its first part."""
    found: dict[int, tuple[int, ...]] = {}
    for ordinal, name in enumerate(names):
        whole, at, part = name.rpartition("@")
        number, slash, count = part.partition("/")
        if at and slash and number == "1" and count.isdigit():
            members = tuple(range(ordinal, min(ordinal + int(count), len(names))))
            if all(names[each].startswith(f"{whole}@") for each in members):
                found[ordinal] = members
    return found


def _by_part(starts: Sequence[int], candidates: Sequence[int], lines: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Lines by the last part that begins on or before them."""
    if len(candidates) == 1:
        return [(candidates[0], list(lines))]
    found: dict[int, list[int]] = {}
    for line in lines or (starts[candidates[0]],):
        best = candidates[0]
        for ordinal in candidates:
            if starts[ordinal] <= line:
                best = ordinal
        found.setdefault(best, []).append(line)
    return sorted(found.items())
