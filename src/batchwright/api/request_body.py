"""What a request carries: JSON of which only what was set is written, or lines as they are.

Wire reference, section 1.2.
"""

from dataclasses import dataclass, field

from batchwright.base.json_values import to_json
from batchwright.wire.base import RequestBody, to_payload
from batchwright.wire.datapoints import JSONL_TYPE, JsonLinesBody


@dataclass(frozen=True)
class RequestBodyContent:
    """A body as it travels, and what it calls itself."""

    type: str
    text: bytes = field(repr=False)


def encode_body(body: RequestBody | JsonLinesBody) -> RequestBodyContent:
    """The content of a request."""
    if isinstance(body, JsonLinesBody):
        return RequestBodyContent(JSONL_TYPE, body.text)
    return RequestBodyContent("application/json", to_json(to_payload(body)).encode())
