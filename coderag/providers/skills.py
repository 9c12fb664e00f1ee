"""A folder of skills: a catalogue of names and descriptions, and the whole text of a skill when it is asked for.

A skill is `NAME/SKILL.md` or `NAME.md` with a head between two lines of `---` that holds `name:` and `description:`; without one, the name of
its folder or file and its first line stand in. Asked for is what the query's parameter `skills` lists. Skills are texts of the repository:
they come as items of type Skill and are never required, so the host decides whether a model should follow them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from coderag.assemble.cleaning import cleaned_line
from coderag.assemble.items import ContextItem, ContextType
from coderag.assemble.results import ContextQuery, ContextResult
from coderag.assemble.tokens import TokenCounter, estimate_tokens
from coderag.config import Settings, load_settings
from coderag.providers.files import read_text
from coderag.providers.limits import within
from coderag.walk import walk

SCHEME: Final = "skill"
_FILE: Final = "SKILL.md"
_BORDER: Final = "---"
_OF_CATALOGUE, _OF_TEXT = 0.5, 0.9


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill: its name, what it is for, where it stands, and its text without the head."""

    name: str
    description: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class SkillProvider:
    """Gives the catalogue of the skills in `folder` below `root`, after the whole text of those that are asked for."""

    root: Path
    folder: str = ".assistant/skills"
    name: str = "skills"
    settings: Settings | None = None
    count: TokenCounter = estimate_tokens

    def query(self, query: ContextQuery) -> ContextResult:
        """Skills that the parameter `skills` names, then the catalogue."""
        if not query.wants(ContextType.SKILL):
            return ContextResult(self.name)
        skills = self.skills()
        named = query.params.get("skills")
        wanted = [named] if isinstance(named, str) else list(named) if isinstance(named, list | tuple) else []
        chosen = [skill for skill in skills if skill.name in wanted]
        items = [self._whole(skill) for skill in chosen]
        if skills:
            items.append(self._catalogue(skills))
        result = within(self.name, items, query, self.count)
        unknown = sorted({str(name) for name in wanted} - {skill.name for skill in skills})
        notes = tuple(f"there is no skill {name!r} in {self.folder}" for name in unknown)
        return ContextResult(self.name, result.items, truncated=result.truncated, notes=notes)

    def skills(self) -> list[Skill]:
        """All skills, by name."""
        return sorted(self._found(), key=lambda skill: (skill.name, skill.path))

    def _found(self) -> Iterator[Skill]:
        settings = self.settings or load_settings(self.root)
        folder = PurePosixPath(self.folder)
        for walked in walk(self.root, settings).files:
            path = PurePosixPath(walked.path)
            in_own_folder = path.name == _FILE and path.parent.parent == folder
            if in_own_folder or (path.parent == folder and path.suffix == ".md" and path.name != _FILE):
                text = read_text(self.root, walked, settings)
                if isinstance(text, str):
                    yield read_skill(walked.path, text, path.parent.name if in_own_folder else path.stem)

    def _whole(self, skill: Skill) -> ContextItem:
        item = ContextItem(f"{SCHEME}:{skill.name}", ContextType.SKILL, skill.text, source=f"{SCHEME}:{skill.name}")
        return item.with_relevance(_OF_TEXT).with_provenance(self.name)

    def _catalogue(self, skills: Iterable[Skill]) -> ContextItem:
        lines = [f"- {skill.name}: {skill.description}".rstrip(": ") for skill in skills]
        content = "Skills that can be asked for by name:\n" + "\n".join(lines)
        item = ContextItem(f"{SCHEME}s", ContextType.SKILL, content, source=f"{SCHEME}-catalogue:{self.folder}")
        return item.with_relevance(_OF_CATALOGUE).with_provenance(self.name)


def read_skill(path: str, text: str, name: str) -> Skill:
    """A skill from its file; `name` is used where its head gives none."""
    lines = text.replace("\r\n", "\n").split("\n")
    end = lines.index(_BORDER, 1) if lines[0].strip() == _BORDER and _BORDER in lines[1:] else 0
    head = dict(_entry(line) for line in lines[1:end] if ":" in line)
    body = "\n".join(lines[end + 1 :] if end else lines).strip("\n")
    first = next((line.lstrip("# ") for line in body.split("\n") if line.strip()), "")
    return Skill(cleaned_line(head.get("name") or name), cleaned_line(head.get("description") or first), path, body)


def _entry(line: str) -> tuple[str, str]:
    key, _, value = line.partition(":")
    return key.strip().casefold(), value.strip().strip("\"'")
