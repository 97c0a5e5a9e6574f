"""Where the help explains a widget and what is in it, and the button that opens it there."""

from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.buttons import ButtonSize, IconButton

_HELP_ADDRESS = "help_address"
"""The dynamic property with the address."""


@runtime_checkable
class ShowsHelp(Protocol):
    """A window that can show the help."""

    def show_help(self, address: str) -> None:
        """Show the help at an address, or where the window is if it is empty."""


def set_help_address(widget: QWidget, address: str) -> None:
    """Set where the help explains a widget and what is in it, such as `data.md#checks`."""
    widget.setProperty(_HELP_ADDRESS, address)


def help_address_of(widget: QWidget | None) -> str:
    """The address of a widget, or of the nearest one around it that has one; empty if none has."""
    while widget is not None:
        if address := widget.property(_HELP_ADDRESS):
            return str(address)
        widget = widget.parentWidget()
    return ""


def show_help_of(widget: QWidget) -> None:
    """Show the help about a widget."""
    window = widget.window()
    if isinstance(window, ShowsHelp):
        window.show_help(help_address_of(widget))


class HelpButton(IconButton):
    """Shows the help about what it is in.

    Args:
        subject: the title of what it is in, for screen readers.
    """

    def __init__(self, subject: str = "", *, height: ButtonSize = ButtonSize.SMALL) -> None:
        super().__init__("question", _("Help"), keys="F1", height=height, glyph_size=16)
        self.setAccessibleDescription(sanitize_line(subject))
        self.clicked.connect(self._on_clicked)

    def _on_clicked(self) -> None:
        show_help_of(self)
