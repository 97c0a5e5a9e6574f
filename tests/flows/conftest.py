"""The loop, and the look put back, for tests in which a person uses the whole window."""

from tests.ui.conftest import _installed, loop, theme

__all__ = ["_installed", "loop", "theme"]
