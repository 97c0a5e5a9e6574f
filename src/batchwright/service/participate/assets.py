"""The files that participant pages load: style, script and icon, and the media of the templates."""

from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from batchwright.base.resources import SAMPLE_MEDIA, resource, sample_medium
from batchwright.service.participate.addresses import ASSETS

_TYPES = dict(ASSETS.values())
_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}


def get_asset(request: Request) -> Response:
    """GET `/participate/assets/{name}`: cached permanently, since URLs contain a hash of the content."""
    name = request.path_params["name"]
    if name not in _TYPES:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return Response(resource("participant", name).read_bytes(), headers=_HEADERS, media_type=_TYPES[name])


def get_sample(request: Request) -> Response:
    """GET `/participate/samples/{name}`: an image or recording of a template; ranges are supported."""
    name = sample_medium(SAMPLE_MEDIA + request.path_params["name"])
    if name is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    return FileResponse(resource("samples", "media", name), headers=headers)
