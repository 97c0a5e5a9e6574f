"""The tokens that the environment holds are taken out of it: no program started from here inherits them.

Browsers, worker processes and the service on this computer get the environment as it then is.
"""

import os
from collections.abc import Mapping
from typing import Final

SERVICE_TOKEN: Final = "BATCHWRIGHT_TOKEN"  # noqa: S105 - the name of a variable
"""Gives `batchwright serve` its token; a `--token-file` comes before it."""
CLIENT_TOKEN: Final = "PROLIFIC_TOKEN"  # noqa: S105 - the name of a variable
"""Gives the provider's official client its token; a new connection is offered it."""

_taken: dict[str, str] = {}


def take_tokens() -> None:
    """Take the tokens out of the environment of this process; `with_tokens` still knows them."""
    for name in (SERVICE_TOKEN, CLIENT_TOKEN):
        token = os.environ.pop(name, None)
        if token is not None:
            _taken[name] = token


def with_tokens() -> Mapping[str, str]:
    """The environment with the tokens that were taken out of it."""
    return {**_taken, **os.environ}
