"""A server from its first call to its end: building in the background, progress, cancelling, several clients, one that goes away."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from coderag import Index
from coderag.store.lock import writer_lock
from tests.mcp.conftest import connected, server_command, text_of, write_files

NOISE = """
import builtins, os, sys
original = builtins.__import__

def noisy(name, *arguments, **options):
    if name.partition(".")[0] in ("numpy", "mcp", "tree_sitter"):
        print("noise on print")
        os.write(1, b"noise on the descriptor\\n")
    return original(name, *arguments, **options)

builtins.__import__ = noisy
"""


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A repository without an index."""
    return write_files(tmp_path / "fresh")


def test_the_first_call_does_not_wait_for_the_index(fresh: Path) -> None:
    heard: list[tuple[float, str]] = []

    async def hear(progress: float, _: float | None, message: str | None) -> None:
        heard.append((progress, message or ""))

    directory = fresh / ".coderag"
    directory.mkdir()
    with connected(server_command(fresh)) as found:
        with writer_lock(directory, 1.0):  # as long as somebody else writes, it cannot be built
            first = found.data("search", question="sum of a cart")
            assert found.call("symbol", name="Cart").is_error
            assert found.data("status")["index"]["state"] == "building"
        assert first["index"]["state"] == "building"
        assert first["hits"][0]["path"] == "shop/cart.py" and first["hits"][0]["kind"] == "line"
        assert "not ranked" in first["notes"][0]
        found.call("status", hear, wait_seconds=60)
        assert found.data("status")["index"]["state"] == "fresh"
        assert found.data("search", question="sum of a cart")["hits"][0]["kind"] != "line"
    assert [progress for progress, _ in heard] == sorted({progress for progress, _ in heard})
    assert any(message.startswith("read ") for _, message in heard)


def test_a_change_is_seen_by_the_next_question(fresh: Path) -> None:
    Index.build(fresh).close()
    with connected(server_command(fresh)) as found:
        found.data("search", question="cart")
        (fresh / "shop" / "refund.py").write_text("def refund_everything():\n    return 1\n")
        (fresh / "shop" / "money.py").unlink()
        answer = found.data("search", question="refund everything")
        assert (answer["hits"][0]["symbol"], answer["index"]["state"]) == ("refund_everything", "fresh")
        assert found.call("outline", path="shop/money.py").is_error


def test_what_changed_is_marked_while_the_index_cannot_be_updated(fresh: Path) -> None:
    Index.build(fresh).close()
    with connected(server_command(fresh)) as found, writer_lock(fresh / ".coderag", 1.0):
        (fresh / "shop" / "cart.py").write_text("def sum_of(lines):\n    return 0\n")
        answer = found.call("search", question="sum of a cart")
        assert answer.structured_content["index"]["state"] == "stale"
        assert answer.structured_content["index"]["pending"] == {"changed": 1}
        assert "is writing the index" in answer.structured_content["index"]["reason"]
        stale = {hit["path"] for hit in answer.structured_content["hits"] if hit["stale"]}
        assert stale == {"shop/cart.py"}
        assert text_of(answer).startswith("index: STALE (1 changed files)")
        assert "STALE: the file has changed" in text_of(answer)


def test_a_damaged_index_is_built_anew_in_the_background(fresh: Path) -> None:
    Index.build(fresh).close()
    database = fresh / ".coderag" / "index.sqlite3"
    database.write_bytes(database.read_bytes()[:5_000])
    with connected(server_command(fresh)) as found:
        assert found.data("search", question="sum of a cart")["index"]["state"] == "building"
        found.call("status", wait_seconds=60)
        assert found.data("search", question="sum of a cart")["index"]["state"] == "fresh"


def test_nothing_but_the_protocol_is_on_standard_output(fresh: Path) -> None:
    write_files(fresh.parent / "noise", {"sitecustomize.py": NOISE})
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(fresh.parent / "noise"), str(Path.cwd())])}
    messages = [
        initialize(),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        call(2, "status", wait_seconds=60),
        call(3, "search", question="cart"),
    ]
    done = run_raw(fresh, messages, environment)
    assert b"noise on print" in done.stderr and b"noise on the descriptor" in done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert {answer.get("id") for answer in answers} >= {1, 2}


def initialize() -> dict[str, Any]:
    parameters = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": parameters}


