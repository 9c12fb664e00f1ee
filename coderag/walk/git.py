"""Git, called so that nothing in the repository can run a program: the only module that starts git.

It knows where a work tree begins, which commit is checked out, and how to ask git a question. It refuses everything
that git can be talked into by a repository's own configuration: file system monitors, hooks, signature programs,
lazy fetches over a transport of the repository's choice, and `GIT_…` variables that point elsewhere.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from coderag.walk.files import read_small

TIMEOUT_SECONDS = 60.0
EXCLUDE_FILE = ".git/info/exclude"
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

_OPTIONS = (
    "--no-optional-locks",
    "--no-pager",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.untrackedCache=false"),
    *("-c", "core.sshCommand=false"),
    *("-c", "credential.helper="),
    *("-c", "protocol.allow=never"),
    *("-c", "log.showSignature=false"),
    *("-c", "gpg.program=false"),
    *("-c", "submodule.recurse=false"),
)
# The protocol list overrides `protocol.<name>.allow` of the repository, which would win over `protocol.allow`.
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_CONFIGURATION_LIMIT = 1_000_000
_REFERENCES_LIMIT = 64_000_000


class GitUnavailable(Exception):
    """Git is missing, refused, failed or took too long; the message says which, in one line."""


@dataclass(frozen=True, slots=True)
class GitAnswer:
    """What git wrote: standard output, and standard error with its warnings."""

    output: bytes
    warnings: bytes


def run_git(cwd: str | Path, *arguments: str, input: bytes | None = None) -> bytes:
    """The standard output of `git <arguments>` in `cwd`. Put `--` before paths; for a log or diff add `--no-ext-diff --no-textconv`.

    Raises:
        GitUnavailable: there is no git, it ended with an error, or it ran longer than TIMEOUT_SECONDS.
    """
    return ask_git(cwd, *arguments, input=input).output


def ask_git(
    cwd: str | Path, *arguments: str, input: bytes | None = None, accepted: tuple[int, ...] = (0,)
) -> GitAnswer:
    """As `run_git`, with the warnings, and with the exit codes that count as an answer.

    Raises:
        GitUnavailable: as `run_git`.
    """
    command = [_program(), *_OPTIONS, *arguments]
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=_environment(os.environ, find_work_tree(cwd)),
            input=input or b"",
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise GitUnavailable(f"git {arguments[0]} took longer than {TIMEOUT_SECONDS:g} seconds") from error
    except (OSError, ValueError) as error:
        raise GitUnavailable(f"git could not be started: {error}") from error
    if done.returncode not in accepted:
        raise GitUnavailable(_first_line(done.stderr) or f"git {arguments[0]} ended with code {done.returncode}")
    return GitAnswer(done.stdout, done.stderr)


def _program() -> str:
    # A relative entry in PATH would be looked up below `cwd`, which is the repository.
    program = shutil.which("git")
    if program is None or not os.path.isabs(program):
        raise GitUnavailable("git is not on PATH")
    return program


def _environment(inherited: Mapping[str, str], work_tree: Path | None) -> dict[str, str]:
    kept = {name: value for name, value in inherited.items() if not name.startswith("GIT_")}
    # `core.worktree` of the repository could name any other directory; this wins over it, and ownership is still checked.
    place = {} if work_tree is None else {"GIT_WORK_TREE": str(work_tree)}
    return kept | _ENVIRONMENT | place


def _first_line(message: bytes) -> str:
    lines = [line for line in os.fsdecode(message).splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (fatal or lines or [""])[0]


def find_work_tree(root: str | Path) -> Path | None:
    """The top of the git work tree that holds `root` (a directory with `.git` as a folder or file), or None."""
    directory = os.path.realpath(root)
    while True:
        if git_directory(directory) is not None:
            return Path(directory)
        parent = os.path.dirname(directory)
        if parent == directory:
            return None
        directory = parent


def git_directory(work_tree: str) -> str | None:
    """The directory with HEAD and index of the work tree whose top is `work_tree`; None where it is not a top."""
    entry = os.path.join(work_tree, ".git")
    if os.path.isdir(entry):
        return entry if os.path.lexists(os.path.join(entry, "HEAD")) else None
    pointer = read_small(entry, _CONFIGURATION_LIMIT)
    if pointer is None or not pointer.startswith(b"gitdir:"):
        return None
    return os.path.join(work_tree, os.fsdecode(pointer[len(b"gitdir:") :].strip()))


def common_directory(git: str) -> str:
    """Where what all worktrees share lives (`info/exclude`, `config`, packed references)."""
    pointer = read_small(os.path.join(git, "commondir"), _CONFIGURATION_LIMIT)
    return git if pointer is None else os.path.join(git, os.fsdecode(pointer.strip()))


def head_commit(root: str | Path) -> str:
    """The commit that is checked out at `root`, as hexadecimal; "" before the first commit or outside of git.

    Reads at most four small files; asks git only where references are not kept in files.
    """
    top = find_work_tree(root)
    git = None if top is None else git_directory(str(top))
    if git is None:
        return ""
    head = _text(os.path.join(git, "HEAD")).strip()
    name = head.removeprefix("ref:").strip()
    if name == head:
        return head if _COMMIT.fullmatch(head) else ""
    commit = _reference(git, name) if _is_plain(name) else "ref:"
    if commit.startswith("ref:"):
        commit = _asked_head(root)
    return commit if _COMMIT.fullmatch(commit) else ""


def _is_plain(name: str) -> bool:
    # `refs/heads/.invalid` is what HEAD holds where references live in a table that only git can read.
    return name.startswith("refs/") and not any(part.startswith(".") for part in name.split("/"))


def _reference(git: str, name: str) -> str:
    common = common_directory(git)
    loose = _first_word(os.path.join(git, name)) or _first_word(os.path.join(common, name))
    if loose:
        return loose
    wanted = os.fsencode(f" {name}")
    packed = read_small(os.path.join(common, "packed-refs"), _REFERENCES_LIMIT) or b""
    return next((os.fsdecode(line.split(b" ")[0]) for line in packed.splitlines() if line.endswith(wanted)), "")


def _asked_head(root: str | Path) -> str:
    try:
        return os.fsdecode(run_git(root, "rev-parse", "--verify", "--quiet", "HEAD")).strip()
    except GitUnavailable:
        return ""


def _text(path: str) -> str:
    return os.fsdecode(read_small(path, _CONFIGURATION_LIMIT) or b"")


def _first_word(path: str) -> str:
    return next(iter(_text(path).split()), "")


def global_excludes(repository: str | None) -> str | None:
    """The path of the excludes file that git would read besides the repository's own, or None.

    `core.excludesFile` from the system's, the user's and the repository's configuration (the last one wins; `include`
    is not followed), else `git/ignore` below the user's configuration directory. `repository` is a common directory.
    """
    home = os.path.expanduser("~")
    user = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    places = ["/etc/gitconfig", os.path.join(user, "git", "config"), os.path.join(home, ".gitconfig")]
    places += [] if repository is None else [os.path.join(repository, "config")]
    chosen = [value for place in places for key, value in settings_of(place) if key == "core.excludesfile"]
    path = os.path.expanduser(chosen[-1]) if chosen else os.path.join(user, "git", "ignore")
    return path if path and os.path.isabs(path) else None


def settings_of(path: str) -> Iterator[tuple[str, str]]:
    """The settings in a git configuration file as ("section.name" in lower case, value). Subsections are left out of the name."""
    section = ""
    for line in os.fsdecode(read_small(path, _CONFIGURATION_LIMIT) or b"").splitlines():
        line = line.strip()
        if line.startswith("["):
            section = line[1:].partition("]")[0].split()[0].lower() if line[1:].partition("]")[0].split() else ""
            line = line.partition("]")[2].strip()
        name, equals, value = line.partition("=")
        if equals and not line.startswith(("#", ";")):
            yield f"{section}.{name.strip().lower()}", value.strip().strip('"')
