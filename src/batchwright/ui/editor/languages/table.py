"""The table of texts: where each is, its own text, and a column for each language."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.rules.problems import Severity
from batchwright.ui.core.formatting import number
from batchwright.ui.editor.find.match_rows import place_of
from batchwright.ui.editor.languages.state import LanguagesState
from batchwright.ui.study.language_names import own_name
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.tables.table import Cell, CellModel, TextCell

FIRST_LANGUAGE = 2
"""The column of the first language that the study is translated to."""
_LONGEST = 300
"""Characters of a text that a cell shows at most."""


class TextsModel(CellModel):
    """The texts of a `LanguagesState`."""

    def __init__(self, state: LanguagesState, parent: QObject) -> None:
        super().__init__(parent)
        self._state = state
        self._shown = self._size

    @property
    def _size(self) -> tuple[int, tuple[str, ...]]:
        return len(self._state.texts), self._state.languages

    def refresh(self) -> bool:
        """Show the current texts; returns whether rows or columns are others."""
        if (size := self._size) != self._shown:
            self.beginResetModel()
            self._shown = size
            self.endResetModel()
            return True
        last = self.index(self.row_count() - 1, self.column_count() - 1)
        self.dataChanged.emit(self.index(0, 0), last)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.column_count() - 1)
        return False

    @override
    def row_count(self) -> int:
        return self._shown[0]

    @override
    def headings(self) -> Sequence[str]:
        source = own_name(self._state.source_language)
        return (_("Text"), source, *map(self._heading, self._shown[1]))

    def _heading(self, language: str) -> str:
        counts, name = self._state.counts(language), own_name(language)
        if counts.missing:
            return _("{language}: {count} missing").format(language=name, count=number(counts.missing))
        if counts.outdated:
            text = _("{language}: {count} to check")
            return text.format(language=name, count=number(counts.outdated))
        return _("{language}: complete").format(language=name)

    def language(self, column: int) -> str:
        """The language of a column; empty for one that has none."""
        place = column - FIRST_LANGUAGE
        return self._shown[1][place] if 0 <= place < len(self._shown[1]) else ""

    def place(self, row: int) -> str:
        """Where a text is."""
        text = self._state.texts[row].text
        return place_of(text, self._state.study.shown_path(text.path))

    @override
    def has_cell(self, row: int, column: int) -> bool:
        return super().has_cell(row, column) and row < len(
            self._state.texts
        )  # until `refresh`, more are shown

    @override
    def cell(self, row: int, column: int) -> Cell:
        language = self.language(column)
        if column == 0:
            return TextCell(self.place(row), tone="text2")
        if not language:
            return TextCell(_line(self._state.texts[row].text.text))
        found, problem = self._state.translation(row, language), self._state.problem(row, language)
        if found is None:
            return TextCell(_("Missing"), tone="warn", is_missing=True)
        return TextCell(
            _line(found.text),
            has_error=problem is not None and problem.severity is Severity.ERROR,
            glyph="warning-fill" if problem is not None or self._state.is_outdated(row, language) else "",
        )

    @override
    def text(self, row: int, column: int) -> str:
        state = self.tooltip(row, column)
        return (
            f"{super().text(row, column)}, {state}"
            if state and self.language(column)
            else super().text(row, column)
        )

    @override
    def tooltip(self, row: int, column: int) -> str | None:
        language = self.language(column)
        if not language:
            return self.place(row) if column == 0 else None
        return note_about(self._state, row, language) or None


def note_about(state: LanguagesState, row: int, language: str) -> str:
    """What is to be said about a translation: its problem, or that its text was changed; else empty."""
    if (problem := state.problem(row, language)) is not None:
        return problem.message
    found = state.translation(row, language)
    if found is None or not state.is_outdated(row, language):
        return ""
    return _("The text was changed since. It was: {text}").format(text=_line(found.source))


def _line(text: str) -> str:
    return sanitize_line(text[:_LONGEST].replace("\n", " "))
