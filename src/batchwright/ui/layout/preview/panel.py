"""The preview itself: what it is filled with, how wide it is, and the page (look.md, preview)."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QSpinBox, QWidget
from typing_extensions import override

from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.buttons import Button, Height, IconButton, Kind
from batchwright.ui.kit.choices import Segments
from batchwright.ui.kit.headings import StageHeader
from batchwright.ui.kit.panels import Ground
from batchwright.ui.kit.text import CutText, Text
from batchwright.ui.layout.preview.sheet import Sheet
from batchwright.ui.layout.preview.view_model import PreviewModel
from batchwright.ui.layout.records import SampleRecords
from batchwright.ui.study import Study
from batchwright.ui.theme import Role, theme
from batchwright.words import _

_WIDE, _NARROW = "wide", "narrow"


class Preview(Ground):
    """One page of the study as participants see it, filled with its records."""

    closed = Signal()
    """Back to the layout; Escape asks for it, too."""
    browser_wanted = Signal(object)
    """The same page is to be shown in the browser: a `PreviewRequest` (`browser.open_in_browser`)."""

    def __init__(self, study: Study, page_key: str | None, records: SampleRecords) -> None:
        super().__init__("window")
        self.setObjectName("preview")
        self.setAccessibleName(_("Preview"))
        self.model = PreviewModel(study, page_key, records)
        self._head = StageHeader(_("Preview"))
        back = Button(_("Back to Layout"), glyph="arrow-left", height=Height.STAGE)
        back.clicked.connect(self.closed)
        self._head.add(back)
        self._head.show_primary(_("Open in browser"), glyph="arrow-square-out")
        self._head.primary.clicked.connect(lambda: self.browser_wanted.emit(self.model.request()))
        self._steps = _Steps(records)
        self._width = Segments(
            _("Width"), [(_WIDE, _("Wide"), "desktop"), (_NARROW, _("Narrow"), "device-mobile")]
        )
        self._width.chosen.connect(self._draw)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.viewport().setAutoFillBackground(False)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column(self._head, self._bar(), gap=0, parent=self).addWidget(self._scroll, 1)
        self.model.changed.connect(self._draw)
        self.model.judged.connect(self._judge)
        theme().follow(self._draw)
        self._draw()

    @property
    def sheet(self) -> Sheet:
        """The page that is shown."""
        return self._sheet

    def show_page(self, key: str) -> None:
        """Show another page."""
        self.model.show_page(key)

    def _bar(self) -> QWidget:
        bar = QWidget()
        note = CutText(_("Shown as participants see it. Answers here are not kept."), Role.SMALL, "text2")
        note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line = row(gap=8, margins=(24, 12, 24, 12), parent=bar)
        line.addWidget(self._steps, 1)
        line.addWidget(self._width)
        line.addWidget(note, 1)
        return bar

    def _draw(self) -> None:
        self._head.show_sentence(self._sentence())
        self._sheet = Sheet(self.model, is_narrow=self._width.current == _NARROW)
        self._sheet.next_pressed.connect(self.model.go_on)
        self._sheet.back_pressed.connect(self.model.go_back)
        ground = Ground("window")
        beside = row(gap=0, margins=(24, 4, 24, 24), parent=ground)
        beside.addStretch(1)
        beside.addWidget(self._sheet, 1000, Qt.AlignmentFlag.AlignTop)
        beside.addStretch(1)
        focused = QApplication.focusWidget()
        had_keyboard = focused is not None and self._scroll.isAncestorOf(focused)
        old = self._scroll.takeWidget()
        if old is not None:
            old.hide()
            old.deleteLater()
        self._scroll.setWidget(ground)
        if had_keyboard:
            self._sheet.take_focus()

    def _judge(self) -> None:
        self._sheet.show_judged()
        if self.model.is_taken:
            self._scroll.verticalScrollBar().setValue(0)

    def _sentence(self) -> str:
        data = self.model.study.data
        if self.model.records.record is None:
            return _("{page}, without data: choose a file under Data.").format(page=self.model.progress)
        return _("{page}, filled with record {record} of {file}").format(
            page=self.model.progress,
            record=self.model.records.number + 1,
            file=data.path.name if data is not None else _("the data"),
        )

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


class _Steps(QWidget):
    """Goes through the records."""

    def __init__(self, records: SampleRecords) -> None:
        super().__init__()
        self._records = records
        self._before = IconButton(
            "caret-left", _("Previous record"), kind=Kind.SECONDARY, height=Height.USUAL
        )
        self._after = IconButton("caret-right", _("Next record"), kind=Kind.SECONDARY, height=Height.USUAL)
        self._number = QSpinBox()
        self._number.setAccessibleName(_("Record"))
        self._number.setFixedWidth(theme().px(76))
        self._number.setKeyboardTracking(False)
        self._of = Text("", Role.SMALL, "text2", tabular=True)
        self._before.clicked.connect(lambda: records.step(-1))
        self._after.clicked.connect(lambda: records.step(1))
        self._number.valueChanged.connect(lambda number: records.show_record(number - 1))
        label = Text(_("Record"), Role.SMALL, "text2")
        row(label, self._before, self._number, self._of, self._after, None, parent=self)
        records.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show which record is in view."""
        records = self._records
        with QSignalBlocker(self._number):
            self._number.setRange(min(1, records.count), records.count)
            self._number.setValue(records.number + 1)
        self._of.setText(_("of {count}").format(count=records.count))
        self._before.setEnabled(records.number > 0)
        self._after.setEnabled(records.number < records.count - 1)
        self._number.setEnabled(records.count > 0)
