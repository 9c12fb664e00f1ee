"""The contents of a generation as text, for tests that compare two indexes."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from coderag.store.protocol import Reader, Table


def dump(reader: Reader) -> Iterator[str]:
    """One line for each record and block: where it is, its length, and a digest of its bytes.

    Equal dumps mean equal contents, whatever the order in which they were written. The generation, which tells how often the index
    was written, is left out, and so is the shelf, which keeps what earlier generations held.
    """
    for table in Table:
        for key, data in reader.scan(table) if table != Table.SHELF else ():
            yield f"{table} {key} {_digest(data)}"
    for name in reader.blocks():
        if name != Table.SHELF:
            yield f"block {name} {_digest(reader.block(name) or b'')}"


def _digest(data: bytes) -> str:
    return f"{len(data)} {blake2b(data, digest_size=16).hexdigest()}"
