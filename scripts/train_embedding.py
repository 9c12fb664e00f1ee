#!/usr/bin/env python3
"""Make the bundled embedding model, step by step.

  train_embedding.py mine ARCHIVES ... --out ITEMS     archives of registry packages -> items, one file per package
  train_embedding.py packages ARCHIVES ... --items ITEMS --out TSV    what was used, with versions and stated licences
  train_embedding.py vocabulary ITEMS --out DATA       items -> tokenizer.json and token arrays
  train_embedding.py train DATA --out MODEL            token arrays -> int8 vectors
  train_embedding.py join MODEL MODEL --data DATA --out MODEL   several runs -> one model
  train_embedding.py evaluate MODEL --items HELDOUT    docstring to function in packages that were held out
  train_embedding.py questions MODEL BENCH CHECKOUTS   development questions, by vectors alone

The archives are those that `pip download`, `npm pack`, `apt-get download` and `apt-get source --download-only` bring; see
coderag/embed/model/CARD.md for the recipe and packages.tsv for their names and versions. Needs torch (training only), numpy and tokenizers.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import zipfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from embedding.archives import describe
from embedding.mine import EXCLUDED, items_file, key_of, mine

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

TOKENIZER = "tokenizer.json"
NOTHING = re.compile(r"(?!)")
ARRAYS = "items.npz"


def _mine(arguments: argparse.Namespace) -> None:
    arguments.out.mkdir(parents=True, exist_ok=True)
    archives = _archives(arguments.archives)
    with ProcessPoolExecutor(arguments.processes) as pool:
        excluded = NOTHING if arguments.held_out else EXCLUDED
        found = list(pool.map(partial(mine, folder=arguments.out, excluded=excluded), archives))
    print(
        f"{sum(each is not None for each in found)} of {len(archives)} archives, {sum(each[1] for each in found if each)} items"
    )


def _archives(folders: list[Path]) -> list[Path]:
    """All archives in the folders. Where there are source descriptions, they name the archives beside them."""
    found = []
    for folder in folders:
        endings = (".dsc",) if any(folder.glob("*.dsc")) else (".whl", ".zip", ".gz", ".tgz", ".deb")
        found += [each for each in sorted(folder.iterdir()) if each.suffix in endings]
    return found


def _packages(arguments: argparse.Namespace) -> None:
    rows = []
    for package in filter(None, map(describe, _archives(arguments.archives))):
        file = items_file(package, arguments.items)
        if file.exists() and file.stat().st_size:
            count = sum(1 for _ in file.open(encoding="utf-8"))
            rows.append(f"{package.registry}\t{package.name}\t{package.version}\t{package.licence}\t{count}\n")
    arguments.out.write_text(
        "registry\tname\tversion\tstated licence\titems\n" + "".join(sorted(set(rows))), encoding="utf-8"
    )


def _vocabulary(arguments: argparse.Namespace) -> None:
    from embedding.vocabulary import FIELDS, build, fields_of, read_items, tokenise

    packages = list(read_items(arguments.items))
    avoided = _held_out_keys(arguments.held_out)
    packages = [(name, [item for item in items if not avoided & _keys(item)]) for name, items in packages]
    packages = [(name, items) for name, items in packages if items]
    texts = [(name, [fields_of(item) for item in items]) for name, items in packages]
    tokenizer = build(
        ((name, text[field]) for name, found in texts for text in found for field in FIELDS), arguments.size
    )
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(arguments.out / TOKENIZER), pretty=False)
    arrays = tokenise(tokenizer, [items for _, items in packages], [found for _, found in texts])
    np.savez(arguments.out / ARRAYS, **arrays)
    documented = int((arrays["docs"] != 0).sum())
    print(
        f"{len(arrays['docs'])} items, {documented} documented, {len(packages)} packages, {tokenizer.get_vocab_size()} tokens"
    )


def _held_out_keys(folder: Path | None) -> set[str]:
    from embedding.vocabulary import read_items

    if folder is None:
        return set()
    return {key for _, items in read_items(folder) for item in items for key in _keys(item)}


def _keys(item: dict[str, str]) -> set[str]:
    """What an item must not share with one that is held out: its body, its documentation."""
    return {key_of(text) for text in (item["body"], item["doc"]) if len(text) > 40}


def _train(arguments: argparse.Namespace) -> None:
    import torch
    from embedding.training import QUESTION_WORDS, Data, Recipe, carried_over, quantise, train
    from tokenizers import Tokenizer

    torch.set_num_threads(arguments.threads)
    tokenizer = Tokenizer.from_file(str(arguments.data / TOKENIZER))
    recipe = Recipe(steps=arguments.steps, batch=arguments.batch, rate=arguments.rate, seed=arguments.seed)
    questions = [np.array(tokenizer.encode(words).ids) for words in QUESTION_WORDS]
    arguments.out.mkdir(parents=True, exist_ok=True)
    size = tokenizer.get_vocab_size()
    with np.load(arguments.data / ARRAYS) as arrays:
        data = Data(dict(arrays))
    start = None
    if arguments.start is not None:
        known = Tokenizer.from_file(str(arguments.start / TOKENIZER)).get_vocab()
        start = carried_over(np.load(arguments.start / "table.npy"), known, tokenizer.get_vocab(), recipe.seed)
    table = train(data, recipe, size, questions, arguments.out / "table.npy", start)
    table[tokenizer.token_to_id("[UNK]")] = 0
    np.save(arguments.out / "table.npy", table)
    write_model(arguments.out, tokenizer, *quantise(table))


def _join(arguments: argparse.Namespace) -> None:
    from embedding.training import joined, quantise
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(arguments.data / TOKENIZER))
    with np.load(arguments.data / ARRAYS) as arrays:
        counts = np.bincount(arrays["body_ids"], minlength=tokenizer.get_vocab_size())
    table = joined([np.load(model / "table.npy") for model in arguments.models], arguments.dimension, counts)
    arguments.out.mkdir(parents=True, exist_ok=True)
    write_model(arguments.out, tokenizer, *quantise(table))


def write_model(folder: Path, tokenizer: Tokenizer, rows: NDArray[np.int8], scales: NDArray[np.float32]) -> None:
    """The three files of a model, the same bytes for the same numbers."""
    tokenizer.save(str(folder / TOKENIZER), pretty=False)
    write_arrays(folder / "vectors.npz", {"rows": rows, "scales": scales})
    (folder / "model.json").write_text(
        json.dumps({"name": "coderag-static-code", "dimension": rows.shape[1], "tokens": len(rows)}, indent=1) + "\n"
    )


def write_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """An .npz without the time of day in it; not compressed, which would save 8 % and cost every cold search 30 ms."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, array, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), buffer.getvalue())


