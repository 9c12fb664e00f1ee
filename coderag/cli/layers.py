"""`coderag context` for the whole input of a model: configured layers, records, and the check that equal input gives equal bytes."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coderag.cli.opening import answered, caught_up, opened
from coderag.cli.payload import show_blocks, show_prefix
from coderag.cli.screen import print_json, say, screen
from coderag.cli.table import COMMANDS, EXIT_FOUND, EXIT_NOTHING
from coderag.errors import QueryError
from coderag.visible import visible

if TYPE_CHECKING:
    from coderag.assemble import ContextAssembly
    from coderag.assemble.payload import Payload
    from coderag.index import Index
    from coderag.payload import Request

_OF_LAYERS = ("layers", "check_stable", "payload", "system", "tools", "history")


def initialise(arguments: Namespace) -> int:
    """Write the default configuration of layers."""
    from coderag.payload import initialise as write

    with opened(arguments) as index:
        written = write(index.root)
    for path in written:
        print(path)
    return EXIT_FOUND


def is_layered(root: Path, arguments: Namespace) -> bool:
    """Whether the whole input is asked for: by an option, or because its layers are configured."""
    from coderag.payload import load_configuration

    return any(getattr(arguments, name) for name in _OF_LAYERS) or load_configuration(root) is not None


def keep(index: Index, arguments: Namespace, task: str, params: Mapping[str, Any], assembly: ContextAssembly) -> None:
    """Record what the index alone gave, if that was asked for."""
    if not arguments.record:
        return
    from coderag.payload import code_payload, record_of, write_record

    request = _request(arguments, task, params)
    record = record_of(index, request, code_payload(request, assembly))
    say(f"recorded as {write_record(Path(arguments.record), record)}")


def run_layers(index: Index, arguments: Namespace, task: str, params: Mapping[str, Any]) -> int:
    """Print the payload of a task, or check that it is stable."""
    if arguments.check_stable:
        return _check(arguments)
    from coderag.assemble.configuration import default_configuration
    from coderag.payload import build_payload, load_configuration, record_of, write_record

    request = _request(arguments, task, params)
    configuration = load_configuration(index.root) or default_configuration()

    def ask() -> Payload:
        caught_up(index, arguments.no_update)
        return build_payload(index, request, configuration)

    payload = answered(index, arguments.no_update, ask)
    if arguments.record:
        place = write_record(Path(arguments.record), record_of(index, request, payload, configuration))
        say(f"recorded as {place}")
    _show(payload, arguments)
    return EXIT_FOUND if any(block.parts for block in payload.blocks if block.source == "index") else EXIT_NOTHING


def _show(payload: Payload, arguments: Namespace) -> None:
    if arguments.payload:
        print(payload.to_json())
        return
    if arguments.format == "json":
        print_json({**payload.to_dict(), "text": payload.text})
        return
    for block in payload.blocks:
        if block.left_out or block.source.startswith("file:"):
            for note in block.notes:
                say(f"{block.layer}: {note}")
    print(visible(payload.text), end="")
    if arguments.explain:
        out = screen(no_color=True)
        out.line("")
        show_blocks(out, payload)
        for block in payload.blocks:
            for each in block.left_out:
                out.line(f"{each.tokens or '?':>7}  {block.layer}: {each.id}: {each.rule}")


def _request(arguments: Namespace, task: str, params: Mapping[str, Any]) -> Request:
    from coderag.payload import Request

    return Request(
        task=task,
        params=params,
        policy=arguments.policy,
        form=arguments.format,
        budget=arguments.budget or 0,
        texts={"system": _file(arguments.system, "--system")} if arguments.system else {},
        tools=_tools(arguments.tools),
        history=_file(arguments.history, "--history") if arguments.history else "",
    )


def _file(path: str, option: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise QueryError(f"{option} {path}: {error.strerror or error}") from error


def _tools(path: str | None) -> tuple[Mapping[str, Any], ...]:
    if not path:
        return ()
    try:
        document = json.loads(_file(path, "--tools"))
    except (ValueError, RecursionError) as error:
        raise QueryError(f"--tools {path}: this is no JSON: {error}") from error
    listed = document.get("tools") if isinstance(document, dict) else document
    if not isinstance(listed, list) or not all(isinstance(tool, dict) for tool in listed):
        raise QueryError(f"--tools {path}: an array of objects is needed")
    return tuple(listed)


# Stability


def _check(arguments: Namespace) -> int:
    from coderag.payload import check_stable, in_a_process

    reads = arguments.task == ["-"] or arguments.trace == "-"
    if reads:
        raise QueryError(
            "--check-stable builds twice, so neither the task nor the trace can be read from standard input"
        )
    found = check_stable(in_a_process(_as_written(arguments)))
    out = screen(no_color=True)
    if found.is_stable:
        out.line(
            f"stable: {found.prefix.total_bytes:,} bytes, {found.prefix.total_tokens:,} tokens, equal in two processes"
        )
        return EXIT_FOUND
    out.line(
        "not stable: the first different byte is ",
        f"{found.prefix.bytes:,}, byte {found.prefix.at:,} of the layer {found.prefix.breaker}",
    )
    for layer in found.broken_cacheable:
        out.line(f"the cacheable layer {layer} is not the same in both")
    show_prefix(out, found.prefix, 0.1)
    return EXIT_NOTHING


def _as_written(arguments: Namespace) -> list[str]:
    """The arguments as a command line that prints the payload, without those that belong to this process alone."""
    command = next(command for command in COMMANDS if command.name == "context")
    words = [command.name, "--payload"]
    for argument in command.arguments:
        if argument.names[0].startswith("-"):
            words += _option(argument.names[-1], getattr(arguments, argument.names[-1].lstrip("-").replace("-", "_")))
    return [*words, "--", *arguments.task] if arguments.task else words


def _option(name: str, value: object) -> Iterator[str]:
    if name in ("--check-stable", "--record", "--payload"):
        return
    if isinstance(value, list):
        for each in value:
            yield f"{name}={each}"
    elif value is True:
        yield name
    elif value is not None and value is not False:
        yield f"{name}={value}"
