"""Text to terms: the words that an index stores and a query asks for.

An identifier is kept whole (case-folded, underscores removed, so that `retry_limit`, `retryLimit` and `RETRY_LIMIT` are one term)
and split at its borders; plain words lose their English endings; Chinese, Japanese and Korean runs become pairs of characters.
Knows chunks and text only: no disk, no language table, and no numpy, because it runs in every parse worker. It refuses tokens that
no one types: encoded data and words beyond 64 characters that have no parts.
"""

from __future__ import annotations

import re
import struct
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from unicodedata import combining, normalize

from coderag.recall.words import STOP_WORDS, stem
from coderag.types import Chunk

FIELDS = ("path", "symbol", "signature", "doc", "body")
"""The fields of a chunk that are searched, in the order in which counts and lengths are kept."""

VERSION = 1
"""Changes whenever the same text would give other terms, so that an index knows to compute them anew."""

MAX_TOKEN = 64  # characters; a longer token counts by its parts only
MAX_FIELD_TOKENS = 60_000  # tokens of one field of one chunk; the rest is not counted
MAX_QUERY_CHARACTERS = 32_768
MAX_QUERY_TERMS = 128
_MOST = 255  # what a count of a byte can tell
_MAX_CACHED = 200_000  # distinct tokens; about 60 MB

