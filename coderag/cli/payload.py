"""`coderag payload`: what a recorded payload holds, what is different between two, and the smallest one that shows a problem."""

from __future__ import annotations

import shlex
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coderag.cli.opening import caught_up, opened
from coderag.cli.screen import Screen, plural, print_json, say, screen, shortened
from coderag.cli.table import EXIT_FOUND
from coderag.errors import ConfigError

if TYPE_CHECKING:
    from coderag.assemble.comparison import Comparison, Repetition
    from coderag.assemble.payload import Payload, PayloadBlock
    from coderag.assemble.prefix import SharedPrefix
    from coderag.payload import Record

_OPERANDS = {"show": 1, "diff": 2, "replay": 1, "prefix": 2}


def run_payload(arguments: Namespace) -> int:
    """Run one of the actions on records."""
    wanted = _OPERANDS.get(arguments.action)
    given = len(arguments.operands)
    if wanted is not None and given != wanted:
        raise ConfigError(
            f"payload {arguments.action} takes {plural(wanted, 'record')}, not {given}; see `coderag payload --help`"
        )
    {"show": _show, "diff": _diff, "replay": _replay, "minimize": _minimize, "prefix": _prefix}[arguments.action](
        arguments
    )
    return EXIT_FOUND


def _records(arguments: Namespace) -> list[Record]:
    from coderag.payload import read_record

    return [read_record(path) for path in arguments.operands]


# show


def _show(arguments: Namespace) -> None:
    from coderag.assemble.comparison import repetitions

    record = _records(arguments)[0]
    if arguments.text:
        print(record.payload.text, end="")
        return
    again = repetitions(record.payload)
    if arguments.json:
        blocks = [{**block.to_dict(), **_portion(record.payload, block)} for block in record.payload.blocks]
        print_json(
            {
                "tokens": record.payload.tokens,
                "window": record.payload.window,
                "generation": record.generation,
                "request": dict(record.request),
                "blocks": blocks,
                "repetitions": [asdict(each) for each in again],
                "masked_secrets": record.masked,
            }
        )
        return
    out = screen(arguments.no_color)
    if record.request.get("task"):
        out.line("task: ", (shortened(str(record.request["task"])), "name"))
    show_blocks(out, record.payload)
    _show_repetitions(out, again)


def _portion(payload: Payload, block: PayloadBlock) -> dict[str, float]:
    designed = block.limit / payload.window if payload.window else 0.0
    used = block.tokens / payload.tokens if payload.tokens else 0.0
    return {"designed_share": round(designed, 4), "used_share": round(used, 4)}


def show_blocks(out: Screen, payload: Payload) -> None:
    """The share of every layer, as designed and as used, and what it holds."""
    window = f" of a window of {payload.window:,}" if payload.window else ""
    out.line(f"{plural(payload.tokens, 'token')}{window}, {payload.reserve:,} kept for the output")
    out.line(("  layer                     limit  of window    used  of payload", "quiet"))
    for block in payload.blocks:
        portion = _portion(payload, block)
        designed = f"{portion['designed_share']:.1%}" if payload.window else "-"
        marks = " cacheable" if block.cacheable else ""
        out.line(
            f"  {block.layer:<22}{block.limit:>9,}{designed:>10}{block.tokens:>9,}{portion['used_share']:>11.1%}",
            (marks, "quiet"),
        )
        for note in block.notes:
            out.line((f"      {note}", "quiet"))
        for part in block.parts:
            score = "" if part.score is None else f"  {part.score:.3f}"
            out.line((f"      {part.tokens:>6,}  {shortened(part.id)}{score}", "quiet"))
        if block.left_out:
            out.line((f"      left out: {_counted_rules(block)}", "quiet"))


def _counted_rules(block: PayloadBlock) -> str:
    rules = [each.rule for each in block.left_out]
    return ", ".join(f"{rules.count(rule)} {rule}" for rule in dict.fromkeys(rules))


def _show_repetitions(out: Screen, again: tuple[Repetition, ...]) -> None:
    if again:
        out.line(f"text that is there more than once: {plural(sum(each.tokens for each in again), 'token')}")
    for each in again:
        places = f"{each.second.layer}: {each.second.part}:{each.second.line} repeats {each.first.layer}: {each.first.part}:{each.first.line}"
        out.line((f"      {each.tokens:>6,}  {places} ({plural(each.lines, 'line')})", "quiet"))


# diff and replay


def _diff(arguments: Namespace) -> None:
    first, second = _records(arguments)
    _show_difference(arguments, first, second)


