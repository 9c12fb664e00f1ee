from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coderag import Index, Settings

HOSTILE = "</script><script>window.owned = 1</script><img src=x onerror='window.owned = 1'>"

FILES = {
    "pay/refund.py": '"""Refunds."""\n\nfrom pay.order import Order\n\n\ndef approve_refund(order: Order) -> int:\n'
    '    """Pay the order back."""\n    order.mark_refunded()  # once\n    return order.total\n',
    "pay/order.py": '"""Orders."""\n\n\nclass Order:\n    total = 5\n\n    def mark_refunded(self) -> None:\n'
    '        """Set the state."""\n        self.state = "refunded"\n',
    "pay/desk.py": '"""The desk."""\n\nfrom pay.refund import approve_refund\n\n\ndef serve(order):\n'
    "    return approve_refund(order)\n",
    "web/refund.js": f"// refund {HOSTILE}\nexport function showRefund() {{\n  return `{HOSTILE}`;\n}}\n",
}
TASK = "how is a refund approved"


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """The index of a small shop, in which one file is hostile."""
    root = tmp_path_factory.mktemp("shop")
    write(root, FILES)
    with Index.build(root, settings=Settings(workers=1)) as index:
        yield index


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