_TOKEN = re.compile(r"\w+")
_BLANK_BETWEEN = bytes(code if chr(code).isalnum() or code == ord("_") else ord(" ") for code in range(256))
_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_IDEOGRAPHS = (
    "\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_RUN = re.compile(f"([{_IDEOGRAPHS}{_HANGUL}]+)|([^{_IDEOGRAPHS}{_HANGUL}]+)")


@dataclass(frozen=True, slots=True)
class FileTerms:
    """Which terms occur in the chunks of one file, and how often in which field.

    The entries of all chunks lie one after another: `sizes[i]` entries belong to chunk i, and the first `head_sizes[i]` of them
    occur outside of the body. An entry is an index into `terms` and a body count (255: 255 or more; 0 where the term occurs
    outside of the body only). `heads` has one number for each entry of the first kind: the counts in path, symbol, signature
    and doc, a byte each from the lowest. `lengths` has five numbers for each chunk: its terms by field.
    """

    terms: tuple[str, ...]  # sorted, distinct
    sizes: array[int]
    head_sizes: array[int]
    entries: array[int]
    body: bytes
    heads: array[int]
    lengths: array[int]

    def to_bytes(self) -> bytes:
        """A compact form, the same on every machine."""
        text = "\n".join(self.terms).encode()
        columns = (self.sizes, self.head_sizes, self.lengths, self.heads, self.entries)
        header = _HEADER.pack(len(text), len(self.sizes), len(self.heads), len(self.entries))
        return b"".join((header, *map(_little_endian, columns), self.body, text))

    @classmethod
    def from_bytes(cls, data: bytes) -> FileTerms:
        """The inverse of `to_bytes`.

        Raises:
            ValueError: the bytes are not of that form.
        """
        if len(data) < _HEADER.size:
            raise ValueError("file terms: too short")
        text_size, chunks, heads, entries = _HEADER.unpack_from(data)
        counts = (chunks, chunks, chunks * len(FIELDS), heads, entries)
        body_start = _HEADER.size + 4 * sum(counts)
        text_start = body_start + entries
        if len(data) != text_start + text_size:
            raise ValueError("file terms: wrong length")
        columns, position = [], _HEADER.size
        for count in counts:
            columns.append(_from_little_endian(data[position : position + 4 * count]))
            position += 4 * count
        text = data[text_start:].decode()
        sizes, head_sizes, lengths, head_counts, numbers = columns
        terms = tuple(text.split("\n")) if text else ()
        return cls(terms, sizes, head_sizes, numbers, data[body_start:text_start], head_counts, lengths)


def lengths_in(data: bytes) -> array[int]:
    """`FileTerms.lengths` of encoded terms, read without the rest."""
    _, chunks, _, _ = _HEADER.unpack_from(data)
    start = _HEADER.size + 4 * 2 * chunks
    return _from_little_endian(data[start : start + 4 * len(FIELDS) * chunks])


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """What a query text asks for: distinct terms in the order of their first occurrence, how often each, how it was written."""

    terms: tuple[str, ...]
    counts: tuple[int, ...]
    labels: tuple[str, ...]
    notes: tuple[str, ...] = ()


_HEADER = struct.Struct("<IIII")


def _little_endian(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def _from_little_endian(data: bytes) -> array[int]:
    numbers = array("I", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def tokens(text: str) -> list[str]:
    """The runs of letters, digits and underscores of a text, as written."""
    if text.isascii():  # half the time of an expression
        return text.encode("ascii").translate(_BLANK_BETWEEN).decode("ascii").split()
    return _TOKEN.findall(normalize("NFC", text))


def token_terms(token: str) -> tuple[str, ...]:
    """The distinct terms of one token: whole first, then its parts."""
    return _memo[token]


def _ascii_terms(token: str) -> tuple[str, ...]:
    parts = _PART.findall(token)
    if len(parts) == 1:
        return (stem(parts[0].lower()),) if len(token) <= MAX_TOKEN else ()
    if _is_noise(token, parts):
        return () if len(token) > MAX_TOKEN else (token.lower(),)
    words = [stem(part.lower()) for part in parts if len(part) > 1 or part.isdigit()]
    if len(token) <= MAX_TOKEN:
        words.insert(0, stem(token.replace("_", "").lower()))
    return tuple(dict.fromkeys(word for word in words if word))


def _is_noise(token: str, parts: Sequence[str]) -> bool:
    """Encoded data changes case and digits all the time: parts of a hash or of base64 are under three characters on average."""
    return len(token) >= 20 and len(token) < 3 * len(parts)


def _unicode_terms(token: str) -> tuple[str, ...]:
    words: list[str] = []
    for ideographs, other in _RUN.findall(token):
        words += _pairs(ideographs) if ideographs else _accented_terms(other)
    return tuple(dict.fromkeys(word for word in words if word))


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _accented_terms(token: str) -> list[str]:
    if token.isascii():
        return list(_ascii_terms(token))
    shape = "".join(map(_shape, token))
    parts = [token[match.start() : match.end()] for match in _PART.finditer(shape)]
    words = [part.casefold() for part in parts if len(part) > 1] if len(parts) > 1 else []
    if len(token) <= MAX_TOKEN:
        words.insert(0, token.replace("_", "").casefold())
    return [form for word in words for form in (normalize("NFC", word), stem(without_accents(word)))]


def _shape(character: str) -> str:
    if character.isascii():
        return character
    return "0" if character.isdigit() else "A" if character.isupper() else "a"


def without_accents(word: str) -> str:
    """A word in its plainest spelling: compatibility forms folded, combining marks dropped."""
    return "".join(character for character in normalize("NFKD", word) if not combining(character)).casefold()


class _Memo(dict[str, tuple[str, ...]]):
    """Token to terms, remembered: most tokens of a repository repeat. Emptied when full, so that memory stays bounded."""

    def __missing__(self, token: str) -> tuple[str, ...]:
        words = _ascii_terms(token) if token.isascii() else _unicode_terms(token)
        if len(token) <= MAX_TOKEN:
            if len(self) >= _MAX_CACHED:
                self.clear()
            self[token] = words
        return words


_memo = _Memo()


def _term_counts(token_counts: Mapping[str, int], counts: dict[str, int]) -> int:
    """Adds the terms of counted tokens to `counts`; returns how many terms that were."""
    get = counts.get
    memo = _memo
    total = 0
    for token, count in token_counts.items():
        words = memo[token]
        total += count * len(words)
        for word in words:
            counts[word] = get(word, 0) + count
    return total


def _without(body: dict[str, int], spent: Sequence[str]) -> dict[str, int]:
    """The counted tokens of a chunk's text without those of its signature and doc, which stand in it."""
    for token in spent:
        left = body.get(token, 0) - 1
        if left > 0:
            body[token] = left
        elif not left:
            body.pop(token)  # `del` is a function in Python for a `Counter`
    return body


def _saturated(counts: Iterable[int]) -> bytes:
    try:
        return bytes(counts)
    except ValueError:
        return bytes(min(count, _MOST) for count in counts)


def file_terms(chunks: Sequence[Chunk]) -> FileTerms:
    """The terms of the chunks of one file, in the order of the chunks."""
    names: list[str] = []
    body = bytearray()
    sizes, head_sizes, heads, lengths = array("I"), array("I"), array("I"), array("I")
    of_path: dict[str, int] = {}
    path_length = _add_field(of_path, _field(chunks[0].path), 0) if chunks else 0
    for chunk in chunks:
        signature, doc = _field(chunk.signature), _field(chunk.doc)
        head = of_path.copy()
        lengths.append(path_length)
        for shift, written in ((8, _field(chunk.symbol)), (16, signature), (24, doc)):
            lengths.append(_add_field(head, written, shift) if written else 0)
        counts = dict.fromkeys(head, 0)
        text = Counter(_field(chunk.text))
        lengths.append(_term_counts(_without(text, signature + doc), counts))
        names.extend(counts)
        body += _saturated(counts.values())
        sizes.append(len(counts))
        head_sizes.append(len(head))
        heads.extend(head.values())
    terms = tuple(sorted(set(names)))
    number = dict(zip(terms, range(len(terms)), strict=True))
    return FileTerms(terms, sizes, head_sizes, array("I", map(number.__getitem__, names)), bytes(body), heads, lengths)


def _field(text: str) -> list[str]:
    """The tokens of a field that count."""
    return tokens(text)[:MAX_FIELD_TOKENS] if text else []


def _add_field(head: dict[str, int], written: Iterable[str], shift: int) -> int:
    """Adds the terms of a field to `head`, each count in its own byte; returns how many terms that were."""
    words = [word for token in written for word in _memo[token]]
    get, one = head.get, 1 << shift
    if len(words) <= _MOST:
        for word in words:
            head[word] = get(word, 0) + one
    else:
        for word, count in Counter(words).items():
            head[word] = get(word, 0) + min(count, _MOST) * one
    return len(words)


def query_terms(text: str) -> QueryTerms:
    """The terms of a query, without stop words unless there is nothing else.

    A text beyond `MAX_QUERY_CHARACTERS` or with more than `MAX_QUERY_TERMS` distinct terms is cut there, and a note says so.
    """
    notes = []
    if len(text) > MAX_QUERY_CHARACTERS:
        notes.append(f"the query has {len(text):,} characters; the first {MAX_QUERY_CHARACTERS:,} were searched")
        text = text[:MAX_QUERY_CHARACTERS]
    written = tokens(text)
    kept = [token for token in written if token.lower() not in STOP_WORDS] or written
    counts: dict[str, int] = {}
    _term_counts(Counter(kept), counts)
    if len(counts) > MAX_QUERY_TERMS:
        notes.append(f"the query has {len(counts):,} different terms; the first {MAX_QUERY_TERMS} were searched")
    labels = _labels(kept)
    terms = tuple(counts)[:MAX_QUERY_TERMS]
    return QueryTerms(
        terms, tuple(counts[term] for term in terms), tuple(labels.get(term, term) for term in terms), tuple(notes)
    )


def _labels(written: Iterable[str]) -> dict[str, str]:
    """How each term was first written in the query."""
    labels: dict[str, str] = {}
    for token in written:
        for spelling in (token, *_PART.findall(token)):
            for term in token_terms(spelling)[:1]:
                labels.setdefault(term, spelling)
    return labels
