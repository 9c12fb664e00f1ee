"""Damage to the files of an index, any amount of it: every answer is then the right one or a refusal, and a rebuild heals.

Nothing may be raised but `IndexCorruptError` and `IndexFormatError`, and no answer may differ in silence.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path

from coderag.errors import IndexCorruptError, IndexFormatError
from coderag.store import Reader, Table, open_store, steps
from coderag.store.database import PAGE_BYTES
from tests.faults.generations import advance, advance_by_rebuild, blocks_of, litter, present, records_of

REFUSALS = (IndexCorruptError, IndexFormatError)
Damage = Callable[[bytes], bytes]


def certain_damages(size: int) -> Iterator[tuple[str, Damage]]:
    """Those that every run tries."""
    for length in (0, 1, 99, 512, PAGE_BYTES, PAGE_BYTES + 1, size // 2, size - PAGE_BYTES, size - 1):
        yield f"cut to {length} bytes", partial(_cut, length)
    yield "garbage", partial(_overwrite, 0, random.Random(0).randbytes(size))
    yield "garbage behind", partial(_append, random.Random(0).randbytes(PAGE_BYTES))
    yield "another format version", partial(_overwrite, 60, (77).to_bytes(4, "big"))
    yield "another application", partial(_overwrite, 68, bytes(4))
    yield "a text file", partial(_overwrite, 0, b"this is no database\n" * 10)
    for start in range(0, size, PAGE_BYTES):
        yield f"page {start // PAGE_BYTES + 1} zeroed", partial(_overwrite, start, bytes(PAGE_BYTES))


def random_damages(size: int, source: random.Random) -> Iterator[tuple[str, Damage]]:
    """Without end: bits, bytes, stretches, pages in each other's place; headers are hit as often as contents."""
    pages = range(0, size, PAGE_BYTES)
    while True:
        page, other = source.choice(pages), source.choice(pages)
        for where in (
            source.randrange(size),
            min(size - 1, page + source.randrange(60)),
            source.randrange(min(size, 100)),
        ):
            bit = source.randrange(8)
            yield f"bit {bit} of byte {where}", partial(_flip, where, bit)
            yield f"byte {where}", partial(_overwrite, where, source.randbytes(1))
        yield f"page at {other} also at {page}", partial(_repeat_page, other, page)
        stretch = source.randbytes(source.randrange(1, 64))
        yield f"{len(stretch)} bytes at {page}", partial(_overwrite, page, stretch)


def _cut(length: int, data: bytes) -> bytes:
    return data[:length]


def _append(more: bytes, data: bytes) -> bytes:
    return data + more


def _overwrite(start: int, new: bytes, data: bytes) -> bytes:
    return (data[:start] + new + data[start + len(new) :])[: len(data)]


def _flip(where: int, bit: int, data: bytes) -> bytes:
    return _overwrite(where, bytes([data[where] ^ 1 << bit]), data)


def _repeat_page(source: int, target: int, data: bytes) -> bytes:
    return _overwrite(target, data[source : source + PAGE_BYTES], data)


def damage_database(place: Path, count: int, seed: int) -> Counter[str]:
    """At least `count` damages to a small index without a log, and what became of them."""
    original = place / "original"
    while advance(original) < 9:
        pass
    data = (original / "index.sqlite3").read_bytes()
    damages = list(certain_damages(len(data)))
    damages += islice(random_damages(len(data), random.Random(seed)), max(0, count - len(damages)))
    outcomes = Counter[str]()
    for name, damage in damages:
        directory = _copy(original, place / "damaged")
        (directory / "index.sqlite3").write_bytes(damage(data))
        outcomes[_examine(directory, name, allowed={9})] += 1
    return outcomes


def damage_log(place: Path, count: int, seed: int) -> Counter[str]:
    """The same for the log of a writer that was killed after its commit, and for the index of the log."""
    original = place / "original"
    while advance(original) < 9:
        pass
    killed = place / "killed"
    _keep_log(original, killed)
    source, outcomes = random.Random(seed), Counter[str]()
    for suffix in ("-wal", "-shm"):
        data = (killed / f"index.sqlite3{suffix}").read_bytes()
        damages = [*certain_damages(len(data)), *islice(random_damages(len(data), source), count // 2)]
        for name, damage in damages[-(count // 2) :]:
            directory = _copy(killed, place / "damaged")
            (directory / f"index.sqlite3{suffix}").write_bytes(damage(data))
            outcomes[_examine(directory, f"{suffix}: {name}", allowed={9, 10})] += 1
    return outcomes


def _keep_log(original: Path, killed: Path) -> None:
    """Generation 10 is in the log alone."""

    def copy(step: str) -> None:
        if step == "checkpoint":
            shutil.copytree(original, killed)

    steps.on_step, before = copy, steps.on_step
    try:
        advance(original)
    finally:
        steps.on_step = before


def _examine(directory: Path, name: str, allowed: set[int]) -> str:
    """Ask everything, then write, then rebuild."""
    try:
        outcome = _ask_everything(directory, allowed)
        written = _copy(directory, directory.with_name("written"))
        with suppress(*REFUSALS):
            advance(written)
            _ask_everything(written, {number + 1 for number in allowed})
        advance_by_rebuild(directory)
        assert present(directory) in {1, *(number + 1 for number in allowed)}
        assert litter(directory) == set()
    except Exception as error:
        raise AssertionError(f"after {name}") from error
    return outcome


def _ask_everything(directory: Path, allowed: set[int]) -> str:
    """ "unharmed", "refused" (on opening) or "noticed" (by some answer). A generation is identical in all answers or noticed."""
    try:
        store = open_store(directory, create=False, lock_seconds=10.0)
        reader = store.read()
    except REFUSALS:
        return "refused"
    with reader:
        assert reader.generation in allowed, reader.generation
        noticed = [question for question, answer, right in _answers(reader) if not _is_right(answer, right, question)]
    findings = store.verify()
    assert findings or not noticed, noticed
    return "noticed" if findings else "unharmed"


def _is_right(answer: Callable[[], object], right: object, question: str) -> bool:
    """False where the answer is a refusal; a wrong one ends the run."""
    try:
        found = answer()
    except REFUSALS:
        return False
    assert found == right, question
    return True


def _answers(reader: Reader) -> Iterator[tuple[str, Callable[[], object], object]]:
    """Everything that can be asked of a reader, how, and the right answer."""
    blocks, right = blocks_of(reader.generation), records_of(reader.generation)
    for (table, key), data in right.items():
        yield f"get {table} {key}", partial(reader.get, table, key), data
    for table in Table:
        records = {key: data for (where, key), data in sorted(right.items()) if where == table}
        yield f"get many {table}", partial(reader.get_many, table, records), records
        yield f"scan {table}", partial(_scan, reader, table), records
    for name in [*blocks, "never there"]:
        yield f"block {name}", partial(reader.block, name), blocks.get(name)
    yield "blocks", reader.blocks, sorted(blocks)


def _scan(reader: Reader, table: Table) -> dict[int, bytes]:
    return dict(reader.scan(table))


def _copy(original: Path, directory: Path) -> Path:
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(original, directory)
    return directory
