"""Imports and exports, in the words of the file: what they mean is for the linker to say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from coderag.languages import Language, name_marks
from coderag.parse.scopes import Scopes
from coderag.parse.text import SEPARATORS, Text, extent
from coderag.types import Import

_TREE_WORDS = re.compile(r"^(?:import|export|use(?: (?:function|const)\b)?)\b ?|(?<=[{,]) ?(?:function|const) ")
_VERSION = re.compile(r"v\d+$")  # a version at the end of a module path is no name: `money/v2` binds `money`


def names_of_imports(matches: Iterable[dict[str, list[Node]]]) -> dict[int, Node]:
    """The nodes of the names that imports bind, by position."""
    bound = (
        captures.get("import.alias") or captures.get("import.name") or []
        for captures in matches
        if "import" in captures
    )
    return {node.start_byte: node for nodes in bound for node in nodes}


def imports_of(
    source: Text, row: Language, matches: Iterable[dict[str, list[Node]]], scopes: Scopes, numbers: list[int]
) -> tuple[Import, ...]:
    """What the file imports, once each; a module that is there by name as well as whole is imported by name."""
    found: dict[tuple[str, str, str], Import] = {}
    for captures in matches:
        statement = captures.get("import")
        if statement is None:
            continue
        start = statement[0].start_byte
        line, scope = source.line(start), numbers[scopes.at(start)]
        for module, name, alias in _imported(source, row, captures):
            if "import.relative" in captures and not module.startswith((".", "/")):
                module = f"./{module}"
            entry = Import(module, name, alias, line, scope, "import.reexport" in captures)
            found.setdefault((module, name, alias), entry)
    bound = {(module, alias) for module, name, alias in found if name}
    binding = {(entry.module, entry.line) for entry in found.values() if entry.alias or entry.name == "*"}
    return tuple(
        entry
        for (module, name, alias), entry in found.items()
        if name or ((module, alias) not in bound and (alias or (module, entry.line) not in binding))
    )


def _imported(source: Text, row: Language, captures: dict[str, list[Node]]) -> list[tuple[str, str, str]]:
    """(module, name, alias) of everything that one import match brings in."""

    def text(capture: str) -> str:
        nodes = captures.get(capture)
        return "".join(source.cut(*extent(nodes[0])).split()).strip("\"'`<>;") if nodes else ""

    if "import.tree" in captures:
        return [_whole(row, path, alias) for path, alias in _branches(source.cut(*extent(captures["import.tree"][0])))]
    module, name, alias = text("import.module"), text("import.name"), text("import.alias")
    name = name_marks(row.name).sub("", name)
    if "import.default" in captures:
        return [(module, "default", alias)]
    if "import.path" in captures:
        module, name = _cut_path(text("import.path"))
        if name in ("*", "_"):
            return [(module, "*", "")]
    if "import.all" in captures:
        return [(module, "*", alias)]
    if not alias and "import.bare" not in captures:
        alias = name or _module_alias(row, module)
    return [(module, name, alias)]


def _cut_path(path: str) -> tuple[str, str]:
    """`a.b.C` as module and name."""
    cut = max((match.start() for match in SEPARATORS.finditer(path)), default=-1)
    return (path[:cut], SEPARATORS.sub("", path[cut:], count=1)) if cut >= 0 else ("", path)


def _branches(tree: str) -> Iterator[tuple[str, str]]:
    """The paths of `a::{b, c::{self, d as e}}`, each whole and with its alias. The word for import may stand before them."""
    prefixes, path = [""], ""
    plain = _TREE_WORDS.sub("", " ".join(tree.split())).replace("=>", " as ").rstrip("; ")
    for token in re.findall(r"[{},]|[^{},]+", plain + ","):
        if token == "{":
            prefixes.append(prefixes[-1] + path)
        elif token not in ("}", ","):
            path = token.strip()
            continue
        elif path:
            written, _, alias = path.partition(" as ")
            yield prefixes[-1] + written.strip(), alias.strip()
        if token == "}" and len(prefixes) > 1:
            prefixes.pop()
        path = ""


def _whole(row: Language, path: str, alias: str) -> tuple[str, str, str]:
    """One path of a tree as (module, name, alias); `self` at its end is the module before it."""
    module, name = _cut_path(path)
    if name in ("*", "_", "given"):
        return module, "*", ""
    if name in row.self_names and module:
        return module, "", alias or _module_alias(row, module)
    return module, name, alias or name


def _module_alias(row: Language, module: str) -> str:
    parts = [part for part in re.split(r"[./:\\]+", module) if part]
    if len(parts) > 1 and _VERSION.match(parts[-1]):
        parts.pop()
    if not parts:
        return ""
    return parts[0] if row.binds_first else parts[-1]


def exports_of(source: Text, matches: Iterable[dict[str, list[Node]]]) -> Iterator[tuple[str, str]]:
    """(Name outside, name inside) of what the file exports in so many words."""
    for captures in matches:
        if "export.all" in captures:
            yield "*", source.cut(*extent(captures["export.all"][0]))
        elif "export.default" in captures:
            yield "default", source.cut(*extent(captures["export.local"][0]))
        elif "export.name" in captures:
            name = source.cut(*extent(captures["export.name"][0])).strip("\"'")
            local = source.cut(*extent(captures["export.local"][0])) if "export.local" in captures else name
            yield name, local
