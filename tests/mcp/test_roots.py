"""Nothing outside of the roots can be asked about, read or listed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.types import ListRootsResult, Root

from coderag import Index, QueryError, RootError
from coderag.mcp import places
from tests.mcp.conftest import Assistant, connected, server_command, text_of, write_files

WITNESS = """
import os, sys

def watch(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and arguments and "outside" in str(arguments[0]):
        os.write(2, f"TOUCHED {event} {arguments[0]}\\n".encode())
        os.abort()

sys.addaudithook(watch)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root beside something that is none of its business."""
    top = tmp_path_factory.mktemp("roots")
    write_files(top / "outside", {"secret.py": "def secret():\n    return 'hidden'\n"})
    root = write_files(top / "root")
    (root / "leak").symlink_to(top / "outside")
    (root / "leak.py").symlink_to(top / "outside" / "secret.py")
    (root / "up").symlink_to("..")
    Index.build(root).close()
    write_files(top / "witness", {"sitecustomize.py": WITNESS})
    return top


@pytest.fixture(scope="module")
def confined(place: Path) -> Iterator[Assistant]:
    """An assistant whose server dies as soon as it, or a child, opens or lists anything outside of the root."""
    with connected(server_command(place / "root", environment={"PYTHONPATH": str(place / "witness")})) as found:
        yield found


def hostile_paths(top: Path) -> list[str]:
    outside = f"{top}/outside"
    return [
        "../outside/secret.py",
        "shop/../../outside/secret.py",
        "shop/../shop/cart.py",
        f"{outside}/secret.py",
        outside,
        "/etc/passwd",
        "//etc/passwd",
        "leak/secret.py",
        "leak",
        "leak.py",
        "up/outside/secret.py",
        "up",
        "..",
        "a\0b",
        f"{top}/root/../outside",
        f"{top}/rootless",
    ]


@pytest.mark.parametrize("number", range(16))
def test_a_path_out_of_the_root_is_refused_in_every_argument(confined: Assistant, place: Path, number: int) -> None:
    path = hostile_paths(place)[number]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("outline", {"path": path}),
        ("search", {"question": "secret", "focus": path}),
        ("search", {"question": "secret", "focus": f"{path}:1-3"}),
        ("search", {"question": "secret", "open_files": ["shop/cart.py", path]}),
        ("symbol", {"name": f"{path}#secret"}),
    ]
    for tool, arguments in calls:
        answer = confined.call(tool, **arguments)
        assert answer.is_error, (tool, arguments, text_of(answer))
        assert "hidden" not in text_of(answer)


@pytest.mark.parametrize("number", range(16))
def test_why_explains_a_link_but_does_not_look_behind_it(confined: Assistant, place: Path, number: int) -> None:
    path = hostile_paths(place)[number]
    for target in (path, f"{path}:1", f"{path}#secret"):
        answer = confined.call("why", target=target)
        is_link = path in ("leak", "leak.py", "up")
        assert answer.is_error is not is_link
        assert not is_link or answer.structured_content["verdict"] in ("left out", "no such path")
        assert "hidden" not in text_of(answer)


ODD = [
    "%2e%2e/outside",
    "C:\\Windows",
    "\\\\server\\share",
    "-rf",
    "*",
    "a\nb",
    "'; DROP TABLE files; --",
    '" OR 1=1',
    "NEAR(a b",
    "\udce9",
    "~",
    "$HOME",
    "x" * 3_999,
]


@pytest.mark.parametrize("text", ODD)
def test_odd_text_is_a_name_that_is_not_there(confined: Assistant, text: str) -> None:
    if "\udce9" in text:
        text = text.encode("utf-8", "replace").decode()
    for tool, arguments in (
        ("search", {"question": text}),
        ("search", {"question": "cart", "paths": [text]}),
        ("search", {"question": "cart", "trace": text, "focus": text}),
        ("symbol", {"name": text}),
        ("outline", {"path": text}),
        ("why", {"target": text}),
    ):
        answer = confined.call(tool, **arguments)
        assert "internal error" not in text_of(answer) and "hidden" not in text_of(answer)
        assert "sqlite" not in text_of(answer).lower()


def test_an_absolute_path_inside_of_the_root_is_understood(confined: Assistant, place: Path) -> None:
    assert confined.data("outline", path=f"{place}/root/shop/cart.py")["path"] == "shop/cart.py"


def test_an_answer_before_there_is_an_index_stays_inside_too(place: Path) -> None:
    with connected(
        server_command(
            place / "root", environment={"PYTHONPATH": str(place / "witness"), "CODERAG_INDEX_DIRECTORY": ".other"}
        )
    ) as found:
        hits = found.data("search", question="hidden secret cart")["hits"]
        assert hits and all(hit["path"].startswith(("shop/", "README")) for hit in hits)


def test_of_several_roots_one_must_be_named(tmp_path: Path) -> None:
    roots = [write_files(tmp_path / name) for name in ("one", "two")]
    for root in roots:
        Index.build(root).close()
    with connected(server_command(*roots)) as found:
        answer = found.call("search", question="cart")
        assert answer.is_error and str(roots[1]) in text_of(answer)
        assert found.data("search", question="cart", root="two")["index"]["root"] == str(roots[1])
        assert found.data("status", root=str(roots[0]))["roots"] == [str(root) for root in roots]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_without_a_root_the_client_is_asked_for_its_own(shop: Path, tmp_path: Path, mode: str) -> None:
    async def roots(_: object) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=shop.as_uri()), Root(uri="file:///no/such/place")])

    with connected(
        server_command(cwd=tmp_path, environment={"PYTHONPATH": str(Path.cwd())}), list_roots_callback=roots, mode=mode
    ) as found:
        assert found.data("search", question="cart")["index"]["root"] == str(shop)


def test_without_any_root_the_current_directory_is_meant(shop: Path) -> None:
    with connected(server_command(cwd=shop, environment={"PYTHONPATH": str(Path.cwd())})) as found:
        assert found.data("status")["roots"] == [str(shop)]


def test_the_whole_disk_is_no_root_unless_the_user_says_so() -> None:
    with pytest.raises(RootError, match="too wide"):
        places.usable_root("/", named_by_user=False)
    with pytest.raises(RootError, match="too wide"):
        places.usable_root(Path.home(), named_by_user=False)
    assert places.usable_root("/", named_by_user=True) == Path("/")


def test_only_directories_of_this_machine_count_among_the_roots_of_a_client(tmp_path: Path) -> None:
    addresses = [
        tmp_path.as_uri(),
        "https://example.org/",
        "file://elsewhere/tmp",
        "file:///no/such",
        "file:///a%00b",
        "",
        "x",
    ]
    assert places.roots_of_client(addresses) == [tmp_path]


def test_a_root_is_named_by_its_path_or_its_last_part() -> None:
    roots = [Path("/a/x"), Path("/b/y")]
    assert places.chosen_root(roots, "y") == places.chosen_root(roots, "/b/../b/y") == Path("/b/y")
    for wanted in ("", "/b", "/b/y/sub", "z", "\0"):
        with pytest.raises(QueryError):
            places.chosen_root(roots, wanted)
