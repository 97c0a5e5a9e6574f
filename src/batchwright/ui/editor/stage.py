"""The Layout stage: creates the panels of the editor and connects them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from batchwright.layout.editing.clipboard import clipboard_nodes
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.item_types.registry import Instruction, RichText
from batchwright.layout.rules.problems import Problem
from batchwright.layout.searching.study_texts import TextSource
from batchwright.local.projects import DataFile
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.desktop import open_medium
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.web_images import WebImages
from batchwright.ui.core.web_media import PreviewMedia
from batchwright.ui.editor.actions import EDITING, PAGING, VIEW, insertions, type_changes
from batchwright.ui.editor.canvas_focus import CanvasFocus
from batchwright.ui.editor.context_menus import ContextMenus
from batchwright.ui.editor.core import commands
from batchwright.ui.editor.core.item_labels import insertable_types, item_type_label, node_name
from batchwright.ui.editor.core.keyboard_moves import Direction
from batchwright.ui.editor.core.sample_records import SampleRecords
from batchwright.ui.editor.core.selection import SelectionModel
from batchwright.ui.editor.core.state import EditorState
from batchwright.ui.editor.editor_panels import EditorPanels
from batchwright.ui.editor.item_types.registry import ITEM_EDITORS
from batchwright.ui.editor.palette.palette_model import PaletteItem
from batchwright.ui.editor.preview.panel import PreviewPanel, open_in_browser
from batchwright.ui.editor.start_drag import DragController
from batchwright.ui.shell.callouts import CalloutId, new_callout
from batchwright.ui.shell.focus_regions import focus_region
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.library import LibraryCommands
from batchwright.ui.study.library_menu import open_library_menu
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study
from batchwright.wire.local_routes import PreviewRequest

if TYPE_CHECKING:  # imported when the panel is first shown
    from batchwright.layout.searching.text_search import Match
    from batchwright.ui.editor.find.panel import FindPanel


def build(
    context: StageContext,
    study: Study,
    session: ConnectionSession,
    library: LibraryCommands,
    images: WebImages,
) -> QWidget:
    """Create the stage; called by the shell."""
    return EditorStage(context, study, session, library, images)


class EditorStage(QStackedWidget):
    """The editor of one study; the preview takes its place while it is open."""

    def __init__(
        self,
        context: StageContext,
        study: Study,
        session: ConnectionSession,
        library: LibraryCommands,
        images: WebImages,
    ) -> None:
        super().__init__()
        self.context, self._study, self._session = context, study, session
        self._media = PreviewMedia(images, lambda address: open_medium(context.notices, address, study.media))
        self._library = library
        self._translator_files = SaveLocationMemory(study)
        self.selection, self.records = SelectionModel(), SampleRecords()
        self.state: EditorState = EditorState(study, self.selection, QGuiApplication.clipboard())
        self.state.has_editor_focus = self._has_editor_focus
        self.panels = EditorPanels(self.state, self.records, lambda: library.blocks)
        palette = self.panels.palette_panel
        callout = new_callout(CalloutId.LAYOUT, context.settings, palette, margins=(4, 0, 4, 0))
        if callout is not None:
            palette.add_callout(callout)
        self._canvas_focus = CanvasFocus(self.panels.canvas, self.state)
        self.addWidget(self.panels)
        self._preview: QWidget | None = None
        self._find_panel: FindPanel | None = None
        self._reveal_key = self._highlight_key = ""
        self._refresh_scheduled = False
        self._focuses_new_item = self._edits_new_item = False
        self._requested_problem: Problem | None = None
        """The problem whose field is to be focused at the next refresh."""
        self._shown_layout = study.layout
        context.shell.current_rule = self._rule_code
        self._connect()
        self._drag_controller = DragController(self.panels, self.state, context.shell)
        self._drag_controller.drag_rejected.connect(context.shell.show_message)
        ContextMenus(self, self.panels, self.state, context.actions)
        inserting = insertions({kind: item_type_label(kind).glyph for kind in insertable_types()})
        changing = type_changes({kind: editor.glyph for kind, editor in ITEM_EDITORS.items()})
        context.actions.add(self.state, (*EDITING, *inserting, *PAGING), self.state.actions_changed)
        context.actions.add(self, (*VIEW, *changing), self.state.actions_changed)
        self.panels.inspector.set_menu_actions([context.actions.qaction(action.id) for action in changing])
        self._load_records()
        self._refresh()

    def regions(self) -> Sequence[QWidget]:
        """The panels of the stage, between which F6 moves."""
        return self.panels.regions() if self._preview is None else (self._preview,)

    def main_widget(self) -> QWidget | None:
        """The widget that gets the focus when the stage is opened."""
        return self.panels.canvas.main_widget() if self._preview is None else None

    # Called by actions

    def show_palette(self) -> None:
        """Focus the search field of the palette."""
        self._show_editor()
        self.panels.show_outline(is_shown=False)
        self.panels.palette_panel.focus_search()

    def show_preview(self) -> None:
        """Show the current page as participants see it."""
        self._show_editor()
        preview = PreviewPanel(
            self._study, self.selection.page, self.records, self._media, size=self.contentsRect().size()
        )
        preview.closed.connect(self.close_preview)
        preview.browser_requested.connect(self._open_in_browser)
        self._preview = preview
        self.addWidget(preview)
        self.setCurrentWidget(preview)
        focus_region(preview)

    def close_preview(self) -> None:
        """Close the preview and show the editor."""
        preview, self._preview = self._preview, None
        if preview is not None:
            self.removeWidget(preview)
            preview.deleteLater()
            for key in self.state.keys[:1]:
                self.panels.canvas.focus_node(key)

    def show_languages(self) -> None:
        """Show the texts of the study in its languages."""
        from batchwright.ui.editor.languages.dialog import LanguagesDialog
        from batchwright.ui.editor.languages.state import LanguagesState
        from batchwright.ui.widgets.dialogs.file_dialogs import FileDialogs

        state, files = LanguagesState(self._study), FileDialogs(self.context.window)
        dialog = LanguagesDialog(state, self.context.tasks, files, self._translator_files)
        self.context.tasks.start("languages", lambda: dialog.ask(self.context.window))

    def show_find(self) -> None:
        """Show the panel of find and replace."""
        from batchwright.ui.editor.find.panel import FindPanel
        from batchwright.ui.editor.find.state import FindState

        self._show_editor()
        if self._find_panel is None:
            panel = self._find_panel = FindPanel(FindState(self._study, self.context.tasks))
            panel.closed.connect(self._close_find)
            panel.message.connect(self.context.shell.show_message)
            panel.list.entry_chosen.connect(self._on_match_chosen)
            panel.list.entry_activated.connect(self._on_match_activated)
            self.panels.add_find_panel(panel)
        self._find_panel.show()
        self._find_panel.open()

    def _close_find(self) -> None:
        if self._find_panel is not None:
            self._find_panel.state.deactivate()
            self._find_panel.hide()
            self.panels.canvas.focus_node(next(iter(self.state.keys), ""))

    def _on_match_chosen(self, match: "Match") -> None:
        """Show the page or item of a match. Matches outside of the layout are shown when activated."""
        location = match.text.location
        if location.source in {TextSource.PAGE_NAME, TextSource.ITEM}:
            self._highlight_key = location.key
            self.state.reveal(location.key)

    def _on_match_activated(self, match: "Match") -> None:
        """Edit the text of a match: in the inspector, on the Data stage, or in the task details."""
        location = match.text.location
        match location.source:
            case TextSource.FIELD_LABEL:
                self.context.shell.set_stage("data")
            case TextSource.STUDY_NAME | TextSource.TASK_DETAILS:
                self.context.shell.set_stage("run")
                self.context.actions.run(ActionId.RUN_DETAILS)
            case TextSource.PAGE_NAME | TextSource.ITEM:
                self.state.reveal(location.key)
                self._refresh()
                if location.source is TextSource.ITEM:
                    self.panels.show_attribute(location.attribute)
                else:
                    self.selection.request_edit()

    async def save_block(self) -> None:
        """Save the selection, or the selected pages, as a block of the user."""
        try:
            nodes = clipboard_nodes(self.state.layout, self.state.targets)
        except EditRejected as error:
            self.state.edit_rejected.emit(error.reason)
            return
        first = nodes.nodes[0]
        name = self.state.page_name(first.key) or node_name(first)
        await self._library.save_block(nodes, name, self.state.study.page_names)

    def toggle_outline(self) -> None:
        """Show the outline in place of the palette, or the palette again."""
        self._show_editor()
        self.panels.show_outline(is_shown=not self.panels.shows_outline)
        self._schedule_refresh()

    def rename_page(self) -> None:
        """Edit the name of the current page in the list."""
        self._show_editor()
        self.panels.inspector_toggle.close()
        self.panels.pages.start_rename()

    def edit_label(self) -> None:
        """Edit the label of the selected dataset field on its card."""
        self._show_editor()
        card = self.panels.canvas.page_canvas.card_of(self.state.labelled_field())
        if card is not None:
            card.edit_label()

    def toggle_problems(self) -> None:
        """Expand or collapse the list of problems."""
        self._show_editor()
        self.panels.problems.toggle()

    @property
    def shows_outline(self) -> bool:
        """Whether the outline is shown."""
        return self.panels.shows_outline

    @property
    def shows_editor(self) -> bool:
        """Whether the editor of an open study is in view, not its preview or another stage."""
        is_shown = self.context.shell.stage == "layout" and self._preview is None
        return is_shown and self._study.is_open

    def _show_editor(self) -> None:
        self.context.shell.set_stage("layout")
        self.close_preview()

    def _open_in_browser(self, request: PreviewRequest) -> None:
        open_in_browser(self.context, self._session, request, self._study.media)

    # Connections between the panels

    def _connect(self) -> None:
        state, page_canvas = self.state, self.panels.canvas.page_canvas
        state.changed.connect(self._schedule_refresh)
        state.reveal_requested.connect(self._on_reveal_requested)
        state.highlight_requested.connect(self._on_highlight_requested)
        state.field_requested.connect(self._on_field_requested)
        state.edit_rejected.connect(self.context.shell.show_message)
        state.message.connect(self.context.shell.show_message)
        self.records.changed.connect(self._schedule_refresh)
        self._study.data_changed.connect(self._load_records)
        self._library.changed.connect(self._schedule_refresh)
        self.panels.palette_panel.block_menu_requested.connect(
            lambda block, at: open_library_menu(self, at, self._library, block)
        )
        self.panels.canvas.header.record_step_requested.connect(self.records.step)
        page_canvas.select_requested.connect(self._on_select_requested)
        page_canvas.edit_requested.connect(self._on_edit_requested)
        page_canvas.fix_requested.connect(state.fix)
        page_canvas.duplicate_requested.connect(self._on_duplicate_requested)
        page_canvas.remove_requested.connect(self._on_remove_requested)
        page_canvas.move_requested.connect(self._on_move_requested)
        page_canvas.arrow_pressed.connect(self._on_arrow_pressed)
        page_canvas.label_entered.connect(state.set_label)
        page_canvas.empty_page.insert_requested.connect(self.show_palette)
        self.panels.canvas.background_clicked.connect(lambda: self.selection.select(()))
        self.panels.canvas.escape_pressed.connect(lambda: commands.select_parent(state))
        self.panels.canvas.arrow_pressed.connect(self._on_page_arrow_pressed)
        self.panels.canvas.edit_requested.connect(self.selection.request_edit)
        self.panels.palette_panel.item_chosen.connect(self._on_palette_item_chosen)
        self.panels.pages.pages_selected.connect(state.select)
        self.panels.pages.pages_model.rename_requested.connect(self._study.set_page_name)
        self.panels.pages_panel.add_page_requested.connect(lambda: commands.add_page(state))
        self.panels.close_outline.clicked.connect(self.toggle_outline)
        self.panels.outline.nodes_selected.connect(state.select)
        self.panels.outline.edit_requested.connect(self._on_edit_requested)
        self.panels.problems.problem_chosen.connect(state.go_to_problem)
        self.panels.problems.focus_requested.connect(self._on_problem_focus_requested)
        self.panels.problems.fix_requested.connect(state.fix)
        self.panels.problems.fix_all_like_requested.connect(state.fix_all_like)
        self.panels.problems.fix_all_requested.connect(state.fix_all)
        self.panels.problems.next_requested.connect(state.go_to_next_problem)
        self.panels.undo.clicked.connect(self._study.undo)
        self.panels.redo.clicked.connect(self._study.redo)
        self.panels.preview.clicked.connect(self.show_preview)
        self.panels.header.primary.clicked.connect(self._on_primary_clicked)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    def _on_select_requested(self, key: str, together: bool) -> None:
        if together:
            self.state.toggle_selected(key)
        else:
            self.state.reveal(key)

    def _on_edit_requested(self, key: str) -> None:
        if self.state.targets != (key,):
            self.selection.select((key,))
        self.selection.request_edit()

    def _on_problem_focus_requested(self, problem: Problem) -> None:
        self.panels.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.state.go_to_problem(problem)

    def _on_duplicate_requested(self, key: str) -> None:
        self.state.reveal(key)
        commands.duplicate(self.state)

    def _on_move_requested(self, key: str, direction: Direction) -> None:
        self.state.reveal(key)
        commands.move(self.state, direction)

    def _on_remove_requested(self, key: str) -> None:
        self.state.reveal(key)
        commands.remove(self.state)

    def _on_palette_item_chosen(self, palette_item: PaletteItem) -> None:
        """Add an item and focus its card. The text of a question or rich text is edited at once."""
        if palette_item.block is not None:
            commands.insert_block(self.state, palette_item.block)
            self._focuses_new_item = True
            return
        item = commands.new_item(palette_item.item_type, palette_item.field)
        commands.insert(self.state, item)
        self._focuses_new_item = True
        self._edits_new_item = isinstance(item, (Instruction, RichText))

    def _on_arrow_pressed(self, key: str, event: QKeyEvent) -> None:
        """Select the next card in the direction of an arrow key. Shift adds it; Ctrl only moves the focus."""
        neighbour = self.panels.canvas.page_canvas.neighbour(key, Qt.Key(event.key()))
        if neighbour is None:
            return
        modifiers = event.modifiers()
        if modifiers & Qt.KeyboardModifier.ShiftModifier and neighbour not in self.state.keys:
            self.state.toggle_selected(neighbour)
        elif not modifiers & Qt.KeyboardModifier.ControlModifier:
            self.state.reveal(neighbour)
        self._canvas_focus.move(neighbour)

    def _on_page_arrow_pressed(self, at_first: bool) -> None:
        cards = self.panels.canvas.page_canvas.cards()
        if cards:
            self.state.reveal(cards[0 if at_first else -1].node.key)

    def _on_reveal_requested(self, key: str) -> None:
        self._reveal_key = key
        self._schedule_refresh()

    def _on_highlight_requested(self, key: str) -> None:
        self._highlight_key = key

    def _on_field_requested(self, problem: Problem) -> None:
        self._requested_problem = problem
        self._schedule_refresh()

    def _on_primary_clicked(self) -> None:
        if self.state.error_count() or self.state.unfilled_count():
            self.state.go_to_next_problem()
        else:
            self.context.shell.set_stage("collections" if self.state.study.is_collection else "run")

    def _has_editor_focus(self) -> bool:
        """Whether keys are commands of the layout: the editor is shown and no text field has the focus."""
        return self.shows_editor and not self.panels.is_typing()

    def _rule_code(self) -> str:
        """The rule code for F1: of the current problem in the list, or of the selected node."""
        if self.context.shell.stage != "layout":
            return ""
        problem = self.panels.problems.focused_problem or self.state.selected_problem()
        return "" if problem is None else problem.code

    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        """Update the actions, unless the focus has moved outside of this stage, as in another window."""
        if before is None or self.isAncestorOf(before) or (now is not None and self.isAncestorOf(now)):
            self.state.actions_changed.emit()

    def _load_records(self) -> None:
        data = self._study.data
        if data is None:
            self.records.clear()
        else:
            self.context.tasks.start(f"records of {data.path}", lambda: self._load_records_of(data))

    async def _load_records_of(self, data: DataFile) -> None:
        file = await self._study.records_files.of(data)
        await self.records.load(file.path, file.format)

    # Refreshing

    def _schedule_refresh(self) -> None:
        """Refresh the panels once after any number of changes."""
        if not self._refresh_scheduled:
            self._refresh_scheduled = True
            QTimer.singleShot(0, self, self._refresh)

    def _refresh(self) -> None:
        self._refresh_scheduled = False
        had_focus, focused = self.panels.canvas.has_focus_within(), self.panels.canvas.focused_key()
        is_edited, self._shown_layout = self._shown_layout is not self._study.layout, self._study.layout
        with self._canvas_focus.selection_kept():
            self.panels.refresh()
            self._apply_requests(had_focus=had_focus, focused=focused, is_edited=is_edited)
        self.state.actions_changed.emit()

    def _apply_requests(self, *, had_focus: bool, focused: str | None, is_edited: bool) -> None:
        """Reveal the requested node. It gets the focus unless a list has it.

        The card of an item that was edited in the inspector stays in view. The text of a new question or rich
        text item is edited.
        """
        key, self._reveal_key = self._reveal_key, ""
        highlights, self._highlight_key = self._highlight_key == key, ""
        is_new, is_new_text = self._focuses_new_item, self._edits_new_item
        self._focuses_new_item = self._edits_new_item = False
        problem, self._requested_problem = self._requested_problem, None
        canvas = self.panels.canvas
        if key:
            canvas.scroll_to(key, highlights=highlights)
            if problem is not None:
                self.panels.show_field(problem)
            elif is_new_text:
                self.selection.request_edit()
            elif is_new or not self.panels.is_in_list():
                canvas.focus_node(key)
        elif had_focus:
            self._canvas_focus.restore(focused)
        elif is_edited and len(self.state.keys) == 1 and self.panels.is_in_inspector():
            canvas.scroll_to_end_of(self.state.keys[0])
        if problem is not None:
            self.state.announce_problem(problem)
