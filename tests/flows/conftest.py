"""The event loop and the theme, for tests that use the whole window."""

from tests.ui.conftest import _installed, loop, theme

__all__ = ["_installed", "loop", "theme"]
