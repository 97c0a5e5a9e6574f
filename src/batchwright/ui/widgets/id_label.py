"""Ids with a button that copies them."""

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.accessibility.announcements import announce
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import ButtonSize, IconButton
from batchwright.ui.widgets.text import ElidedLabel

_COPIED_MS = 1500
"""How long the button shows that the id was copied, in milliseconds."""


class CopyIdButton(IconButton):
    """Copies an id, and shows for a moment that it has.

    Args:
        name: the name of the button, as "Copy the batch id".
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__("copy", name, height=ButtonSize.TINY, glyph_size=14, parent=parent)
        self._name, self._id = name, ""
        self._timer = QTimer(self, singleShot=True, interval=_COPIED_MS)
        self._timer.timeout.connect(self._on_timeout)
        self.clicked.connect(self._copy)

    def set_id(self, id: str) -> None:
        """Set the id to copy; the button is hidden if it is empty."""
        self._id = id
        self.setVisible(bool(id))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._id)
        announce(self, _("Copied"))
        self.set_glyph("check")
        self.setToolTip(_("Copied"))
        self._timer.start()

    def _on_timeout(self) -> None:
        self.set_glyph("copy")
        self.set_name(self._name)


class IdLabel(QWidget):
    """The id of a resource, usually shortened, and a button that copies the complete id.

    Args:
        noun: what the id belongs to, shown before it, as "Batch".
        copy_name: the name of the button, as "Copy the batch id".
    """

    def __init__(self, noun: str, copy_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._noun = noun
        self._text = ElidedLabel("", TextRole.SMALL, "text2", in_middle=True, tabular=True)
        self.copy_button = CopyIdButton(copy_name)
        row(self._text, self.copy_button, gap=2, parent=self)
        self.hide()

    def show_id(self, id: str, shortened: str = "") -> None:
        """Show an id, shortened or complete; nothing if it is empty."""
        self._text.setText(f"{self._noun} {shortened or id}".strip())
        self.setToolTip(tooltip_text(id))
        self.copy_button.set_id(id)
        self.setVisible(bool(id))
