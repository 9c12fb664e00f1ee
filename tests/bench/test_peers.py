"""The peers and the plots of the benchmark of retrieval."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

from benchmarks.peers.bm25 import Bm25, Stretches, words
from benchmarks.peers.ripgrep import Files
from benchmarks.plots import plots
from coderag.bench import report
from coderag.bench.checkouts import Repositories
from coderag.bench.run import Coderag, run
from coderag.bench.stages import WHOLE
from coderag.bench.tasks import Sources, cases
from coderag.types import Without

SLICE = Path(__file__).parent / "slice"


def test_words_are_the_parts_of_identifiers() -> None:
    assert words("HTTPServer.get_url2(maxCount)") == ["http", "server", "get", "url", "2", "max", "count"]


def test_bm25_finds_the_stretch_with_the_rare_words(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("alpha = 1\n" * 60, encoding="utf-8")
    (tmp_path / "b.py").write_text("x = 1\n" * 70 + "zeta = alpha\n", encoding="utf-8")
    found = Stretches(tmp_path).find("zeta", 5)
    assert [(place.file, place.start_line) for place in found] == [("b.py", 51)]


@pytest.mark.skipif(shutil.which("rg") is None, reason="needs ripgrep")
def test_ripgrep_ranks_files_by_the_words_that_they_have(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("cookie\ncookie\n", encoding="utf-8")
    (tmp_path / "b.py").write_text("sign a cookie\n", encoding="utf-8")
    found = Files(str(shutil.which("rg")), tmp_path).find("how is a cookie signed: sign", 5)
    assert [place.file for place in found] == ["b.py", "a.py"]


def test_peers_and_plots_of_the_slice(tmp_path: Path) -> None:
    sources = Sources(Repositories((SLICE,)), questions=SLICE / "questions", fixes=SLICE / "fixes.json")
    subjects = [Coderag({WHOLE: Without(), "vectors alone": Without(frozenset({"lexical"}), reranker=True)}), Bm25()]
    documents = [
        report.as_object(run(each, cases(("questions", "fixes"), sources), tmp_path / each.name, print), {})
        for each in subjects
    ]
    assert documents[1]["tasks"]["questions"]["variants"]["BM25 over 50 lines"]["file"]["NDCG@10"][0] > 0.5
    drawn = dict(plots(documents))
    assert len(drawn) == 5
    for image in drawn.values():
        assert xml.fromstring(image).tag.endswith("svg")
