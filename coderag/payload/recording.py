"""Records of payloads: one JSON file each, readable by its owner alone, with every secret masked before it is written.

A record holds the exact text that was sent (but for the masked secrets), the parts with scores and reasons, what was left out, the
configuration, the request and the generation of the index, so that it can be shown, compared, replayed and shrunk. Names are numbers:
no clock decides one. Nothing is written unless somebody asks for it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coderag import __version__
from coderag.assemble.documents import plain
from coderag.assemble.payload import Payload
from coderag.errors import ContextError, StorageError
from coderag.walk.secrets import masked

FORMAT = "coderag payload record"
VERSION = 1
_MOST_BYTES = 256_000_000
_ENDS_A_LINE = bytes.maketrans(b" \t\"'`,;)]}", b"\n" * 10)
_NAME = re.compile(r"payload-(\d{4,9})\.coderag\.json")


@dataclass(frozen=True, slots=True)
class Record:
    """A payload and how it came to be. `configuration` and `request` are as their `to_dict` give them; `trial` is of a minimisation."""

    payload: Payload
    request: Mapping[str, Any] = field(default_factory=dict)
    configuration: Mapping[str, Any] | None = None
    generation: int = 0
    trial: Mapping[str, Any] = field(default_factory=dict)
    masked: int = 0
    path: str = ""


def write_record(directory: Path, record: Record) -> Path:
    """Write a record into a directory, which is made when it is missing, under the next free number.

    Raises:
        StorageError: it cannot be written.
    """
    data = _document(record)
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _written(directory, data)
    except OSError as error:
        raise StorageError(f"{directory}: the record cannot be written: {error.strerror or error}") from error


def _written(directory: Path, data: bytes) -> Path:
    number = max((int(found[1]) for each in os.listdir(directory) if (found := _NAME.fullmatch(each))), default=0) + 1
    while True:
        place = directory / f"payload-{number:04}.coderag.json"
        try:
            descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        except FileExistsError:  # another process took the number
            number += 1
            continue
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
        except OSError:
            place.unlink(missing_ok=True)
            raise
        return place


def _document(record: Record) -> bytes:
    """The record as it is written. What is masked is masked in each text on its own, and the whole text is made of those."""
    masking = _Masking()
    payload = Payload.from_dict(masking.of(record.payload.to_dict()))
    text = masking.text(payload.text)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "coderag": __version__,
        "generation": record.generation,
        "request": masking.of(record.request),
        "configuration": masking.of(record.configuration),
        **({"trial": masking.of(record.trial)} if record.trial else {}),
        "payload": payload.to_dict(),
        "text": text,
        "sha256": hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest(),
        "masked_secrets": masking.count,
    }
    return (json.dumps(plain(document), ensure_ascii=True, indent=1) + "\n").encode("ascii")


class _Masking:
    """Masks every text of a document, also a value that only its key makes a secret; counts what it masked."""

    def __init__(self) -> None:
        self.count = 0

    def of(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self._of_member(str(key), each) for key, each in value.items()}
        return [self.of(each) for each in value] if isinstance(value, list | tuple) else value

    def text(self, text: str) -> str:
        data, number = masked(text.encode("utf-8", "surrogatepass"))
        data, more = _masked_in_prose(data)
        self.count += number + more
        return data.decode("utf-8", "surrogatepass") if number or more else text

    def _of_member(self, key: str, value: Any) -> Any:
        if not isinstance(value, str) or "\n" in value:
            return self.of(value)
        named = f'{key} = "{value}"'
        found = self.text(named)
        return self.text(value) if found == named else found[len(named) - len(value) - 1 : -1]


def _masked_in_prose(data: bytes) -> tuple[bytes, int]:
    """What is a secret at the end of a line is one before a space or a quote too: people say things, files assign them."""
    broken = data.translate(_ENDS_A_LINE)
    found, number = masked(broken)
    if not number:
        return data, 0
    return bytes(
        own if before == after else after for own, before, after in zip(data, broken, found, strict=True)
    ), number


def read_record(path: Path | str) -> Record:
    """A record from its file.

    Raises:
        ContextError: there is none, or it is damaged or of a newer version.
    """
    place = Path(path)
    document = _parsed(place)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ContextError(f"{place}: this is no record of a payload; `coderag context --record DIR` writes one")
    if not isinstance(document.get("version"), int) or document["version"] > VERSION:
        raise ContextError(
            f"{place}: the record is of version {document.get('version')!r}, this program reads {VERSION}"
        )
    try:
        payload = Payload.from_dict(document.get("payload"))
    except (ContextError, AttributeError, TypeError, ValueError) as error:
        raise ContextError(f"{place}: the record is damaged: {error}") from error
    return Record(
        payload,
        _object(document.get("request")),
        document["configuration"] if isinstance(document.get("configuration"), dict) else None,
        _whole(document.get("generation")),
        _object(document.get("trial")),
        _whole(document.get("masked_secrets")),
        str(path),
    )


def _parsed(place: Path) -> Any:
    try:
        descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise ContextError(f"{place}: the record cannot be read: {error.strerror or error}") from error
    if len(data) > _MOST_BYTES:
        raise ContextError(f"{place}: more than {_MOST_BYTES:,} bytes are no record of a payload")
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ContextError(f"{place}: this is no record of a payload: {error}") from error


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
