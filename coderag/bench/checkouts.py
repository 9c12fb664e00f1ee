"""Trees at commits: from folders that hold repositories, bare or not, into a working folder, with the history that the commit had.

A tree is made from `git archive`, and only what differs is written, so that an index of it can be updated from one commit to the next.
It becomes a work tree whose HEAD is the commit and whose objects are those of the repository it came from: history is there, and what
came later is not.
"""

from __future__ import annotations

import io
import os
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from coderag.errors import BenchError
from coderag.walk.git import GitUnavailable, run_git


@dataclass(frozen=True, slots=True)
class Repositories:
    """The folders below which repositories are looked for."""

    folders: tuple[Path, ...]

    def repository(self, name: str) -> Path | None:
        """The git directory of `owner/name`: `owner+name`, `owner/name` or `name`, itself, or in `repo` or `.git` below it."""
        for folder in self.folders:
            for below in (name.replace("/", "+"), name, name.split("/")[-1]):
                for place in (folder / below / "repo", folder / below / ".git", folder / below):
                    if (place / "HEAD").is_file() and (place / "objects").is_dir():
                        return place.resolve()
        return None

    def folder(self, name: str) -> Path | None:
        """A plain folder of that name, for what is no repository."""
        return next((folder / name for folder in self.folders if (folder / name).is_dir()), None)

    def required(self, name: str) -> Path:
        """As `repository`.

        Raises:
            BenchError: there is none.
        """
        found = self.repository(name)
        if found is None:
            looked = ", ".join(map(str, self.folders)) or "no folder (give one with --repositories)"
            raise BenchError(f"{name}: no repository of this name below {looked}")
        return found

    def tree(self, name: str, commit: str, place: Path) -> Path:
        """The tree of a repository at a commit, in `place`; without a commit a plain folder of that name, as it is.

        Raises:
            BenchError: there is no such repository, commit or folder.
        """
        if commit:
            check_out(self.required(name), commit, place)
            return place
        if (folder := self.folder(name)) is None:
            raise BenchError(f"{name}: no folder of this name below {', '.join(map(str, self.folders)) or 'no folder'}")
        return folder


def check_out(repository: Path, commit: str, place: Path) -> None:
    """Make `place` the tree of a commit. Only regular files are written: no link can lead out.

    Raises:
        BenchError: the repository does not have the commit, or not all of it.
    """
    done = place / ".git" / "bench-commit"
    if done.is_file() and done.read_text(encoding="ascii") == commit:
        return
    data = _archived(repository, commit)
    place.mkdir(parents=True, exist_ok=True)
    done.unlink(missing_ok=True)  # an interrupted checkout is none
    kept = {".git"}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for path, content in _files(archive):
            kept.update(str(parent) for parent in (path, *path.parents))
            _write(place / path, content)
    _remove_others(place, kept)
    _give_history(place, repository, commit)
    done.write_text(commit, encoding="ascii")


def _archived(repository: Path, commit: str) -> bytes:
    """The tree as a tar. Objects that a partial copy of a repository does not have are left out: they are large, and no source."""
    archive = ("archive", "--format=tar", commit)
    try:
        return git(repository, *archive)
    except BenchError:
        absent = _absent(repository, commit)
        if not absent:
            raise
        return git(repository, *archive, "--", ".", *(f":(exclude,literal){path}" for path in absent))


def _absent(repository: Path, commit: str) -> list[str]:
    listed = [entry.partition(b"\t") for entry in git(repository, "ls-tree", "-r", "-z", commit).split(b"\0") if entry]
    ids = [told.split()[2] for told, _, _ in listed]
    answers = git(repository, "cat-file", "--batch-check", input=b"".join(id + b"\n" for id in ids)).splitlines()
    return [
        os.fsdecode(path) for (_, _, path), answer in zip(listed, answers, strict=True) if answer.endswith(b" missing")
    ]


def _files(archive: tarfile.TarFile) -> Iterator[tuple[PurePosixPath, bytes]]:
    for member in archive:
        path = PurePosixPath(member.name)
        stream = archive.extractfile(member) if member.isfile() else None
        if stream is not None and not path.is_absolute() and ".." not in path.parts and path.parts[0] != ".git":
            yield path, stream.read()


def _write(path: Path, content: bytes) -> None:
    if path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content:
        return
    if path.is_dir():
        shutil.rmtree(path)
    for parent in path.parents:
        if parent.is_file():
            parent.unlink()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _remove_others(place: Path, kept: set[str]) -> None:
    for folder, folders, files in os.walk(place):
        relative = Path(folder).relative_to(place)
        for name in [*folders]:
            if (relative / name).as_posix() not in kept:
                shutil.rmtree(Path(folder, name))
                folders.remove(name)
            elif name == ".git" and not relative.parts:
                folders.remove(name)
        for name in files:
            if (relative / name).as_posix() not in kept:
                Path(folder, name).unlink()


def _give_history(place: Path, repository: Path, commit: str) -> None:
    directory = place / ".git"
    for folder in ("objects/info", "refs"):
        (directory / folder).mkdir(parents=True, exist_ok=True)
    (directory / "objects/info/alternates").write_text(f"{repository / 'objects'}\n", encoding="utf-8")
    (directory / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n", encoding="ascii")
    (directory / "HEAD").write_text(f"{commit}\n", encoding="ascii")
    git(directory, "read-tree", commit)


def git(repository: Path, *arguments: str, input: bytes | None = None) -> bytes:
    """What git says about a repository, by its git directory. Asked from the top of the disk, where no other work tree is around.

    Raises:
        BenchError: git cannot, or may not, answer.
    """
    try:
        return run_git(repository.anchor, f"--git-dir={repository}", *arguments, input=input)
    except GitUnavailable as error:
        raise BenchError(f"{repository}: git {arguments[0]}: {error}") from error


def commit_time(repository: Path, commit: str) -> int:
    """When a commit was made, in seconds since 1970."""
    return int(git(repository, "show", "-s", "--format=%ct", commit, "--"))
