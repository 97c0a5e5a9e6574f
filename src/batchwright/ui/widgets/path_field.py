"""A field with the path of a file or folder, which is chosen in a file dialog."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.fields import InputField


class PathField(InputField):
    """A path with buttons to choose and, unless it is required, to clear it."""

    choice_requested = Signal()
    changed = Signal(str)

    def __init__(
        self, label: str, path: str, placeholder: str = "", hint: str = "", *, required: bool = False
    ) -> None:
        self._line, buttons = QLineEdit(), QWidget()
        self._choose, self._clear = (
            Button(text, ButtonKind.QUIET, height=ButtonSize.SMALL) for text in (_("Choose…"), _("Clear"))
        )
        row(self._choose, self._clear, gap=4, parent=buttons)
        super().__init__(label, self._line, hint=hint, corner=buttons)
        for button in (self._choose, self._clear):
            button.setAccessibleDescription(label)
        self._clear.setVisible(not required)
        self._line.setReadOnly(True)
        self._line.setPlaceholderText(placeholder)
        self._choose.clicked.connect(self.choice_requested)
        self._clear.clicked.connect(lambda: self.set_path(""))
        self._show(path)

    @property
    def path(self) -> str:
        """The path; empty if there is none."""
        return self._line.text()

    def set_path(self, path: str) -> None:
        """Show another path, and emit `changed`."""
        self._show(path)
        self.changed.emit(path)

    @override
    def lock(self, reason: str) -> None:
        super().lock(reason)
        self._choose.hide()
        self._clear.hide()

    def _show(self, path: str) -> None:
        self._line.setText(path)
        self._clear.setEnabled(bool(path))
