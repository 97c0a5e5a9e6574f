"""The preview panel: the page, controls for record and width, and a button that opens the browser."""

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QSpinBox, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext, program_language
from batchwright.base.local_formats import joined
from batchwright.base.local_media import MediaFolder
from batchwright.ui.core.desktop import open_url
from batchwright.ui.core.formatting import number as in_words
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.web_media import PreviewMedia
from batchwright.ui.editor.core.sample_records import MAX_RECORDS, SampleRecords
from batchwright.ui.editor.preview.page import PreviewPage
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.language_names import own_name
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.help_button import set_help_address
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.ui.widgets.toggles import SegmentedControl, Switch
from batchwright.wire.local_routes import PreviewRequest


class RecordNavigator(QWidget):
    """Navigates the records in file order or by difficulty; shows what makes the current one difficult."""

    def __init__(self, state: PreviewState) -> None:
        super().__init__()
        self._state = state
        kind, height = ButtonKind.SECONDARY, ButtonSize.DEFAULT
        self.previous = IconButton("caret-left", _("Previous record"), kind=kind, height=height)
        self.next = IconButton("caret-right", _("Next record"), kind=kind, height=height)
        self.number = QSpinBox()
        self.number.setAccessibleName(_("Record"))
        self.number.setKeyboardTracking(False)
        self._count_label = Label("", TextRole.SMALL, "text2", tabular=True)
        self.hardest = Switch(_("Hardest first"))
        tooltip = _("Records that lack a value come first, then those with the longest texts")
        self.hardest.setToolTip(tooltip_text(tooltip))
        self.hardest.setAccessibleDescription(sanitize(tooltip))
        self._difficulty_label = ElidedLabel("", TextRole.SMALL, "text2")
        self.previous.clicked.connect(lambda: state.show_record(state.record_position - 1))
        self.next.clicked.connect(lambda: state.show_record(state.record_position + 1))
        self.number.valueChanged.connect(lambda number: state.show_record(number - 1))
        self.hardest.toggled.connect(lambda is_on: state.set_order(hardest_first=is_on))
        self._label = Label(_("Record"), TextRole.SMALL, "text2")
        steps = (self._label, self.previous, self.number, self._count_label, self.next)
        self._layout = row(*steps, 4, self.hardest, parent=self)
        self._layout.addWidget(self._difficulty_label, 1)
        state.changed.connect(self.refresh)
        theme().on_changed(self._update_width)
        self._update_width()
        self.refresh()

    def refresh(self) -> None:
        """Show the position of the current record in the order."""
        state, count = self._state, self._state.records.count
        with QSignalBlocker(self.number):
            self.number.setRange(min(1, count), count)
            self.number.setValue(state.record_position + 1 if count else 0)
        # The preview has only the first `MAX_RECORDS` records of a file.
        template = _("of the first {count}") if count == MAX_RECORDS else _("of {count}")
        self._count_label.setText(template.format(count=in_words(count)))
        has_record = state.record is not None
        self.previous.setEnabled(has_record and state.record_position > 0)
        self.next.setEnabled(has_record and state.record_position < count - 1)
        self.number.setEnabled(has_record)
        self.hardest.setEnabled(has_record)
        self._difficulty_label.setText(self._difficulty_text())

    def _update_width(self) -> None:
        self.number.setFixedWidth(theme().px(76))

    def _difficulty_text(self) -> str:
        difficulty = self._state.difficulty
        if difficulty is None or self._state.record is None:
            return ""
        if difficulty.missing:
            return _("Missing: {fields}").format(fields=joined(difficulty.missing))
        if not difficulty.length:
            return _("This page shows no field.")
        template = ngettext("{field}: {count} character", "{field}: {count} characters", difficulty.length)
        return template.format(field=difficulty.longest, count=in_words(difficulty.length))

    @override
    def minimumSizeHint(self) -> QSize:
        """Allows explanatory labels to shrink first."""
        needed = (self.previous, self.number, self._count_label, self.next, self.hardest)
        gaps = len(needed) * self._layout.spacing() + theme().px(4)
        widths = sum(max(widget.minimumWidth(), widget.sizeHint().width()) for widget in needed)
        return QSize(widths + gaps, super().minimumSizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        rest = self.width() - self.minimumSizeHint().width()
        self._label.setVisible(rest > self._label.sizeHint().width() + self._layout.spacing())
        self._difficulty_label.setVisible(rest > theme().px(160))


def open_in_browser(
    context: StageContext,
    session: ConnectionSession,
    request: PreviewRequest,
    media: MediaFolder | None = None,
) -> None:
    """Open the page in the default browser. Only the local service provides preview links."""
    if session.is_live:
        message = _("Choose This computer in the header first: a hosted service shows no previews.")
        context.notices.show_notice(Notice(NoticeSeverity.WARNING, _("No preview in the browser"), message))
        return

    async def show() -> None:
        from batchwright.workflows.data.share_media import share_media

        workflow_context = await session.context()
        await share_media(workflow_context, media)
        preview = await workflow_context.service.local.preview(request)
        open_url(context.notices, preview.url)

    context.tasks.start("preview in the browser", show)


_WIDE, _NARROW = "wide", "narrow"


class PreviewPanel(Surface):
    """One page of the study as participants see it, filled with a record. Answers are not stored."""

    closed = Signal()
    """The user returns to the layout, by button or Escape."""
    browser_requested = Signal(object)
    """The page is to be opened in the browser: a `PreviewRequest` for `open_in_browser`."""

    def __init__(
        self,
        study: Study,
        page_key: str | None,
        records: SampleRecords,
        media: PreviewMedia,
        *,
        of_answers: str = "",
        size: QSize | None = None,
    ) -> None:
        """Create a preview; `of_answers` says whose answers it shows, if it shows answers from Results.

        If the `size` that it will have is known, its page is laid out for that size only.
        """
        super().__init__("window")
        set_help_address(self, "layout.md#preview")
        if size is not None:
            self.resize(size)
        self.setObjectName("preview")
        self._media, self._of_answers = media, of_answers
        title = _("As the participant saw it") if of_answers else _("Preview")
        self.setAccessibleName(title)
        self.state = PreviewState(study, page_key, records)
        self.header = StageHeader(title)
        back_text = _("Back to the answers") if of_answers else _("Back to Layout")
        back = Button(back_text, glyph="arrow-left", height=ButtonSize.STAGE)
        back.clicked.connect(self.closed)
        self.header.add_buttons(back)
        if not of_answers:
            self.header.show_primary(_("Open in browser"), glyph="arrow-square-out")
        self.header.primary.clicked.connect(lambda: self.browser_requested.emit(self.state.request()))
        self.navigator = RecordNavigator(self.state)
        self.width_choice = SegmentedControl(
            _("Width"), [(_WIDE, _("Wide"), "desktop"), (_NARROW, _("Narrow"), "device-mobile")]
        )
        self.width_choice.chosen.connect(self._refresh)
        self.language_choice = FormComboBox()
        self.language_choice.setAccessibleName(_("Language"))
        self.language_choice.setSizeAdjustPolicy(FormComboBox.SizeAdjustPolicy.AdjustToContents)
        self.language_choice.hide()
        self.language_choice.activated.connect(
            lambda _index: self.state.show_language(self.language_choice.currentData())
        )
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.viewport().setAutoFillBackground(False)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        lines = column(self.header, self._bar(), gap=0, parent=self)
        lines.addWidget(self._scroll, 1)
        self.state.changed.connect(self._refresh)
        self.state.validated.connect(self._on_validated)
        theme().on_changed(self._refresh)
        lines.activate()
        bar = self._scroll.verticalScrollBar().sizeHint()
        self._scroll.viewport().resize(self._scroll.maximumViewportSize() - QSize(bar.width(), 0))
        self._refresh()

    @property
    def page(self) -> PreviewPage:
        """The page widget."""
        return self._page

    def show_page(self, key: str) -> None:
        """Show the page with this key."""
        self.state.show_page(key)

    def _bar(self) -> QWidget:
        bar = QWidget()
        layout = row(gap=12, margins=(24, 12, 24, 12), parent=bar)
        layout.addWidget(self.navigator, 1)
        if self._of_answers:
            self.navigator.hide()
            layout.addStretch(1)
        layout.add(self.language_choice)
        layout.addWidget(self.width_choice)
        return bar

    def _show_languages(self) -> None:
        """Offer the languages of the study, if there are several."""
        project, choice = self.state.study.project, self.language_choice
        tags = [project.language or program_language().tag, *project.translations]
        values = ["", *project.translations]
        if [choice.itemData(at) for at in range(choice.count())] != values or choice.itemText(0) != own_name(
            tags[0]
        ):
            choice.clear()
            for tag, value in zip(tags, values, strict=True):
                choice.add(own_name(tag), value)
        choice.setCurrentIndex(values.index(self.state.language))
        choice.setVisible(len(values) > 1)

    def _refresh(self) -> None:
        self.header.show_subtitle(self._subtitle())
        self._show_languages()
        self._page = PreviewPage(self.state, self._media, is_narrow=self.width_choice.current == _NARROW)
        self._page.setLayoutDirection(self.state.direction)
        self._page.next_pressed.connect(self.state.go_forward)
        self._page.back_pressed.connect(self.state.go_back)
        surface = Surface("window")
        layout = row(gap=0, margins=(24, 4, 24, 24), parent=surface)
        layout.addStretch(1)
        layout.addWidget(self._page, 1000, Qt.AlignmentFlag.AlignTop)
        layout.addStretch(1)
        focused = QApplication.focusWidget()
        had_focus = focused is not None and self._scroll.isAncestorOf(focused)
        old = self._scroll.takeWidget()
        if old is not None:
            old.hide()
            old.deleteLater()
        surface.resize(self._scroll.viewport().size())  # not laid out for its preferred size first
        self._scroll.setWidget(surface)
        if had_focus:
            self._page.set_initial_focus()

    def _on_validated(self) -> None:
        """Show the result of the validation at the top of the page."""
        self._page.show_validation()
        self._scroll.verticalScrollBar().setValue(0)

    def _subtitle(self) -> str:
        if self._of_answers:
            return _("{page}. {answers}").format(page=self.state.progress, answers=self._of_answers)
        return _("{page}. Answers are not saved.").format(page=self._page_text())

    def _page_text(self) -> str:
        state, progress = self.state, self.state.progress
        if state.position == "intro":
            return _("{page}, shown once, before all records").format(page=progress)
        if state.position == "outro":
            return _("{page}, shown once, after all records").format(page=progress)
        if state.record is None:
            return _("{page}, without data: choose a file under Data").format(page=progress)
        data = state.study.data
        return _("{page}, filled with record {record} of {file}").format(
            page=progress,
            record=in_words(state.records.index + 1),
            file=data.path.name if data is not None else _("the data"),
        )

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