def call(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def start(
    root: Path, environment: dict[str, str] | None = None, errors: Any = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "coderag", "mcp", "--root", str(root)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment)


def run_raw(root: Path, messages: list[Any], environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Say every message, wait for the answer to each request before the next, then go away."""
    said = b""
    with tempfile.TemporaryFile() as errors:  # no pipe: nobody reads it meanwhile
        process = start(root, environment, errors)
        assert process.stdin is not None and process.stdout is not None
        for message in messages:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            if "id" in message:
                said += process.stdout.readline()
        output, _ = process.communicate(timeout=60)
        errors.seek(0)
        return subprocess.CompletedProcess([], process.returncode, said + output, errors.read())


def test_what_is_no_message_gets_an_error_and_the_next_one_its_answer(shop: Path) -> None:
    process = start(shop)
    assert process.stdin is not None
    process.stdin.write(b"garbage\n\xff\xfe\n[]\n{}\n" + json.dumps(initialize()).encode() + b"\n")
    process.stdin.flush()
    assert process.stdout is not None
    while json.loads(process.stdout.readline()).get("id") != 1:
        pass
    process.communicate(timeout=60)


@pytest.mark.parametrize("leave", [lambda process: process.stdin.close(), lambda process: process.stdout.close()])
def test_the_server_ends_when_its_client_goes_away_and_leaves_nobody(fresh: Path, leave: Callable[[Any], None]) -> None:
    (fresh / ".coderag").mkdir()
    process = start(fresh)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    with writer_lock(fresh / ".coderag", 1.0):
        for message in (initialize(), {"jsonrpc": "2.0", "method": "notifications/initialized"}, call(2, "status")):
            process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        assert [json.loads(process.stdout.readline())["id"] for _ in range(2)] == [1, 2]
        assert len(processes_about(fresh)) == 2
        leave(process)
        if not process.stdin.closed:  # it notices when it has something to say
            process.stdin.write(json.dumps(call(3, "status")).encode() + b"\n")
            process.stdin.flush()
        assert process.wait(timeout=60) == 0
        assert processes_about(fresh) == []
    assert b"Traceback" not in process.stderr.read()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


def processes_about(root: Path) -> list[str]:
    """The command lines of processes that name a root."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            command = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if os.fsencode(root) in command.split(b"\0"):
            found.append(entry.name)
    return found


def test_a_call_can_be_cancelled_and_the_next_one_is_answered(fresh: Path) -> None:
    (fresh / ".coderag").mkdir()

    async def ask() -> None:
        async with Client(server_command(fresh)) as client:
            await client.call_tool("status", {})
            async with anyio.create_task_group() as group:
                started = anyio.Event()

                async def wait_long() -> None:
                    started.set()
                    await client.call_tool("status", {"wait_seconds": 600})
                    raise AssertionError("it was not cancelled")

                group.start_soon(wait_long)
                await started.wait()
                await client.call_tool("status", {})
                group.cancel_scope.cancel()
            answer = await client.call_tool("search", {"question": "cart"})
            assert answer.structured_content["index"]["state"] == "building"

    with writer_lock(fresh / ".coderag", 1.0):
        anyio.run(ask)


def test_nothing_in_the_current_directory_is_run(fresh: Path) -> None:
    """The server is started in a repository, which may be a stranger's."""
    planted = "import os\nos.write(2, b'PLANTED')\nos._exit(7)\n"
    write_files(
        fresh,
        dict.fromkeys(("json.py", "numpy.py", "coderag/__init__.py", "mcp/__init__.py", "sitecustomize.py"), planted),
    )
    command = StdioServerParameters(
        command=sys.executable, args=["-P", "-m", "coderag", "mcp"], cwd=fresh, env={"PYTHONPATH": str(Path.cwd())}
    )
    with connected(command) as found:
        found.call("status", wait_seconds=60)
        assert found.data("search", question="sum of a cart")["index"]["state"] == "fresh"


def test_many_calls_at_once_are_all_answered(shop: Path) -> None:
    async def ask() -> None:
        async with Client(server_command(shop)) as client:
            answers: list[Any] = []

            async def one(tool: str, arguments: dict[str, Any]) -> None:
                answers.append(await client.call_tool(tool, arguments))

            async with anyio.create_task_group() as group:
                for number in range(5):
                    group.start_soon(one, "search", {"question": f"cart {number}"})
                    group.start_soon(one, "symbol", {"name": "Cart"})
                    group.start_soon(one, "outline", {"path": "../x"})
            assert sorted(answer.is_error for answer in answers) == [False] * 10 + [True] * 5

    anyio.run(ask)


def test_two_clients_on_one_root_both_get_it_indexed(fresh: Path) -> None:
    with connected(server_command(fresh)) as one, connected(server_command(fresh)) as two:
        for found in (one, two):
            found.call("search", question="cart")
        for found in (one, two):
            found.call("status", wait_seconds=60)
        assert [found.data("search", question="cart")["index"]["state"] for found in (one, two)] == ["fresh", "fresh"]
