"""The preview panel: controls for record and width, and the page."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.core.formatting import number as in_words
from batchwright.ui.editor.preview.page import PreviewPage
from batchwright.ui.editor.preview.record_steps import RecordNavigator
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.editor.sample_records import SampleRecords
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.toggles import SegmentedControl

_WIDE, _NARROW = "wide", "narrow"


class PreviewPanel(Surface):
    """One page of the study as participants see it, filled with a record. Answers are not stored."""

    closed = Signal()
    """The user returns to the layout, by button or Escape."""
    browser_requested = Signal(object)
    """The page is to be opened in the browser: a `PreviewRequest` for `browser.open_in_browser`."""

    def __init__(self, study: Study, page_key: str | None, records: SampleRecords) -> None:
        super().__init__("window")
        self.setObjectName("preview")
        self.setAccessibleName(_("Preview"))
        self.model = PreviewState(study, page_key, records)
        self._head = StageHeader(_("Preview"))
        back = Button(_("Back to Layout"), glyph="arrow-left", height=ButtonSize.STAGE)
        back.clicked.connect(self.closed)
        self._head.add_buttons(back)
        self._head.show_primary(_("Open in browser"), glyph="arrow-square-out")
        self._head.primary.clicked.connect(lambda: self.browser_requested.emit(self.model.request()))
        self._navigator = RecordNavigator(self.model)
        self._width = SegmentedControl(
            _("Width"), [(_WIDE, _("Wide"), "desktop"), (_NARROW, _("Narrow"), "device-mobile")]
        )
        self._width.chosen.connect(self._refresh)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.viewport().setAutoFillBackground(False)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column(self._head, self._bar(), gap=0, parent=self).addWidget(self._scroll, 1)
        self.model.changed.connect(self._refresh)
        self.model.validated.connect(self._on_validated)
        theme().on_changed(self._refresh)
        self._refresh()

    @property
    def page(self) -> PreviewPage:
        """The page widget."""
        return self._page

    def show_page(self, key: str) -> None:
        """Show the page with this key."""
        self.model.show_page(key)

    def _bar(self) -> QWidget:
        bar = QWidget()
        layout = row(gap=12, margins=(24, 12, 24, 12), parent=bar)
        layout.addWidget(self._navigator, 1)
        layout.addWidget(self._width)
        return bar

    def _refresh(self) -> None:
        self._head.show_subtitle(self._sentence())
        self._page = PreviewPage(self.model, is_narrow=self._width.current == _NARROW)
        self._page.next_pressed.connect(self.model.go_forward)
        self._page.back_pressed.connect(self.model.go_back)
        surface = Surface("window")
        layout = row(gap=0, margins=(24, 4, 24, 24), parent=surface)
        layout.addStretch(1)
        layout.addWidget(self._page, 1000, Qt.AlignmentFlag.AlignTop)
        layout.addStretch(1)
        focused = QApplication.focusWidget()
        had_keyboard = focused is not None and self._scroll.isAncestorOf(focused)
        old = self._scroll.takeWidget()
        if old is not None:
            old.hide()
            old.deleteLater()
        self._scroll.setWidget(surface)
        if had_keyboard:
            self._page.take_focus()

    def _on_validated(self) -> None:
        """Show the result of the validation at the top of the page."""
        self._page.show_validation()
        self._scroll.verticalScrollBar().setValue(0)

    def _sentence(self) -> str:
        return _("{page}. Answers here are not kept.").format(page=self._page_text())

    def _page_text(self) -> str:
        model, progress = self.model, self.model.progress
        if model.position == "intro":
            return _("{page}, shown once, before all records").format(page=progress)
        if model.position == "outro":
            return _("{page}, shown once, after all records").format(page=progress)
        if model.record is None:
            return _("{page}, without data: choose a file under Data").format(page=progress)
        data = model.study.data
        return _("{page}, filled with record {record} of {file}").format(
            page=progress,
            record=in_words(model.records.index + 1),
            file=data.path.name if data is not None else _("the data"),
        )

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
