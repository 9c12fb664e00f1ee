"""A small repository to ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coderag import Index, Settings

FILES = {
    "pay/refund.py": '"""Refunds."""\n\n\ndef approve_refund(order):\n    """Pay the order back."""\n    return order.total\n',
    "pay/desk.py": "from pay.refund import approve_refund\n\n\ndef serve(order):\n    return approve_refund(order)\n",
    "pay/pay.go": "package pay\n\nfunc Pay() int { return 1 }\n",
}
TASK = "how is a refund approved"


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    root = tmp_path_factory.mktemp("shop")
    write(root, FILES)
    with Index.build(root, settings=Settings(workers=1)) as found:
        yield found
