"""A posted page, read as it arrives: memory stays flat whatever is sent."""

from collections.abc import AsyncIterator
from http import HTTPStatus
from urllib.parse import parse_qsl

from python_multipart.multipart import parse_options_header
from starlette.requests import Request

from batchwright.service.participate.multipart import read_multipart
from batchwright.service.participate.posted import LONGEST_FIELDS, MOST_PARTS, Door, Posted, Unreadable


async def read_form(request: Request, door: Door) -> Posted:
    """Read a posted form, as `multipart/form-data` or URL-encoded.

    Raises:
        Unreadable: it is neither, or longer than a page can make it.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == b"multipart/form-data" and options.get(b"boundary"):
        return await read_multipart(request.stream(), options[b"boundary"], door)
    if kind == b"application/x-www-form-urlencoded":
        return await _url_encoded(request.stream())
    raise Unreadable(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


async def _url_encoded(stream: AsyncIterator[bytes]) -> Posted:
    body = bytearray()
    async for piece in stream:
        body += piece
        if len(body) > LONGEST_FIELDS:
            raise Unreadable(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    posted = Posted()
    try:
        pairs = parse_qsl(body.decode("ascii", "replace"), keep_blank_values=True, max_num_fields=MOST_PARTS)
    except ValueError:
        raise Unreadable from None
    for name, value in pairs:
        posted.fields.setdefault(name, []).append(value)
    return posted
