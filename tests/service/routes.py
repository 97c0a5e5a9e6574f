"""The route table of the service as tests use it."""

import re
from collections.abc import Mapping

from batchwright.service.server.routes import API_ROUTES

CALLS = [(route.method, route.path) for route in API_ROUTES]
"""Every call that needs a token: its method, and its path with parameters in braces."""

_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")


def fill_path(path: str, values: Mapping[str, str]) -> str:
    """A path with values for its parameters.

    Raises:
        KeyError: a parameter has no value.
    """
    return _PARAMETER.sub(lambda match: values[match[1]], path)
