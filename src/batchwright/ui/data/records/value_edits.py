"""Commands that edit values beside the data file, which stays as it is."""

from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, is_object
from batchwright.data_files.column_names import distinct_names
from batchwright.data_files.conversion.edit_list import ReplacementEdit, cell_edit
from batchwright.data_files.profiling import as_text
from batchwright.data_files.rows import ParsedRecord
from batchwright.ui.core.formatting import number
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.file.shown_edits import record_content
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.fields import InputField, TextArea
from batchwright.ui.widgets.long_texts import fill
from batchwright.ui.widgets.notices import NoticeSeverity


async def edit_cell(context: DataContext, record: ParsedRecord[Json], column: int) -> None:
    """Ask for another value in a column, counted from zero, unless a dataset operation is running."""
    summary, opening = context.state.file.summary, context.state.study.opening
    if summary is None or context.notify_if_busy() or context.notify_if_prepared():
        return
    names = summary.columns if is_object(record.content) else distinct_names(summary.columns)
    content = record_content(names, record.content)
    if content is None:
        text = _(
            "A row with another number of cells, or a line that is no record, is corrected in the file "
            "itself."
        )
        context.notify(NoticeSeverity.WARNING, _("This record cannot be changed here"), text)
        return
    before = content.get(names[column])
    dialog = CellDialog(names[column], "" if before is None else as_text(before))
    if not await dialog.ask(context.window.window) or dialog.value == dialog.before:
        return
    if opening == context.state.study.opening and summary.path == context.state.file.path:
        edit = cell_edit(names, record.record_index, content, names[column], dialog.value)
        context.state.add_edit(edit)


async def replace_hits(context: DataContext) -> None:
    """Ask what replaces the text that is searched, in all records, unless a dataset operation is running."""
    state, opening = context.state, context.state.study.opening
    search, view = state.views.query.search, state.views.view
    if search is None or view is None or context.notify_if_busy() or context.notify_if_prepared():
        return
    dialog = ReplaceTextDialog(search.text)
    if await dialog.ask(context.window.window) and opening == state.study.opening:
        state.add_edit(ReplacementEdit(search.text, dialog.replacement))


class CellDialog(Dialog):
    """Asks for another value of a cell."""

    help_address = "data.md#checks"

    def __init__(self, column: str, before: str) -> None:
        text = _(
            "The file itself stays as it is: the study keeps the change, and repeats it for new versions."
        )
        super().__init__(
            _("Change “{column}”").format(column=column), text, _("Change the value"), width=WIDE
        )
        self.before = self.value = before
        """The value so far, and the one that was entered."""
        area = TextArea(6)
        field = InputField(_("Value"), area, hint=_("An empty value is a missing one."))
        self._entered = fill(field, before)
        area.selectAll()
        self.add(field)

    @override
    def accept(self) -> None:
        """Keep the value before the fields are deleted."""
        self.value = self._entered()
        super().accept()


class ReplaceTextDialog(Dialog):
    """Asks what replaces a text in all records and columns."""

    help_address = "data.md#checks"

    def __init__(self, text: str) -> None:
        super().__init__(
            _("Replace “{text}” in all records").format(text=text),
            _("It is replaced in every column, in capitals or not. The file itself stays as it is."),
            _("Replace all"),
        )
        self.replacement = ""
        field = QLineEdit()
        field.textChanged.connect(self._on_changed)
        self.add(InputField(_("Replace with"), field, hint=_("If this is empty, the text is removed.")))

    def _on_changed(self, text: str) -> None:
        self.replacement = text


def changes_text(count: int) -> str:
    """A number of changes of the records."""
    return ngettext("{count} change", "{count} changes", count).format(count=number(count))
