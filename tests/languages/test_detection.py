"""Which language a file is taken for."""

from __future__ import annotations

import pytest

from coderag.languages import detect_language


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.rb", "ruby"),
        ("Rakefile", "ruby"),
        ("x.BATS", "bash"),
        ("Dockerfile.dev", "dockerfile"),
        ("dev.dockerfile", "dockerfile"),
        ("Dockerfile.dockerignore", "text"),
        ("GNUmakefile", "makefile"),
        ("Makefile.am", "makefile"),
        ("notes.ipynb", "notebook"),
        ("schema.ddl", "sql"),
        ("tsconfig.jsonc", "json"),
        ("README", "text"),
    ],
)
def test_a_name_tells(path: str, language: str) -> None:
    assert detect_language(path) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/usr/bin/env bash", "bash"),
        ("#!/bin/sh -e", "bash"),
        ("#! /usr/bin/python3.11 -u", "python"),
        ("#!/usr/bin/env -S deno run", "javascript"),
        ("#!/usr/bin/env -S LEVEL=1 node --check", "javascript"),
        ("#!/usr/local/bin/ruby", "ruby"),
        ("#!/usr/bin/env\tlua5.3", "lua"),
        ("#!/usr/bin/env perl", "text"),
        ("#!", "text"),
        ("text", "text"),
    ],
)
def test_the_first_line_tells_of_what_a_name_does_not(line: str, language: str) -> None:
    assert detect_language("bin/run", f"{line}\nrest\n".encode()) == language
