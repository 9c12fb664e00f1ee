"""Write docs/api.md from the docstrings of the public names.

    python scripts/api_docs.py [--check]

With --check nothing is written; the exit status is 1 where the page is not what it should be.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
MODULES = ("coderag", "coderag.assemble", "coderag.providers", "coderag.payload", "coderag.inspect")
"""What is documented; a name that several have is documented in the first of them."""

HEAD = """\
# The public names

Written by `scripts/api_docs.py` from the docstrings; a test compares. [The tutorial](tutorial.md) is the way in.
Values are frozen. Everything that is raised on purpose is a `CoderagError`. The retrievers for LangChain and LlamaIndex, whose extras need not
be installed, are in `coderag.adapters`.
"""


def page() -> str:
    """The whole page."""
    seen: set[int] = set()
    return "\n".join([HEAD, *(line for name in MODULES for line in of_module(import_module(name), seen))])


def of_module(module: ModuleType, seen: set[int]) -> Iterator[str]:
    yield f"## `{module.__name__}`\n"
    yield paragraphs(module)
    for name in module.__all__:
        found = getattr(module, name)
        if (inspect.isclass(found) or inspect.isroutine(found)) and id(found) not in seen:
            seen.add(id(found))
            yield from of_class(name, found) if inspect.isclass(found) else of_function(name, found)


def of_function(name: str, found: Any) -> Iterator[str]:
    yield f"### `{name}{signature(found)}`\n"
    yield paragraphs(found)


def of_class(name: str, found: type) -> Iterator[str]:
    yield f"### `{name}`\n"
    if issubclass(found, Exception):
        yield f"Derived from `{found.__mro__[1].__name__}`. {paragraphs(found)}"
        return
    yield paragraphs(found)
    if issubclass(found, enum.Enum):
        yield ", ".join(f"`{member.name}`" for member in found) + ".\n"
    if dataclasses.is_dataclass(found):
        yield f"Fields: {', '.join(map(field_of, dataclasses.fields(found)))}.\n"
    elif not issubclass(found, enum.Enum) and "__init__" in vars(found):
        yield f"`{name}{signature(found.__init__)}`\n"
    for member, value in vars(found).items():
        if not member.startswith("_"):
            yield from of_member(member, value)


def field_of(field: dataclasses.Field[Any]) -> str:
    made = "" if field.default_factory is dataclasses.MISSING else " = …"
    known = made if field.default is dataclasses.MISSING else f" = {default_of(field.default)}"
    return f"`{field.name}: {plain(str(field.type))}{known}`"


def of_member(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, property):
        kind = value.fget.__annotations__.get("return", "") if value.fget else ""
        yield f"- **`.{name}: {plain(str(kind))}`**  {indented(value)}"
    elif isinstance(value, classmethod | staticmethod):
        yield f"- **`{name}{signature(value.__func__)}`** (of the class)  {indented(value.__func__)}"
    elif inspect.isfunction(value):
        yield f"- **`{name}{signature(value)}`**  {indented(value)}"


def signature(found: Any) -> str:
    """Its parameters and result as written, without the receiver."""
    read = inspect.signature(found)
    kept = [each for each in read.parameters.values() if each.name not in ("self", "cls")]
    written = read.replace(parameters=[each.replace(default=shown(each.default)) for each in kept])
    return plain(str(written))


class Name:
    """Something whose `repr` is a name, which says more than an address."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


def shown(default: Any) -> Any:
    return default if default is inspect.Parameter.empty else Name(default_of(default))


def default_of(value: Any) -> str:
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if inspect.isroutine(value):
        return "…"
    return f"{type(value).__name__}()" if dataclasses.is_dataclass(value) else repr(value)


def plain(text: str) -> str:
    """Annotations without the quotes that their being texts leaves."""
    return re.sub(r"(?<=: )'([^']*)'|(?<=-> )'([^']*)'", lambda match: match[1] or match[2], text)


def paragraphs(found: Any) -> str:
    """A docstring as Markdown: paragraphs, and what is raised as a list."""
    text, _, raised = (inspect.getdoc(found) or "").partition("\nRaises:\n")
    return "\n".join([text.strip(), "", *(f"{each}" for each in errors(raised))])


def errors(raised: str) -> Iterator[str]:
    """One line for each kind of error, which may take several in the docstring."""
    if raised:
        lines = re.sub(r"\n {5,}", " ", f"\n{raised}").strip().split("\n")
        yield from (re.sub(r"^([\w, ]+):", r"- raises `\1`:", line.strip()) for line in lines if line.strip())
        yield ""


def indented(found: Any) -> str:
    lines = ["", *paragraphs(found).strip().split("\n")]
    return "\n".join(f"  {line}" if line else "" for line in lines) + "\n"


def written() -> str:
    """The page as it is stored."""
    text = re.sub(r"\n{3,}", "\n\n", page())
    return "\n".join(line.rstrip() for line in text.strip().split("\n")) + "\n"


def main() -> int:
    if "--check" in sys.argv[1:]:
        return int(PAGE.read_text(encoding="utf-8") != written())
    PAGE.write_text(written(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
