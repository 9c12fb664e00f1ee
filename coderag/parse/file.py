"""One file from text to `Parsed`."""

from __future__ import annotations

from functools import partial

from coderag.languages import BY_NAME, Language, reader_of
from coderag.languages.grammar import Compiled, compiled
from coderag.parse.bindings import bindings_of, untyped_receivers
from coderag.parse.borders import with_borders
from coderag.parse.comments import attachable
from coderag.parse.embedded import with_embedded
from coderag.parse.found import extend_reaching, gather, hide, matches_of, wrap
from coderag.parse.imports import exports_of, imports_of, names_of_imports
from coderag.parse.references import references_of
from coderag.parse.repair import Reading, disguised, repaired
from coderag.parse.scopes import Scopes, known_in, visible_locals
from coderag.parse.symbols import bounded, symbols_of, without_locals
from coderag.parse.text import Text, cursor_of, extent
from coderag.types import Parsed, Problem

MAX_STRAY = 10_000
"""Tokens side by side in an error: a query looks from each of them to the last, so their square counts."""


def parse(text: bytes, language: str) -> Parsed:
    """The structure of one file. `text` is UTF-8 (`SourceFile.text`); a language without a grammar has no symbols."""
    source = Text(text)
    lines = len(source.starts) if text else 0
    rules = compiled(language)
    row = BY_NAME[language]
    if rules is None:
        reader = reader_of(language)
        return reader(text) if reader else Parsed(language, lines)
    source.parsed = disguised(text, row)
    tree = rules.parser.parse(source.parsed)
    if not tree.root_node.has_error:
        found = _extract(source, Reading(source.parsed, tree, matches_of(rules, tree)), rules, row)
        return with_embedded(source, row, found, parse)
    if any(
        node.type == "ERROR" and node.child_count > MAX_STRAY for node in (tree.root_node, *tree.root_node.children)
    ):
        return Parsed(language, lines, problems=(Problem(1, "no structure could be found"),))
    reading = repaired(source, rules, row, tree)
    source.parsed = reading.text
    return with_embedded(source, row, _extract(source, reading, rules, row), parse)


def _extract(source: Text, reading: Reading, rules: Compiled, row: Language) -> Parsed:
    tree, problems = reading.tree, reading.problems
    leaves = cursor_of(rules.references).captures(tree.root_node)
    found, matches = gather(source, row, reading.matches)
    imported = names_of_imports(matches)
    found = [each for each in found if each.name.start_byte not in imported]
    wrap(found, leaves.get("wrapper", ()))
    exports = tuple(exports_of(source, matches))
    if row.exports:
        hide(source, found, {local for _, local in exports})
    comments = attachable(source, leaves)
    extend_reaching(source, found, comments)
    drafts = symbols_of(source, row, found, comments)
    if not row.code:
        drafts, problems = bounded(drafts, problems)
    scopes = Scopes(drafts)
    kept, numbers = without_locals(drafts)
    names = {each.name.start_byte for each in found} | imported.keys()
    visible = visible_locals(source, leaves, imported, scopes, drafts)
    references = references_of(source, row, leaves, names, scopes, visible, numbers)
    bindings = bindings_of(source, row, matches, partial(known_in, scopes, drafts, numbers, names))
    bindings += tuple(untyped_receivers(row, kept, references, bindings, dict(zip(numbers, visible, strict=True))))
    return Parsed(
        language=row.name,
        lines=len(source.starts) if source.data else 0,
        symbols=tuple(with_borders(source, tree, kept)),
        references=references,
        imports=imports_of(source, row, matches, scopes, numbers),
        bindings=bindings,
        exports=exports,
        module=next((source.cut(*extent(captures["module"][0])) for captures in matches if "module" in captures), ""),
        problems=problems,
    )
