"""The estimate of tokens, against counts that tokenizers gave for these texts (mean of cl100k, o200k, Claude 2, DeepSeek and Qwen)."""

from __future__ import annotations

import pytest

from coderag.assemble import count_words, estimate_tokens

MEASURED = [
    ("def total(self, items: list[Item]) -> int:\n    return sum(item.price * item.count for item in items)\n", 27.0),
    (
        'func (c *Cart) Total() (int, error) {\n\tif c == nil {\n\t\treturn 0, errors.New("no cart")\n\t}\n\treturn c.total\n}\n',
        38.6,
    ),
    ("退款窗口以天为单位，法务要求改为十四天，请不要修改这个常量。\n订单状态只能从已支付变为已退款。\n", 35.0),
    (
        "Refund an order within fourteen days of the payment, unless the customer has already received a voucher.\n",
        20.0,
    ),
    ('{"id": 17, "name": "order", "items": [{"sku": "A-12", "count": 2}], "paid": true}\n', 34.6),
]


@pytest.mark.parametrize(("text", "tokens"), MEASURED)
def test_the_estimate_is_near_what_tokenizers_count(text: str, tokens: float) -> None:
    assert abs(estimate_tokens(text) - tokens) <= 0.15 * tokens


@pytest.mark.parametrize(("text", "tokens"), [("", 1), ("one two three", 3), ("a", 1), ("some plain words here", 4)])
def test_plain_words_count_one_each(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_words_are_counted_as_the_first_assembler_did() -> None:
    assert [count_words(text) for text in ("", " ", "a b\n c", "没有空格")] == [1, 1, 3, 1]
