"""Style, script and icon of the participant pages."""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from batchwright.resources import resource
from batchwright.service.participate.addresses import ASSETS

_TYPES = dict(ASSETS.values())
_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}


def get(request: Request) -> Response:
    """GET `/participate/assets/{name}`: pages name a file with a mark of its content, so it never changes."""
    name = request.path_params["name"]
    if name not in _TYPES:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return Response(resource("participant", name).read_bytes(), headers=_HEADERS, media_type=_TYPES[name])
