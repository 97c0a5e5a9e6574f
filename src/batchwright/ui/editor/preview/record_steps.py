"""Navigates the records that fill the preview, in file order or with the hardest first."""

from PySide6.QtCore import QSignalBlocker, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSpinBox, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number as in_words
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.editor.sample_records import MAX_RECORDS
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.ui.widgets.toggles import Switch


class RecordNavigator(QWidget):
    """A stepper, the order of the records, and what makes the current one difficult."""

    def __init__(self, model: PreviewState) -> None:
        super().__init__()
        self._model = model
        kind, height = ButtonKind.SECONDARY, ButtonSize.DEFAULT
        self.before = IconButton("caret-left", _("Previous record"), kind=kind, height=height)
        self.after = IconButton("caret-right", _("Next record"), kind=kind, height=height)
        self.number = QSpinBox()
        self.number.setAccessibleName(_("Record"))
        self.number.setKeyboardTracking(False)
        self._of = Label("", TextRole.SMALL, "text2", tabular=True)
        self.hardest = Switch(_("Hardest first"))
        tooltip = _("Records that lack a value come first, then those with the longest texts")
        self.hardest.setToolTip(tooltip_text(tooltip))
        self.hardest.setAccessibleDescription(sanitize(tooltip))
        self._why = ElidedLabel("", TextRole.SMALL, "text2")
        self.before.clicked.connect(lambda: model.show_record(model.record_position - 1))
        self.after.clicked.connect(lambda: model.show_record(model.record_position + 1))
        self.number.valueChanged.connect(lambda number: model.show_record(number - 1))
        self.hardest.toggled.connect(lambda is_on: model.set_order(hardest_first=is_on))
        self._label = Label(_("Record"), TextRole.SMALL, "text2")
        steps = (self._label, self.before, self.number, self._of, self.after)
        self._line = row(*steps, 4, self.hardest, parent=self)
        self._line.addWidget(self._why, 1)
        model.changed.connect(self.refresh)
        theme().on_changed(self._fit)
        self._fit()
        self.refresh()

    def refresh(self) -> None:
        """Show the position of the current record in the order."""
        model, count = self._model, self._model.records.count
        with QSignalBlocker(self.number):
            self.number.setRange(min(1, count), count)
            self.number.setValue(model.record_position + 1 if count else 0)
        # The preview has only the first `MAX_RECORDS` records of a file.
        template = _("of the first {count}") if count == MAX_RECORDS else _("of {count}")
        self._of.setText(template.format(count=in_words(count)))
        is_filled = model.record is not None
        self.before.setEnabled(is_filled and model.record_position > 0)
        self.after.setEnabled(is_filled and model.record_position < count - 1)
        self.number.setEnabled(is_filled)
        self.hardest.setEnabled(is_filled)
        self._why.setText(self._difficulty_text())

    def _fit(self) -> None:
        self.number.setFixedWidth(theme().px(76))

    def _difficulty_text(self) -> str:
        strain = self._model.difficulty
        if strain is None or self._model.record is None:
            return ""
        if strain.missing:
            return _("Missing: {fields}").format(fields=", ".join(strain.missing))
        if not strain.length:
            return _("This page shows no field.")
        template = ngettext("{field}: {count} character", "{field}: {count} characters", strain.length)
        return template.format(field=strain.longest, count=in_words(strain.length))

    @override
    def minimumSizeHint(self) -> QSize:
        """Allows explanatory labels to shrink first."""
        needed = (self.before, self.number, self._of, self.after, self.hardest)
        gaps = len(needed) * self._line.spacing() + theme().px(4)
        widths = sum(max(widget.minimumWidth(), widget.sizeHint().width()) for widget in needed)
        return QSize(widths + gaps, super().minimumSizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        rest = self.width() - self.minimumSizeHint().width()
        self._label.setVisible(rest > self._label.sizeHint().width() + self._line.spacing())
        self._why.setVisible(rest > theme().px(160))
