"""Every command of the command line as a table: the parser, the help and the list in README.md are made from it.

Imports only the standard library and the errors, for `coderag --help` waits for nothing else.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from coderag import __version__
from coderag.errors import ConfigError

EXIT_FOUND = 0
EXIT_NOTHING = 1
EXIT_FAILED = 2

DESCRIPTION = "Finds the code that a question is about: whole symbols, with their callers, ranked and explained."
EPILOG = "Exit status: 0 found, 1 nothing found, 2 could not run. `coderag COMMAND --help` explains a command."


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: its names (one without dashes is positional), its help, and what else argparse is told."""

    names: tuple[str, ...]
    help: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `module` of `coderag.cli` has the function `run_<name>` that takes the arguments and returns the exit status."""

    name: str
    usage: str
    summary: str
    module: str
    arguments: tuple[Argument, ...] = ()
    listed: bool = True


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1
    if not 0 <= number < 65_536:
        raise argparse.ArgumentTypeError(f"{text!r} is no port")
    return number


def _flag(name: str, help: str) -> Argument:
    return Argument((name,), help, {"action": "store_true"})


def _option(name: str, metavar: str, help: str) -> Argument:
    return Argument((name,), help, {"metavar": metavar})


def _list(names: tuple[str, ...], metavar: str, help: str) -> Argument:
    return Argument(names, help, {"metavar": metavar, "action": "append", "default": []})


_JSON = _flag("--json", "print JSON")
_DIRECTORY = Argument(
    ("--index-directory",), "where the index is stored (default: .coderag in the root)", {"metavar": "DIR"}
)
_ROOT = Argument(
    ("-C", "--root"),
    "the root of the code (default: the nearest directory upwards that has an index)",
    {"metavar": "DIR"},
)
_NO_COLOR = _flag("--no-color", "plain text, also on a terminal")
_NO_UPDATE = _flag("--no-update", "answer from the index as it is, even when a few files have changed")
_PLACE = (_ROOT, _DIRECTORY)
_FILTERS = (
    _list(("--path",), "GLOB", "only files that match, as in .gitignore; with ! before it, only others; repeatable"),
    _list(("--lang",), "LANGUAGE", "only this language; repeatable"),
    _list(("--kind",), "KIND", "only this kind of symbol (function, class, constant, …); repeatable"),
)
_SYMBOL = Argument(("symbol",), "a name (`put`, `Cart.total`), PATH#NAME, or a chunk id", {"metavar": "SYMBOL"})

COMMANDS: tuple[Command, ...] = (
    Command(
        "index",
        "[PATH]",
        "index a directory, or bring its index up to date",
        "indexing",
        (
            Argument(("path",), "the root of the code", {"nargs": "?", "default": ".", "metavar": "PATH"}),
            _flag("--rebuild", "build the index anew"),
            _flag("--verify", "trust nothing: read every file again, check every byte of the index"),
            Argument(
                ("--workers",), "processes that parse (default: one a processor)", {"metavar": "N", "type": _count}
            ),
            _DIRECTORY,
            _JSON,
            _NO_COLOR,
        ),
    ),
    Command(
        "search",
        "QUERY",
        "rank chunks for a question or a symbol, and say why",
        "searching",
        (
            Argument(
                ("query",), "words, a symbol, code or a stack trace; - reads it", {"nargs": "+", "metavar": "QUERY"}
            ),
            *_FILTERS,
            Argument(("-k",), "how many chunks (default: 10)", {"metavar": "N", "type": _count, "default": 10}),
            Argument(
                ("--lines",),
                "show so many lines of a chunk (default: 20)",
                {"metavar": "N", "type": int, "default": 20},
            ),
            _flag("--context", "also show the two lines above and below a chunk"),
            _JSON,
            _NO_UPDATE,
            _NO_COLOR,
            *_PLACE,
        ),
    ),
    Command(
        "context",
        "[TASK|init]",
        "what a model would be given for a task, within a budget; init: configure layers",
        "context",
        (
            Argument(("task",), "what is to be done, in words; - reads it", {"nargs": "*", "metavar": "TASK"}),
            Argument(("--focus",), "where the editor is", {"metavar": "PATH[:LINE[-LINE]]"}),
            Argument(
                ("--trace",), "a file with a stack trace or the output of a test; - reads it", {"metavar": "FILE"}
            ),
            Argument(
                ("--open",),
                "files that are open; repeatable",
                {"metavar": "PATH", "nargs": "+", "action": "extend", "default": []},
            ),
            Argument(
                ("--budget",),
                "how many tokens there may be (default: what the policy says)",
                {"metavar": "N", "type": _count},
            ),
            Argument(
                ("--policy",),
                "balanced (12 items, 4,000 tokens; the default), compact (8, 2,500) or expansive (20, 8,000)",
                {"metavar": "NAME", "default": "balanced"},
            ),
            Argument(("--format",), "xml (the default), md or json", {"metavar": "FORM", "default": "xml"}),
            _flag("--explain", "also show what was left out, and by which rule"),
            _flag(
                "--layers",
                "the whole input, layer by layer; as soon as layers are configured (`coderag context init`) also without",
            ),
            Argument(("--system",), "the text of the layer `system`", {"metavar": "FILE"}),
            Argument(("--tools",), "definitions of tools, as JSON", {"metavar": "FILE"}),
            Argument(("--history",), "the conversation so far: messages as JSON lines", {"metavar": "FILE"}),
            Argument(("--record",), "also write a record of it, with its secrets masked", {"metavar": "DIR"}),
            _flag(
                "--check-stable", "build it in two processes and report the first byte that is different, and its layer"
            ),
            Argument(("--payload",), argparse.SUPPRESS, {"action": "store_true"}),
            *_FILTERS,
            _NO_UPDATE,
            *_PLACE,
        ),
    ),
    Command(
        "payload",
        "show|diff|replay|minimize|prefix RECORD…",
        "look into recorded payloads: shares, differences, replays, the smallest that shows a problem",
        "payload",
        (
            Argument(
                ("action",),
                "show RECORD; diff A B; replay RECORD; minimize RECORD -- COMMAND …; prefix A B",
                {"choices": ("show", "diff", "replay", "minimize", "prefix"), "metavar": "ACTION"},
            ),
            Argument(
                ("operands",),
                "records, and for minimize the command that exits with 0 when the problem is there; {} in it is the payload's file",
                {"nargs": "+", "metavar": "RECORD"},
            ),
            _flag("--text", "show: the text that was sent, and nothing else"),
            Argument(
                ("--price",),
                "prefix: what a cached token costs, a fresh one being 1 (default: 0.1)",
                {"metavar": "RATIO", "type": float, "default": 0.1},
            ),
            Argument(
                ("--command",),
                "minimize: the command as one text, split into words without a shell",
                {"metavar": "TEXT", "dest": "command_line", "default": ""},
            ),
            Argument(
                ("--seconds",),
                "minimize: how long the command may take (default: 60)",
                {"metavar": "N", "type": float, "default": 60.0},
            ),
            Argument(
                ("--output",), "replay, minimize: where new records are written", {"metavar": "DIR", "default": ""}
            ),
            _JSON,
            _NO_UPDATE,
            _NO_COLOR,
            *_PLACE,
        ),
    ),
    Command(
        "doctor",
        "[symbols|callers|files|context]",
        "why retrieval failed, sign by sign; context: what is wrong with the layers of a payload",
        "doctor",
        (
            Argument(
                ("topic",),
                "symbols: the answer speaks of symbols that do not exist; callers: the change left callers behind; "
                "files: the answer asks to paste a file; context: the layers of a payload (default: the first three)",
                {"choices": ("symbols", "callers", "files", "context"), "nargs": "?", "metavar": "SIGN"},
            ),
            _flag("--repair", "first check every byte, build a damaged index anew, and bring it up to date"),
            Argument(
                ("--tools",), "a file below the root with definitions of tools", {"metavar": "FILE", "default": ""}
            ),
            _JSON,
            _NO_COLOR,
            *_PLACE,
        ),
    ),
    Command(
        "status",
        "",
        "what is indexed, how fresh it is, and what was left out",
        "status",
        (_flag("--skipped", "list everything that was left out, with its rule"), _JSON, _NO_COLOR, *_PLACE),
    ),
    Command(
        "why",
        "PATH[:LINE|#SYMBOL]",
        "the rule that left something out, or the chunks that hold it",
        "why",
        (Argument(("target",), "a path, PATH:LINE or PATH#SYMBOL", {"metavar": "TARGET"}), _JSON, _NO_COLOR, *_PLACE),
    ),
    Command(
        "explain",
        "QUERY",
        "why each hit is where it is: recallers, signals as bars, edges; --why: where an expected chunk was lost",
        "explain",
        (
            Argument(
                ("query",), "words, a symbol, code or a stack trace; - reads it", {"nargs": "*", "metavar": "QUERY"}
            ),
            Argument(("--why",), "an expected chunk: PATH#SYMBOL, PATH:LINE or PATH", {"metavar": "TARGET"}),
            Argument(("--focus",), "where the editor is", {"metavar": "PATH[:LINE[-LINE]]"}),
            Argument(
                ("--trace",), "a file with a stack trace or the output of a test; - reads it", {"metavar": "FILE"}
            ),
            Argument(("-k",), "how many chunks (default: 5)", {"metavar": "N", "type": _count, "default": 5}),
            Argument(
                ("--policy",),
                "--why: whose budget is looked at: balanced (the default), compact or expansive",
                {"metavar": "NAME", "default": "balanced"},
            ),
            *_FILTERS,
            _JSON,
            _NO_UPDATE,
            _NO_COLOR,
            *_PLACE,
        ),
    ),
    Command(
        "inspect",
        "QUERY|RECORD",
        "a page to look at: candidates, signals, edges, the budget and the input; --serve: the same live",
        "inspect",
        (
            Argument(
                ("task",),
                "words, a symbol, code or a stack trace, - reads it; or a record (`coderag context --record DIR`)",
                {"nargs": "*", "metavar": "QUERY"},
            ),
            Argument(
                ("-o", "--output"),
                "where the page is written; - prints it (default: in the index directory, or beside the record)",
                {"metavar": "FILE"},
            ),
            Argument(
                ("--serve",),
                "ask in the browser: serve the page on the loopback interface (default port: 7338)",
                {"metavar": "PORT", "type": _port, "nargs": "?", "const": 7338, "default": None},
            ),
            Argument(
                ("--candidates",),
                "how many candidates the page shows (default: 200)",
                {"metavar": "N", "type": _count, "default": 200},
            ),
            Argument(("--focus",), "where the editor is", {"metavar": "PATH[:LINE[-LINE]]"}),
            Argument(
                ("--trace",), "a file with a stack trace or the output of a test; - reads it", {"metavar": "FILE"}
            ),
            _list(("--open",), "PATH", "a file that is open; repeatable"),
            Argument(("--budget",), "how many tokens there may be", {"metavar": "N", "type": _count}),
            Argument(
                ("--policy",),
                "balanced (the default), compact or expansive",
                {"metavar": "NAME", "default": "balanced"},
            ),
            Argument(("--format",), "xml (the default), md or json", {"metavar": "FORM", "default": "xml"}),
            *_FILTERS,
            _NO_UPDATE,
            *_PLACE,
        ),
    ),
    Command(
        "check",
        "ANSWER|--diff",
        "what an answer or patch speaks of that does not exist; --diff: callers that a change left behind",
        "check",
        (
            Argument(
                ("answer",),
                "a model's answer or a patch; - reads it",
                {"nargs": "?", "metavar": "ANSWER"},
            ),
            Argument(
                ("--diff",),
                "look at what changed since a commit (default: HEAD) and at the callers of that",
                {"nargs": "?", "const": "HEAD", "metavar": "REV"},
            ),
            Argument(
                ("--payload",),
                "a record of what the model was given: say whether it held the right definitions",
                {"metavar": "RECORD"},
            ),
            _flag("--strict", "exit with 1 also for what is not sure"),
            _JSON,
            _NO_UPDATE,
            _NO_COLOR,
            *_PLACE,
        ),
    ),
    Command(
        "symbols",
        "[PATTERN]",
        "definitions whose name contains a pattern",
        "relations",
        (
            Argument(
                ("pattern",), "part of a qualified name, any case", {"nargs": "?", "default": "", "metavar": "PATTERN"}
            ),
            *_FILTERS,
            _JSON,
            _NO_UPDATE,
            _NO_COLOR,
            *_PLACE,
        ),
    ),
    Command(
        "callers",
        "SYMBOL",
        "who depends on a symbol, and how surely",
        "relations",
        (_SYMBOL, _JSON, _NO_UPDATE, _NO_COLOR, *_PLACE),
    ),
    Command(
        "callees",
        "SYMBOL",
        "what a symbol depends on, and how surely",
        "relations",
        (_SYMBOL, _JSON, _NO_UPDATE, _NO_COLOR, *_PLACE),
    ),
    Command(
        "bench",
        "TASK…",
        "measure retrieval on questions whose answers are known",
        "bench",
        (
            Argument(
                ("task",),
                "questions, fixes, issues, traces, docs, focus, yours (default: those whose data are given, else yours: "
                "the fixes in the history of the work tree)",
                {"nargs": "*", "metavar": "TASK"},
            ),
            _option("--questions", "FOLDER", "repos.json and annotations/: questions with their files"),
            _option("--fixes", "FOLDER", "messages of fixes with the functions that they changed"),
            _option("--issues", "FILE", "issues (SWE-bench Lite), a line of JSON each"),
            _option("--traces", "FILE", "stack traces, a line of JSON each"),
            _option("--packages", "FOLDER", "wheels whose docstrings are asked about (docs)"),
            _list(("--repositories",), "FOLDER", "where the repositories are, bare ones too; repeatable"),
            _list(("--only",), "NAME", "only this repository of the data; repeatable"),
            _list(
                ("--of",), "NAME[@COMMIT]", "mine this repository (focus, yours) instead of the work tree; repeatable"
            ),
            Argument(
                ("--commits",),
                "ask about so many commits of each (default: 30)",
                {"metavar": "N", "type": _count, "default": 30},
            ),
            Argument(("-C", "--root"), "the work tree (default: the current directory)", {"metavar": "DIR"}),
            _option("--work", "DIR", "where trees and indexes are kept for the next run (default: .coderag/bench)"),
            _flag("--ablate", "also without each recaller and each signal"),
            _option("--without", "NAMES", "leave out recallers and signals by name, or `reranker`, from everything"),
            _flag("--misses", "list every target that is not among the first, and what lost it"),
            _option("--out", "FILE", "write the result as JSON, too"),
            _option("--rankings", "FOLDER", "write what was answered, for other scorers"),
            _JSON,
            _NO_COLOR,
        ),
    ),
    Command(
        "tune",
        "[PATH]",
        "fit the ranking to the fixes in your own history, where that is better",
        "tune",
        (
            Argument(
                ("path",), "the root of the code, in a git work tree", {"nargs": "?", "default": ".", "metavar": "PATH"}
            ),
            Argument(
                ("--commits",),
                "learn from so many of the newest fixes (default: 90)",
                {"metavar": "N", "type": _count, "default": 90},
            ),
            _flag("--dry-run", "only show what would change"),
            _flag("--reset", "go back to the bundled weights"),
            _option(
                "--work", "DIR", "where trees and their index are kept for the next run (default: bench in the index)"
            ),
            _DIRECTORY,
            _JSON,
            _NO_COLOR,
        ),
    ),
    Command(
        "watch",
        "[PATH]",
        "keep the index up to date while files change",
        "watch",
        (
            Argument(("path",), "the root of the code", {"nargs": "?", "default": ".", "metavar": "PATH"}),
            _DIRECTORY,
        ),
    ),
    Command(
        "mcp",
        "[install AGENT…]",
        "serve assistants over the Model Context Protocol, or enter the server into their configuration",
        "mcp",
        (
            Argument(
                ("action",),
                "serve (the default), install or uninstall",
                {"nargs": "?", "choices": ("serve", "install", "uninstall"), "default": "serve", "metavar": "ACTION"},
            ),
            Argument(
                ("agents",),
                "assistants to install for: claude-code, cursor, vscode, …",
                {"nargs": "*", "metavar": "AGENT"},
            ),
            _list(("-C", "--root"), "DIR", "a root that may be read (default: those of the client); repeatable"),
            _DIRECTORY,
            Argument(
                ("--http",),
                "serve HTTP on the loopback interface, with a token (default port: 7337)",
                {"metavar": "PORT", "type": _port, "nargs": "?", "const": 7337, "default": None},
            ),
            Argument(("--token-file",), "where the token is kept (default: a new one each time)", {"metavar": "FILE"}),
            _flag("--user", "the configuration of the user rather than of the project"),
            _flag("--print", "only show what would be entered, and where"),
        ),
    ),
    Command("clean", "", "remove the index", "upkeep", _PLACE),
    Command("export", "", "the whole index as lines of JSON, equal for equal content", "upkeep", _PLACE, listed=False),
)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{message}; see `{self.prog} --help`")


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line. A wrong argument raises `ConfigError`."""
    top = _Parser(
        prog="coderag",
        usage="coderag COMMAND …",
        description=f"{DESCRIPTION}\n\ncommands:\n{_short_list()}",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"coderag {__version__}")
    commands = top.add_subparsers(
        prog="coderag", dest="command", metavar="COMMAND", help=argparse.SUPPRESS, required=True
    )
    for command in COMMANDS:
        summary = f"{command.summary[0].upper()}{command.summary[1:]}."
        below = commands.add_parser(command.name, description=summary, allow_abbrev=False)
        for argument in command.arguments:
            below.add_argument(*argument.names, help=argument.help.replace("%", "%%"), **argument.options)
        below.set_defaults(run=command)
    return top


def _short_list() -> str:
    rows = [(f"{command.name} {command.usage}".rstrip(), command.summary) for command in COMMANDS if command.listed]
    return "\n".join(f"  {left:<26}{right}" for left, right in rows)


def readme_rows() -> Iterator[str]:
    """The list of commands as README.md shows it."""
    for command in COMMANDS:
        if command.listed:
            left = f"coderag {command.name} {command.usage}".rstrip().replace("|", "\\|")
            yield f"| `{left}` | {command.summary} |"
