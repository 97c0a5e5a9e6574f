"""Environment variables. Tokens are removed from the environment, so that no child process inherits them.

Child processes are browsers, worker processes and the local service.
"""

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from batchwright.base.policy import HOME, computer_policy

SERVICE_TOKEN: Final = "BATCHWRIGHT_TOKEN"  # noqa: S105 - the name of a variable
"""The token for `batchwright-cli serve`; the option `--token-file` has precedence."""
CLIENT_TOKEN: Final = "PROLIFIC_TOKEN"  # noqa: S105 - the name of a variable
"""The token of the provider's official client; it is offered for a new connection."""

HOME_VARIABLE: Final = "BATCHWRIGHT_HOME"
"""A folder that replaces the system's folders, for example for a portable installation."""

_removed: dict[str, str] = {}


def remove_tokens() -> Collection[str]:
    """Remove the tokens from the environment of this process and return them; `with_tokens` includes them."""
    for name in (SERVICE_TOKEN, CLIENT_TOKEN):
        token = os.environ.pop(name, None)
        if token is not None:
            _removed[name] = token
    return _removed.values()


def home() -> Path | None:
    """The folder in place of the system's folders, from policy or environment; None if there is none."""
    policy = computer_policy()
    folder = policy.locked(HOME) or os.environ.get(HOME_VARIABLE) or policy.preset(HOME)
    return Path(folder) if folder else None


def with_tokens() -> Mapping[str, str]:
    """The environment including the tokens that were removed from it."""
    return {**_removed, **os.environ}
