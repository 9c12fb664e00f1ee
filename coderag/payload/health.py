"""What `coderag doctor context` looks at: the configuration of a root and the files that its layers name."""

from __future__ import annotations

from pathlib import Path

from coderag.assemble.configuration import Source, default_configuration
from coderag.assemble.lint import LintFinding, lint_configuration, lint_texts, lint_tools
from coderag.assemble.memory import Memory, key
from coderag.errors import ConfigError
from coderag.payload.files import load_configuration, read_text


def lint(root: Path, tools_file: str = "") -> tuple[LintFinding, ...]:
    """Everything that is wrong with the layers of a root, or with those by default where it configures none.

    A configuration that cannot be used is one finding for each of its mistakes. `tools_file`, below the root, has definitions of tools.
    """
    try:
        configuration = load_configuration(root, callables=None) or default_configuration()
    except ConfigError as error:
        return tuple(_mistake(message) for message in str(error).split("; "))
    found = list(lint_configuration(configuration))
    paths = {layer.name: layer.argument for layer in configuration.layers if layer.source is Source.FILE}
    read = {name: read_text(root, path) for name, path in paths.items()}
    for layer in configuration.layers:
        reason = read[layer.name].reason if layer.name in read else ""
        if reason and (layer.required or configuration.path):
            place = f"{configuration.path}:{layer.line}" if layer.line else configuration.path
            found.append(
                LintFinding("missing file", place, f"the layer {layer.name!r} has no text: {reason}", "write the file")
            )
    found += lint_texts(configuration, {name: each.text for name, each in read.items()}, paths)
    found += _memory(root, configuration.memory_file)
    if tools_file:
        tools = read_text(root, tools_file)
        found += lint_tools(tools.text, tools_file) if not tools.reason else [_mistake(tools.reason)]
    return tuple(found)


def _mistake(message: str) -> LintFinding:
    place, _, rest = message.partition(": ")
    known = rest and ":" in place
    return LintFinding("configuration", place if known else "", rest if known else message, "correct it")


def _memory(root: Path, path: str) -> list[LintFinding]:
    """Entries that stand both as confirmed and as rejected, which only a hand can bring about."""
    memory = Memory.parse(read_text(root, path).text)
    rejected = {key(entry.text) for entry in memory.rejected}
    confirmed = [entry for entry in memory.entries if entry.section == "confirmed" and key(entry.text) in rejected]
    return [
        LintFinding(
            "confirmed and rejected",
            f"{path}:{entry.first_line + 1}",
            f"{entry.text!r} is confirmed and rejected at once",
            "remove one of the two",
        )
        for entry in confirmed
    ]
