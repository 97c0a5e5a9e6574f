"""Loading an image that a record or a layout shows; those of the templates are files of the program."""

import asyncio

from batchwright.api.http.errors import (
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
from batchwright.api.images import fetch_image
from batchwright.base.network_settings import NetworkSettings
from batchwright.base.resources import resource, sample_medium
from batchwright.workflows.image_errors import ImageProblem, ImageUnavailable


async def load_image(url: str, network: NetworkSettings, service: str = "") -> bytes:
    """The content of an image, which has not been decoded; `service` is the layout's (`fetch_image`).

    Raises:
        ImageUnavailable: it was not received.
        ApiError: the proxy or the certificates of the settings cannot be used.
    """
    sample = sample_medium(url)
    if sample is not None:
        return await asyncio.to_thread(resource("samples", "media", sample).read_bytes)
    try:
        return await fetch_image(url, network, service)
    except ProxyRefused:
        raise
    except CertificateUntrusted:
        problem = ImageProblem.UNTRUSTED
    except Unreachable:
        problem = ImageProblem.NO_RESPONSE
    except NotFound:
        problem = ImageProblem.NOT_FOUND
    except BeyondLimits:
        problem = ImageProblem.TOO_LARGE
    except (ErrorResponse, UnexpectedResponse):
        problem = ImageProblem.REFUSED
    except PrivateAddress:
        problem = ImageProblem.PRIVATE
    except BadAddress:
        problem = ImageProblem.NOT_HTTPS
    raise ImageUnavailable(problem)
