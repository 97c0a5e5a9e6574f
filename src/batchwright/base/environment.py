"""Environment variables. Tokens are removed from the environment, so that no child process inherits them.

Child processes are browsers, worker processes and the local service.
"""

import os
from collections.abc import Collection, Mapping
from typing import Final

SERVICE_TOKEN: Final = "BATCHWRIGHT_TOKEN"  # noqa: S105 - the name of a variable
"""Gives `batchwright serve` its token; a `--token-file` comes before it."""
CLIENT_TOKEN: Final = "PROLIFIC_TOKEN"  # noqa: S105 - the name of a variable
"""Gives the provider's official client its token; a new connection is offered it."""

HOME_VARIABLE: Final = "BATCHWRIGHT_HOME"
"""Names a folder to use in place of the system's ones, as for a portable installation."""

_removed: dict[str, str] = {}


def remove_tokens() -> Collection[str]:
    """Take the tokens out of the environment of this process, and return them; `with_tokens` has them."""
    for name in (SERVICE_TOKEN, CLIENT_TOKEN):
        token = os.environ.pop(name, None)
        if token is not None:
            _removed[name] = token
    return _removed.values()


def with_tokens() -> Mapping[str, str]:
    """The environment with the tokens that were taken out of it."""
    return {**_removed, **os.environ}
