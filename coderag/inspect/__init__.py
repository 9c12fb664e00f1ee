"""A page to look at: a question, its candidates with every signal, the edges around them, and what of it reaches a model.

Thin over `Index.trial`, the payloads of `coderag.payload` and the records of them. The page is one file that needs no network; `serve` shows
the same page live on the loopback interface. Text of a repository is data: it goes into the page as JSON, is shown as text, and the
page's own policy lets no script run but its own.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coderag.inspect.gathering import inspected
    from coderag.inspect.page import render_page
    from coderag.inspect.recorded import of_record
    from coderag.inspect.values import Inspection

_MODULE_OF = {"Inspection": "values", "inspected": "gathering", "of_record": "recorded", "render_page": "page"}

__all__ = ["Inspection", "inspected", "of_record", "render_page"]


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
