"""Which files are kept, and what is said of the others: rules on top of git, kinds of entries, nested work trees."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from trees import committed, git, kept, left_out, make, repository

from coderag.config import Settings
from coderag.errors import RootError
from coderag.types import Reason
from coderag.walk import walk

# What git says


def test_tracked_wins_over_ignored(tmp_path: Path) -> None:
    repository(tmp_path, {".gitignore": "*.log\n", "a.log": "", "b.log": ""}, tracked=("a.log",))
    assert kept(tmp_path) == [".gitignore", "a.log"]


def test_untracked_files_are_indexed_too(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": "", "b.py": ""}, tracked=("a.py",))
    assert kept(tmp_path) == ["a.py", "b.py"]


def test_deleted_tracked_file_is_neither_kept_nor_skipped(tmp_path: Path) -> None:
    committed(tmp_path, {"a.py": "", "b.py": "", "yarn.lock": ""})
    (tmp_path / "a.py").unlink()
    (tmp_path / "yarn.lock").unlink()
    result = walk(tmp_path, Settings())
    assert [file.path for file in result.files] == ["b.py"]
    assert result.skipped == ()


def test_merge_conflict_lists_a_file_once(tmp_path: Path) -> None:
    committed(tmp_path, {"a.py": "1"})
    git(tmp_path, "checkout", "-q", "-b", "other")
    (tmp_path / "a.py").write_text("2")
    git(tmp_path, "commit", "-q", "-a", "-m", "two")
    git(tmp_path, "checkout", "-q", "-")
    (tmp_path / "a.py").write_text("3")
    git(tmp_path, "commit", "-q", "-a", "-m", "three")
    with pytest.raises(Exception, match="merge"):
        git(tmp_path, "merge", "-q", "other")
    assert kept(tmp_path) == ["a.py"]


def test_ignored_names_file_line_and_pattern(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {".gitignore": "# logs\n\n*.log\n", "a/.gitignore": "tmp/\n", "x.log": "", "a/tmp/y": ""})
    hide_git()
    assert left_out(tmp_path) == {
        "x.log": (Reason.IGNORED, ".gitignore:3: *.log"),
        "a/tmp/": (Reason.IGNORED, "a/.gitignore:1: tmp/"),
    }


def test_names_that_git_could_read_as_pathspecs(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {".gitignore": "*.log", ":(exclude)a.log": "", ":!b.log": "", ":/c.py": "", "-d.py": ""})
    hide_git()
    assert kept(tmp_path) == ["-d.py", ".gitignore", ":/c.py"]
    assert sorted(left_out(tmp_path)) == [":!b.log", ":(exclude)a.log"]


def test_root_ignore_file_holds_without_a_git_folder(tmp_path: Path) -> None:
    make(tmp_path, {".gitignore": "*.log", "a.log": "", "a.py": ""})
    assert kept(tmp_path) == [".gitignore", "a.py"]


def test_info_exclude_is_honoured(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {"a.tmp": "", "a.py": ""})
    (tmp_path / ".git/info").mkdir(exist_ok=True)
    (tmp_path / ".git/info/exclude").write_text("*.tmp\n")
    hide_git()
    assert kept(tmp_path) == ["a.py"]
    assert left_out(tmp_path)["a.tmp"] == (Reason.IGNORED, ".git/info/exclude:1: *.tmp")


@pytest.mark.parametrize("place", ["xdg", "default", "configured", "repository"])
def test_global_excludes_file_is_honoured(
    tmp_path: Path, home: Path, hide_git: Callable[[], None], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    repository(tmp_path / "root", {"a.tmp": "", "a.py": ""})
    if place == "xdg":
        monkeypatch.setenv("XDG_CONFIG_HOME", str(make(tmp_path / "xdg", {"git/ignore": "*.tmp"})))
    elif place == "default":
        make(home, {".config/git/ignore": "*.tmp"})
    elif place == "configured":
        make(home, {".gitconfig": "[core]\n\texcludesFile = ~/mine\n", "mine": "*.tmp"})
    else:
        excludes = make(tmp_path / "elsewhere", {"mine": "*.tmp"}) / "mine"
        git(tmp_path / "root", "config", "core.excludesFile", str(excludes))
    hide_git()
    assert kept(tmp_path / "root") == ["a.py"]


def test_global_excludes_hold_without_a_work_tree(tmp_path: Path, home: Path) -> None:
    make(home, {".config/git/ignore": "*.tmp"})
    assert kept(make(tmp_path, {"a.tmp": "", "a.py": ""})) == ["a.py"]


def test_info_exclude_wins_over_global_and_ignore_file_over_both(
    tmp_path: Path, home: Path, hide_git: Callable[[], None]
) -> None:
    make(home, {".config/git/ignore": "*.tmp\n!c.tmp"})
    repository(tmp_path, {".gitignore": "!b.tmp", "a.tmp": "", "b.tmp": "", "c.tmp": ""})
    (tmp_path / ".git/info/exclude").write_text("!a.tmp\nb.tmp\nc.tmp\n")
    hide_git()
    assert kept(tmp_path) == [".gitignore", "a.tmp", "b.tmp"]


def test_subdirectory_as_root_has_its_own_files_and_the_rules_of_its_parents(
    tmp_path: Path, hide_git: Callable[[], None]
) -> None:
    files = {".gitignore": "*.log\n/sub/x/\n", "sub/a.py": "", "sub/a.log": "", "sub/x/b.py": "", "other/c.py": ""}
    repository(tmp_path, files | {"sub/deep/.gitignore": "*.txt", "sub/deep/d.txt": ""}, tracked=("other/c.py",))
    hide_git()
    assert kept(tmp_path / "sub") == ["a.py", "deep/.gitignore"]
    assert left_out(tmp_path / "sub") == {
        "a.log": (Reason.IGNORED, "../.gitignore:1: *.log"),
        "x/": (Reason.IGNORED, "../.gitignore:2: /sub/x/"),
        "deep/d.txt": (Reason.IGNORED, "deep/.gitignore:1: *.txt"),
    }


def test_root_that_the_work_tree_around_it_ignores_is_walked_by_its_own_rules(
    tmp_path: Path, hide_git: Callable[[], None]
) -> None:
    repository(tmp_path, {".gitignore": "*\n", "mine/a.py": "", "mine/.gitignore": "*.log", "mine/a.log": ""})
    hide_git()
    assert kept(tmp_path / "mine") == [".gitignore", "a.py"]
    assert "ignored by the work tree around it (../.gitignore:1: *)" in walk(tmp_path / "mine", Settings()).notes[-1]


def test_ownership_that_git_refuses_costs_a_note_not_the_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository(tmp_path, {".gitignore": "*.log", "a.py": "", "a.log": ""})
    program = make(
        tmp_path.parent / "programs", {"git": '#!/bin/sh\necho "fatal: detected dubious ownership" >&2\nexit 128\n'}
    )
    (program / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{program}:{os.environ['PATH']}")
    result = walk(tmp_path, Settings())
    assert [file.path for file in result.files] == [".gitignore", "a.py"]
    assert "detected dubious ownership" in result.notes[0]


def test_git_that_hangs_is_ended_and_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository(tmp_path, {".gitignore": "*.log", "a.py": "", "a.log": ""})
    program = make(tmp_path.parent / "hanging", {"git": "#!/bin/sh\nexec sleep 100\n"})
    (program / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{program}:{os.environ['PATH']}")
    monkeypatch.setattr("coderag.walk.git.TIMEOUT_SECONDS", 0.05)
    assert kept(tmp_path) == [".gitignore", "a.py"]


def test_broken_index_costs_a_note_not_the_walk(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": ""}, tracked=("a.py",))
    (tmp_path / ".git/index").write_bytes(b"DIRC garbage")
    result = walk(tmp_path, Settings())
    assert [file.path for file in result.files] == ["a.py"]
    assert len(result.notes) == 1


# What the project says on top


def test_re_included_file_is_the_only_one_of_its_ignored_directory(
    tmp_path: Path, hide_git: Callable[[], None]
) -> None:
    repository(tmp_path, {".gitignore": "generated/\n", "generated/api.py": "", "generated/other.py": "", "a.py": ""})
    hide_git()
    wanted = [".gitignore", "a.py", "generated/api.py"]
    assert kept(tmp_path, Settings(include=("generated/api.py",))) == wanted
    make(tmp_path, {".coderagignore": "!generated/api.py\n"})
    assert kept(tmp_path) == [".coderagignore", *wanted]
    assert left_out(tmp_path) == {"generated/": (Reason.IGNORED, ".gitignore:1: generated/")}


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("!generated/*.py", ["generated/api.py"]),
        ("!generated/**", ["generated/api.py", "generated/deep/er/b.py", "generated/x.txt"]),
        ("!generated/", ["generated/api.py", "generated/deep/er/b.py", "generated/x.txt"]),
        ("!/generated", ["generated/api.py", "generated/deep/er/b.py", "generated/x.txt"]),
        ("!generated/deep/", ["generated/deep/er/b.py"]),
        ("!**/er/b.py", ["generated/deep/er/b.py"]),
        ("!generated/*/er/*", ["generated/deep/er/b.py"]),
        ("!*.py", []),
        ("!*/", []),
        ("!other/api.py", []),
    ],
)
def test_what_a_rule_takes_back(tmp_path: Path, hide_git: Callable[[], None], rule: str, expected: list[str]) -> None:
    files = {"generated/api.py": "", "generated/x.txt": "", "generated/deep/er/b.py": ""}
    repository(tmp_path, files | {".gitignore": "generated/\n", ".coderagignore": rule + "\n"})
    hide_git()
    assert [path for path in kept(tmp_path) if path.startswith("generated")] == expected
    settings = Settings(include=(rule[1:],))
    assert [path for path in kept(tmp_path, settings) if path.startswith("generated")] == expected


def test_single_ignored_file_is_taken_back_by_name(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {".gitignore": "*.log", ".coderagignore": "!wanted.log", "wanted.log": "", "x.log": ""})
    hide_git()
    assert "wanted.log" in kept(tmp_path)
    assert list(left_out(tmp_path)) == ["x.log"]


def test_rules_of_git_hold_inside_a_directory_that_was_taken_back(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {".gitignore": "gen/\n*.log\n", ".coderagignore": "!gen/\n", "gen/a.py": "", "gen/a.log": ""})
    hide_git()
    assert [path for path in kept(tmp_path) if path.startswith("gen")] == ["gen/a.py"]


def test_ignored_rule_file_still_counts(tmp_path: Path) -> None:
    repository(tmp_path, {".gitignore": ".coderagignore\n", ".coderagignore": "*.txt", "a.txt": "", "a.py": ""})
    assert kept(tmp_path) == [".gitignore", "a.py"]


def test_project_rules_exclude_tracked_files_and_nest(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    files = {".coderagignore": "docs/\n*.csv\n", "docs/a.md": "", "a.csv": "", "data/a.csv": "", "data/b.txt": ""}
    committed(tmp_path, files | {"data/.coderagignore": "!a.csv\nb.txt\n"})
    hide_git()
    assert kept(tmp_path) == [".coderagignore", "data/.coderagignore", "data/a.csv"]
    assert left_out(tmp_path) == {
        "docs/": (Reason.IGNORED, ".coderagignore:1: docs/"),
        "a.csv": (Reason.IGNORED, ".coderagignore:2: *.csv"),
        "data/b.txt": (Reason.IGNORED, "data/.coderagignore:2: b.txt"),
    }


def test_allow_list_of_the_project_does_not_bring_packages_back(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    files = {"src/m.py": "", "src/m.txt": "", "node_modules/p/i.py": "", "ignored/x.py": "", ".gitignore": "ignored/"}
    repository(tmp_path, files | {".coderagignore": "*\n!*/\n!*.py\n"})
    hide_git()
    assert kept(tmp_path) == ["src/m.py"]


def test_rule_file_inside_of_what_is_left_out_says_nothing(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    files = {"node_modules/p/.coderagignore": "!src/a.js\n", "node_modules/p/src/a.js": "", "b.js": ""}
    repository(tmp_path, files)
    hide_git()
    assert kept(tmp_path) == ["b.js"]


def test_settings_exclude_and_include(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    committed(tmp_path, {"docs/a.md": "", "docs/api.md": "", "a.py": ""})
    hide_git()
    assert kept(tmp_path, Settings(exclude=("docs/",), include=("docs/api.md",))) == ["a.py", "docs/api.md"]
    assert left_out(tmp_path, Settings(exclude=("*.py",)))["a.py"] == (Reason.IGNORED, "settings.exclude:1: *.py")


# Built-in rules


def test_packages_environments_outputs_and_locks_are_left_out(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    files = {
        "node_modules/p/index.js": "",
        "web/node_modules/p/index.js": "",
        "env/pyvenv.cfg": "",
        "env/lib/x.py": "",
        ".venv/lib/x.py": "",
        "venv/lib/x.py": "",
        "build/x.py": "",
        "dist/x.js": "",
        "target/x.rs": "",
        "pkg/__pycache__/x.py": "",
        "my.egg-info/x.txt": "",
        "package-lock.json": "",
        "sub/Cargo.lock": "",
        "src/a.py": "",
    }
    repository(tmp_path, files)
    hide_git()
    assert kept(tmp_path) == ["src/a.py"]
    found = left_out(tmp_path)
    assert {reason for reason, _ in found.values()} == {Reason.BUILT_IN}
    assert sorted(found) == sorted(
        {
            "/".join(name.split("/")[: 2 if name.startswith(("web", "pkg")) else 1]) + "/"
            for name in files
            if name[0] != "s"
        }
        - {"package-lock.json/"}
        | {"package-lock.json", "sub/Cargo.lock"}
    )
    assert found["env/"] == (Reason.BUILT_IN, "virtual environment: env/")


def test_built_in_rules_can_be_turned_off(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {"node_modules/p.js": "", "build/x.py": "", "env/pyvenv.cfg": "", "yarn.lock": ""})
    hide_git()
    assert kept(tmp_path, Settings(built_in_rules=False)) == [
        "build/x.py",
        "env/pyvenv.cfg",
        "node_modules/p.js",
        "yarn.lock",
    ]


def test_built_in_rules_can_be_overridden_one_by_one(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    files = {
        "node_modules/mine/a.js": "",
        "node_modules/other/b.js": "",
        "yarn.lock": "",
        "Cargo.lock": "",
        "build/x.py": "",
    }
    repository(tmp_path, files | {".coderagignore": "!node_modules/mine/\n!yarn.lock\n!build/\n"})
    hide_git()
    assert kept(tmp_path) == [".coderagignore", "build/x.py", "node_modules/mine/a.js", "yarn.lock"]


def test_tracked_source_in_a_directory_called_build_is_source(tmp_path: Path) -> None:
    """A tracked file says that `build` is a package here; packages and lock files are left out although tracked."""
    files = {"build/x.py": "", "build/out/made.py": "", "node_modules/p.js": "", "yarn.lock": ""}
    repository(tmp_path, files, tracked=("build/x.py", "node_modules/p.js", "yarn.lock"))
    assert kept(tmp_path) == ["build/x.py"]
    assert sorted(left_out(tmp_path)) == ["build/out/made.py", "node_modules/", "yarn.lock"]


@pytest.mark.parametrize(
    "name",
    [
        *(
            ".env",
            ".env.local",
            "prod.env",
            "deploy.pem",
            "id_rsa",
            "id_ed25519",
            "a/terraform.tfstate",
            "x.tfstate.backup",
        ),
        *(
            "server.key",
            ".npmrc",
            ".netrc",
            "store.jks",
            "credentials.json",
            ".ssh/config",
            "terraform.tfvars",
            "a.p12",
        ),
    ],
)
def test_secret_files_are_never_read(tmp_path: Path, hide_git: Callable[[], None], name: str) -> None:
    committed(tmp_path, {name: "", "a.py": ""})
    hide_git()
    for settings in (Settings(), Settings(built_in_rules=False), Settings(include=("*",))):
        assert kept(tmp_path, settings) == ["a.py"]
    assert [reason for reason, _ in left_out(tmp_path).values()] == [Reason.SECRET]


@pytest.mark.parametrize(
    "name",
    [
        *("secret_manager.py", ".env.example", ".env.sample", "env.py", "secrets.py", "id_rsa.pub", "environment.ts"),
        *("credentials.py", "key.go", "pem.rs", "example.env", "keys/readme.md", "tfstate.go", "tokens.json"),
    ],
)
def test_names_that_only_speak_of_secrets_are_kept(tmp_path: Path, name: str) -> None:
    assert kept(make(tmp_path, {name: ""})) == [name]


def test_a_secret_file_that_the_project_names_is_kept(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {"tests/server.pem": "", "other.pem": "", ".coderagignore": "!tests/server.pem\n"})
    hide_git()
    assert kept(tmp_path) == [".coderagignore", "tests/server.pem"]


def test_git_and_the_index_itself_are_never_listed(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {".coderag/index.db": "", "mine/index.db": "", "a.py": ""})
    hide_git()
    result = walk(tmp_path, Settings(index_directory="mine", built_in_rules=False))
    assert ([file.path for file in result.files], result.skipped) == (["a.py"], ())


# Kinds of entries


def test_links_are_not_followed_and_each_real_file_is_listed_once(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    outside = make(tmp_path / "outside", {"id.txt": "private"})
    root = repository(tmp_path / "root", {"real/a.py": ""})
    targets = {"loop": ".", "up": "..", "top": "/", "pkg": "real", "leak": str(outside), "file": "real/a.py"}
    for name, target in {**targets, "dangling": "nowhere", "self": "self"}.items():
        (root / name).symlink_to(target)
    hide_git()
    assert kept(root) == ["real/a.py"]
    inside, beyond = Reason.NOT_REGULAR, Reason.OUTSIDE_ROOT
    assert left_out(root) == {
        "loop": (inside, "symlink to ."),
        "up": (beyond, "symlink to .."),
        "top": (beyond, "symlink to /"),
        "pkg": (inside, "symlink to real"),
        "leak": (beyond, f"symlink to {outside}"),
        "file": (inside, "symlink to real/a.py"),
        "dangling": (inside, "symlink to nowhere"),
        "self": (inside, "symlink to self"),
    }


def test_tracked_directory_replaced_by_a_link_leads_nowhere(tmp_path: Path) -> None:
    outside = make(tmp_path / "outside", {"a.py": "private"})
    root = committed(tmp_path / "root", {"pkg/a.py": "mine", "b.py": ""})
    (root / "pkg/a.py").unlink()
    (root / "pkg").rmdir()
    (root / "pkg").symlink_to(outside)
    assert kept(root) == ["b.py"]
    assert left_out(root) == {"pkg": (Reason.OUTSIDE_ROOT, f"symlink to {outside}")}


def test_root_may_itself_be_a_link(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path / "real", {"a.py": ""})
    (tmp_path / "link").symlink_to("real")
    hide_git()
    assert kept(tmp_path / "link") == ["a.py"]


def test_fifo_and_socket_are_not_regular(tmp_path: Path) -> None:
    make(tmp_path, {"a.py": ""})
    os.mkfifo(tmp_path / "x.py")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s.py"))
        assert kept(tmp_path) == ["a.py"]
        assert left_out(tmp_path) == {"x.py": (Reason.NOT_REGULAR, "FIFO"), "s.py": (Reason.NOT_REGULAR, "socket")}


def test_size_is_judged_from_the_directory(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {"big.py": "x" * 101, "fits.py": "x" * 100})
    hide_git()
    result = walk(tmp_path, Settings(max_file_bytes=100))
    assert [(file.path, file.stat.size) for file in result.files] == [("fits.py", 100)]
    assert left_out(tmp_path, Settings(max_file_bytes=100))["big.py"] == (
        Reason.TOO_LARGE,
        "101 bytes, the limit is 100",
    )


def test_files_over_the_cap_are_the_last_by_path(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {f"{letter}.py": "" for letter in "dbeac"})
    hide_git()
    assert kept(tmp_path, Settings(max_files=3)) == ["a.py", "b.py", "c.py"]
    assert left_out(tmp_path, Settings(max_files=3)) == {
        "d.py": (Reason.CAP, "more than 3 files"),
        "e.py": (Reason.CAP, "more than 3 files"),
    }


def test_root_must_be_a_directory(tmp_path: Path) -> None:
    make(tmp_path, {"a.py": ""})
    for wrong in ("missing", "a.py"):
        with pytest.raises(RootError, match=wrong):
            walk(tmp_path / wrong, Settings())


def test_empty_root(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    repository(tmp_path, {})
    hide_git()
    result = walk(tmp_path, Settings())
    assert (result.files, result.skipped) == ((), ())


# Work trees in work trees


def test_linked_worktree_is_skipped_inside_and_indexed_as_root(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    root = committed(tmp_path, {"a.py": ""})
    (root / ".git/info/exclude").write_text("*.tmp\n")
    git(root, "worktree", "add", "-q", "wt")
    make(root, {"wt/b.tmp": "", "wt/c.py": ""})
    assert (root / "wt/.git").is_file()
    hide_git()
    assert kept(root) == ["a.py"]
    assert left_out(root)["wt/"] == (Reason.BUILT_IN, "linked worktree: open it as a root of its own")
    assert kept(root / "wt") == ["a.py", "c.py"]
    assert left_out(root / "wt")["b.tmp"] == (Reason.IGNORED, ".git/info/exclude:1: *.tmp")


def test_untracked_repository_inside_is_skipped(tmp_path: Path, hide_git: Callable[[], None]) -> None:
    committed(tmp_path, {"a.py": ""})
    committed(tmp_path / "vendored", {"b.py": ""})
    hide_git()
    assert kept(tmp_path) == ["a.py"]
    assert left_out(tmp_path) == {"vendored/": (Reason.BUILT_IN, "nested repository: open it as a root of its own")}
    assert kept(tmp_path, Settings(include=("vendored/",))) == ["a.py", "vendored/b.py"]


def test_folder_of_repositories_is_walked_repository_by_repository(
    tmp_path: Path, hide_git: Callable[[], None]
) -> None:
    committed(tmp_path / "one", {"a.py": "", ".gitignore": "*.log"})
    committed(tmp_path / "two", {"b.py": ""})
    make(tmp_path, {"one/x.log": "", "two/y.log": "", "free.py": ""})
    hide_git()
    assert kept(tmp_path) == ["free.py", "one/.gitignore", "one/a.py", "two/b.py", "two/y.log"]


def test_folder_of_repositories_inside_of_a_home_that_ignores_everything(
    tmp_path: Path, hide_git: Callable[[], None]
) -> None:
    repository(tmp_path, {".gitignore": "*\n"})
    committed(tmp_path / "projects/one", {"a.py": ""})
    hide_git()
    assert kept(tmp_path / "projects") == ["one/a.py"]


@pytest.fixture
def with_submodule(tmp_path: Path) -> Path:
    library = committed(tmp_path / "library", {"lib.py": "", ".gitignore": "*.tmp"})
    root = committed(tmp_path / "root", {"a.py": "", ".gitignore": "*.log"})
    git(root, "submodule", "--quiet", "add", str(library), "deps/library")
    make(root, {"deps/library/x.tmp": "", "deps/library/kept.log": "", "deps/library/new.py": ""})
    return root


def test_submodule_is_a_work_tree_of_its_own_and_indexed_once(
    with_submodule: Path, hide_git: Callable[[], None]
) -> None:
    hide_git()
    assert kept(with_submodule) == [
        ".gitignore",
        ".gitmodules",
        "a.py",
        "deps/library/.gitignore",
        "deps/library/kept.log",
        "deps/library/lib.py",
        "deps/library/new.py",
    ]
    assert left_out(with_submodule) == {"deps/library/x.tmp": (Reason.IGNORED, "deps/library/.gitignore:1: *.tmp")}


def test_submodules_can_be_left_out(with_submodule: Path, hide_git: Callable[[], None]) -> None:
    hide_git()
    settings = Settings(submodules=False)
    assert kept(with_submodule, settings) == [".gitignore", ".gitmodules", "a.py"]
    assert left_out(with_submodule, settings)["deps/library/"][0] is Reason.BUILT_IN


def test_submodule_that_is_not_checked_out_is_said_to_be(with_submodule: Path) -> None:
    git(with_submodule, "submodule", "--quiet", "deinit", "--force", "deps/library")
    assert left_out(with_submodule)["deps/library/"] == (Reason.BUILT_IN, "submodule that is not checked out")


def test_project_rules_hold_in_submodules(with_submodule: Path, hide_git: Callable[[], None]) -> None:
    make(with_submodule, {".coderagignore": "deps/library/new.py\n!deps/library/x.tmp\n"})
    hide_git()
    found = [path for path in kept(with_submodule) if path.startswith("deps")]
    assert found == ["deps/library/" + name for name in (".gitignore", "kept.log", "lib.py", "x.tmp")]
