"""One line per rule: what an ignore file says, a path, and whether git keeps it. Asked of git and of our own reading."""

from __future__ import annotations

from pathlib import Path

import pytest
from trees import git, kept, make

from coderag.config import Settings

KEPT, IGNORED = True, False
CASES: tuple[tuple[str, str, bool], ...] = (
    # A name without a slash stands for itself anywhere.
    ("note.txt", "note.txt", IGNORED),
    ("note.txt", "deep/er/note.txt", IGNORED),
    ("note.txt", "note.txt.md", KEPT),
    ("note.txt", "a-note.txt", KEPT),
    ("note", "note/inside.py", IGNORED),
    ("note", "deep/note/inside.py", IGNORED),
    ("NOTE", "note", KEPT),
    # A slash at the end asks for a directory.
    ("log/", "log/a.py", IGNORED),
    ("log/", "log", KEPT),
    ("log/", "deep/log/a.py", IGNORED),
    ("log/", "deep/log", KEPT),
    ("log//", "log/a.py", KEPT),
    # A slash at the beginning or in the middle anchors.
    ("/top.py", "top.py", IGNORED),
    ("/top.py", "deep/top.py", KEPT),
    ("/top", "top/inside.py", IGNORED),
    ("a/b.py", "a/b.py", IGNORED),
    ("a/b.py", "c/a/b.py", KEPT),
    ("/a/b", "a/b/c.py", IGNORED),
    ("a/b/", "a/b/c.py", IGNORED),
    ("a/b/", "c/a/b/c.py", KEPT),
    ("/", "a.py", KEPT),
    ("./a.py", "a.py", KEPT),
    # One asterisk stays inside of a part.
    ("*.log", "x.log", IGNORED),
    ("*.log", "deep/x.log", IGNORED),
    ("*.log", ".log", IGNORED),
    ("*.log", "x.log.txt", KEPT),
    ("*.l*g", "x.lodging", IGNORED),
    ("a/*.py", "a/x.py", IGNORED),
    ("a/*.py", "a/b/x.py", KEPT),
    ("a/*", "a/b/x.py", IGNORED),
    ("a/*/c.py", "a/b/c.py", IGNORED),
    ("a/*/c.py", "a/c.py", KEPT),
    ("a/*/c.py", "a/b/b/c.py", KEPT),
    ("/*", "a.py", IGNORED),
    ("/*.py", "a.py", IGNORED),
    ("/*.py", "a/a.py", KEPT),
    ("*", "a/b.py", IGNORED),
    ("*a*a*", "banana", IGNORED),
    ("*a*a*", "bandit", KEPT),
    ("***", "a.py", IGNORED),
    # Two asterisks cross directories only where they are a whole part.
    ("**/x.py", "x.py", IGNORED),
    ("**/x.py", "a/b/x.py", IGNORED),
    ("**/a/x.py", "b/a/x.py", IGNORED),
    ("**/a/x.py", "a/x.py", IGNORED),
    ("**/a/x.py", "a/b/x.py", KEPT),
    ("a/**", "a/b/c.py", IGNORED),
    ("a/**", "a.py", KEPT),
    ("a/**/z.py", "a/z.py", IGNORED),
    ("a/**/z.py", "a/b/c/z.py", IGNORED),
    ("a/**/z.py", "b/a/z.py", KEPT),
    ("a/**/b/**/c.py", "a/b/c.py", IGNORED),
    ("a/**/b/**/c.py", "a/x/b/y/z/c.py", IGNORED),
    ("a/**/b/**/c.py", "a/x/y/c.py", KEPT),
    ("a/b**/c.py", "a/bx/c.py", IGNORED),
    ("a/x*y**/c.py", "a/xy/d/c.py", KEPT),
    ("**", "a/b.py", IGNORED),
    ("**/", "a/b.py", IGNORED),
    ("**/", "a.py", KEPT),
    ("a/**/", "a/b.py", KEPT),
    ("a/**/", "a/b/c.py", IGNORED),
    # A question mark is one byte that is no slash.
    ("a?c.py", "abc.py", IGNORED),
    ("a?c.py", "ac.py", KEPT),
    ("a?c.py", "a/c.py", KEPT),
    ("x?y", "xéy", KEPT),
    ("x??y", "xéy", IGNORED),
    # Brackets.
    ("[ab].py", "a.py", IGNORED),
    ("[ab].py", "c.py", KEPT),
    ("[a-c].py", "b.py", IGNORED),
    ("[!a-c].py", "b.py", KEPT),
    ("[!a-c].py", "d.py", IGNORED),
    ("[^a-c].py", "d.py", IGNORED),
    ("[]].py", "].py", IGNORED),
    ("[]a].py", "a.py", IGNORED),
    ("[!]a].py", "b.py", IGNORED),
    ("[a-].py", "-.py", IGNORED),
    ("[-a].py", "-.py", IGNORED),
    (r"[\]].py", "].py", IGNORED),
    (r"[\a].py", "a.py", IGNORED),
    ("[[:digit:]].py", "7.py", IGNORED),
    ("[[:digit:]].py", "x.py", KEPT),
    ("[[:alpha:][:digit:]]x.py", "7x.py", IGNORED),
    ("[[:upper:]].py", "a.py", KEPT),
    ("[[:nothing:]].py", "a.py", KEPT),
    ("[a.py", "[a.py", KEPT),
    ("x[/]y.py", "x/y.py", KEPT),
    ("[z-a].py", "b.py", KEPT),
    # A backslash takes the meaning away.
    (r"\#a.py", "#a.py", IGNORED),
    (r"\!a.py", "!a.py", IGNORED),
    (r"a\*.py", "a*.py", IGNORED),
    (r"a\*.py", "ab.py", KEPT),
    (r"a\?.py", "a?.py", IGNORED),
    (r"\a.py", "a.py", IGNORED),
    ("a.py\\", "a.py", KEPT),
    (r"a\\b", "a\\b", IGNORED),
    # Lines that say nothing, and spaces.
    ("#a.py", "#a.py", KEPT),
    ("", "a.py", KEPT),
    ("   ", "a.py", KEPT),
    ("a.py   ", "a.py", IGNORED),
    ("a.py\\ ", "a.py ", IGNORED),
    ("a.py\\ ", "a.py", KEPT),
    ("a.py\\   ", "a.py ", IGNORED),
    ("a.py\t", "a.py", KEPT),
    (" a.py", "a.py", KEPT),
    (" a.py", " a.py", IGNORED),
    ("a b.py", "a b.py", IGNORED),
    ("a.py\r\n*.log\r\n", "a.py", IGNORED),
    ("\ufeffa.py", "a.py", IGNORED),
    ("!", "a.py", KEPT),
    # The last rule that matches decides.
    ("*.py\n!a.py", "a.py", KEPT),
    ("*.py\n!a.py", "b.py", IGNORED),
    ("!a.py\n*.py", "a.py", IGNORED),
    ("*.py\n!a.py\na.py", "a.py", IGNORED),
    ("a.py\n!/a.py", "a.py", KEPT),
    ("a.py\n!/a.py", "b/a.py", IGNORED),
    # Nothing below a directory that is left out comes back.
    ("a/\n!a/b.py", "a/b.py", IGNORED),
    ("a\n!a/b/c.py", "a/b/c.py", IGNORED),
    ("a/*\n!a/b.py", "a/b.py", KEPT),
    ("a/*\n!a/b.py", "a/c.py", IGNORED),
    ("a/\n!a/", "a/b.py", KEPT),
    ("/*\n!/a", "a/b.py", KEPT),
    ("/*\n!/a\n/a/*\n!/a/b", "a/b/c.py", KEPT),
    ("/*\n!/a\n/a/*\n!/a/b", "a/x/c.py", IGNORED),
    ("plugins/*\n!plugins/app", "plugins/app/a.py", KEPT),
    ("plugins/*\n!plugins/app", "plugins/other/b.py", IGNORED),
    # Lists of what is allowed.
    ("*\n!*/\n!*.py", "src/m.py", KEPT),
    ("*\n!*/\n!*.py", "src/m.txt", IGNORED),
    ("*\n!*/\n!*.py", "m.py", KEPT),
    ("*\n!*/\n!src/**", "src/a/b.txt", KEPT),
    ("*\n!*/\n!src/**", "other/a/b.txt", IGNORED),
    ("*\n!*.py", "src/m.py", IGNORED),
    ("*\n!src\n!src/*.py", "src/m.py", KEPT),
)
NESTED: tuple[tuple[dict[str, str], str, bool], ...] = (
    ({".gitignore": "**/vendor/", "a/.gitignore": "!vendor"}, "a/vendor/f.py", KEPT),
    ({".gitignore": "**/vendor/", "a/.gitignore": "!vendor"}, "b/vendor/f.py", IGNORED),
    ({".gitignore": "*.txt", "a/.gitignore": "!*.txt"}, "a/f.txt", KEPT),
    ({".gitignore": "*.txt", "a/.gitignore": "!*.txt"}, "a/b/f.txt", KEPT),
    ({".gitignore": "!*.txt", "a/.gitignore": "*.txt"}, "a/f.txt", IGNORED),
    ({".gitignore": "a/", "a/.gitignore": "!*"}, "a/f.txt", IGNORED),
    ({"a/.gitignore": "/f.txt"}, "a/f.txt", IGNORED),
    ({"a/.gitignore": "/f.txt"}, "a/b/f.txt", KEPT),
    ({"a/.gitignore": "b/f.txt"}, "a/b/f.txt", IGNORED),
    ({"a/.gitignore": "a/f.txt"}, "a/f.txt", KEPT),
    ({"a/.gitignore": "*"}, "b/f.txt", KEPT),
    ({"a/.gitignore": "*"}, "a/.gitignore", IGNORED),
    ({"a/.gitignore": "*\n!.gitignore"}, "a/.gitignore", KEPT),
    ({".gitignore": "*\n!*/", "a/b/.gitignore": "!*.py"}, "a/b/m.py", KEPT),
    ({".gitignore": "*\n!*/", "a/b/.gitignore": "!*.py"}, "a/m.py", IGNORED),
)