def _show_difference(arguments: Namespace, first: Record, second: Record) -> None:
    from coderag.assemble.comparison import compare

    found = compare(first.payload, second.payload)
    changed = _settings_changed(first, second)
    if arguments.json:
        print_json(
            {**_difference_object(found), "settings": changed, "tokens": [first.payload.tokens, second.payload.tokens]}
        )
        return
    out = screen(arguments.no_color)
    for line in changed:
        out.line((line, "quiet"))
    if found.is_empty:
        out.line("the payloads are equal")
        return
    out.line(f"{first.payload.tokens:,} → {second.payload.tokens:,} tokens")
    for layer in found.layers:
        before, after = ("absent" if n is None else f"{n:,}" for n in (layer.before, layer.after))
        out.line((layer.layer, "place"), f": {before} → {after} tokens")
        for each in (part for part in found.parts if part.layer == layer.layer):
            places = f"{each.before or '-'} → {each.after or '-'}"
            out.line(f"  {each.change.value:<8}{places:<9} ", (shortened(each.id), "name"), f"  {each.why}")


def _difference_object(found: Comparison) -> dict[str, Any]:
    return {
        "equal": found.is_empty,
        "layers": [asdict(each) for each in found.layers],
        "parts": [asdict(each) for each in found.parts],
    }


def _settings_changed(first: Record, second: Record) -> list[str]:
    changed = []
    if first.generation != second.generation:
        changed.append(f"the index is of generation {second.generation}, it was {first.generation}")
    if first.configuration != second.configuration:
        changed.append("the configuration is another")
    for name in sorted({*first.request, *second.request}):
        if first.request.get(name) != second.request.get(name):
            changed.append(f"the request has another {name}")
    return changed


def _replay(arguments: Namespace) -> None:
    from coderag.payload import replayed, write_record

    record = _records(arguments)[0]
    with opened(arguments) as index:
        caught_up(index, arguments.no_update)
        now = replayed(index, record)
    if arguments.output:
        say(f"recorded as {write_record(Path(arguments.output), now)}")
    _show_difference(arguments, record, now)


# minimize


def _minimize(arguments: Namespace) -> None:
    from coderag.payload import minimise, read_record, write_record

    path, *command = arguments.operands
    if arguments.command_line:
        command = [*shlex.split(arguments.command_line), *command]
    if not command:
        raise ConfigError(
            "payload minimize takes a record and a command: coderag payload minimize RECORD -- COMMAND ARGUMENT…"
        )
    record = read_record(path)
    directory = Path(arguments.output or f"{path.removesuffix('.coderag.json')}.trials")
    found = minimise(record, command, directory=directory, seconds=arguments.seconds, watch=_watching)
    from dataclasses import replace

    smallest = write_record(
        directory, replace(record, payload=found.payload, trial={"smallest": True, "trials": found.trials})
    )
    kept = [{"layer": piece.layer, "id": piece.id} for piece in found.kept]
    if arguments.json:
        print_json({"kept": kept, "pieces": found.pieces, "trials": found.trials, "record": str(smallest)})
        return
    out = screen(arguments.no_color)
    out.line(
        f"{len(kept)} of {plural(found.pieces, 'piece')} show the problem, found in {plural(found.trials, 'trial')}"
    )
    for piece in found.kept:
        out.line((f"  {piece.layer}", "place"), f": {shortened(piece.id)}")
    out.line((f"recorded as {smallest}", "quiet"))


def _watching(trial: int, kept: int, shows: bool) -> None:
    say(f"trial {trial}: {plural(kept, 'piece')}, {'the problem is there' if shows else 'no problem'}")


# prefix


def _prefix(arguments: Namespace) -> None:
    from coderag.assemble.prefix import shared_prefix

    first, second = _records(arguments)
    found = shared_prefix(first.payload, second.payload, cached_price=arguments.price)
    if arguments.json:
        print_json(asdict(found))
        return
    show_prefix(screen(arguments.no_color), found, arguments.price)


def show_prefix(out: Screen, found: SharedPrefix, price: float) -> None:
    """How much two payloads share, layer by layer, and what broke it."""
    out.line(
        f"shared prefix: {found.bytes:,} of {found.total_bytes:,} bytes, {found.tokens:,} of {found.total_tokens:,} tokens"
    )
    for layer in found.layers:
        out.line(
            f"  {layer.layer:<22}{layer.state.value:<9}{layer.shared_bytes:>9,} of {layer.bytes:,} bytes, "
            f"{layer.shared_tokens:,} of {layer.tokens:,} tokens",
            (" cacheable" if layer.cacheable else "", "quiet"),
        )
    if found.is_whole:
        out.line("nothing broke it: the payloads are equal")
    else:
        out.line(
            "broken in ",
            (found.breaker, "place"),
            f" at its byte {found.at:,}: {found.before!r} became {found.after!r}",
        )
    out.line(f"with cached tokens at {price:g} of the price, the second costs {found.cost:.1%} of what it costs fresh")
