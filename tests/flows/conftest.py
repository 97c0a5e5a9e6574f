"""The event loop, the theme, and the signatures of transfers, for tests that use the whole window."""

from tests.secrecy import signatures
from tests.ui.conftest import _installed, loop, theme

__all__ = ["_installed", "loop", "signatures", "theme"]
