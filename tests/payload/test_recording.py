"""Records: for their owner alone, without secrets, exact, and never taken for what they are not."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coderag.assemble.payload import Part, Payload, PayloadBlock
from coderag.errors import ContextError, StorageError
from coderag.payload import Record, Request, read_record, write_record

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PAYLOAD = Payload(
    (
        PayloadBlock("system", "static", "be careful", 2, cacheable=True),
        PayloadBlock("code", "index").of_parts(
            (Part("a.py#f", "def f(): 中文", 4, "coderag:a.py#f", 0.5, ({"name": "x", "value": 1.0},)),)
        ),
    ),
    1_000,
    100,
    6,
)
RECORD = Record(PAYLOAD, {"task": "why?", "params": {"focus": "a.py:1"}}, {"layers": []}, 7)


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    place = write_record(tmp_path / "records", RECORD)
    again = read_record(place)
    assert again.payload == PAYLOAD and again.payload.data == PAYLOAD.data
    assert (again.request, again.configuration, again.generation, again.masked) == (
        RECORD.request,
        {"layers": []},
        7,
        0,
    )
    assert json.loads(place.read_text())["text"] == PAYLOAD.text


def test_only_the_owner_can_read_a_record(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        place = write_record(tmp_path / "new" / "records", RECORD)
    finally:
        os.umask(before)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700


def test_names_are_numbers_and_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "payload-0041.coderag.json").write_text("mine")
    assert [write_record(tmp_path, RECORD).name for _ in range(2)] == [
        "payload-0042.coderag.json",
        "payload-0043.coderag.json",
    ]
    assert (tmp_path / "payload-0041.coderag.json").read_text() == "mine"


def test_equal_payloads_give_equal_records(tmp_path: Path) -> None:
    assert write_record(tmp_path / "a", RECORD).read_bytes() == write_record(tmp_path / "b", RECORD).read_bytes()


def test_secrets_are_masked_wherever_they_stand(tmp_path: Path) -> None:
    secret = "hunter2Xk39dkeJ3k2lqP"
    payload = Payload(
        (
            PayloadBlock("system", "static", f'password = "{secret}"'),
            PayloadBlock("code", "index").of_parts(
                (Part("p", f"token: {TOKEN}", detail={"why": TOKEN}, source=f"https://u:{secret}@h/"),)
            ),
        )
    )
    said = json.dumps({"role": "user", "content": f"try api_key={secret} please"})
    request = Request(task=f"use {TOKEN}", texts={"api_key": secret}, history=said).to_dict()
    place = write_record(tmp_path, Record(payload, request, {"layers": [{"text": TOKEN}]}))
    text = place.read_text()
    assert secret not in text and TOKEN not in text and TOKEN[4:] not in text
    again = read_record(place)
    assert again.masked >= 6
    assert again.payload.text == json.loads(text)["text"]
    assert len(again.payload.text) == len(payload.text)


@pytest.mark.parametrize(
    "text",
    [
        "def password_hash(token): return hash(token)",
        "token = self.tokens.next_token(position)\nsecret_key = settings.SECRET_KEY",
        "the password: see the documentation, it says how",
        "max_tokens=4000 token_count: 12",
    ],
)
def test_what_looks_like_no_secret_is_left_alone(tmp_path: Path, text: str) -> None:
    payload = Payload((PayloadBlock("a", "static", text),))
    assert read_record(write_record(tmp_path, Record(payload))).payload.text == payload.text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff\xfe",
        b'{"format": "coderag payload record"}',
        b'{"format": "coderag payload record", "version": 99, "payload": {}}',
        b'{"format": "coderag payload record", "version": 1, "payload": {"blocks": [{"layer": 3}]}}',
        b'{"format": "coderag payload record", "version": 1, "payload": 3}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_record_is_one_error(tmp_path: Path, data: bytes) -> None:
    place = tmp_path / "r.json"
    place.write_bytes(data)
    with pytest.raises(ContextError, match=r"r\.json"):
        read_record(place)


def test_a_record_that_is_missing_or_a_directory_or_no_file_is_an_error(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "none", tmp_path, tmp_path / "pipe"):
        with pytest.raises(ContextError):
            read_record(place)


def test_a_directory_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        write_record(tmp_path / "file" / "records", RECORD)


def test_a_link_in_the_place_of_a_record_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "payload-0001.coderag.json").symlink_to(tmp_path / "target")
    assert write_record(tmp_path, RECORD).name == "payload-0002.coderag.json"
    assert not (tmp_path / "target").exists()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_record_is_an_error_or_a_record(tmp_path: Path, data: st.DataObject) -> None:
    place = write_record(tmp_path / "r", RECORD)
    content = bytearray(place.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    place.write_bytes(bytes(content))
    with suppress(ContextError):
        assert isinstance(read_record(place).payload.text, str)
    place.unlink()
