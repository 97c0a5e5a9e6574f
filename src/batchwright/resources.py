"""Finds the bundled files; the lowest room."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_BUNDLED = _PACKAGE / "bundled"
_CHECKOUT = _PACKAGE.parents[1] / "resources"


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
