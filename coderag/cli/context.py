"""`coderag context`: what a model would be given for a task, and what was left out and why."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coderag.cli.opening import answered, caught_up, filters, opened
from coderag.cli.screen import plural, print_json, say, shortened
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING
from coderag.errors import QueryError, RootError
from coderag.visible import visible, visible_line

if TYPE_CHECKING:
    from coderag.assemble import ContextAssembly, ContextItem, ContextPolicy
    from coderag.payload import Request


def run_context(arguments: Namespace) -> int:
    """Print the context for a task; by the layers of a configuration where there is one, see `coderag.cli.layers`."""
    from coderag.cli.layers import initialise, is_layered, keep, run_layers

    if arguments.task == ["init"]:
        return initialise(arguments)
    task, trace = _text(arguments), _trace(arguments)
    if not (task or trace or arguments.focus):
        raise QueryError("say what the context is for: a task, --focus or --trace")
    with opened(arguments) as index:
        params = {**_params(index.root, arguments), "trace": trace}
        if is_layered(index.root, arguments):
            return run_layers(index, arguments, task, params)

        def ask() -> ContextAssembly:
            caught_up(index, arguments.no_update)
            return index.context(task, policy=policy_of(arguments), form=arguments.format, **params)

        assembly = answered(index, arguments.no_update, ask)
        keep(index, arguments, task, params, assembly)
    for note in assembly.notes:
        say(note)
    _show(assembly, arguments)
    return EXIT_NOTHING if assembly.is_empty else EXIT_FOUND


def request_of(root: Path, arguments: Namespace) -> Request:
    """What the arguments ask for, as a record keeps it; `task`, `trace` and the other names are those of `coderag context`.

    Raises:
        QueryError, ContextError, RootError: something cannot be read or understood.
    """
    from coderag.payload import Request

    params = {**_params(root, arguments), "trace": _trace(arguments)}
    return Request(_text(arguments), params, arguments.policy, arguments.format, arguments.budget or 0)


def policy_of(arguments: Namespace) -> ContextPolicy:
    """The policy of `--policy`, made larger or smaller by `--budget`.

    Raises:
        ContextError: there is no policy of that name.
    """
    from coderag.assemble import ContextPolicy

    policy = ContextPolicy.named(arguments.policy)
    return policy if arguments.budget is None else policy.scaled(arguments.budget)


def _text(arguments: Namespace) -> str:
    if arguments.task == ["-"]:
        return sys.stdin.read().strip()
    return " ".join(arguments.task).strip()


def _trace(arguments: Namespace) -> str:
    """The text of `--trace`.

    Raises:
        QueryError: the file cannot be read, or the task is read from the same place.
    """
    if arguments.trace is None:
        return ""
    if arguments.trace == "-":
        if arguments.task == ["-"]:
            raise QueryError("the task and --trace cannot both be read from standard input")
        return sys.stdin.read().strip()
    try:
        return Path(arguments.trace).read_text(encoding="utf-8", errors="replace").strip()
    except OSError as error:
        raise QueryError(f"--trace {arguments.trace}: {error.strerror or error}") from error


def _params(root: Path, arguments: Namespace) -> dict[str, Any]:
    query = filters(arguments)
    params: dict[str, Any] = {
        "open_files": [inside(root, path) for path in arguments.open],
        "paths": list(query.paths),
        "languages": list(query.languages),
        "kinds": [kind.value for kind in query.kinds],
    }
    if arguments.focus:
        path, _, lines = arguments.focus.rpartition(":")
        is_place = bool(path) and lines.replace("-", "").isdigit()
        params["focus"] = f"{inside(root, path)}:{lines}" if is_place else inside(root, arguments.focus)
    return params


def inside(root: Path, path: str) -> str:
    """A path as the index names it: one that exists here is taken from here, any other from the root.

    Raises:
        RootError: it leads out of the root.
    """
    here = Path(path)
    if here.is_absolute() or (here.exists() and not (root / path).exists()):
        resolved = here.resolve()
        if not resolved.is_relative_to(root):
            raise RootError(f"{path}: not inside {root}")
        return resolved.relative_to(root).as_posix()
    return here.as_posix()


# Showing


def _show(assembly: ContextAssembly, arguments: Namespace) -> None:
    if arguments.format == "json":
        print_json(as_object(assembly, arguments.explain))
        return
    text = assembly.render(arguments.format)
    if text:
        print(visible(text))
    else:
        say("nothing found")
    if arguments.explain:
        print(("\n" if text else "") + "\n".join(map(visible_line, explained(assembly))))


def as_object(assembly: ContextAssembly, explain: bool) -> dict[str, Any]:
    """The assembly as `--format json` prints it: what a model is given, and with `--explain` everything that is known of it."""
    import json

    shown: dict[str, Any] = json.loads(assembly.render("json"))
    if explain:
        shown["explanation"] = assembly.to_dict()
    return shown


def explained(assembly: ContextAssembly) -> Iterator[str]:
    """What was selected and what was not, a line each: tokens, score, place, why or which rule."""
    from coderag.assemble import ranking_score

    yield f"Selected: {plural(len(assembly.items), 'item')}, {plural(assembly.total_tokens, 'token')}"
    for item, tokens in zip(assembly.items, assembly.tokens, strict=True):
        yield f"{tokens:>7}  {ranking_score(item):.4f}  {_place(item)}  {_why(item)}".rstrip()
    yield f"Left out: {plural(len(assembly.dropped) + len(assembly.left_out), 'item')}"
    for each in assembly.dropped:
        words = f"{each.why}; {_why(each.item)}".rstrip("; ")
        yield f"{each.tokens or '?':>7}  {ranking_score(each.item):.4f}  {_place(each.item)}  {words}"
    for omission in assembly.left_out:
        yield f"{'':>7}  {'':>6}  {omission.source}  {omission.why}"
    yield from _flags(assembly)


def _flags(assembly: ContextAssembly) -> Iterable[str]:
    if assembly.truncated:
        yield "The assembler left something out."
    for provider in assembly.truncated_providers:
        yield f"The provider {provider} had more."


def _place(item: ContextItem) -> str:
    return shortened(item.id if item.source is None else item.source, 90)


def _why(item: ContextItem) -> str:
    why = item.metadata.get("coderag.why", "")
    return shortened(why, 90) if isinstance(why, str) else ""
