"""Loading an image that a record or a layout shows; those of templates and media folders are files."""

import asyncio

from batchwright.api.http.errors import (
    ApiError,
    BadAddress,
    BeyondLimits,
    CertificateUntrusted,
    ErrorResponse,
    NotFound,
    PrivateAddress,
    ProxyRefused,
    UnexpectedResponse,
    Unreachable,
)
from batchwright.api.images import LARGEST_IMAGE, fetch_image
from batchwright.base.local_media import MediaFolder, is_local_medium
from batchwright.base.network_settings import NetworkSettings
from batchwright.base.resources import resource, sample_medium
from batchwright.workflows.image_errors import ImageProblem, ImageUnavailable


async def load_image(
    url: str, network: NetworkSettings, service: str = "", media: MediaFolder | None = None
) -> bytes:
    """The content of an image, which has not been decoded; `service` is the layout's (`fetch_image`).

    `media` are the files on this computer that the data was read from.

    Raises:
        ImageUnavailable: it was not received.
        ApiError: the proxy or the certificates of the settings cannot be used.
    """
    if is_local_medium(url):
        return await asyncio.to_thread(_read, media, url)
    sample = sample_medium(url)
    if sample is not None:
        return await asyncio.to_thread(resource("samples", "media", sample).read_bytes)
    return await _load(url, network, service)


async def _load(url: str, network: NetworkSettings, service: str) -> bytes:
    """The content of an image on the web."""
    try:
        return await fetch_image(url, network, service)
    except ApiError as error:
        problem = image_problem(error)
        if problem is None:
            raise
    raise ImageUnavailable(problem)


def image_problem(error: ApiError) -> ImageProblem | None:
    """What an error says about an image; None for one of this computer or of the proxy."""
    if isinstance(error, ProxyRefused):
        return None
    return next((problem for type, problem in _PROBLEMS.items() if isinstance(error, type)), None)


_PROBLEMS = {
    CertificateUntrusted: ImageProblem.UNTRUSTED,
    Unreachable: ImageProblem.NO_RESPONSE,
    NotFound: ImageProblem.NOT_FOUND,
    BeyondLimits: ImageProblem.TOO_LARGE,
    ErrorResponse: ImageProblem.REFUSED,
    UnexpectedResponse: ImageProblem.REFUSED,
    PrivateAddress: ImageProblem.PRIVATE,
    BadAddress: ImageProblem.NOT_HTTPS,
}
"""The first type that fits decides."""


def _read(media: MediaFolder | None, url: str) -> bytes:
    """The content of a picture on this computer."""
    try:
        path = None if media is None else media.find_address(url)
        if path is None:
            raise ImageUnavailable(ImageProblem.NOT_FOUND)
        if path.stat().st_size > LARGEST_IMAGE:
            raise ImageUnavailable(ImageProblem.TOO_LARGE)
        return path.read_bytes()
    except OSError:
        raise ImageUnavailable(ImageProblem.NOT_FOUND) from None
