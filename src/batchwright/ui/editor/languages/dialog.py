"""The dialog about the languages of a study: its texts in a table, and below it the one to be translated."""

from collections.abc import Awaitable, Callable
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.data_files.translation_files.exchanged_texts import InvalidTranslationFile
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.editor.inspector.text_binding import ChunkNavigator, TextBinding
from batchwright.ui.editor.languages.state import LanguagesState
from batchwright.ui.editor.languages.table import FIRST_LANGUAGE, TextsModel, note_about
from batchwright.ui.editor.languages.translator_files import (
    export_csv,
    export_xliff,
    import_translations,
)
from batchwright.ui.study.language_names import catalogue_text, own_name
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import is_too_long, sanitize
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.tables.table import FittedTable
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.wrapping_row import WrappingRow
from batchwright.workflows.messages import describe

_WIDTH, _TABLE_WIDTH, _MIN_COLUMN = 980, 900, 170
_MIN_ROWS, _MAX_ROWS = 4, 10
_EDITOR_LINES = 3
_CHECK_DELAY_MS = 300
_NEXT_KEYS = "F8"


class LanguagesDialog(Dialog):
    """Shows a `LanguagesState`, and changes it."""

    help_address = "layout.md#languages"

    def __init__(
        self, state: LanguagesState, tasks: Tasks, files: FileChooser, locations: SaveLocationMemory
    ) -> None:
        super().__init__(
            _("Languages"),
            _("What participants read in other languages. Each language becomes a batch of its own."),
            _("Close"),
            width=_WIDTH,
        )
        self.cancel_button.hide()
        self.state, self._tasks, self._files, self._locations = state, tasks, files, locations
        self.new_language = FormComboBox()
        self.new_language.setAccessibleName(_("Language to add"))
        self.add_button = Button(_("Add language"), glyph="plus")
        self.remove_button = Button(_("Remove language"), ButtonKind.DANGER, glyph="trash")
        self.import_button = Button(_("Import…"), glyph="download-simple")
        self.export_button = Button(_("Export…"), glyph="upload-simple")
        self.export_menu = QMenu(self.export_button)
        self.export_button.setMenu(self.export_menu)
        adding = WrappingRow(
            *(self.new_language, self.add_button, self.remove_button, None),
            *(self.import_button, self.export_button),
        )
        self.model = TextsModel(state, self)
        self.table = FittedTable(
            _("Texts"), self.model, width=_TABLE_WIDTH, min_rows=_MIN_ROWS, max_rows=_MAX_ROWS
        )
        self.table.installEventFilter(self)
        self.notes = Label("", TextRole.SMALL, "text2", wraps=True)
        self.outcome = Label("", TextRole.SMALL_NAME, wraps=True)
        self.outcome.hide()
        self._source, self.area = TextArea(_EDITOR_LINES), TextArea(_EDITOR_LINES)
        self._source.setReadOnly(True)
        self._binding = TextBinding(self.area, self._on_typed, state.study.close_step)
        self._source_field = InputField(own_name(state.source_language), self._source)
        self.confirm_button = Button(_("Still right"))
        self.next_button = Button(_("Next to translate"), glyph="arrow-down", keys=_NEXT_KEYS)
        self._language_name = Label("", TextRole.SMALL_NAME)
        self._editor_note = Label("", TextRole.CAPTION, "text2", wraps=True)
        self._editor = self._created_editor()
        self._cell = 0, ""
        """The row and the language of the text that is edited; no language while there is none."""
        self._check_timer = QTimer(self, singleShot=True, interval=_CHECK_DELAY_MS)
        self.add(adding, self.outcome, self.table, self.notes, self._editor)
        self.add_side_button(self.next_button)
        self.set_shrinking(self.table, lambda: self.table.sizeHint().height())
        self._connect()
        self._fill_choices()
        self.select(0, next(iter(state.languages), ""))
        self._check_timer.start()

    def _created_editor(self) -> QWidget:
        editor, target = QWidget(), QWidget()
        self.area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        below = row(gap=8)
        below.addWidget(self._editor_note, 1)
        below.add(self.confirm_button)
        column(self._language_name, self.area, ChunkNavigator(self._binding), below, gap=5, parent=target)
        fields = row(gap=16)
        for part in (self._source_field, target):
            fields.addWidget(part, 1, Qt.AlignmentFlag.AlignTop)
        column(fields, parent=editor)
        return editor

    def _connect(self) -> None:
        self.add_button.clicked.connect(self._on_add_clicked)
        self.remove_button.clicked.connect(self._on_remove_clicked)
        self.export_menu.aboutToShow.connect(self._fill_export_menu)
        self.import_button.clicked.connect(
            lambda: self._start(lambda: import_translations(self.state, self._files))
        )
        self.table.selectionModel().currentChanged.connect(self._on_current_changed)
        self.table.doubleClicked.connect(lambda _index: self._focus_area())
        self.confirm_button.clicked.connect(lambda: self.state.confirm(*self._cell))
        self.next_button.clicked.connect(self._on_next_clicked)
        self.state.changed.connect(self._refresh)
        self.state.problems_changed.connect(self._refresh)
        self._check_timer.timeout.connect(self._check)
        QShortcut(QKeySequence(_NEXT_KEYS), self, self._on_next_clicked)
        # The window's actions are disabled while the dialog is open; undo must still work.
        QShortcut(QKeySequence("Ctrl+Z"), self, self.state.study.undo)
        QShortcut(QKeySequence("Ctrl+Shift+Z"), self, self.state.study.redo)

    @override
    def set_initial_focus(self) -> None:
        """Focus the table, or the choice of a language if there is none."""
        widget = self.table if self.state.languages else self.new_language
        widget.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def done(self, code: int) -> None:
        self._check_timer.stop()
        self.state.study.close_step()
        super().done(code)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Edit the text of the current cell by Enter and F2."""
        keys = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2}
        is_press = (
            isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() in keys
        )
        if watched is self.table and is_press and self._cell[1]:
            self._focus_area()
            return True
        return super().eventFilter(watched, event)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_columns()

    def select(self, number: int, language: str) -> None:
        """Make a cell the current one; that of another language if the study has this one no more."""
        languages = self.state.languages
        if language not in languages:
            language = next(iter(languages), "")
        place = FIRST_LANGUAGE + languages.index(language) if language else 1
        number = max(0, min(number, self.model.row_count() - 1))
        self.table.setCurrentIndex(self.model.index(number, place))
        self._show_cell(number, language)

    def _on_current_changed(self, current: QModelIndex) -> None:
        language = self.model.language(current.column()) or self._cell[1]
        self._show_cell(max(0, current.row()), language)

    def _show_cell(self, number: int, language: str) -> None:
        if (number, language) != self._cell:
            self.state.study.close_step()
        self._cell = number, language
        self._refresh_editor()

    def _refresh(self) -> None:
        before = self._cell
        if self.model.refresh():
            self._fit_columns()
            self._fill_choices()
            self.select(*before)
        self._refresh_editor()
        self._check_timer.start()

    def _refresh_editor(self) -> None:
        number, language = self._cell
        is_shown = bool(language) and number < self.model.row_count()
        self._editor.setVisible(is_shown)
        self.next_button.setVisible(is_shown)
        self.remove_button.setVisible(bool(language))
        self._refresh_notes()
        if not is_shown:
            return
        source = self.state.texts[number].text.text
        shown = sanitize(source) if is_too_long(source) else source
        if self._source.toPlainText() != shown:
            self._source.setPlainText(shown)
        self._source_field.set_hint(self.model.place(number))
        found = self.state.translation(number, language)
        self._binding.show_text("" if found is None else found.text)
        name = own_name(language)
        self._language_name.setText(name)
        self.area.setAccessibleName(name)
        self._editor_note.setText(note_about(self.state, number, language))
        self._editor_note.set_tone("err" if self.state.problem(number, language) else "warn")
        self.confirm_button.setVisible(self.state.is_outdated(number, language))
        has_open = self.state.has_open(language)
        self.next_button.set_disabled_reason("" if has_open else _("All texts are translated"))
        self.remove_button.setText(_("Remove {language}").format(language=name))

    def _refresh_notes(self) -> None:
        """Say what of the pages is not in the current language, and what is wrong with its texts."""
        language = self._cell[1]
        problems = self.state.problems.get(language, ())
        notes = [f"{own_name(language)}: {catalogue_text(language)}"] if language else []
        if problems:
            text = ngettext(
                "{count} problem only in this language:",
                "{count} problems only in this language:",
                len(problems),
            )
            notes.append(f"{text.format(count=len(problems))} {problems[0]}")
        if not language:
            notes.append(_("Choose a language to translate the texts to."))
        self.notes.setText("\n".join(notes))

    def _fill_choices(self) -> None:
        self.new_language.clear()
        for tag in self.state.possible_languages:
            if tag not in self.state.languages:
                self.new_language.add(own_name(tag), tag)

    def _fit_columns(self) -> None:
        """Share the width among the columns, which users can change afterwards; many of them scroll."""
        header = self.table.horizontalHeader()
        header.setMinimumSectionSize(theme().px(_MIN_COLUMN))
        header.resizeSections(QHeaderView.ResizeMode.Stretch)
        self.table.updateGeometry()

    def _on_add_clicked(self) -> None:
        language = str(self.new_language.currentData())
        self.state.add_language(language)
        self.select(0, language)

    def _on_remove_clicked(self) -> None:
        self.state.remove_language(self._cell[1])

    def _on_next_clicked(self) -> None:
        number, language = self._cell
        following = self.state.next_open(number, language) if language else None
        if following is not None:
            self.select(following, language)
            self._focus_area()

    def _on_typed(self, text: str) -> None:
        number, language = self._cell
        if language:
            self.state.translate(number, language, text)

    def _focus_area(self) -> None:
        if self._cell[1]:
            self.area.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_export_menu(self) -> None:
        """List what can be exported."""
        self.export_menu.clear()
        everything = self.export_menu.addAction(_("All languages as CSV…"))
        everything.triggered.connect(
            lambda: self._start(lambda: export_csv(self.state, self._files, self._locations))
        )
        for language in self.state.languages:
            one = self.export_menu.addAction(_("{language} as XLIFF…").format(language=own_name(language)))
            one.triggered.connect(partial(self._export_xliff, language))

    def _export_xliff(self, language: str) -> None:
        self._start(lambda: export_xliff(self.state, language, self._files, self._locations))

    def _start(self, work: Callable[[], Awaitable[str]]) -> None:
        """Export or import, and show the result or the error in the dialog."""

        async def show_result() -> None:
            try:
                text, tone = await work(), "text"
            except (InvalidTranslationFile, OSError) as error:
                text, tone = str(describe(error)), "err"
            self.outcome.setText(text)
            self.outcome.set_tone(tone)
            self.outcome.setVisible(bool(text))

        self._tasks.start("texts for translators", show_result)

    def _check(self) -> None:
        self._tasks.restart("check of translations", self.state.check)
