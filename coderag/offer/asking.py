"""A context query as a query of the index: its words, and what its parameters say of the editor.

`focus` is "PATH:LINE", "PATH:FIRST-LAST" or {"path", "line" or "start_line", "end_line"}; `open_files` (or `open`) a path or a list; `trace`
a text; `edits` (or `recent_edits`) paths or objects with a `path`, which count as open; `paths`, `languages` and `kinds` filter.
Refuses what it cannot read, naming the parameter; ignores parameters that it does not know. `checked` does the same for a `Query` that
somebody has made by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from coderag.assemble.results import ContextQuery
from coderag.errors import ContextError, QueryError
from coderag.recall.filters import kind_named
from coderag.types import Focus, Kind, Query

_PLACE: Final = re.compile(r"(?P<path>.+?)(?::(?P<first>\d+)(?:-(?P<last>\d+))?)?", re.DOTALL)


def asked(query: ContextQuery, k: int) -> Query:
    """The query to search with, for `k` hits.

    Raises:
        ContextError: a parameter is of the wrong form.
        QueryError: a kind is unknown.
    """
    params = query.params
    opened = [*_paths(params, "open_files"), *_paths(params, "open")]
    edited = [*_paths(params, "edits"), *_paths(params, "recent_edits")]
    trace = params.get("trace") or ""
    if not isinstance(trace, str):
        raise ContextError(f"the parameter 'trace' must be a text, not {trace!r}")
    return Query(
        text=query.query,
        k=k,
        paths=_paths(params, "paths"),
        languages=_paths(params, "languages"),
        kinds=tuple(kind_named(name) for name in _paths(params, "kinds")),
        focus=focus_of(params.get("focus")),
        open_files=tuple(dict.fromkeys((*opened, *edited))),
        trace=trace,
    )


def checked(query: Query) -> Query:
    """The query with its focus, its kinds and its filters in the forms that a search works with, whichever they were given in.

    Raises:
        ContextError: the focus has no form that can be read.
        QueryError: `k` is no number of hits, a filter is no list of texts, or a kind is unknown.
    """
    if not isinstance(query.k, int) or query.k < 1:
        raise QueryError(f"k={query.k!r}: give how many hits are wanted, a whole number from 1 on")
    for name in ("text", "trace"):
        if not isinstance(value := getattr(query, name), str):
            raise QueryError(f"{name}={value!r}: give a text")
    texts: dict[str, Any] = {
        name: _texts(name, getattr(query, name)) for name in ("paths", "languages", "open_files", "kinds")
    }
    kinds = tuple(name if isinstance(name, Kind) else kind_named(name) for name in texts.pop("kinds"))
    return replace(query, focus=focus_of(query.focus), kinds=kinds, **texts)


def _texts(name: str, value: Any) -> tuple[str, ...]:
    """The texts of a field, of which one may stand alone."""
    found = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else (value,)
    if all(isinstance(each, str) for each in found):
        return found
    raise QueryError(f"{name}={value!r}: give a list of texts")


def focus_of(value: Any) -> Focus | None:
    """A focus from any of its forms.

    Raises:
        ContextError: it has none of them.
    """
    if value is None or isinstance(value, Focus):
        return value or None
    if isinstance(value, str) and (match := _PLACE.fullmatch(value)):
        return Focus(_path(match["path"]), int(match["first"] or 1), int(match["last"] or 0))
    if isinstance(value, Mapping) and isinstance(value.get("path"), str):
        first, last = value.get("start_line", value.get("line", 1)), value.get("end_line", 0)
        if isinstance(first, int) and isinstance(last, int):
            return Focus(_path(value["path"]), first, last)
    raise ContextError(f"the focus {value!r} must be PATH:LINE or an object with a path and a line")


def _paths(params: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A parameter that is a text, or a list of texts or of objects with a path."""
    value = params.get(name) or ()
    found = [value] if isinstance(value, str | Mapping) else value
    if isinstance(found, list | tuple):
        texts: list[Any] = [each.get("path") if isinstance(each, Mapping) else each for each in found]
        if all(isinstance(text, str) for text in texts):
            return tuple(map(_path, texts))
    raise ContextError(f"the parameter {name!r} must be a list of texts, not {value!r}")


def _path(text: str) -> str:
    return text.replace("\\", "/").removeprefix("./")
