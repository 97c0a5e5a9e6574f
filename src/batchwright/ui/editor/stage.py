"""The Layout stage: places its panels, and leads what happens in one to the others (style.md 8)."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from batchwright.layout.item_types import Instruction, RichText
from batchwright.layout.rules.problems import Problem
from batchwright.local.projects import DataFile
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.editor import commands
from batchwright.ui.editor.actions import EDITING, PAGING, SHOWING
from batchwright.ui.editor.context_menus import ContextMenus
from batchwright.ui.editor.dnd.start_drag import DragController
from batchwright.ui.editor.keyboard_moves import Direction
from batchwright.ui.editor.palette_model import PaletteItem
from batchwright.ui.editor.panels import EditorPanels
from batchwright.ui.editor.preview.browser import open_in_browser
from batchwright.ui.editor.preview.panel import PreviewPanel
from batchwright.ui.editor.sample_records import SampleRecords
from batchwright.ui.editor.selection import SelectionModel
from batchwright.ui.editor.state import EditorState
from batchwright.ui.shell.focus_regions import take_focus
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.study_model import Study
from batchwright.wire.local_routes import PreviewRequest


def build(frame: StageContext, study: Study, session: ConnectionSession) -> QWidget:
    """The stage, for the shell."""
    return EditorStage(frame, study, session)


class EditorStage(QStackedWidget):
    """The editor of one study, and in its place the preview when it is asked for."""

    def __init__(self, frame: StageContext, study: Study, session: ConnectionSession) -> None:
        super().__init__()
        self._frame, self._study, self._session = frame, study, session
        self.selection, self.records = SelectionModel(), SampleRecords()
        self.model = EditorState(study, self.selection, QGuiApplication.clipboard())
        self.model.takes_keys = self._takes_keys
        self.panels = EditorPanels(self.model, self.records)
        self.addWidget(self.panels)
        self._preview: QWidget | None = None
        self._reached = self._glows = ""
        self._is_due = False
        self._is_new = self._is_new_text = False
        self._problem: Problem | None = None
        """The problem whose field is to take the cursor."""
        frame.shell.rule_in_question = self._rule_in_question
        self._connect()
        self._taking = DragController(self.panels, self.model, frame.shell)
        self._taking.refused.connect(frame.shell.tell)
        self._pointing = ContextMenus(self, self.panels, self.model, frame.actions)
        frame.actions.add(self.model, (*EDITING, *PAGING), self.model.possible)
        frame.actions.add(self, SHOWING, self.model.possible)
        self._read_records()
        self._draw()

    def regions(self) -> Sequence[QWidget]:
        """The parts of the stage, for F6."""
        return self.panels.regions() if self._preview is None else (self._preview,)

    def main_widget(self) -> QWidget | None:
        """Where the keyboard goes when somebody comes to the stage."""
        return self.panels.canvas.main_widget() if self._preview is None else None

    # What actions ask for

    def insert_part(self) -> None:
        """Give the keyboard to the parts."""
        self._show_editor()
        self.panels.show_outline(is_shown=False)
        self.panels.parts.begin()

    def show_preview(self) -> None:
        """Show the page in view as participants see it."""
        self._show_editor()
        preview = PreviewPanel(self._study, self.selection.page, self.records)
        preview.closed.connect(self.close_preview)
        preview.browser_wanted.connect(self._open_in_browser)
        self._preview = preview
        self.addWidget(preview)
        self.setCurrentWidget(preview)
        take_focus(preview)

    def close_preview(self) -> None:
        """Show the editor again."""
        preview, self._preview = self._preview, None
        if preview is not None:
            self.removeWidget(preview)
            preview.deleteLater()
            for key in self.model.keys[:1]:
                self.panels.canvas.focus_entry(key)

    def toggle_outline(self) -> None:
        """Show the outline in place of the parts, or the parts again."""
        self._show_editor()
        self.panels.show_outline(is_shown=not self.panels.shows_outline)
        self._draw_soon()

    def rename_page(self) -> None:
        """Let the name of the page in view be written in the list."""
        self._show_editor()
        self.panels.fold.close()
        self.panels.pages.rename()

    def toggle_problems(self) -> None:
        """Open or close the list of problems."""
        self._show_editor()
        self.panels.problems.toggle()

    @property
    def shows_outline(self) -> bool:
        """Whether the outline is shown."""
        return self.panels.shows_outline

    def _show_editor(self) -> None:
        self._frame.shell.set_stage("layout")
        self.close_preview()

    def _open_in_browser(self, request: PreviewRequest) -> None:
        open_in_browser(self._frame, self._session, request)

    # Leading

    def _connect(self) -> None:
        model, sheet = self.model, self.panels.canvas.sheet
        model.changed.connect(self._draw_soon)
        model.reached.connect(self._reach)
        model.pointed_at.connect(self._point_at)
        model.field_wanted.connect(self._show_field)
        model.refused.connect(self._frame.shell.tell)
        model.message.connect(self._frame.shell.tell)
        self.records.changed.connect(self._draw_soon)
        self._study.data_changed.connect(self._read_records)
        self.panels.canvas.line.record_wanted.connect(self.records.step)
        sheet.picked.connect(self._pick)
        sheet.entered.connect(self._enter)
        sheet.fix_wanted.connect(model.fix)
        sheet.copy_wanted.connect(self._duplicate)
        sheet.removal_wanted.connect(self._remove)
        sheet.move_wanted.connect(self._move)
        sheet.arrow_pressed.connect(self._arrow)
        sheet.empty.insert_wanted.connect(self.insert_part)
        self.panels.canvas.ground_pressed.connect(lambda: self.selection.select(()))
        self.panels.canvas.escaped.connect(lambda: commands.select_parent(model))
        self.panels.canvas.begun.connect(self._begin)
        self.panels.canvas.entered.connect(self.selection.edit)
        self.panels.parts.part_chosen.connect(self._insert)
        self.panels.pages.chosen.connect(model.choose)
        self.panels.pages.pages.renamed.connect(self._study.set_page_name)
        self.panels.pages_panel.page_wanted.connect(lambda: commands.add_page(model))
        self.panels.close_outline.clicked.connect(self.toggle_outline)
        self.panels.outline.chosen.connect(model.choose)
        self.panels.outline.entered.connect(self._enter)
        self.panels.problems.reached.connect(model.reach_problem)
        self.panels.problems.entered.connect(self._enter_problem)
        self.panels.problems.fix_wanted.connect(model.fix)
        self.panels.problems.all_of_kind_wanted.connect(model.fix_all_like)
        self.panels.problems.all_wanted.connect(model.fix_all)
        self.panels.problems.next_wanted.connect(model.next_problem)
        self.panels.undo.clicked.connect(self._study.undo)
        self.panels.redo.clicked.connect(self._study.redo)
        self.panels.preview.clicked.connect(self.show_preview)
        self.panels.header.primary.clicked.connect(self._go_on)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._keyboard_moved)

    def _pick(self, key: str, together: bool) -> None:
        if together:
            self.model.toggle(key)
        else:
            self.model.reach(key)

    def _enter(self, key: str) -> None:
        if self.model.subjects != (key,):
            self.selection.select((key,))
        self.selection.edit()

    def _enter_problem(self, problem: Problem) -> None:
        self.panels.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.model.reach_problem(problem)

    def _duplicate(self, key: str) -> None:
        self.model.reach(key)
        commands.duplicate(self.model)

    def _move(self, key: str, where: Direction) -> None:
        self.model.reach(key)
        commands.move(self.model, where)

    def _remove(self, key: str) -> None:
        self.model.reach(key)
        commands.remove(self.model)

    def _insert(self, part: PaletteItem) -> None:
        """Add a part, and go there with the keyboard; a question or a text is asked for at once."""
        item = commands.new_item(part.item, part.field)
        commands.insert(self.model, item)
        self._is_new = True
        self._is_new_text = isinstance(item, (Instruction, RichText))

    def _arrow(self, key: str, event: QKeyEvent) -> None:
        """Go to the next card in the direction of an arrow; Shift selects it as well, Ctrl only goes."""
        near = self.panels.canvas.sheet.neighbour(key, Qt.Key(event.key()))
        if near is None:
            return
        held = event.modifiers()
        if held & Qt.KeyboardModifier.ShiftModifier and near not in self.model.keys:
            self.model.toggle(near)
        elif not held & Qt.KeyboardModifier.ControlModifier:
            self.model.reach(near)
        self.panels.canvas.focus_entry(near)

    def _begin(self, at_first: bool) -> None:
        cards = self.panels.canvas.sheet.cards()
        if cards:
            self.model.reach(cards[0 if at_first else -1].entry.key)

    def _reach(self, key: str) -> None:
        self._reached = key
        self._draw_soon()

    def _point_at(self, key: str) -> None:
        self._glows = key

    def _show_field(self, problem: Problem) -> None:
        self._problem = problem
        self._draw_soon()

    def _go_on(self) -> None:
        if self.model.errors() or self.model.unfilled():
            self.model.next_problem()
        else:
            self._frame.shell.set_stage("run")

    def _takes_keys(self) -> bool:
        """Keys are for the layout while the editor is shown and the keyboard is not in a form."""
        is_shown = self._frame.shell.stage == "layout" and self._preview is None
        return is_shown and self._study.is_open and not self.panels.is_typing()

    def _rule_in_question(self) -> str:
        """The code of the problem that F1 is pressed on: of the list, or of what is selected."""
        if self._frame.shell.stage != "layout":
            return ""
        problem = self.panels.problems.asked_about or self.model.problem_here()
        return "" if problem is None else problem.code

    def _keyboard_moved(self) -> None:
        self.model.possible.emit()

    def _read_records(self) -> None:
        data = self._study.data
        if data is None:
            self.records.forget()
        else:
            self._frame.tasks.start(f"records of {data.path}", lambda: self._take_records(data))

    async def _take_records(self, data: DataFile) -> None:
        await self.records.read(data.path, data.form)

    # Drawing

    def _draw_soon(self) -> None:
        """Draw once, however much has changed at a time."""
        if not self._is_due:
            self._is_due = True
            QTimer.singleShot(0, self, self._draw)

    def _draw(self) -> None:
        self._is_due = False
        had_keyboard, focused = self.panels.canvas.has_keyboard(), self.panels.canvas.focused_key()
        self.panels.draw()
        self._go_to_reached(had_keyboard=had_keyboard, focused=focused)
        self.model.possible.emit()

    def _go_to_reached(self, *, had_keyboard: bool, focused: str | None) -> None:
        """Bring what was gone to into view; the keyboard comes along unless it is in a list.

        A question or a rich text that is new is asked for.
        """
        key, self._reached = self._reached, ""
        glows, self._glows = self._glows == key, ""
        is_new, is_new_text = self._is_new, self._is_new_text
        self._is_new = self._is_new_text = False
        problem, self._problem = self._problem, None
        canvas = self.panels.canvas
        if key:
            canvas.scroll_to(key, glows=glows)
            if problem is not None:
                self.panels.show_field(problem)
            elif is_new_text:
                self.selection.edit()
            elif is_new or not self.panels.is_in_list():
                canvas.focus_entry(key)
        elif had_keyboard and (not canvas.has_keyboard() or canvas.is_elsewhere(focused)):
            canvas.focus_entry(focused or "")  # a card that is moved to another column loses it
            canvas.scroll_to(focused or "")
        if problem is not None:
            self.model.tell_problem(problem)
