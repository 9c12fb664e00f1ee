"""Providers beside the index: what they give, and that nothing they must not see comes through."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coderag.assemble import ContextAssembler, ContextProvider, ContextQuery, ContextType, gather
from coderag.providers import FileProvider, RecentFilesProvider, SkillProvider
from coderag.providers.skills import read_skill


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(
        tmp_path,
        {
            "README.md": "# Shop\nHow orders are refunded.\n",
            "docs/refunds.md": "A refund needs an order and a reason.\n",
            "docs/deep/tax.md": "Tax is added.\n",
            "docs/.env": "PASSWORD=hunter2hunter2",
            "docs/big.md": "word\n" * 2_000,
            "src/shop.py": "x = 1\n",
            ".gitignore": "docs/ignored.md\n",
            "docs/ignored.md": "refund refund refund",
        },
    )


def test_named_files_and_folders_by_the_words_of_the_query(root: Path) -> None:
    provider = FileProvider(root, ("docs", "README.md"))
    result = provider.query(ContextQuery("refund order reason"))
    assert result.items[0].id == "docs/refunds.md"
    assert {item.id for item in result.items} == {"docs/refunds.md", "docs/deep/tax.md", "docs/big.md", "README.md"}
    assert result.items[0].source == "file:docs/refunds.md"
    first = result.items[0]
    assert (first.provenance, first.priority, first.trust, first.freshness) == ("file_system", 0.55, 0.8, 0.75)
    assert all(item.token_count > 0 and not item.required for item in result.items)


@pytest.mark.parametrize(("depth", "characters"), [("Abstract", 500), ("Overview", 2_000), ("Full", 10_000)])
def test_depth_decides_how_much_of_a_file_is_shown(root: Path, depth: str, characters: int) -> None:
    result = FileProvider(root, ("docs/big.md",)).query(ContextQuery("x", depth=depth, max_tokens=9_000))
    assert len(result.items[0].content.removesuffix("\n…")) == characters


def test_nothing_outside_of_the_root_is_read(root: Path) -> None:
    (root.parent / "secret.txt").write_text("secret")
    (root / "docs" / "link.md").symlink_to(root.parent / "secret.txt")
    found = FileProvider(root, ("docs", "../secret.txt", str(root.parent))).query(
        ContextQuery("secret", max_results=50)
    )
    assert not any("secret" in item.content for item in found.items)


def test_what_cannot_be_given_of_named_places_is_listed_with_its_reason(root: Path) -> None:
    (root / "docs" / "huge.md").write_text("word " * 1_000_000)
    (root / "docs" / "picture.png").write_bytes(bytes(range(256)) * 4)
    result = FileProvider(root, ("docs", "docs/ignored.md")).query(ContextQuery("refund"))
    reasons = {each.source.removeprefix("file:docs/"): each.why.partition(":")[0] for each in result.left_out}
    assert reasons == {
        ".env": "secret file",
        "huge.md": "too large",
        "ignored.md": "ignored",
        "picture.png": "binary",
    }
    assert not FileProvider(root, ("README.md",)).query(ContextQuery("refund")).left_out


def test_limits_of_the_query_are_kept(root: Path) -> None:
    provider = FileProvider(root, (".",))
    assert len(provider.query(ContextQuery("x", max_results=1)).items) == 1
    small = provider.query(ContextQuery("x", max_tokens=20))
    assert small.truncated and sum(item.token_count for item in small.items) <= 20


def test_recent_files_are_told_from_the_newest_and_not_from_a_clock(root: Path) -> None:
    for name, age in (("src/shop.py", 0), ("README.md", 600), ("docs/refunds.md", 90_000)):
        os.utime(root / name, (1_000_000_000 - age, 1_000_000_000 - age))
    for path in ("docs/deep/tax.md", "docs/big.md", ".gitignore"):
        os.utime(root / path, (900_000_000, 900_000_000))
    result = RecentFilesProvider(root, limit=3).query(ContextQuery("anything"))
    assert result.items[0].content.split("\n")[1:] == [
        "- src/shop.py (within a minute)",
        "- README.md (within an hour)",
        "- docs/refunds.md (within a week)",
    ]
    assert (result.items[0].relevance, result.items[0].priority) == (0.72, 0.62)
    assert len(RecentFilesProvider(root, limit=99).query(ContextQuery("x")).items[0].content.split("\n")) <= 33


def test_no_files_no_item(tmp_path: Path) -> None:
    assert RecentFilesProvider(tmp_path).query(ContextQuery("x")).is_empty
    assert SkillProvider(tmp_path).query(ContextQuery("x", ())).is_empty
    assert FileProvider(tmp_path, ("docs",)).query(ContextQuery("x")).is_empty


def test_skills_are_a_catalogue_and_whole_on_request(root: Path) -> None:
    write(
        root,
        {
            ".assistant/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: Ship it safely\n---\n# Steps\n1. Test\n",
            ".assistant/skills/review.md": "# Review a change\nRead the tests first.\n",
            ".assistant/skills/deploy/notes.md": "no skill",
        },
    )
    provider = SkillProvider(root)
    catalogue = provider.query(ContextQuery("x", (ContextType.SKILL,)))
    assert [item.content for item in catalogue.items] == [
        "Skills that can be asked for by name:\n- deploy: Ship it safely\n- review: Review a change"
    ]
    asked = provider.query(ContextQuery("x", (), params={"skills": ["deploy", "unknown"]}))
    assert asked.items[0].content == "# Steps\n1. Test" and asked.items[0].context_type is ContextType.SKILL
    assert asked.notes == ("there is no skill 'unknown' in .assistant/skills",)
    assert not any(item.required for item in asked.items)
    assert provider.query(ContextQuery("x")).is_empty, "the query wants resources only"


def test_a_broken_head_of_a_skill_costs_nothing() -> None:
    for text in ("---\nname: x\nno end", "", "---", "---\n---\n", "---\nname\n---\nbody"):
        skill = read_skill("a.md", text, "fallback")
        assert skill.name in ("fallback", "x") and "\n" not in skill.description


def test_all_of_them_together(root: Path) -> None:
    providers: list[ContextProvider] = [FileProvider(root, ("docs",)), RecentFilesProvider(root), SkillProvider(root)]
    found = gather(providers, ContextQuery("refund", ()))
    assert [result.provider for result in found.results] == ["files", "recent files"] and found.failures == ()
    assert ContextAssembler().assemble(found.results).items[0].id == "docs/refunds.md"
