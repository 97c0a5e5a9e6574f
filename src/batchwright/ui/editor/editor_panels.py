"""The panels of the layout editor, and how they show the editor's state."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import is_

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import joined
from batchwright.layout.model import Page
from batchwright.layout.nodes import InvalidNode, Level
from batchwright.layout.rules.problems import AttributePath, Problem, Severity
from batchwright.local.library import LibraryEntry
from batchwright.ui.editor.canvas.canvas import Canvas
from batchwright.ui.editor.canvas.cards import CardContext
from batchwright.ui.editor.canvas.drop_indicator import DropRejectedHint
from batchwright.ui.editor.canvas.page_canvas import CanvasPage
from batchwright.ui.editor.core.item_labels import selection_phrase
from batchwright.ui.editor.core.problem_signs import SEVERITY_ORDER, severity_count_text
from batchwright.ui.editor.core.sample_records import SampleRecords
from batchwright.ui.editor.core.state import EditorState
from batchwright.ui.editor.dnd.drop_target import DropTarget
from batchwright.ui.editor.inspector.panel import Inspector, InspectorToggle
from batchwright.ui.editor.outline.outline import Outline
from batchwright.ui.editor.pages.model import PageListRow, PageListRows
from batchwright.ui.editor.pages.page_list import PageList, PagesPanel
from batchwright.ui.editor.palette.palette import PalettePanel
from batchwright.ui.editor.palette.palette_model import palette_sections
from batchwright.ui.editor.problems.problems_panel import ProblemsPanel
from batchwright.ui.study.problem_counts import count_problems
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.accessibility.announcements import announce
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize, IconButton
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.splitters import Splitter
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import Label

_PALETTE_WIDTH_PX = (180, 228)
_CANVAS_WIDTH_PX = (420, 672)
_INSPECTOR_WIDTH_PX = 320
_NARROW_CANVAS_WIDTH_PX = 240
"""The minimum width of the canvas in a narrow window or with large text."""
_NARROW_PALETTE_WIDTH_PX = 48
_MIN_HEIGHT_PX = 165
"""The minimum height above the list of problems."""
_WIDE_WINDOW_PX = 1188
"""Below this width the palette is narrow: a window of 1280 pixels without the navigation bar."""
_MAX_WIDGET_SIZE = 16777215
"""`QWIDGETSIZE_MAX` of Qt."""


class EditorPanels(Surface):
    """Palette or outline, pages, canvas and inspector side by side; header above, problems below."""

    def __init__(
        self,
        state: EditorState,
        records: SampleRecords,
        blocks: Callable[[], Sequence[LibraryEntry]],
    ) -> None:
        """Create the panels; `blocks` returns the blocks of the user."""
        super().__init__("window")
        self._blocks = blocks
        self._state, self._records = state, records
        self._shown_source: tuple[object, ...] = (None, None, None)
        self._shown_rows: Sequence[PageListRow] = ()
        self._page_list_rows = PageListRows()
        self._announced_selection = ""
        self._find_panel: QWidget | None = None
        self._build()

    def regions(self) -> Sequence[QWidget]:
        """The panels in reading order, between which F6 moves."""
        side = self.outline if self.shows_outline else self.palette_panel
        found = [self._find_panel] if self._find_panel is not None and self._find_panel.isVisible() else []
        return (self.header, side, self.pages_panel, self.canvas, self.inspector, *found, self.problems)

    @property
    def drop_targets(self) -> Sequence[DropTarget]:
        """The drop targets of all panels."""
        return (self.canvas.drop_target, self.pages.drop_target, self.outline.drop_target)

    @property
    def shows_outline(self) -> bool:
        """Whether the outline is shown in place of the palette."""
        return self.side_panel.currentWidget() is self._outline_panel

    def show_outline(self, *, is_shown: bool) -> None:
        """Show the outline or the palette."""
        self.inspector_toggle.close()
        self.side_panel.setCurrentWidget(self._outline_panel if is_shown else self.palette_panel)
        self._update_layout()

    def add_find_panel(self, panel: QWidget) -> None:
        """Add the panel of find and replace above the problems."""
        self._find_panel = panel
        self._layout.insertWidget(self._layout.indexOf(self.problems), panel)

    def is_typing(self) -> bool:
        """Whether a text field has the focus, so that keys such as Delete are not commands of the layout."""
        focused = QApplication.focusWidget()
        if self.is_in_inspector() or self._is_in_find_panel():
            return True
        return focused is not None and (
            focused is self.palette_panel.search or self.pages.viewport().isAncestorOf(focused)
        )

    def is_in_inspector(self) -> bool:
        """Whether a field of the inspector has the focus."""
        focused = QApplication.focusWidget()
        return focused is not None and self.inspector.isAncestorOf(focused)

    def _is_in_find_panel(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self._find_panel is not None and self._find_panel.isAncestorOf(focused)

    def is_in_list(self) -> bool:
        """Whether a list has the focus. It keeps the focus when a node is revealed."""
        focused = QApplication.focusWidget()
        lists = (self.palette_panel, self.outline, self.pages, self.problems)
        return self._is_in_find_panel() or (
            focused is not None and any(panel is focused or panel.isAncestorOf(focused) for panel in lists)
        )

    @contextmanager
    def showing_dragged(self, keys: Sequence[str]) -> Iterator[None]:
        """Context manager: show nodes as being dragged."""
        views = (self.canvas, self.pages)
        for view in views:
            view.show_dragged(keys)
        try:
            yield
        finally:
            for view in views:
                view.show_dragged(())

    def refresh(self) -> None:
        """Show the current state; widgets of unchanged content are kept."""
        state, schema = self._state, self._state.schema
        self._refresh_pages()
        self._refresh_canvas(state.problems_in_view())
        has_fields = not state.study.is_collection
        self.palette_panel.show_sections(
            palette_sections(
                schema,
                state.pages_by_field(),
                state.page_index,
                has_fields=has_fields,
                blocks=self._blocks(),
            )
        )
        if self.shows_outline:
            self.outline.show_layout(state.layout, schema, state.targets)
            self.outline.show_names_and_problems(state.study.page_names, state.problems_by_key())
        self.problems.show_problems(state.study.problems, state.study.shown_path)
        self.problems.show_current(state.selected_problem())
        self.problems.show_position_of(state.current_problem())
        self._refresh_header()
        self._announce_selection(_selection_text(state))

    def _build(self) -> None:
        px = theme().px
        self.header = StageHeader(_("Layout"))
        self.undo = IconButton("arrow-u-up-left", _("Undo"), keys="Ctrl+Z", height=ButtonSize.STAGE)
        self.redo = IconButton("arrow-u-up-right", _("Redo"), keys="Ctrl+Shift+Z", height=ButtonSize.STAGE)
        self.preview = Button(_("Preview"), glyph="eye", keys="F5", height=ButtonSize.STAGE)
        self.palette_panel, self.outline = PalettePanel(), Outline(self._state)
        self.side_panel = QStackedWidget()
        self.side_panel.addWidget(self.palette_panel)
        self._outline_panel = self._outline_column()
        self.side_panel.addWidget(self._outline_panel)
        self.pages = PageList(self._state)
        self.pages_panel = PagesPanel(self.pages)
        self.canvas = Canvas(self._state)
        self.inspector = Inspector(self._state.study, self._state.selection)
        self.inspector_toggle = InspectorToggle(self.inspector, self.side_panel, self.pages_panel)
        self.header.add_buttons(self.undo, self.redo, self.inspector_toggle.button, self.preview)
        self.inspector_toggle.shown_changed.connect(self._scroll_to_selected)
        self._state.selection.edit_requested.connect(self._on_edit_requested)
        self.problems = ProblemsPanel()
        self.rejected_hint = DropRejectedHint(self)
        for target in self.drop_targets:
            target.rejected.connect(self.rejected_hint.show_reason)
        splitter = self._splitter = Splitter(
            Qt.Orientation.Horizontal,
            self.side_panel,
            self.pages_panel,
            self.canvas,
            self.inspector,
            name="layout",
            background="surface",
        )
        for number in range(4):
            splitter.setStretchFactor(number, int(number == 2))
        pages = self.pages_panel.width()
        splitter.setSizes([px(_PALETTE_WIDTH_PX[1]), pages, px(_CANVAS_WIDTH_PX[1]), px(_INSPECTOR_WIDTH_PX)])
        layout = self._layout = column(self.header, gap=0, parent=self)
        layout.addWidget(splitter, 1)
        layout.addWidget(self.problems)
        theme().on_changed(self._update_layout)
        self._update_layout()

    def _outline_column(self) -> QWidget:
        panel = Surface("surface")
        self.close_outline = IconButton("x", _("Close outline"), keys="Ctrl+Shift+L", glyph_size=16)
        head = row(
            Label(_("Outline"), TextRole.HEAD, "text2"), None, self.close_outline, margins=(16, 6, 8, 0)
        )
        layout = column(head, gap=2, margins=(0, 0, 0, 8), parent=panel)
        layout.addWidget(self.outline, 1)
        return panel

    def _update_palette_width(self) -> None:
        """Show only the icons of the palette in a narrow window."""
        px = theme().px
        is_narrow = self.width() < px(_WIDE_WINDOW_PX) and not self.shows_outline
        self.side_panel.setMinimumWidth(px(_NARROW_PALETTE_WIDTH_PX if is_narrow else _PALETTE_WIDTH_PX[0]))
        self.side_panel.setMaximumWidth(px(_NARROW_PALETTE_WIDTH_PX) if is_narrow else _MAX_WIDGET_SIZE)
        if is_narrow == self.palette_panel.is_narrow:
            return
        self.palette_panel.show_narrow(is_narrow=is_narrow)
        # Saved sizes are separate for the narrow and the wide state.
        self._splitter.setObjectName("layout-narrow" if is_narrow else "layout")
        left, pages, canvas, inspector = self._splitter.sizes()
        target = px(_NARROW_PALETTE_WIDTH_PX if is_narrow else _PALETTE_WIDTH_PX[1])
        self._splitter.setSizes([target, pages, canvas + left - target, inspector])

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_layout()

    def _update_layout(self) -> None:
        """Adapt the panels to the width of the window."""
        self._update_palette_width()
        is_narrow = self.width() < self._minimum_width()
        self.canvas.setMinimumWidth(theme().px(_NARROW_CANVAS_WIDTH_PX if is_narrow else _CANVAS_WIDTH_PX[0]))
        self._splitter.setMinimumHeight(theme().px(_MIN_HEIGHT_PX))
        self.inspector_toggle.update_layout(is_narrow=is_narrow)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape moves the focus from a panel to the selected card, or to the page if nothing is selected."""
        if event.key() == Qt.Key.Key_Escape:
            self.inspector_toggle.close()
            self.canvas.focus_node(next(iter(self._state.keys), ""))
        else:
            super().keyPressEvent(event)

    def _minimum_width(self) -> int:
        """The total of the minimum widths of the panels."""
        others = (self.side_panel, self.pages_panel, self.inspector)
        least = theme().px(_CANVAS_WIDTH_PX[0]) + sum(panel.minimumWidth() for panel in others)
        return least + 3 * self._splitter.handleWidth()

    def _scroll_to_selected(self) -> None:
        for key in self._state.keys[:1]:
            self.canvas.scroll_to(key)

    def _on_edit_requested(self) -> None:
        if self.inspector_toggle.is_narrow:
            self.inspector_toggle.open()
            self.inspector.focus_first_field()

    def show_field(self, problem: Problem) -> None:
        """Focus the field of a problem's attribute, or the card if it has no field."""
        self.show_attribute(problem.attribute)

    def show_attribute(self, attribute: AttributePath) -> None:
        """Focus the field of an attribute of the selected node, or the card if it has no field."""
        if attribute.name:
            if self.inspector_toggle.is_narrow:
                self.inspector_toggle.open()
            if self.inspector.focus_attribute(attribute):
                return
        self.canvas.focus_node(next(iter(self._state.keys), ""))

    def _refresh_pages(self) -> None:
        state = self._state
        self.pages.show_pages(
            self._page_rows(), state.page_index, state.selection.pages, self._card_context()
        )

    def _page_rows(self) -> Sequence[PageListRow]:
        """The rows of the page list; the previous sequence if nothing has changed."""
        study = self._state.study
        shown = (study.layout, study.problems, study.page_names)
        if not all(map(is_, shown, self._shown_source)):
            worst: dict[int, Severity] = {}
            for problem in study.problems:
                page = problem.path.page
                if page is not None:
                    worst[page] = min(
                        worst.get(page, problem.severity), problem.severity, key=SEVERITY_ORDER.index
                    )
            pages, names = study.layout.pages, study.page_names
            self._shown_source = shown
            self._shown_rows = self._page_list_rows.update(pages, names, worst)
        return self._shown_rows

    def _card_context(self) -> CardContext:
        return CardContext(self._state.study.schema, self._records.record)

    def _refresh_canvas(self, problems: Mapping[str, Sequence[Problem]]) -> None:
        page, number = self._state.page, self._state.page_index
        if page is None or number is None:
            self.canvas.show_page(None)
            self.canvas.show_header("", "", "")
            self.canvas.header.show_record(0, 0)
            return
        view = CanvasPage(
            page,
            number,
            self._card_context(),
            problems,
            frozenset(self._state.keys),
            self._state.study.shown_path,
        )
        self.canvas.show_page(view)
        count = len(self._state.layout.pages)
        number_text = _("Page {number} of {count}").format(number=number + 1, count=count)
        frequency = _display_frequency(page, is_collection=self._state.study.is_collection)
        self.canvas.show_header(number_text, self._state.page_name(page.key), frequency)
        self.canvas.header.show_record(self._records.index, self._records.count)

    def _announce_selection(self, message: str) -> None:
        """Announce to screen readers how many nodes are selected, if the text has changed.

        A single selected node needs no announcement: its card gets the focus.
        """
        if message and message != self._announced_selection:
            announce(self, message)
        self._announced_selection = message

    def _refresh_header(self) -> None:
        errors, unfilled = self._state.error_count(), self._state.unfilled_count()
        study = self._state.study
        self.undo.setEnabled(study.undo_label is not None)
        self.redo.setEnabled(study.redo_label is not None)
        undo, redo = study.undo_label or "", study.redo_label or ""
        self.undo.set_name(_("Undo {what}").format(what=_(undo)).strip(), "Ctrl+Z")
        self.redo.set_name(_("Redo {what}").format(what=_(redo)).strip(), "Ctrl+Shift+Z")
        self.preview.setEnabled(self._state.page is not None)
        self.header.show_subtitle(_status_text(self._state))
        is_empty = self._state.item_count() == 0
        if errors or (unfilled and not is_empty):
            self.header.show_primary(count_problems(self._state.study.problems).next_label, keys="F8")
        else:
            why = _("Add an item first") if is_empty else ""
            text = _("Continue to Run")
            if self._state.study.is_collection:
                text = _("Continue to Collections")
            self.header.show_primary(text, disabled_reason=why)


