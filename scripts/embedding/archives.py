"""Archives of PyPI and npm packages: what they state about themselves, and the source files in them. Reads only; runs nothing."""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path

_PERMISSIVE = re.compile(r"\b(MIT|BSD|0BSD|Apache|ISC|PSF|Python Software Foundation|Python-2\.0)\b", re.I)
_OTHER = re.compile(
    r"GPL|GNU|MPL|Mozilla|CeCILL|ZPL|Zope|Propriet|\bEPL\b|SSPL|BUSL|Business|Elastic|CDDL|CC-BY|Commons", re.I
)
_METADATA = re.compile(r"^(?:[^/]+\.dist-info/METADATA|[^/]+/PKG-INFO|[^/]+/package\.json)$")
_LEFT_OUT = re.compile(
    r"(^|/)(tests?|testing|testdata|__tests__|specs?|examples?|samples?|demos?|benchmarks?|fixtures?|vendor|vendored|_vendor"
    r"|contrib|third[-_]?party|3rd[-_]?party|extern|external|externals|deps|dependencies|submodules|node_modules|site-packages|libc"
    r"|libcxx|libcxxabi|libtsan|libunwind|locales?|i18n|migrations|generated|umd|esm5|esm2015|fesm2015|fesm2022|_esm5|_esm2015)/"
    r"|(^|/)(test_|conftest)|[._-](test|spec|min|bundle|umd|pb2|pb2_grpc|pb|generated)\.\w+$|_test\.\w+$"
    r"|(^|/)(fmt|nlohmann|hiredis|redis|libuv|curl|abseil|absl|gson|jsoup|axios|express|zod)(/|\.)|json\.hpp$",
    re.I,
)
MAX_FILE_BYTES = 250_000


@dataclass(frozen=True, slots=True)
class Package:
    """What an archive says of itself. `licence` is the text of its own metadata."""

    registry: str
    name: str
    version: str
    licence: str

    @property
    def is_permissive(self) -> bool:
        """Whether the metadata state MIT, BSD, Apache, ISC or PSF, and whatever else they state comes with a choice of one of these."""
        parts = re.split(r"\bAND\b|;", self.licence, flags=re.I)
        stricter = [part for part in parts if _OTHER.search(part)]
        return bool(_PERMISSIVE.search(self.licence)) and all(
            _PERMISSIVE.search(part) and re.search(r"\bor\b", part, re.I) for part in stricter
        )


def describe(archive: Path) -> Package | None:
    """The package in an archive, None where it has no metadata at the usual place."""
    for name, data in _members(archive, lambda path: bool(_METADATA.match(path))):
        text = data.decode("utf-8", "replace")
        found = _from_npm(text) if name.endswith(".json") else _from_pypi(text)
        if found is not None:
            return found
    return None


def sources(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each file that may be source, sorted by path, tests and code of others left out."""
    yield from sorted(_members(archive, lambda path: not _LEFT_OUT.search(path)))


def _from_pypi(text: str) -> Package | None:
    fields = HeaderParser().parsestr(text)
    stated = fields.get("License-Expression") or ""
    if not stated:
        marks = [
            each.rpartition("::")[2].strip() for each in fields.get_all("Classifier", []) if each.startswith("License")
        ]
        words = (fields.get("License") or "").strip().partition("\n")[0][:120]
        stated = "; ".join(dict.fromkeys([each for each in [words, *marks] if each and each != "OSI Approved"]))
    return Package("pypi", str(fields["Name"]), str(fields["Version"]), " ".join(stated.split()))


def _from_npm(text: str) -> Package | None:
    try:
        fields = json.loads(text)
    except ValueError:
        return None
    stated = fields.get("license") or fields.get("licenses") or ""
    if isinstance(stated, list):
        stated = " OR ".join(each.get("type", "") if isinstance(each, dict) else str(each) for each in stated)
    if isinstance(stated, dict):
        stated = stated.get("type", "")
    return Package("npm", str(fields.get("name")), str(fields.get("version")), str(stated))


def _members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as opened:
            for entry in opened.infolist():
                if not entry.is_dir() and entry.file_size <= MAX_FILE_BYTES and wanted(entry.filename):
                    yield entry.filename, opened.read(entry)
        return
    with tarfile.open(archive) as opened:
        for member in opened:
            if member.isfile() and member.size <= MAX_FILE_BYTES and wanted(member.name):
                stream = opened.extractfile(member)
                if stream is not None:
                    yield member.name.removeprefix("./"), stream.read()
