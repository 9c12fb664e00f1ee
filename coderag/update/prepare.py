"""Whether there is anything to do, and what: a walk against a generation. Loads neither parser nor linker, so that "nothing" is quick."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from coderag.config import Settings
from coderag.embed.choose import Chosen
from coderag.records import Manifest, from_json, skipped_to_bytes
from coderag.store import Reader
from coderag.types import Walk
from coderag.update.embedding import Embedding
from coderag.update.identity import Identity, current_identity
from coderag.update.plan import Plan, all_skipped, make_plan, unread_from_bytes
from coderag.update.report import Report
from coderag.walk import head_commit


@dataclass(frozen=True, slots=True)
class Prepared:
    """A plan against one generation, and why more than the files in it may have to be done."""

    generation: int
    plan: Plan
    manifest: Manifest
    stored: Identity
    identity: Identity
    relink_all: bool
    embedding: Embedding


def prepare(
    reader: Reader, root: Path, walk: Walk, settings: Settings, chosen: Chosen, *, verify: bool = False
) -> Prepared | None:
    """What it takes to make a generation equal to a walk; None when it is. Reads no file whose stat proves it unchanged."""
    block = reader.block("manifest")
    manifest = Manifest.from_bytes(block) if block else Manifest.empty()
    stored, identity = Identity.from_bytes(reader.block("identity")), current_identity(settings)
    plan = make_plan(
        root,
        walk,
        manifest,
        unread_from_bytes(reader.block("unread")),
        settings,
        verify=verify,
        stale_languages=identity.stale_languages(stored),
    )
    relink_all = identity.links_differently(stored)
    embedding = Embedding.of(reader, chosen)
    alike = block is not None and reader.block("skipped") == skipped_to_bytes(all_skipped(plan, ()))
    done = plan.is_empty and not relink_all and not embedding.is_pending
    if alike and done and reader.block("head") == head_commit(root).encode():
        return None
    return Prepared(reader.generation, plan, manifest, stored, identity, relink_all, embedding)


def unchanged(reader: Reader, walk: Walk) -> Report:
    """The report of an update that had nothing to do."""
    manifest = Manifest.from_bytes(reader.block("manifest") or b"")
    skipped = Counter(reason for _, reason, _ in from_json(reader.block("skipped") or b"[]"))
    return Report(
        generation=reader.generation,
        files=len(manifest.paths),
        lines=int(manifest.lines.sum()),
        chunks=len(manifest.rows),
        edges=int.from_bytes(reader.block("edge_count") or b"", "little"),
        skipped=dict(sorted(skipped.items())),
        notes=walk.notes,
    )
