"""Questions in another language than the code: what they name is found, and with a model of both languages what they mean."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from coderag import Index, Settings
from coderag.embed import choose
from coderag.embed.protocol import TextKind
from tests.embed.fake import WordEmbedder

FILES = {
    "shop/refund.py": 'def retry_refund(order):\n    """Pays a customer back."""\n    return order.pay(-order.total, code=4711)\n',
    "shop/stock.py": "# 库存盘点\ndef count(shelf):\n    return len(shelf)\n",
    "shop/mail.py": 'def greet(name):\n    return f"Welcome back, {name}"\n',
    "shop/cart.py": "class Cart:\n    def add(self, item):\n        self.items.append(item)\n",
    "shop/lamp.py": "def lamp(on):\n    return not on\n",
}
MEANINGS = {"顾客": "customer", "付": "pays", "退": "back"}


class Bilingual(WordEmbedder):
    """As a model of two languages: a Chinese word has the vector of the English one."""

    def encode(self, texts: list[str], kind: TextKind = "passage") -> NDArray[np.float32]:  # type: ignore[override]
        return super().encode(
            [re.sub("|".join(MEANINGS), lambda match: f" {MEANINGS[match[0]]} ", text) for text in texts], kind
        )


def built(root: Path, embedding: str) -> Index:
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return Index.build(root, settings=Settings(embedding=embedding))


@pytest.mark.parametrize("embedding", ["none", "bundled"])
@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("retry_refund 在哪里被调用？", "shop/refund.py"),
        ("为什么 retry refund 会失败", "shop/refund.py"),
        ("shop/cart.py 里的 add 做什么", "shop/cart.py"),
        ("错误代码 4711 从哪里来", "shop/refund.py"),
        ("邮件里的 “Welcome back” 是在哪里写的", "shop/mail.py"),
        ("库存盘点的逻辑", "shop/stock.py"),
        ("「Cart」クラスはどこですか", "shop/cart.py"),
        ("где вызывается retry_refund?", "shop/refund.py"),
    ],
)
def test_what_a_question_names_is_found_whatever_its_language(
    tmp_path: Path, embedding: str, question: str, wanted: str
) -> None:
    with built(tmp_path, embedding) as index:
        assert index.search(question).hits[0].chunk.path == wanted


def test_with_a_model_of_both_languages_the_meaning_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "choose", lambda *_: Bilingual())
    with built(tmp_path, "bundled") as index:
        assert index.search("顾客付退").hits[0].chunk.path == "shop/refund.py"
