"""What one payload is asked for: the task and everything that comes with it. It is recorded, so that a payload can be built again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from coderag.assemble.documents import Fields, plain
from coderag.assemble.history import History


@dataclass(frozen=True, slots=True)
class Request:
    """A task with what the editor and the program know.

    `params` are those of a context query: `focus`, `open_files`, `trace`, filters. `texts` are those of static layers, by name; `history` is
    JSON lines. A `budget` of 0 leaves what the policy, or the index layer's limit, says.
    """

    task: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    policy: str = "balanced"
    form: str = "xml"
    budget: int = 0
    texts: Mapping[str, str] = field(default_factory=dict)
    tools: tuple[Mapping[str, Any], ...] = ()
    history: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that an index could look for."""
        return not (self.task.strip() or self.params.get("trace") or self.params.get("focus"))

    def to_dict(self) -> dict[str, Any]:
        """The request as a JSON object."""
        return {
            "task": self.task,
            "params": plain(self.params),
            "policy": self.policy,
            "form": self.form,
            "budget": self.budget,
            "texts": dict(self.texts),
            "tools": [dict(tool) for tool in self.tools],
            "history": [message.to_dict() for message in History.parse(self.history).messages],
        }

    @classmethod
    def from_dict(cls, document: Any) -> Self:
        """The inverse of `to_dict`.

        Raises:
            ContextError: a field is of the wrong form.
        """
        fields = Fields(document, "a request")
        return cls(
            task=fields.text("task", ""),
            params=fields.mapping("params"),
            policy=fields.text("policy", "balanced"),
            form=fields.text("form", "xml"),
            budget=fields.count("budget", 0),
            texts={name: str(text) for name, text in fields.mapping("texts").items()},
            tools=tuple(tool for tool in fields.list("tools") if isinstance(tool, Mapping)),
            history=History.of(each for each in fields.list("history") if isinstance(each, Mapping)).to_json_lines(),
        )
