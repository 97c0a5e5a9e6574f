"""Reads a posted form, multipart or URL-encoded, as it arrives, with constant memory use."""

from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from urllib.parse import unquote_to_bytes, urlsplit

from python_multipart.multipart import parse_options_header
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from batchwright.base.limits import LARGEST_FORM, MAX_FORM_FIELDS
from batchwright.service.http.app_state import app_state
from batchwright.service.participate.multipart import (
    FileHead,
    FormData,
    InvalidForm,
    Receiver,
    ReceiverFactory,
    read_multipart,
)

_SLICE = 64 * 1024
"""Bytes that are decoded at a time, since decoding takes many times as much memory."""


def is_foreign(request: Request) -> bool:
    """Whether a page of another site sent the form, according to the browser's headers.

    The service's pages send no referrer, so their forms have the origin `null`. If a browser sends the origin
    anyway, it may differ from the host, which a proxy may have changed.
    """
    if request.headers.get("sec-fetch-site") == "cross-site":
        return True
    origin = request.headers.get("origin", "null")
    own = {request.headers.get("host", "").lower(), urlsplit(app_state(request).base_url).netloc.lower()}
    return origin != "null" and urlsplit(origin).netloc.lower() not in own


async def read_form(request: Request, receiver_for: ReceiverFactory) -> FormData:
    """Read a posted form, as `multipart/form-data` or URL-encoded.

    Raises:
        InvalidForm: neither of the two, sent by another site, or longer than a page can be.
    """
    if is_foreign(request):
        raise InvalidForm(HTTPStatus.FORBIDDEN)
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == b"multipart/form-data" and options.get(b"boundary"):
        return await read_multipart(request.stream(), options[b"boundary"], receiver_for)
    if kind == b"application/x-www-form-urlencoded":
        return await _url_encoded(request.stream())
    raise InvalidForm(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


def no_files(_head: FileHead, _fields: Mapping[str, list[str]]) -> Receiver:
    """The `ReceiverFactory` of a form without file fields."""
    raise InvalidForm


async def _url_encoded(stream: AsyncIterator[bytes]) -> FormData:
    body = bytearray()
    async for piece in stream:
        body += piece
        if len(body) > LARGEST_FORM:
            raise InvalidForm(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    if body.count(b"&") >= MAX_FORM_FIELDS:
        raise InvalidForm(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return await run_in_threadpool(_fields, bytes(body))


def _fields(body: bytes) -> FormData:
    """The fields of a URL-encoded form; empty ones too."""
    form = FormData()
    for pair in filter(None, body.split(b"&")):
        name, _equals, value = pair.partition(b"=")
        form.fields.setdefault(_decoded(name), []).append(_decoded(value))
    return form


def _decoded(text: bytes) -> str:
    """A name or value without its escapes, decoded in slices."""
    decoded = bytearray()
    start = 0
    while start < len(text):
        end = start + _SLICE
        escape = text.find(b"%", end - 2, end)
        end = escape if escape > start else end  # an escape must not be split
        decoded += unquote_to_bytes(text[start:end].replace(b"+", b" "))
        start = end
    return decoded.decode("utf-8", "replace")
