"""What is asked of payloads: their shared prefix, their differences, their repetitions, their smallest part."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coderag.assemble.comparison import Change, Difference, compare, repetitions
from coderag.assemble.minimize import minimal, pieces, with_pieces
from coderag.assemble.payload import GAP, LeftOut, Part, Payload, PayloadBlock
from coderag.assemble.prefix import LayerState, shared_prefix
from coderag.errors import ContextError


def words(text: str) -> int:
    return len(text.split())


def block(
    layer: str, *texts: str, cacheable: bool = False, scores: tuple[float, ...] = (), **fields: object
) -> PayloadBlock:
    parts = tuple(
        Part(text.split()[0], text, words(text), score=scores[n] if scores else None) for n, text in enumerate(texts)
    )
    made = PayloadBlock(layer, "index", cacheable=cacheable, tokens=sum(map(words, texts)), **fields).of_parts(parts)  # type: ignore[arg-type]
    return made


def payload(*blocks: PayloadBlock) -> Payload:
    made = Payload(blocks, 1_000, 100)
    return replace(made, tokens=words(made.text) if made.text else 0)


A = payload(
    block("system", "be careful", cacheable=True), block("code", "f one", "g two", "h three"), block("input", "why")
)


# Prefix


def test_equal_payloads_share_everything() -> None:
    found = shared_prefix(A, A, count=words)
    assert found.is_whole and found.breaker == ""
    assert (found.bytes, found.tokens) == (len(A.data), words(A.text))
    assert found.cost == pytest.approx(0.1)
    assert {each.state for each in found.layers} == {LayerState.SAME}


def test_the_first_different_byte_and_its_layer_are_named() -> None:
    other = replace(A, blocks=(A.blocks[0], block("code", "f one", "g 2", "h three"), A.blocks[2]))
    found = shared_prefix(A, other, count=words)
    assert found.breaker == "code"
    assert other.blocks[1].text.encode()[found.at :].startswith(b"2")
    assert A.data[: found.bytes] == other.data[: found.bytes]
    assert A.data[found.bytes] != other.data[found.bytes]
    assert {each.layer: each.state for each in found.layers} == {
        "system": LayerState.SAME,
        "code": LayerState.CHANGED,
        "input": LayerState.MOVED,
    }


def test_the_price_of_cached_tokens_decides_the_cost() -> None:
    other = replace(A, blocks=(*A.blocks[:2], block("input", "why not")))
    dear, cheap = (shared_prefix(A, other, count=words, cached_price=price).cost for price in (1.0, 0.0))
    assert dear == 1.0 and 0 < cheap < 0.3


@pytest.mark.parametrize("first", [A, payload()])
def test_a_layer_more_or_less(first: Payload) -> None:
    longer = replace(first, blocks=(*first.blocks, block("more", "x")))
    added = shared_prefix(first, longer, count=words)
    assert added.layers[-1].state is LayerState.ADDED and added.breaker == "more"
    removed = shared_prefix(longer, first, count=words)
    assert removed.layers[-1].state is LayerState.REMOVED and not removed.is_whole


TEXTS = st.text(alphabet="ab\n é字", max_size=12)


@given(st.lists(TEXTS, max_size=4), st.lists(TEXTS, max_size=4))
def test_a_shared_prefix_is_the_longest(one: list[str], two: list[str]) -> None:
    first = payload(*[PayloadBlock(f"l{n}", "static", text) for n, text in enumerate(one)])
    second = payload(*[PayloadBlock(f"l{n}", "static", text) for n, text in enumerate(two)])
    found = shared_prefix(first, second, count=words)
    assert first.data[: found.bytes] == second.data[: found.bytes]
    ended = found.bytes == min(len(first.data), len(second.data))
    assert ended or first.data[found.bytes] != second.data[found.bytes]
    assert found.is_whole == (first.data == second.data)
    assert 0.0 <= found.cost <= 1.0
    assert sum(each.shared_bytes for each in found.layers) <= found.bytes


# Difference


def changes(first: Payload, second: Payload) -> list[tuple[str, Change, int, int]]:
    return [(each.id, each.change, each.before, each.after) for each in compare(first, second).parts]


def test_equal_payloads_have_no_difference() -> None:
    assert compare(A, A).is_empty


def test_parts_are_in_out_moved_or_changed() -> None:
    other = payload(A.blocks[0], block("code", "h three", "g 2 now", "i four"), A.blocks[2])
    assert changes(A, other) == [
        ("f", Change.OUT, 1, 0),
        ("i", Change.IN, 0, 3),
        ("g", Change.CHANGED, 2, 2),
        ("g", Change.MOVED, 2, 2),
        ("h", Change.MOVED, 3, 1),
    ]
    assert [(each.layer, each.before, each.after) for each in compare(A, other).layers] == [("code", 6, 7)]


def test_what_goes_only_because_another_came_has_not_moved() -> None:
    other = payload(A.blocks[0], block("code", "new one", "f one", "g two", "h three"), A.blocks[2])
    assert changes(A, other) == [("new", Change.IN, 0, 1)]


def difference(first: PayloadBlock, second: PayloadBlock) -> Difference:
    return compare(payload(first), payload(second)).parts[0]


def test_a_difference_says_why() -> None:
    left_out = (LeftOut("g", "token limit", 9),)
    assert difference(block("c", "f 1", "g 2"), block("c", "f 1", left_out=left_out)).why == "left out: token limit"
    assert difference(block("c", "f 1", left_out=left_out), block("c", "f 1", "g 2")).why == "was left out: token limit"
    assert difference(block("c", "f 1", "g 2"), block("c", "f 1")).why == "not among what was found"
    changed = difference(block("c", "f 1\nx\ny"), block("c", "f 1\nx\nz w"))
    assert changed.why == "its text is different from line 3 on, +1 tokens"


def test_a_move_says_which_signals_changed() -> None:
    def ranked(*scores: tuple[str, float, float]) -> PayloadBlock:
        parts = tuple(
            Part(
                name,
                name,
                score=score,
                reasons=({"name": "lexical", "contribution": signal}, {"name": "length", "contribution": 1.0}),
            )
            for name, score, signal in scores
        )
        return PayloadBlock("c", "index").of_parts(parts)

    found = compare(
        payload(ranked(("f", 0.9, 2.0), ("g", 0.5, 1.0))), payload(ranked(("g", 0.8, 1.5), ("f", 0.4, 0.5)))
    )
    assert [each.why for each in found.parts] == [
        "score 0.900 → 0.400 (lexical -1.500)",
        "score 0.500 → 0.800 (lexical +0.500)",
    ]


def test_a_layer_that_comes_or_goes_is_a_difference() -> None:
    assert compare(payload(), A).layers[0].before is None
    assert compare(A, payload()).parts[0].why == "the layer is gone"


@settings(max_examples=60)
@given(st.lists(st.sampled_from("abcdef"), max_size=6), st.lists(st.sampled_from("abcdef"), max_size=6))
def test_differences_account_for_every_part(one: list[str], two: list[str]) -> None:
    found = compare(payload(block("c", *one)), payload(block("c", *two))).parts
    came = sum(each.change is Change.IN for each in found)
    went = sum(each.change is Change.OUT for each in found)
    assert len(one) - went + came == len(two)
    assert (one == two) == (not found)


# Repetitions


def test_text_that_is_there_twice_is_found_with_its_places() -> None:
    function = "\n".join(f"    statement number {n} of the function" for n in range(6))
    twice = payload(block("rules", f"a rule\n\n{function}"), block("code", "f first", f"g code\n{function}\nend"))
    (found,) = repetitions(twice, count=words)
    assert (found.first.layer, found.first.line, found.second.part, found.second.line) == ("rules", 3, "g", 2)
    assert found.lines == 6 and found.tokens == words(function)


def test_short_or_single_texts_are_no_repetitions() -> None:
    assert repetitions(payload(block("c", "}\n}\n}\n}\n}\n}\n}\n}"), block("d", "}\n}\n}\n}"))) == ()
    assert repetitions(A) == ()


# Smallest part


def test_the_smallest_part_that_shows_a_problem_is_found() -> None:
    tried: list[str] = []

    def shows(kept: tuple[object, ...]) -> bool:
        text = with_pieces(A, kept).text  # type: ignore[arg-type]
        tried.append(text)
        return "one" in text and "why" in text

    kept = minimal(pieces(A), shows)
    assert [(piece.layer, piece.id) for piece in kept] == [("code", "f"), ("input", "why")]
    assert with_pieces(A, kept).text == '<layer name="code">\nf one\n</layer>\n\n<layer name="input">\nwhy\n</layer>\n'
    assert len(tried) == len(set(tried))


def test_a_problem_that_needs_nothing_is_found_with_nothing() -> None:
    assert minimal(pieces(A), lambda kept: True) == ()
    assert minimal((), lambda kept: True) == ()


@settings(max_examples=150)
@given(st.integers(1, 24), st.sets(st.integers(0, 23), max_size=5), st.booleans())
def test_what_is_found_is_minimal(number: int, needed: set[int], odd: bool) -> None:
    needed = {each for each in needed if each < number}
    tried: list[tuple[int, ...]] = []

    def shows(kept: tuple[int, ...]) -> bool:
        tried.append(kept)
        return needed <= set(kept) and (not odd or not kept or len(kept) % 2 == len(needed) % 2 or len(kept) == number)

    found = minimal(tuple(range(number)), shows)
    assert found == tuple(sorted(found))
    assert len(tried) == len(set(tried)) <= number * number + 7 * number + 2
    if found and found != tuple(range(number)):
        assert shows(found)
    if not odd:
        assert set(found) == needed


def test_all_pieces_are_the_payload() -> None:
    assert with_pieces(A, pieces(A)) == A
    assert with_pieces(A, ()).text == ""


# Values


def test_a_body_is_its_parts_and_what_is_more_is_kept() -> None:
    plain = block("c", "f 1", "g 2")
    assert plain.body == f"f 1{GAP}g 2"
    other = replace(plain, body="something else")
    for each in (plain, other, replace(plain, is_framed=False)):
        assert PayloadBlock.from_dict(each.to_dict()) == each


@pytest.mark.parametrize(
    "document", [None, 3, [], "x", {"blocks": 3}, {"blocks": [1]}, {"blocks": [{}]}, {"blocks": [{"layer": 1}]}]
)
def test_what_is_no_payload_is_an_error(document: object) -> None:
    with pytest.raises(ContextError):
        Payload.from_dict(document)
