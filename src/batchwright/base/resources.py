"""Finds the bundled files."""

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_BUNDLED = _PACKAGE / "bundled"
_CHECKOUT = _PACKAGE.parents[1] / "resources"

SAMPLE_MEDIA = "https://media.batchwright.invalid/"
"""Base URL of the media in the records of the templates.

The domain is reserved and never resolves (RFC 2606), so that trying a template sends no request to anyone.
Participant pages of the local service show the bundled files instead.
"""
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
    """The name of the bundled picture or recording that a URL of a template refers to, if any."""
    name = address.removeprefix(SAMPLE_MEDIA)
    return name if name != address and name in _sample_names() else None


@cache
def _sample_names() -> frozenset[str]:
    folder = resource("samples", "media")
    media = (path for path in folder.rglob("*") if path.suffix in _MEDIA)
    return frozenset(path.relative_to(folder).as_posix() for path in media)
