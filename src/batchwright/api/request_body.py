"""What a request carries: JSON of which only what was set is written, or lines as they are (wire.md 1.2)."""

from dataclasses import dataclass, field

from batchwright.base.json_values import render
from batchwright.wire.base import RequestBody, payload
from batchwright.wire.datapoints import JSONL_TYPE, Lines


@dataclass(frozen=True)
class Content:
    """A body as it travels, and what it calls itself."""

    type: str
    text: bytes = field(repr=False)


def written(body: RequestBody | Lines) -> Content:
    """The content of a request."""
    if isinstance(body, Lines):
        return Content(JSONL_TYPE, body.text)
    return Content("application/json", render(payload(body)).encode())
