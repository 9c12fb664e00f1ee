"""Archives of PyPI, npm and Debian packages: what they state about themselves, and the source files in them. Reads only; runs nothing."""

from __future__ import annotations

import io
import json
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path
from typing import IO

_PERMISSIVE = re.compile(r"\b(MIT|Expat|BSD|0BSD|Apache|ISC|PSF|Python Software Foundation|Python-2\.0)\b", re.I)
_OTHER = re.compile(
    r"GPL|GNU|MPL|Mozilla|CeCILL|ZPL|Zope|Propriet|\bEPL\b|SSPL|BUSL|Business|Elastic|CDDL|CC-BY|Commons", re.I
)
_METADATA = re.compile(r"^(?:[^/]+\.dist-info/METADATA|[^/]+/PKG-INFO|[^/]+/package\.json)$")
_LEFT_OUT = re.compile(
    r"(^|/)(tests?|testing|testdata|__tests__|specs?|examples?|samples?|demos?|benchmarks?|fixtures?|vendor|vendored|_vendor"
    r"|contrib|third[-_]?party|3rd[-_]?party|extern|external|externals|deps|dependencies|submodules|node_modules|site-packages|libc"
    r"|libcxx|libcxxabi|libtsan|libunwind|locales?|i18n|migrations|generated|umd|esm5|esm2015|fesm2015|fesm2022|_esm5|_esm2015)/"
    r"|(^|/)(test_|conftest)|[._-](test|spec|min|bundle|umd|pb2|pb2_grpc|pb|generated)\.\w+$|_test\.\w+$"
    r"|(^|/)(fmt|nlohmann|hiredis|redis|libuv|curl|abseil|absl|gson|jsoup|axios|express|zod)(/|\.)|json\.hpp$|^debian/|^(\./)?usr/share/doc/",
    re.I,
)
_DEBIAN = (".deb", ".dsc")
_COPYRIGHT = re.compile(r"^(?:\./)?(?:usr/share/doc/[^/]+|debian)/copyright$")
_INSTALLED = re.compile(
    r"^(?:\./)?usr/(?:share/gocode/src/[^/]+/|lib/ruby/vendor_ruby/|share/rubygems-integration/[^/]+/(?:gems/[^/]+/)?"
    r"|share/php/|share/cargo/registry/[^/]+/|share/lua/[^/]+/)"
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
        """Whether the metadata state MIT (Debian says Expat), BSD, Apache, ISC or PSF, and whatever else they state leaves the choice."""
        parts = re.split(r"\bAND\b|;", self.licence, flags=re.I)
        stricter = [part for part in parts if _OTHER.search(part)]
        return bool(_PERMISSIVE.search(self.licence)) and all(
            _PERMISSIVE.search(part) and re.search(r"\bor\b", part, re.I) for part in stricter
        )


def describe(archive: Path) -> Package | None:
    """The package in an archive, None where it has no metadata at the usual place."""
    if archive.suffix in _DEBIAN:
        return _from_debian(archive)
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


def _from_debian(archive: Path) -> Package | None:
    """Name and version from the file's name; the licence from what `debian/copyright` says of all but the packaging itself."""
    texts = [data for _, data in _debian_members(archive, lambda path: bool(_COPYRIGHT.search(path)))]
    stated = []
    for paragraph in re.split(r"\n[ \t]*\n", texts[0].decode("utf-8", "replace")) if texts else []:
        files = re.search(r"^Files:(.*(?:\n[ \t].*)*)", paragraph, re.M)
        if files and not all(each.startswith("debian/") for each in files[1].split()):
            stated += re.findall(r"^License: *(.+)", paragraph, re.M) or ["none"]
    name, version = archive.stem.split("_")[:2]
    return Package("debian", name, version, "; ".join(dict.fromkeys(stated)))


def _debian_members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """The files of a binary package, or of the upstream and the packaging archives that stand beside a source description."""
    if archive.suffix == ".deb":
        for name, data in _tar_members(io.BytesIO(_data_of(archive)), wanted):
            yield _INSTALLED.sub("package/", name), data
        return
    listed = re.findall(r"^ [0-9a-f]{32} \d+ (\S+\.tar\.\w+)$", archive.read_text("utf-8", "replace"), re.M)
    for name in listed:
        if (archive.parent / name).exists():
            with (archive.parent / name).open("rb") as stream:
                yield from _tar_members(stream, wanted)


def _data_of(archive: Path) -> bytes:
    """The tar archive of the installed files: the member of an `ar` archive whose name begins with `data.tar`."""
    data, place = archive.read_bytes(), len(b"!<arch>\n")
    while place < len(data):
        header = data[place : place + 60]
        size = int(header[48:58])
        if header.startswith(b"data.tar"):
            return data[place + 60 : place + 60 + size]
        place += 60 + size + size % 2
    raise tarfile.ReadError(f"{archive}: no data in this package")


def _members(archive: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    if archive.suffix in _DEBIAN:
        yield from _debian_members(archive, wanted)
        return
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as opened:
            for entry in opened.infolist():
                if not entry.is_dir() and entry.file_size <= MAX_FILE_BYTES and wanted(entry.filename):
                    yield entry.filename, opened.read(entry)
        return
    with archive.open("rb") as packed:
        yield from _tar_members(packed, wanted)


def _tar_members(packed: IO[bytes], wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=packed) as opened:
        for member in opened:
            if member.isfile() and member.size <= MAX_FILE_BYTES and wanted(member.name):
                stream = opened.extractfile(member)
                if stream is not None:
                    yield member.name.removeprefix("./"), stream.read()
