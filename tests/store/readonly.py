"""A place where permissions count, also for tests that run as root."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NOBODY = 65534


@contextmanager
def unprivileged() -> Iterator[Path]:
    """A directory of a user who is not root, and this process as that user."""
    place = Path(tempfile.mkdtemp())
    was_root = os.geteuid() == 0
    if was_root:
        os.chown(place, _NOBODY, _NOBODY)
        os.seteuid(_NOBODY)
    try:
        yield place
    finally:
        if was_root:
            os.seteuid(0)
        for path in (place, *place.glob("*/")):
            path.chmod(0o700)
        shutil.rmtree(place)
