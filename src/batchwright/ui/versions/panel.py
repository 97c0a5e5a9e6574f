"""The versions panel: the list at the left; the comparison of two versions, page by page, at the right."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHeaderView, QScrollArea, QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.local.versions import Version
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.file.version_recorder import VersionRecorder
from batchwright.ui.study.step_notices import EDIT_TOPIC
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.versions.comparison import StudyComparison
from batchwright.ui.versions.labels import ComparedPart, study_differences, time_phrase, version_title
from batchwright.ui.versions.list_model import VersionsModel
from batchwright.ui.versions.side_by_side import PagesSideBySide, StudyDifferences
from batchwright.ui.versions.state import OpenStore, VersionsState
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.dialogs.overlays import MARGIN, ModalOverlay, OverlayPanel
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.notices import Notice, NoticeSeverity
from batchwright.ui.widgets.placeholders import EmptyState, ErrorState, LoadingState
from batchwright.ui.widgets.surfaces import Panel, Surface
from batchwright.ui.widgets.tables.table import TWO_LINE_ROW_HEIGHT, Table
from batchwright.ui.widgets.text import ElidedLabel, Label

_WIDTH, _HEIGHT = 1320, 900
_LIST_WIDTH = 300
_MAX_LIST_SHARE = 0.32
_CONTENT_MARGINS = (3, 3, 12, 3)
_NARROW_BELOW = 640
"""In a narrower panel, the choice of the page is below that of the version."""


class VersionsPanel(OverlayPanel):
    """Lists the versions of the study, compares, and restores the chosen one."""

    help_address = "home.md#versions"

    def __init__(self, state: VersionsState) -> None:
        super().__init__(_("Versions"), _WIDTH)
        self.state = state
        state.setParent(self)
        self._rows = VersionsModel(self)
        self.table = Table(_("Versions"), self._rows, row_height=TWO_LINE_ROW_HEIGHT, radius=9)
        self.table.horizontalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.comparison = ComparisonView(state)
        self.restore_button = Button(
            _("Restore this version"),
            ButtonKind.PRIMARY,
            glyph="clock-counter-clockwise",
            height=ButtonSize.DIALOG,
        )
        self.close_button = Button(_("Close"), height=ButtonSize.DIALOG)
        self._pages = QStackedWidget()
        self._browser = self._create_browser()
        self._pages.addWidget(self._browser)
        title = Label(_("Versions"), TextRole.TITLE)
        text = Label(
            _("A version is kept each time you save, send or set up the study."),
            TextRole.SMALL,
            "text2",
            wraps=True,
        )
        buttons = row(None, self.close_button, self.restore_button)
        lines = column(column(title, text, gap=4), gap=16, margins=(24, 20, 24, 20), parent=self)
        lines.addWidget(self._pages, 1)
        lines.addLayout(buttons)
        self.close_button.clicked.connect(self.reject)
        self.restore_button.clicked.connect(self._on_restore)
        self.finished.connect(state.close)
        state.changed.connect(self._on_changed)
        state.comparison_changed.connect(self._on_comparison_changed)
        self.table.selectionModel().currentRowChanged.connect(self._on_row_changed)
        theme().on_changed(self.updateGeometry)
        self._on_changed()
        self._on_comparison_changed()

    @override
    def geometry_in(self, host: QRect) -> QRect:
        """As large as the window allows, up to a maximum."""
        width = min(theme().px(_WIDTH), host.width() - 2 * MARGIN)
        height = min(theme().px(_HEIGHT), host.height() - 2 * MARGIN)
        self._list.setFixedWidth(min(theme().px(_LIST_WIDTH), round(width * _MAX_LIST_SHARE)))
        return QRect((host.width() - width) // 2, (host.height() - height) // 2, width, height)

    @override
    def set_initial_focus(self) -> None:
        """Focus the list, or Close while there is none."""
        has_list = bool(self.state.versions)
        (self.table if has_list else self.close_button).setFocus(Qt.FocusReason.OtherFocusReason)

    def _create_browser(self) -> QWidget:
        self._list = Panel()
        column(gap=0, margins=(1, 8, 1, 1), parent=self._list).addWidget(self.table, 1)
        browser = QWidget()
        layout = row(gap=16, parent=browser)
        layout.addWidget(self._list)
        layout.addWidget(self.comparison, 1)
        return browser

    def _on_changed(self) -> None:
        """Show the list, or why there is none."""
        state = self.state
        had_list = self._rows.row_count() > 0
        with QSignalBlocker(self.table.selectionModel()):
            self._rows.show_versions(state.versions, state.summaries)
        if state.versions:
            self._pages.setCurrentWidget(self._browser)
            if not had_list:
                self._select(state.chosen or state.versions[0])
                self.set_initial_focus()
            return
        self._show_placeholder()

    def _show_placeholder(self) -> None:
        while self._pages.count() > 1:
            old = self._pages.widget(1)
            if old is not None:
                self._pages.removeWidget(old)
                old.deleteLater()
        self._pages.addWidget(self._placeholder())
        self._pages.setCurrentIndex(1)

    def _placeholder(self) -> QWidget:
        state = self.state
        if state.is_loading:
            return LoadingState()
        if state.error is not None:
            retry = Button(_("Retry"), glyph="arrow-clockwise")
            retry.clicked.connect(state.load)
            return ErrorState(state.error, retry)
        text = _(
            "Save the study: from then on, each save, send and setup adds a version that you can restore."
        )
        return EmptyState("clock-counter-clockwise", _("No versions yet"), text)

    def _select(self, version: Version) -> None:
        index = self._rows.index(self.state.versions.index(version), 0, QModelIndex())
        self.table.setCurrentIndex(index)

    def _on_row_changed(self, index: QModelIndex) -> None:
        if 0 <= index.row() < len(self.state.versions):
            self.state.choose(self.state.versions[index.row()], self.state.other)

    def _on_comparison_changed(self) -> None:
        can_restore = self.state.can_restore
        is_same = self.state.comparison is not None and not can_restore
        self.restore_button.setVisible(bool(self.state.versions))
        self.restore_button.set_disabled_reason(
            _("The study is the same as this version") if is_same else "" if can_restore else _("Comparing…")
        )

    def _on_restore(self) -> None:
        if self.state.restore():
            self.accept()


class ComparisonView(QWidget):
    """The comparison of the chosen version: with what, a summary, and one page at a time."""

    def __init__(self, state: VersionsState) -> None:
        super().__init__()
        self._state = state
        self._shown: StudyComparison | None = None
        self._content: QWidget | None = None
        """What is shown below the titles."""
        self._changed_indexes: list[int] = []
        """The entries of `parts` that differ."""
        self.other = FormComboBox()
        self.other.setAccessibleName(_("Compare with"))
        self.parts = FormComboBox()
        self.parts.setAccessibleName(_("Page"))
        self.previous = IconButton("caret-left", _("Previous difference"), kind=ButtonKind.SECONDARY)
        self.next = IconButton("caret-right", _("Next difference"), kind=ButtonKind.SECONDARY)
        self._summary = Label("", TextRole.SMALL, wraps=True)
        self._before, self._after = ElidedLabel("", TextRole.STRONG), ElidedLabel("", TextRole.STRONG)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setAccessibleName(_("Comparison"))
        self._scroll.viewport().installEventFilter(self)
        with_label = Label(_("Compare with"), TextRole.SMALL, "text2")
        with_label.setBuddy(self.other)
        versions, pages = row(with_label, gap=8), row(gap=8)
        versions.addWidget(self.other, 1)
        pages.addWidget(self.parts, 1)
        pages.add(self.previous, self.next)
        choices = row(gap=12)
        choices.addLayout(versions, 1)
        choices.addLayout(pages, 1)
        titles = row(gap=16)
        titles.addWidget(self._before, 1)
        titles.addWidget(self._after, 1)
        self._choices = choices
        lines = column(choices, self._summary, titles, gap=12, parent=self)
        lines.addWidget(self._scroll, 1)
        self.other.activated.connect(self._on_other_chosen)
        self.parts.currentIndexChanged.connect(self._show_part)
        self.previous.clicked.connect(lambda: self._step(-1))
        self.next.clicked.connect(lambda: self._step(1))
        state.comparison_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the state of the comparison."""
        state, comparison = self._state, self._state.comparison
        self._refresh_other()
        chosen = version_title(state.chosen) if state.chosen is not None else ""
        other = version_title(state.other) if state.other is not None else _("Current study")
        titles = (chosen, other) if state.is_chosen_before else (other, chosen)
        for label, title in zip((self._before, self._after), titles, strict=True):
            label.setText(title)
        self._shown = comparison
        if comparison is not None:
            self._show_comparison(comparison)
        else:
            self._show_waiting()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < theme().px(_NARROW_BELOW)
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._choices.setDirection(down if is_narrow else right)

    def _show_waiting(self) -> None:
        error = self._state.comparison_error
        self._summary.setText("")
        with QSignalBlocker(self.parts):
            self.parts.clear()
        self._enable_steps()
        if error is not None:
            self._show(ErrorState(error))
        elif self._state.chosen is not None:
            self._show(LoadingState())

    def _show_comparison(self, comparison: StudyComparison) -> None:
        text = _("both are the same") if comparison.is_equal else self._state.summary
        self._summary.setText(f"{text[:1].upper()}{text[1:]}.")
        parts = self._state.parts
        self._changed_indexes = [index for index, part in enumerate(parts) if part.is_changed]
        with QSignalBlocker(self.parts):
            self.parts.clear()
            for part in parts:
                self.parts.add(part.text, part)
            self.parts.setCurrentIndex(next(iter(self._changed_indexes), 0))
        self._show_part()

    def _show_part(self) -> None:
        """Show the page that is chosen."""
        comparison = self._shown
        if comparison is None:
            return
        part = self.parts.currentData()
        if not isinstance(part, ComparedPart):
            self._show(EmptyState("layout", _("No pages"), _("Neither version has a page.")))
        elif part.page is None:
            self._show(StudyDifferences(study_differences(comparison)))
        else:
            pages = PagesSideBySide(part.page, comparison, (self._before.text(), self._after.text()))
            pages.stacked_changed.connect(self._on_stacked_changed)
            self._show(pages)
        self._enable_steps()

    def _show(self, widget: QWidget) -> None:
        self._on_stacked_changed(is_stacked=False)
        surface = Surface("surface")
        surface.installEventFilter(self)
        layout = column(widget, None, gap=0, margins=_CONTENT_MARGINS, parent=surface)
        layout.setStretch(0, int(isinstance(widget, (EmptyState, LoadingState))))
        old = self._scroll.takeWidget()
        if old is not None:
            old.hide()
            old.deleteLater()
        self._scroll.setWidget(surface)
        self._content = widget
        self._arrange()

    def _arrange(self) -> None:
        """Fit pages into the width."""
        if isinstance(self._content, PagesSideBySide):
            margins = theme().px(_CONTENT_MARGINS[0] + _CONTENT_MARGINS[2])
            self._content.arrange(self._scroll.viewport().width() - margins)

    def _on_stacked_changed(self, is_stacked: bool) -> None:
        """Show the titles of the versions above the pages, unless each page has its own."""
        for label in (self._before, self._after):
            label.setVisible(not is_stacked)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrange pages again when the width of their cards or of the view has changed."""
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Resize}:
            self._arrange()
        return super().eventFilter(watched, event)

    def _step(self, by: int) -> None:
        """Go to the next or previous entry that differs."""
        index = self._step_target(by)
        if index is not None:
            self.parts.setCurrentIndex(index)

    def _step_target(self, by: int) -> int | None:
        current = self.parts.currentIndex()
        indexes = self._changed_indexes if by > 0 else self._changed_indexes[::-1]
        return next((index for index in indexes if (index - current) * by > 0), None)

    def _enable_steps(self) -> None:
        has_parts = self.parts.count() > 0
        self.parts.setEnabled(has_parts)
        self.previous.setEnabled(has_parts and self._step_target(-1) is not None)
        self.next.setEnabled(has_parts and self._step_target(1) is not None)

    def _refresh_other(self) -> None:
        """Offer the current study and all versions but the chosen one."""
        state = self._state
        with QSignalBlocker(self.other):
            self.other.clear()
            self.other.add(_("Current study"), None)
            for version in state.versions:
                if version != state.chosen:
                    self.other.add(version_title(version), version)
            index = self.other.findData(state.other) if state.other is not None else 0
            self.other.setCurrentIndex(max(0, index))

    def _on_other_chosen(self) -> None:
        version = self.other.currentData()
        if self._state.chosen is not None:
            self._state.choose(self._state.chosen, version if isinstance(version, Version) else None)


async def open_versions(
    context: StageContext, study: Study, recorder: VersionRecorder, open_store: OpenStore
) -> VersionsPanel:
    """Open the panel over the window; a version that was just created is in the list."""
    study.close_step()
    await recorder.store_waiting()
    state = VersionsState(study, open_store, context.tasks)
    panel = VersionsPanel(state)
    panel.accepted.connect(lambda: _show_restored(context, state))
    ModalOverlay(context.window, panel)
    state.load()
    return panel


def _show_restored(context: StageContext, state: VersionsState) -> None:
    if state.chosen is None:
        return
    title = _("Restored the version of {time}").format(time=time_phrase(state.chosen))
    text = _("Undo brings back what you had. Data file and batches are not affected.")
    context.notices.show_notice(Notice(NoticeSeverity.SUCCESS, title, text, topic=EDIT_TOPIC))
