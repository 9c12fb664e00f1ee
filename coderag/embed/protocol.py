"""What the rest of coderag asks of an embedder. Knows no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

TextKind = Literal["passage", "query"]


@dataclass(frozen=True, slots=True)
class Identity:
    """What must be equal for two vectors to be comparable; stored with the vectors.

    `revision` changes whenever the model would give other numbers; `template` names the text that stands for a chunk.
    """

    name: str
    revision: str
    dimension: int
    template: str


class Embedder(Protocol):
    """Turns texts into unit vectors. The same texts give the same vectors in every process."""

    @property
    def identity(self) -> Identity:
        """Which vectors these are."""
        ...

    @property
    def dimension(self) -> int:
        """Components of a vector."""
        ...

    def encode(self, texts: Sequence[str], kind: TextKind = "passage") -> Matrix:
        """One row for each text, of Euclidean length 1; all zeros where a text says nothing that the model knows."""
        ...