def _status_text(state: EditorState) -> str:
    """The state of the layout and the next step."""
    page, layout, errors = state.page, state.layout, state.error_count()
    if not layout.pages:
        return _("No pages yet. Add a page, or drag an item onto the page.")
    if errors:
        template = ngettext(
            "{count} error to fix before this layout can be sent.",
            "{count} errors to fix before this layout can be sent.",
            errors,
        )
        unfilled = state.unfilled_count()
        rest = severity_count_text(Severity.UNFILLED, unfilled)
        return template.format(count=errors) + (f" {rest[:1].upper()}{rest[1:]}." if unfilled else "")
    if page is not None and not page.children:
        number = (state.page_index or 0) + 1
        return _("Page {number} is new. Add items to it.").format(number=number)
    if unfilled := state.unfilled_count():
        template = ngettext(
            "{count} field to fill in before this layout can be sent.",
            "{count} fields to fill in before this layout can be sent.",
            unfilled,
        )
        return template.format(count=unfilled)
    pages, items = len(layout.pages), state.item_count()
    counts = joined(
        (
            ngettext("{count} page", "{count} pages", pages).format(count=pages),
            ngettext("{count} item", "{count} items", items).format(count=items),
        )
    )
    if state.study.is_collection:
        return f"{counts}."
    if state.study.schema is None:
        return _("{counts}. Fields cannot be checked yet: no schema attached.").format(counts=counts)
    return _("{counts}. All fields match the schema.").format(counts=counts)


def _selection_text(state: EditorState) -> str:
    """The number of selected nodes; empty for a single one, which is named elsewhere."""
    count = len(state.targets)
    return selection_phrase(state.level() or Level.PAGE, count) if count > 1 else ""


def _display_frequency(page: Page | InvalidNode, *, is_collection: bool) -> str:
    """When, and how often, participants see a page."""
    if is_collection:
        return _("shown once")
    position = page.position if isinstance(page, Page) else "body"
    texts = {"intro": _("shown once, before all records"), "outro": _("shown once, after all records")}
    return texts.get(position, _("shown once for each record"))