TREES = [({".gitignore": rules}, path, is_kept) for rules, path, is_kept in CASES] + list(NESTED)
NAMES = [f"{'; '.join(rules.values())!r} {path}" for rules, path, _ in TREES]


@pytest.fixture(scope="module")
def forest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Each case in a directory of its own: a rule is anchored where its file stands."""
    root = tmp_path_factory.mktemp("forest")
    for number, (rules, path, _) in enumerate(TREES):
        make(root, {f"{number}/{path}": "x"} | {f"{number}/{file}": text for file, text in rules.items()})
    git(root, "init", "-q")
    return root


@pytest.fixture(scope="module")
def by_git(forest: Path) -> set[str]:
    return set(kept(forest, Settings(built_in_rules=False)))


@pytest.fixture(scope="module")
def by_reading(forest: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(tmp_path_factory.mktemp("empty")))
        return set(kept(forest, Settings(built_in_rules=False)))


def test_there_are_more_cases_than_git_has() -> None:
    assert len(TREES) > 120


@pytest.mark.parametrize("number", range(len(TREES)), ids=NAMES)
def test_rule(number: int, by_git: set[str], by_reading: set[str]) -> None:
    _, path, is_kept = TREES[number]
    found = (f"{number}/{path}" in by_git, f"{number}/{path}" in by_reading)
    assert found == (is_kept, is_kept)
