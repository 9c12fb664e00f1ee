"""Payloads at their edge: what layers read from the disk and the index, what is recorded, and the commands that trials run.

What a payload is and how it is made is decided in `assemble`, which knows no disk. Here files below the root are read (never others, never
secret ones), records are written for their owner alone, and a command is started without a shell and only because somebody named it.
"""

from coderag.payload.files import initialise, load_configuration, read_text
from coderag.payload.gathering import build_payload, code_payload, focus_items, record_of, replayed
from coderag.payload.health import lint
from coderag.payload.recording import Record, read_record, write_record
from coderag.payload.request import Request
from coderag.payload.stability import Stability, check_stable, in_a_process
from coderag.payload.trials import Minimised, minimise

__all__ = [
    "Minimised",
    "Record",
    "Request",
    "Stability",
    "build_payload",
    "check_stable",
    "code_payload",
    "focus_items",
    "in_a_process",
    "initialise",
    "lint",
    "load_configuration",
    "minimise",
    "read_record",
    "read_text",
    "record_of",
    "replayed",
    "write_record",
]
