"""A dialog with one record of the file in full, for values that the table truncates."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.data_files.profiling import as_text, cells
from batchwright.data_files.rows import ParsedRecord
from batchwright.schema.record_validator import RecordError
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.dialogs import WIDE, Dialog
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.surfaces import Surface

_HEIGHT = 420
_MAX_CHARS = 20_000
"""Characters shown of a value."""
_CHARS_PER_LINE = 70


class RecordDialog(Dialog):
    """Shows every field of a record, read-only."""

    def __init__(self, entry: ParsedRecord[Json], columns: tuple[str, ...], reason: str) -> None:
        title = _("Line {number}").format(number=entry.line)
        super().__init__(title, reason or _("The record as it is in the file."), _("Close"), width=WIDE)
        self.cancel_button.hide()
        inner = Surface("surface")
        lines = column(gap=14, margins=(0, 0, 12, 0), parent=inner)
        if isinstance(entry.content, RecordError):
            lines.add(_value(_("Whole record"), entry.content.reason))
        else:
            for number, (name, value) in enumerate(cells(columns, entry.content), 1):
                title = name or _("Cell {number}, without a column").format(number=number)
                lines.add(_value(title, "" if value is None else as_text(value)))
        lines.add(None)
        scroll = _Scroll()
        scroll.setWidget(inner)
        self.add(scroll)


class _Scroll(QScrollArea):
    """A scroll area as high as its content, up to the maximum for a dialog."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Record"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)

    @override
    def sizeHint(self) -> QSize:
        inner = self.widget()
        wanted = inner.sizeHint().height() if inner is not None else 0
        return QSize(theme().px(WIDE), min(theme().px(_HEIGHT), wanted))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(240), min(self.sizeHint().height(), theme().px(120)))


def _value(name: str, text: str) -> InputField:
    shown = text[:_MAX_CHARS].encode("utf-8", "replace").decode()
    rows = sum(1 + len(line) // _CHARS_PER_LINE for line in shown.splitlines()) or 1
    area = _Value(min(rows, 8))
    area.setPlainText(shown)
    area.setPlaceholderText(_("empty"))
    return InputField(name, area)


class _Value(TextArea):
    """A value that can be selected and copied; without the frame of an editable field."""

    def __init__(self, rows: int) -> None:
        super().__init__(rows)
        self.setReadOnly(True)
        self.setFrameStyle(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(0)
