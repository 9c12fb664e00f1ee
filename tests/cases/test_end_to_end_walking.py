"""Ignore rules, links and secrets, from files on disk to what is indexed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from repository import Repository

Indexed = Callable[..., Repository]
CODE = "def kept(): return 1\n"


def paths(repository: Repository) -> set[str]:
    return {path for path in repository.index.snapshot().paths if path.endswith((".py", ".txt"))}


@pytest.mark.parametrize(
    ("ignores", "kept", "dropped"),
    [
        ({".gitignore": "plugins/*\n!plugins/app\n"}, "plugins/app/a.py", "plugins/other/b.py"),
        ({".gitignore": "plugins/*\n!plugins/app/\n"}, "plugins/app/x/a.py", "plugins/b.py"),
        ({".gitignore": "/plugins/**\n!/plugins/app/\n!/plugins/app/**\n"}, "plugins/app/a.py", "plugins/other/b.py"),
        ({".gitignore": "**/vendored/\n", "a/.gitignore": "!vendored\n"}, "a/vendored/f.py", "b/vendored/f.py"),
        ({".gitignore": "*.py\n", "a/.gitignore": "!*.py\n", "a/b/.gitignore": "c.py\n"}, "a/b/d.py", "a/b/c.py"),
        ({".gitignore": "*\n!*/\n!*.py\n"}, "src/m.py", "src/m.txt"),
        ({".gitignore": "*\n!*/\n!*.py\n"}, "deep/er/src/m.py", "deep/m.txt"),
        ({".gitignore": "/*\n!/src\n"}, "src/m.py", "other/m.py"),
    ],
)
@pytest.mark.parametrize("with_git", [True, False])
def test_negated_rules(
    indexed: Indexed, tmp_path: Path, ignores: dict[str, str], kept: str, dropped: str, with_git: bool
) -> None:
    repository = indexed({**ignores, kept: CODE, dropped: CODE.replace("kept", "dropped")})
    if with_git:
        repository.git("init", "-q")
        repository.index.update()
    assert paths(repository) == {kept}
    assert repository.search("kept") == [f"{kept}#kept"] if kept.endswith(".py") else True
    why = repository.index.why(dropped)
    assert why.verdict == "left out" and "ignored" in why.detail and ".gitignore:" in why.detail


@pytest.mark.parametrize(
    ("own", "settings"),
    [
        ({".coderagignore": "!generated/api.py\n"}, {}),
        ({}, {"include": ("generated/api.py",)}),
        ({".coderagignore": "!/generated/a*.py\n"}, {}),
    ],
)
def test_what_is_ignored_can_be_wanted_alone(
    indexed: Indexed, own: dict[str, str], settings: dict[str, tuple[str, ...]]
) -> None:
    files = {".gitignore": "generated/\n", "generated/api.py": CODE, "generated/other.py": CODE, "m.py": "x = 1\n"}
    repository = indexed({**files, **own}, **settings)
    assert paths(repository) == {"generated/api.py", "m.py"}


def test_rules_hold_with_and_without_git_from_every_file(indexed: Indexed, tmp_path: Path) -> None:
    files = {".gitignore": "a.py\n", "a.py": CODE, "b.py": CODE, "c.py": CODE, "d.py": CODE}
    repository = indexed(files)
    assert paths(repository) == {"b.py", "c.py", "d.py"}
    repository.git("init", "-q")
    (repository.root / ".git/info/exclude").write_text("b.py\n")
    rules = tmp_path / "rules"
    rules.write_text("c.py\n")
    (tmp_path / "home" / ".gitconfig").write_text(f"[core]\n\texcludesFile = {rules}\n")
    repository.index.update()
    assert paths(repository) == {"d.py"}
    assert "exclude:1" in repository.index.why("b.py").detail


def test_a_nested_work_tree_is_skipped_and_can_be_a_root(indexed: Indexed, tmp_path: Path) -> None:
    repository = indexed({"main.py": CODE})
    repository.git("init", "-q")
    repository.git("add", "main.py")
    repository.git("commit", "-q", "-m", "one")
    repository.git("worktree", "add", "-q", "inside")
    repository.write({"inside/new.py": CODE.replace("kept", "fresh"), "inside/hidden.py": CODE})
    (repository.root / ".git/info/exclude").write_text("hidden.py\n")
    repository.index.update()
    assert paths(repository) == {"main.py"}
    assert repository.index.why("inside/new.py").verdict == "left out"
    inner = Repository(repository.root / "inside", {}, repository.settings)
    assert paths(inner) == {"main.py", "new.py"}
    assert inner.search("fresh")[0] == "new.py#fresh"
    inner.index.close()


def test_links_lead_nowhere_outside_and_nothing_is_read_twice(indexed: Indexed, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "stolen.py").write_text("def stolen(): return 1\n")
    repository = indexed({"real/m.py": CODE})
    for name, target in {
        "loop": ".",
        "up": "..",
        "root": "/",
        "pkg": "real",
        "leak": str(outside),
        "leak.py": str(outside / "stolen.py"),
        "copy.py": "real/m.py",
        "gone.py": "nowhere.py",
    }.items():
        os.symlink(target, repository.root / name)
    repository.index.update()
    assert [path for path in paths(repository) if (repository.root / path).resolve().name == "m.py"] == ["real/m.py"]
    assert repository.defined() == ["real/m.py#kept"]
    skipped = repository.skipped()
    assert {name.rstrip("/") for name in skipped} >= {"loop", "up", "root", "leak", "leak.py", "gone.py"}
    assert skipped["leak.py"] == "symlink out of root"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_and_an_unreadable_file_are_told_and_cost_nothing(indexed: Indexed) -> None:
    repository = indexed({"a.py": CODE, "locked.py": CODE, "locked/b.py": CODE})
    os.mkfifo(repository.root / "x.py")
    (repository.root / "locked.py").chmod(0)
    (repository.root / "locked").chmod(0)
    try:
        repository.index.update()
        skipped = repository.skipped()
    finally:
        (repository.root / "locked").chmod(0o700)
    assert skipped["x.py"] == "not regular"
    assert "a.py#kept" in repository.search("kept")
    if os.geteuid():
        assert skipped["locked.py"] == skipped["locked/"] == "unreadable"


def test_secret_files_are_left_out_and_secrets_in_code_masked(indexed: Indexed) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    secret = {
        ".env": "KEY=1\n",
        "deploy.pem": "x\n",
        "id_rsa": "x\n",
        "conf/.env.production": "KEY=1\n",
        "a.key": "x\n",
    }
    kept = {"secret_manager.py": CODE, ".env.example": "KEY=\n", "env.py": CODE, "id_rsa.py": CODE}
    repository = indexed({**secret, **kept, "use.py": f'def connect():\n    token = "{token}"\n    return token\n'})
    assert set(repository.skipped()) >= set(secret)
    assert {repository.skipped()[path] for path in secret} == {"secret file"}
    assert set(repository.index.snapshot().paths) == {*kept, "use.py"}
    assert token not in repository.chunk("use.py#connect").text
    assert dict(repository.index.status().secrets) == {"use.py": 1}
    stored = b"".join(path.read_bytes() for path in repository.index.directory.iterdir() if path.is_file())
    assert token.encode() not in stored
