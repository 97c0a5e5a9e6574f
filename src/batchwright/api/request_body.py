"""Request bodies: JSON with only the fields that were set, or JSON Lines (wire reference, section 1.2)."""

from dataclasses import dataclass, field

from batchwright.base.json_values import to_json
from batchwright.wire.base import RequestBody, to_payload
from batchwright.wire.datapoints import JSONL_TYPE, JsonLinesBody


@dataclass(frozen=True)
class RequestBodyContent:
    """The bytes of a request body and its media type."""

    type: str
    text: bytes = field(repr=False)


def encode_body(body: RequestBody | JsonLinesBody) -> RequestBodyContent:
    """Encode the body of a request."""
    if isinstance(body, JsonLinesBody):
        return RequestBodyContent(JSONL_TYPE, body.text)
    return RequestBodyContent("application/json", to_json(to_payload(body)).encode())
