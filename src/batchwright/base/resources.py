"""Finds the bundled files."""

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_BUNDLED = _PACKAGE / "bundled"
_CHECKOUT = _PACKAGE.parents[1] / "resources"

SAMPLE_MEDIA = "https://media.batchwright.invalid/"
"""Where the templates' records say that their media are: a name that is kept for leading nowhere (RFC 2606),
so that trying a template asks nobody for anything. Pages of the service on this computer show the bundled
files in their place."""
_MEDIA = (".png", ".mp3")


def resource(*parts: str) -> Path:
    """The path of a bundled file or folder, in a checkout, a wheel or the built program.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    for root in (_BUNDLED, _CHECKOUT):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"Batchwright is not installed completely: {'/'.join(parts)} is missing.")


def sample_medium(address: str) -> str | None:
    """The name of the bundled picture or recording that an address of the templates means, if it is one."""
    name = address.removeprefix(SAMPLE_MEDIA)
    return name if name != address and name in _sample_names() else None


@cache
def _sample_names() -> frozenset[str]:
    folder = resource("samples", "media")
    media = (path for path in folder.rglob("*") if path.suffix in _MEDIA)
    return frozenset(path.relative_to(folder).as_posix() for path in media)
