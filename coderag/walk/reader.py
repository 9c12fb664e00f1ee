"""Reading one walked file: opened inside the root only, whole and unchanged, decoded, judged, its secrets masked.

A file that cannot be used is a `Skipped`, never an exception. The content hash is SHA-256 of the original bytes.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path

from coderag.config import Settings
from coderag.types import FileStat, Reason, Skipped, SourceFile, WalkedFile
from coderag.walk.decode import NotText, decode
from coderag.walk.elide import minified
from coderag.walk.files import open_inside, read_descriptor
from coderag.walk.found import is_inside, kind_of
from coderag.walk.secrets import masked

_ATTEMPTS = 4  # once, and three times again
GIT_ID_BYTES = 20


def read(root: Path, walked: WalkedFile, settings: Settings, language: str) -> SourceFile | Skipped:
    """The file with its text, or why it is left out after all. `stat` of the result is that of the bytes that were read."""
    opened = _content(os.path.realpath(root), walked.path, settings.max_file_bytes)
    if isinstance(opened, Skipped):
        return opened
    data, status = opened
    decoded = decode(data)
    if isinstance(decoded, NotText):
        return Skipped(walked.path, decoded.reason, decoded.detail)
    if why := minified(walked.path, decoded.text, settings.max_line_bytes):
        return Skipped(walked.path, Reason.MINIFIED, why)
    text, secrets = masked(decoded.text)
    return SourceFile(
        path=walked.path,
        language=language,
        encoding=decoded.encoding,
        data=data,
        text=text,
        content_hash=_hash(data),
        stat=status,
        notes=decoded.notes,
        secrets=secrets,
    )


def digest(root: Path, walked: WalkedFile, settings: Settings) -> tuple[str, FileStat] | Skipped:
    """The content hash that `read` would find, and the stat of the bytes, at the cost of reading them alone."""
    opened = _content(os.path.realpath(root), walked.path, settings.max_file_bytes)
    return opened if isinstance(opened, Skipped) else (_hash(opened[0]), opened[1])


def git_ids(data: bytes) -> bytes:
    """The ids that git gives to a file with these bytes, and to one with LF for each CRLF of them: `GIT_ID_BYTES` each, one after the other.

    An id is the SHA-1 of "blob", the size and the bytes; the second one is what `core.autocrlf` and `eol` commit.
    """
    own = _git_id(data)
    return own + (_git_id(data.replace(b"\r\n", b"\n")) if b"\r\n" in data else own)


def _git_id(data: bytes) -> bytes:
    digest = hashlib.sha1(b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.digest()


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _content(root: str, path: str, limit: int) -> tuple[bytes, FileStat] | Skipped:
    """The bytes of the file at one moment: its size and times were the same before and after."""
    try:
        for _ in range(_ATTEMPTS):
            descriptor = open_inside(root, path)
            try:
                before = os.fstat(descriptor)
                if (refused := _refused(path, before, limit)) is not None:
                    return refused
                data = read_descriptor(descriptor, before.st_size + 1)
                after = _file_stat(os.fstat(descriptor))
            finally:
                os.close(descriptor)
            if after == _file_stat(before) and len(data) == after.size:
                return data, after
    except ValueError:
        return Skipped(path, Reason.OUTSIDE_ROOT, "not a path below the root")
    except OSError as error:
        return _failed(root, path, error)
    return Skipped(path, Reason.CHANGING, f"changed during each of {_ATTEMPTS} readings")


def _refused(path: str, status: os.stat_result, limit: int) -> Skipped | None:
    if not stat.S_ISREG(status.st_mode):
        kind = "directory" if stat.S_ISDIR(status.st_mode) else kind_of(status.st_mode)
        return Skipped(path, Reason.NOT_REGULAR, kind)
    if status.st_size > limit:
        return Skipped(path, Reason.TOO_LARGE, f"{status.st_size} bytes, the limit is {limit}")
    return None


def _file_stat(status: os.stat_result) -> FileStat:
    return FileStat(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _failed(root: str, path: str, error: OSError) -> Skipped:
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        inside = is_inside(root, os.path.realpath(f"{root}/{path}"))
        return Skipped(path, Reason.NOT_REGULAR if inside else Reason.OUTSIDE_ROOT, "a symlink is in the way")
    if error.errno in (errno.ENXIO, errno.ENODEV):
        return Skipped(path, Reason.NOT_REGULAR, "socket or device without a driver")
    return Skipped(path, Reason.UNREADABLE, error.strerror or str(error))
