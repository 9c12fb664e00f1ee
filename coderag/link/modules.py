"""From the words of an import to the files that they mean, one small function per style of import.

Knows paths only: no symbol, no disk. What lies outside of the repository is the empty answer. When several files fit, the choice
depends on the set of paths alone: nearest to the importing file, then shortest, then first.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from coderag.link.rules import LinkRules

SOURCE_ROOTS = ("", "src", "lib", "python", "source")
_MANIFEST = "package.json"
_ALIAS_MARKS = ("@/", "~/", "#/", "$/")
_VERSION = re.compile(r"[/.]v\d+$")
_WRITTEN_EXTENSIONS = (".js", ".jsx", ".mjs", ".cjs")  # TypeScript imports the file that will be built


class Places:
    """The paths of a repository, looked up by directory, file name or stem; `declared` tells what a file calls itself."""

    def __init__(self, paths: Iterable[str], declared: Callable[[str], str]) -> None:
        self.declared = declared
        self.files: set[str] = set()
        self.by_name: dict[str, list[str]] = {}
        self.by_stem: dict[str, list[str]] = {}
        self.by_directory: dict[str, list[str]] = {}
        self.directories: dict[str, list[str]] = {}
        for path in sorted(paths):
            self._add(path)

    def _add(self, path: str) -> None:
        directory, _, name = path.rpartition("/")
        self.files.add(path)
        self.by_name.setdefault(name, []).append(path)
        self.by_stem.setdefault(stem_of(name), []).append(path)
        if directory not in self.by_directory:
            self.directories.setdefault(directory.rpartition("/")[2], []).append(directory)
        self.by_directory.setdefault(directory, []).append(path)

    def module(self, stem: str, rules: LinkRules) -> tuple[str, ...]:
        """The file that a path without an extension means: itself, with an extension, or the index of a directory."""
        if stem in self.files:
            return (stem,)
        for extension in rules.extensions:
            if stem + extension in self.files:
                return (stem + extension,)
        return self.index(stem, rules)

    def index(self, directory: str, rules: LinkRules) -> tuple[str, ...]:
        """The file that stands for a directory."""
        prefix = directory + "/" if directory else ""
        for index in rules.indexes:
            for extension in rules.extensions:
                if f"{prefix}{index}{extension}" in self.files:
                    return (f"{prefix}{index}{extension}",)
        return ()

    def children(self, path: str, rules: LinkRules) -> str:
        """What the paths of the modules below a module begin with."""
        folder = _children(path, rules)
        return folder + "/" if folder else ""

    def roots(self, tail: str, rules: LinkRules) -> list[tuple[str, str]]:
        """(directory, file) of every module whose path ends in `tail` below that directory."""
        last = tail.rpartition("/")[2]
        found = []
        for path in self.by_stem.get(last, ()):
            stem, extension = split_extension(path, rules.extensions)
            if extension and _ends_with(stem, tail):
                found.append((stem[: -len(tail)].rstrip("/"), path))
        for directory in self.directories.get(last, ()):
            if _ends_with(directory, tail):
                found.extend((directory[: -len(tail)].rstrip("/"), path) for path in self.index(directory, rules))
        return found


def stem_of(name: str) -> str:
    """A file name up to its first dot, a leading one kept."""
    return name[:1] + name[1:].partition(".")[0]


def split_extension(path: str, extensions: Sequence[str]) -> tuple[str, str]:
    """The path without the longest of the extensions that it ends in, and that extension."""
    fitting = [extension for extension in extensions if path.endswith(extension)]
    extension = max(fitting, key=len, default="")
    return path[: len(path) - len(extension)], extension


def is_below(path: str, directory: str) -> bool:
    """Whether a path lies in a directory or deeper; everything lies below ""."""
    return not directory or path.startswith(directory + "/")


def _ends_with(path: str, tail: str) -> bool:
    return path == tail or path.endswith("/" + tail)


def _nearest(importer: str, paths: Iterable[str]) -> tuple[str, ...]:
    """The path that shares most directories with the importer; the shortest of those, the first of those."""

    def distance(path: str) -> tuple[int, int, str]:
        shared = 0
        for mine, other in zip(importer.split("/")[:-1], path.split("/")[:-1], strict=False):
            if mine != other:
                break
            shared += 1
        return -shared, path.count("/"), path

    best = min(paths, key=distance, default=None)
    return () if best is None else (best,)


def _parent(path: str, levels: int = 1) -> str:
    for _ in range(levels):
        path = path.rpartition("/")[0]
    return path


def _joined(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def dotted(places: Places, importer: str, module: str, rules: LinkRules) -> tuple[str, ...]:
    """`a.b` from a source root, `.b` and `..b` from the importing package (Python, Lua, Haskell)."""
    name = module.lstrip(".")
    level = len(module) - len(name)
    tail = name.replace(".", "/")
    if level:
        base = _parent(importer, level)
        return places.module(_joined(base, tail), rules) if tail else places.index(base, rules)
    if not tail:
        return ()
    return _from_root(places, importer, tail, rules)


def _from_root(places: Places, importer: str, tail: str, rules: LinkRules) -> tuple[str, ...]:
    roots = [(root, path) for root, path in places.roots(tail, rules) if not places.index(root, rules) or not root]
    above = [(root, path) for root, path in roots if is_below(importer, root)]
    if above:
        return (max(above, key=lambda each: (len(each[0]), _is_index(each[1], rules), each[1]))[1],)
    if tail.partition("/")[0] in rules.standard_modules:
        return ()
    fitting = [path for root, path in roots if "/" in tail or root in SOURCE_ROOTS or _is_index(path, rules)]
    return _nearest(importer, fitting)


def _is_index(path: str, rules: LinkRules) -> bool:
    return stem_of(path.rpartition("/")[2]) in rules.indexes


def script(places: Places, importer: str, module: str, rules: LinkRules) -> tuple[str, ...]:
    """`./a` beside the importer, `@/a` below a source root, `name/a` in a package of the same repository (JavaScript)."""
    if module.startswith("."):
        return _written_path(places, posixpath.normpath(_joined(_parent(importer), module)), rules)
    for mark in _ALIAS_MARKS:
        if module.startswith(mark):
            return _nearest(importer, (path for _, path in places.roots(_unwritten(module[2:]), rules)))
    return _workspace_package(places, importer, module, rules) or _below_root(places, importer, module, rules)


def _written_path(places: Places, path: str, rules: LinkRules) -> tuple[str, ...]:
    path = "" if path == "." else path
    if path.startswith(".."):
        return ()
    return places.module(path, rules) or (places.module(_unwritten(path), rules) if _unwritten(path) != path else ())


def _unwritten(path: str) -> str:
    return split_extension(path, _WRITTEN_EXTENSIONS)[0]


def _workspace_package(places: Places, importer: str, module: str, rules: LinkRules) -> tuple[str, ...]:
    parts = module.split("/")
    package, rest = (parts[1], parts[2:]) if module.startswith("@") and len(parts) > 1 else (parts[0], parts[1:])
    inside = _unwritten("/".join(rest))
    for directory in places.directories.get(package, ()):
        if f"{directory}/{_MANIFEST}" not in places.files:
            continue
        for root in (directory, f"{directory}/src", f"{directory}/lib"):
            found = places.module(_joined(root, inside), rules) if inside else places.index(root, rules)
            if found:
                return found
    return ()


def _below_root(places: Places, importer: str, module: str, rules: LinkRules) -> tuple[str, ...]:
    if "/" not in module or module.startswith("@"):
        return ()
    roots = places.roots(_unwritten(module), rules)
    return _nearest(importer, (path for root, path in roots if is_below(importer, root) or root in SOURCE_ROOTS))


def directory(places: Places, importer: str, module: str, rules: LinkRules) -> tuple[str, ...]:
    """`host/owner/name/a/b` means the files of the directory `a/b` (Go)."""
    parts = module.split("/")
    if parts[0] in rules.standard_modules:
        return ()
    best: list[str] = []
    for candidate in places.directories.get(parts[-1], ()):
        if _ends_with(module, candidate) and candidate and (not best or len(candidate) > len(best[0])):
            best = [candidate]
    if not best and "." not in parts[0]:
        best = [each for each in places.directories.get(parts[-1], ()) if _ends_with(each, module)][:1]
    return _package_files(places, best[0], rules) if best else _root_package(places, module, rules)


def _root_package(places: Places, module: str, rules: LinkRules) -> tuple[str, ...]:
    """The files at the root of the repository, when they call themselves as the path ends (a version aside)."""
    name = _VERSION.sub("", module).rpartition("/")[2]
    files = _package_files(places, "", rules)
    return files if files and places.declared(files[0]) == name else ()


def _package_files(places: Places, folder: str, rules: LinkRules) -> tuple[str, ...]:
    return tuple(
        path
        for path in places.by_directory.get(folder, ())
        if path.endswith(rules.extensions) and not is_test(path, rules)
    )


def crate(places: Places, importer: str, module: str, rules: LinkRules) -> tuple[str, ...]:
    """`crate::a`, `self::a`, `super::a`, a child module, or a crate of the same workspace (Rust)."""
    parts = [part for part in module.replace("::", ".").split(".") if part]
    if not parts:
        return ()
    head, rest = parts[0], parts[1:]
    if head == "crate":
        return _crate_module(places, _crate_root(places, importer), rest, rules)
    if head in ("self", "super"):
        base = _children(importer, rules)
        while head == "super":
            base = _parent(base)
            head = rest.pop(0) if rest[:1] == ["super"] else ""
        return _crate_module(places, base, rest, rules)
    for base in (_children(importer, rules), _crate_root(places, importer)):
        if places.module(_joined(base, head), rules):
            return _crate_module(places, base, parts, rules)
    return _workspace_crate(places, importer, head, rest, rules)


def _crate_module(places: Places, base: str, parts: Sequence[str], rules: LinkRules) -> tuple[str, ...]:
    if parts:
        return places.module(_joined(base, *parts), rules)
    return places.index(base, rules) or (places.module(base, rules) if base else ())


def _children(importer: str, rules: LinkRules) -> str:
    """Where the child modules of a file lie."""
    stem, _ = split_extension(importer, rules.extensions)
    return _parent(importer) if stem.rpartition("/")[2] in rules.indexes else stem


def _crate_root(places: Places, importer: str) -> str:
    folder = _parent(importer)
    while folder and not {f"{folder}/lib.rs", f"{folder}/main.rs"} & places.files:
        folder = _parent(folder)
    return folder


def _workspace_crate(
    places: Places, importer: str, name: str, rest: Sequence[str], rules: LinkRules
) -> tuple[str, ...]:
    for spelled in dict.fromkeys((name, name.replace("_", "-"))):
        for folder in places.directories.get(spelled, ()):
            found = _crate_module(places, f"{folder}/src", rest, rules)
            if found:
                return found
    return ()


def include(places: Places, importer: str, module: str, rules: LinkRules) -> tuple[str, ...]:
    """`a/b.h` beside the importer, then the nearest file whose path ends so (C, C++)."""
    beside = posixpath.normpath(_joined(_parent(importer), module))
    if beside in places.files:
        return (beside,)
    tail = posixpath.normpath(module).lstrip("./")
    return _nearest(
        importer, (path for path in places.by_name.get(tail.rpartition("/")[2], ()) if _ends_with(path, tail))
    )


def file(places: Places, importer: str, module: str, rules: LinkRules) -> tuple[str, ...]:
    """A path with or without its extension, beside the importer or at the end of a path (Ruby, Bash, Zig)."""
    plain = module.replace("$(dirname$0)", ".").replace("${0%/*}", ".").lstrip("$")
    beside = places.module(posixpath.normpath(_joined(_parent(importer), plain)), rules)
    if beside or module.startswith("."):
        return beside
    stem, _ = split_extension(posixpath.normpath(plain).lstrip("/"), rules.extensions)
    return _nearest(importer, (path for _, path in places.roots(stem, rules))) if stem else ()


def namespace(places: Places, importer: str, module: str, rules: LinkRules) -> tuple[str, ...]:
    """Names of packages and namespaces say nothing about files: definitions are found by qualified name (Java, C#, PHP)."""
    return ()


@dataclass(frozen=True, slots=True)
class ImportStyle:
    """How a style finds files, and what parts the words of its module names.

    `by_declaration`: what a module is called is declared inside of files (a package, a namespace), not told by their places.
    `around` are first words that stand for the importing file or for what is above it.
    """

    files: Callable[[Places, str, str, LinkRules], tuple[str, ...]]
    separator: str
    by_declaration: bool = False
    around: tuple[str, ...] = ()


IMPORT_STYLES: Mapping[str, ImportStyle] = {
    "dotted": ImportStyle(dotted, "."),
    "script": ImportStyle(script, "/"),
    "directory": ImportStyle(directory, "/"),
    "crate": ImportStyle(crate, ".", by_declaration=True, around=("crate", "self", "super")),
    "include": ImportStyle(include, "/"),
    "file": ImportStyle(file, "/"),
    "namespace": ImportStyle(namespace, ".", by_declaration=True),
}


def is_test(path: str, rules: LinkRules) -> bool:
    """Whether a path is one of tests, by the globs of its language."""
    return any(fnmatchcase(path, pattern) for pattern in rules.test_paths)
