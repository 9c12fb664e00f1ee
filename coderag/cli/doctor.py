"""`coderag doctor`: what is wrong with the configuration of a payload's layers."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict

from coderag.cli.opening import opened
from coderag.cli.screen import print_json, screen
from coderag.cli.table import EXIT_FOUND, EXIT_NOTHING


def run_doctor(arguments: Namespace) -> int:
    """Print what was found: 0 when nothing is wrong, 1 when something is."""
    from coderag.payload import lint

    with opened(arguments) as index:
        findings = lint(index.root, arguments.tools)
    if arguments.json:
        print_json({"findings": [asdict(finding) for finding in findings]})
    else:
        out = screen(arguments.no_color)
        for finding in findings:
            out.line(
                (finding.place or "context", "place"),
                ": ",
                (finding.rule, "warning"),
                f": {finding.message}; {finding.advice}",
            )
        if not findings:
            out.line("nothing is wrong with the layers")
    return EXIT_NOTHING if findings else EXIT_FOUND
