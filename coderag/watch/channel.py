"""The standard streams of a process as a channel that no print can disturb."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO


def claim_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and standard output, from now on known to the caller alone.

    Whoever prints, this process, a library or a child, prints to standard error; whoever reads standard input finds it empty.
    """
    sys.stdout.flush()
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # there is no standard error
        os.dup2(nothing, 1)
    os.close(nothing)
    return os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb", buffering=0)