def _evaluate(arguments: argparse.Namespace) -> None:
    from embedding.evaluation import held_out

    from coderag.embed.static import StaticEmbedder

    print(json.dumps(held_out(StaticEmbedder.load(arguments.model), arguments.items), indent=1))


def _questions(arguments: argparse.Namespace) -> None:
    from embedding.evaluation import questions, score

    from coderag.embed.static import StaticEmbedder

    results = questions(StaticEmbedder.load(arguments.model), arguments.bench, arguments.checkouts)
    print(score(results, arguments.bench, arguments.out))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(required=True)
    step = _step(steps, "mine", _mine, archives={"type": Path, "nargs": "+"})
    step.add_argument("--out", type=Path, required=True)
    step.add_argument("--processes", type=int, default=2)
    step.add_argument(
        "--held-out", action="store_true", help="leave no package out by name: these are not to be trained on"
    )
    step = _step(steps, "packages", _packages, archives={"type": Path, "nargs": "+"})
    step.add_argument("--items", type=Path, required=True)
    step.add_argument("--out", type=Path, required=True)
    step = _step(steps, "vocabulary", _vocabulary, items={"type": Path})
    step.add_argument("--out", type=Path, required=True)
    step.add_argument("--held-out", type=Path)
    step.add_argument("--size", type=int, default=30_000)
    step = _step(steps, "train", _train, data={"type": Path})
    step.add_argument("--out", type=Path, required=True)
    step.add_argument("--steps", type=int, default=1_000)
    step.add_argument("--batch", type=int, default=1_024)
    step.add_argument("--rate", type=float, default=0.01)
    step.add_argument("--start", type=Path)
    step.add_argument("--seed", type=int, default=20)
    step.add_argument("--threads", type=int, default=2)
    step = _step(steps, "join", _join, models={"type": Path, "nargs": "+"})
    step.add_argument("--data", type=Path, required=True)
    step.add_argument("--dimension", type=int, default=256)
    step.add_argument("--out", type=Path, required=True)
    _step(steps, "evaluate", _evaluate, model={"type": Path}).add_argument("--items", type=Path, required=True)
    step = _step(steps, "questions", _questions, model={"type": Path}, bench={"type": Path}, checkouts={"type": Path})
    step.add_argument("--out", type=Path, default=Path("questions.json"))
    arguments = parser.parse_args()
    arguments.run(arguments)


def _step(
    steps: Any, name: str, run: Callable[[argparse.Namespace], None], **positional: Any
) -> argparse.ArgumentParser:
    step: argparse.ArgumentParser = steps.add_parser(name)
    for argument, options in positional.items():
        step.add_argument(argument, **options)
    step.set_defaults(run=run)
    return step


if __name__ == "__main__":
    main()
