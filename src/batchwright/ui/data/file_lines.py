"""Lines between the file bar and the records: columns that are left out, and a file that was not opened."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.background_tasks import TaskMessage
from batchwright.ui.core.formatting import number
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonSize, IconButton
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import Label

_NAMED = 3
"""How many columns are named before the others are counted."""


class LeftOutLine(Surface):
    """Which columns cannot be fields, and why; a button renames those whose names are the reason."""

    rename_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self._text = Label("", TextRole.SMALL, "text", wraps=True)
        self._rename = Button(_("Rename columns…"), glyph="pencil-simple", height=ButtonSize.NOTICE)
        self._rename.clicked.connect(self.rename_requested)
        line = row(gap=12, margins=(24, 8, 14, 8), parent=self)
        line.addWidget(Glyph("warning-fill", "warn", 18), 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._text, 1)
        line.put(self._rename)
        self.hide()

    def show_columns(self, left_out: Mapping[str, str], *, can_rename: bool) -> None:
        """Show the reasons by column; none hides the line."""
        self.setVisible(bool(left_out))
        self._rename.setVisible(can_rename)
        self._text.setText(left_out_text(left_out))
        self.setAccessibleName(self._text.text())


class NotOpenedLine(Surface):
    """Why another file was not opened; the file in view stays."""

    close_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self._text = Label("", TextRole.SMALL, "text", wraps=True)
        close = IconButton("x", _("Close"), glyph_size=14)
        close.clicked.connect(self.close_requested)
        line = row(gap=12, margins=(24, 8, 14, 8), parent=self)
        line.addWidget(Glyph("warning-circle-fill", "err", 18), 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._text, 1)
        line.put(close)
        self.hide()

    def show_file(self, path: Path | None, in_view: str, error: TaskMessage | None) -> None:
        """Show which file was not opened and why; None hides the line."""
        self.setVisible(path is not None)
        if path is not None and error is not None:
            text = _("“{name}” was not opened. {reason} “{file}” stays.")
            reason = f"{error.what} {error.remedy}".strip()
            self._text.setText(text.format(name=path.name, reason=reason, file=in_view))
            self.setAccessibleName(self._text.text())


def left_out_text(left_out: Mapping[str, str]) -> str:
    """Each column with the reason why it is left out; after the first three only how many more."""
    parts = [f"“{name}”: {reason}" if name else reason for name, reason in list(left_out.items())[:_NAMED]]
    more = len(left_out) - _NAMED
    if more > 0:
        text = ngettext("And {count} more column.", "And {count} more columns.", more)
        parts.append(text.format(count=number(more)))
    return _("Left out of the schema: {columns}").format(columns=" ".join(parts)) if parts else ""
