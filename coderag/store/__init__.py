"""The index on disk: the only package that touches it.

A store keeps bytes under (table, key) and under names, in whole generations, and notices every byte that changed. What the bytes mean
is the business of the code above.
"""

from coderag.store.directory import make_private, prepare_directory, remove_beside, write_beside
from coderag.store.dump import dump
from coderag.store.lifecycle import borrow, has_index, open_store, rebuild, remove_index, seed, set_aside
from coderag.store.memory import MemoryStore
from coderag.store.protocol import Reader, Store, Table, Writer

__all__ = [
    "MemoryStore",
    "Reader",
    "Store",
    "Table",
    "Writer",
    "borrow",
    "dump",
    "has_index",
    "make_private",
    "open_store",
    "prepare_directory",
    "rebuild",
    "remove_beside",
    "remove_index",
    "seed",
    "set_aside",
    "write_beside",
]
