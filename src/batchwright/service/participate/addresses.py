"""The URLs of participant pages, as paths below the base URL, and the files that the pages load."""

import hashlib
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse

from batchwright.base.local_media import LOCAL_MEDIA, is_local_medium, media_type
from batchwright.base.resources import SAMPLE_MEDIA, resource, sample_medium
from batchwright.service.http.app_state import app_state
from batchwright.service.store import media_folders

ASSETS = {
    "style": ("participant.css", "text/css; charset=utf-8"),
    "script": ("participant.js", "text/javascript; charset=utf-8"),
    "icon": ("icon.svg", "image/svg+xml"),
}
"""Files that pages load from the service: file name and content type, by the name that templates use."""


class Addresses:
    """Creates the paths; the base URL may have a path itself, behind a proxy."""

    def __init__(self, base_url: str) -> None:
        self.root = urlsplit(base_url).path.rstrip("/") + "/participate"

    def study(self, batch: str, key: str, participant: str | None = None) -> str:
        """The start page of a study, as the link for participants."""
        query = {"key": key} | ({"participant": participant} if participant else {})
        return f"{self.root}/{quote(batch, safe='')}?{urlencode(query)}"

    def start(self, batch: str) -> str:
        """The target of the start form."""
        return f"{self.root}/{quote(batch, safe='')}/start"

    def submission(self, batch: str, submission: str, step: int | None = None) -> str:
        """A submission, at the page reached or at an earlier step."""
        path = f"{self.root}/{quote(batch, safe='')}/{submission}"
        return path if step is None else f"{path}?step={step}"

    def preview(self, preview: str) -> str:
        """A preview."""
        return f"{self.root}/preview/{preview}"

    def medium(self, address: str) -> str:
        """The URL of an image or recording; those of templates and of this computer come from the service."""
        if is_local_medium(address):
            return f"{self.root}/media/{address.removeprefix(LOCAL_MEDIA)}"
        sample = sample_medium(address)
        return address if sample is None else f"{self.root}/samples/{sample}"

    def assets(self) -> dict[str, str]:
        """The URLs of `ASSETS`, each with a hash of its content, so that browsers can cache it."""
        return {
            name: f"{self.root}/assets/{file}?v={_content_hash(file)}"
            for name, (file, _type) in ASSETS.items()
        }


@cache
def _content_hash(file: str) -> str:
    return hashlib.sha256(resource("participant", file).read_bytes()).hexdigest()[:12]


_TYPES = dict(ASSETS.values())
_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}


def get_asset(request: Request) -> Response:
    """GET `/participate/assets/{name}`: cached permanently, since URLs contain a hash of the content."""
    name = request.path_params["name"]
    if name not in _TYPES:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return Response(resource("participant", name).read_bytes(), headers=_HEADERS, media_type=_TYPES[name])


_MEDIA_HEADERS = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
_SVG, _SVG_POLICY = "image/svg+xml", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""The policy of a drawing, which could run scripts when it is opened by itself."""


def get_sample(request: Request) -> Response:
    """GET `/participate/samples/{name}`: an image or recording of a template; ranges are supported."""
    name = sample_medium(SAMPLE_MEDIA + request.path_params["name"])
    if name is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return _medium_response(request, resource("samples", "media", name), _MEDIA_HEADERS)


def get_medium(request: Request) -> Response:
    """GET `/participate/media/{folder_id}/{path}`: a file of this computer, also in ranges."""
    state = app_state(request)
    with state.database.read() as connection:
        folder = media_folders.find(connection, request.path_params["folder_id"])
    file = None if folder is None else folder.find(request.path_params["path"])
    if file is None or not state.serves_local_media:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    type = media_type(file.name)
    headers = _MEDIA_HEADERS | ({"Content-Security-Policy": _SVG_POLICY} if type == _SVG else {})
    return _medium_response(request, file, headers, type)


def _medium_response(
    request: Request, file: Path, headers: Mapping[str, str], type: str | None = None
) -> Response:
    """A file, whole or in ranges; 304 if the browser has it already."""
    response = FileResponse(file, headers=headers, media_type=type, stat_result=file.stat())
    is_known = response.headers["etag"] in request.headers.get("if-none-match", "")
    return NotModifiedResponse(response.headers) if is_known else response
