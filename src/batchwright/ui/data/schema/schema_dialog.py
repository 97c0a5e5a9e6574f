"""The dialogs of a schema change: what it will do to each field, and afterwards the values it has cleared."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QHeaderView, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.text import truncate
from batchwright.data_files.migration_impact import ClearedValues
from batchwright.schema.parsing import schema_errors
from batchwright.ui.core.formatting import abbreviated_id, number, records
from batchwright.ui.data.labels import type_name
from batchwright.ui.data.schema.schema_diff import SchemaDiff
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog, info_row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.progress import per_cent
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.tables.table import CellModel, FittedTable, Table, TextCell
from batchwright.ui.widgets.text import Label
from batchwright.wire.migrations import MigrationJob, NulledField


@dataclass(frozen=True)
class SchemaChangeRow:
    """One change, and its consequence."""

    glyph: str
    tone: str
    title: str
    consequence: str
    loses_values: bool = False
    may_clear_values: bool = False
    """Whether values of this field may no longer fit and be cleared."""


class SchemaChangeDialog(Dialog):
    """Lists every change, then what happens to the existing datapoints.

    Args:
        name: name of the dataset.
        diff: the schema change.
        live: name of the live service; empty for the service on this computer.
        is_countable: whether the values that will be cleared are being counted.
    """

    help_address = "data.md#columns-and-the-schema"

    def __init__(self, name: str, diff: SchemaDiff, live: str, *, is_countable: bool) -> None:
        super().__init__(
            _("Change the dataset's schema"),
            migration_summary(name, diff),
            _("Save version {version}").format(version=number(diff.version)),
            ButtonKind.LIVE if live else ButtonKind.PRIMARY,
            width=WIDE,
        )
        self._diff = diff
        self._counts: dict[str, Label] = {}
        """Labels for the cleared values, by field; empty once the dialog is closed."""
        self.finished.connect(self._counts.clear)
        lines = column(gap=8)
        for place, line in enumerate(change_lines(diff)):
            if place:
                lines.add(Separator())
            lines.add(_shown(line))
            if is_countable and line.may_clear_values:
                self._counts[line.title] = count = Label(
                    "", TextRole.SMALL, "text2", wraps=True, tabular=True
                )
                lines.add(_below(count))
        self.show_counting(0, 0)
        content = QWidget()
        content.setLayout(lines)
        content.setAccessibleName(_("Changes"))
        self.add(content)
        rejection = change_rejection(diff)
        if rejection:
            self.add_warning(rejection, is_live=False)
        self.accept_button.set_disabled_reason(rejection)
        if diff.migrates and diff.records:
            text = _("Values that do not fit the type of their field are cleared; each is listed afterwards.")
            if diff.may_clear_values and not is_countable:
                text += " " + _(
                    "The number cannot be counted: this file is not the one the dataset was created from."
                )
            self.add(info_row(text))
        self.warn_if_live(live)

    def show_counting(self, done: int, total: int) -> None:
        """Show the progress of counting."""
        text = _("Counting the values that do not fit")
        self._show_for_all(f"{text}, {per_cent(done / total)}" if total else text)

    def show_cleared_values(self, cleared: ClearedValues) -> None:
        """Show how many values of each field will be cleared."""
        for name, count in self._counts.items():
            emptied = cleared.emptied.get(name, 0)
            count.setText(cleared_values_text(name, cleared, self._diff.records))
            count.set_tone("err" if emptied else "text2")

    def show_count_error(self, reason: str) -> None:
        """Show why the values could not be counted."""
        self._show_for_all(_could_not_count(reason))

    def _show_for_all(self, text: str) -> None:
        for count in self._counts.values():
            count.setText(text)


def cleared_values_text(name: str, cleared: ClearedValues, total_records: int) -> str:
    """A text with the number of values of a field that will be cleared, and an example."""
    if total_records and not cleared.records:
        return _could_not_count(_("The file has no record of the dataset."))
    filled, emptied = cleared.filled.get(name, 0), cleared.emptied.get(name, 0)
    if not emptied:
        text = _("Every value fits; none will be cleared.")
    else:
        example = truncate(str(cleared.examples[name]))
        text = _("{cleared} of {filled} will be cleared, for example “{example}”.")
        text = text.format(cleared=number(emptied), filled=value_count(filled), example=example)
    if cleared.records == total_records:
        return text
    counted = _("Counted in the {counted} of this file; the dataset has {held}.")
    return f"{text} {counted.format(counted=records(cleared.records), held=number(total_records))}"


def _could_not_count(reason: str) -> str:
    return _("The cleared values could not be counted. {reason}").format(reason=reason)


def value_count(count: int) -> str:
    """A number of values, as text."""
    return ngettext("{count} value", "{count} values", count).format(count=number(count))


def migration_summary(name: str, diff: SchemaDiff) -> str:
    """The effects of the change on the dataset as a whole, as text."""
    text = {"name": name, "version": number(diff.version), "records": records(diff.records)}
    if not diff.migrates:
        return _(
            "The dataset “{name}” gets its first schema, version {version}. Nothing is migrated, and waiting "
            "imports continue."
        ).format(**text)
    if not diff.records:
        return _(
            "The dataset “{name}” gets version {version} of its schema. It has no records to migrate."
        ).format(**text)
    return _(
        "The dataset “{name}” gets version {version} of its schema, and its {records} are migrated."
    ).format(**text)


def change_rejection(diff: SchemaDiff) -> str:
    """Why the service will reject the change; empty if it accepts it (specification, Datasets rule 1)."""
    if not diff.is_v4:
        return _("This is a V3 dataset: it cannot have a schema.")
    if errors := schema_errors(diff.new):
        return errors[0]
    if not diff.records or diff.task_group_change is None:
        return ""
    was, will = diff.task_group_change
    if not was:
        text = _(
            "The service rejects this: the dataset has records, and “{will}” would become the task group. "
            "Choose another type, or upload a new dataset."
        )
    elif not will:
        text = _(
            "The service rejects this: the dataset has records, and “{was}” would no longer be the task "
            "group. Make it the task group again, or upload a new dataset."
        )
    else:
        text = _(
            "The service rejects this: the dataset has records, and the task group would change from "
            "“{was}” to “{will}”. Keep it, or upload a new dataset."
        )
    return text.format(was=was, will=will)


def change_lines(diff: SchemaDiff) -> Iterator[SchemaChangeRow]:
    """Fields that are added, removed and changed, in this order, then changes to the schema as a whole."""
    is_new = not diff.migrates or not diff.records
    for name in diff.added:
        type = type_name(diff.new.fields[name].type)
        empty = _("Empty in the existing {records}").format(records=records(diff.records))
        yield SchemaChangeRow("plus", "ok", f"{name}  ·  {type}", "" if is_new else empty)
    for name in diff.removed:
        yield SchemaChangeRow(
            "trash", "err", name, _("Its values are not kept") if diff.records else "", True
        )
    for name, old, new in diff.retyped:
        change = _("{old} to {new}").format(old=type_name(old), new=type_name(new))
        yield SchemaChangeRow(
            "pencil-simple", "question", name, change, may_clear_values=diff.may_clear_values
        )
    for name in diff.relabelled:
        label = diff.new.fields[name].label
        called = _("Participants see “{label}”").format(label=label) if label else _("Without a label")
        yield SchemaChangeRow("pencil-simple", "question", name, called)
    if diff.new_strict is not None:
        consequence = (
            _("New records that lack a field are rejected")
            if diff.new_strict
            else _("New records may lack fields")
        )
        yield SchemaChangeRow("pencil-simple", "question", _("Every field must be filled"), consequence)
    if diff.is_reordered:
        yield SchemaChangeRow("pencil-simple", "question", _("Order of the fields"), "")


def _below(count: Label) -> ScaledBoxLayout:
    line = row(gap=10, margins=(26, 0, 0, 0))
    line.addWidget(count, 1)
    return line


def _shown(line: SchemaChangeRow) -> ScaledBoxLayout:
    shown = row(gap=10)
    shown.addWidget(Glyph(line.glyph, line.tone, 16, text_role=TextRole.NAME), 0, Qt.AlignmentFlag.AlignTop)
    shown.addWidget(Label(line.title, TextRole.NAME, wraps=True), 1)
    tone = "err" if line.loses_values else "text2"
    text = Label(line.consequence, TextRole.SMALL, tone, wraps=True)
    text.setAlignment(Qt.AlignmentFlag.AlignRight)
    shown.addWidget(text, 1)
    return shown


class ClearedValuesModel(CellModel):
    """Cleared values, as the service lists them."""

    def __init__(self, cleared: Sequence[NulledField], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cleared = cleared

    @override
    def row_count(self) -> int:
        return len(self._cleared)

    @override
    def headings(self) -> Sequence[str]:
        return _("Datapoint"), _("Field"), _("Reason")

    @override
    def cell(self, row: int, column: int) -> TextCell:
        cleared = self._cleared[row]
        return (
            TextCell(abbreviated_id(cleared.datapoint_id), tone="text2"),
            TextCell(cleared.field, is_name=True),
            TextCell(cleared.reason),
        )[column]

    @override
    def text(self, row: int, column: int) -> str:
        cleared = self._cleared[row]
        return (cleared.datapoint_id, cleared.field, cleared.reason)[column]

    @override
    def tooltip(self, row: int, column: int) -> str:
        return self.text(row, column)


class ClearedValuesDialog(Dialog):
    """Lists the cleared values, read-only."""

    help_address = "data.md#columns-and-the-schema"

    def __init__(self, job: MigrationJob) -> None:
        cleared = job.errors or ()
        super().__init__(_("Cleared values"), _sentence(job, len(cleared)), _("Close"), width=WIDE)
        self.cancel_button.hide()
        self.table = _cleared_values_table(cleared)
        self.add(self.table)


def _cleared_values_table(cleared: Sequence[NulledField]) -> Table:
    table = FittedTable(_("Cleared values"), ClearedValuesModel(cleared), width=WIDE, min_rows=3, max_rows=10)
    table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
    table.setColumnWidth(0, theme().px(120))
    table.setColumnWidth(1, theme().px(140))
    return table


def _sentence(job: MigrationJob, listed: int) -> str:
    failed = job.failed_count or 0
    text = ngettext(
        "{count} record has values that did not fit and were cleared.",
        "{count} records have values that did not fit and were cleared.",
        failed,
    ).format(count=number(failed))
    if listed < failed:
        return text + " " + _("The service lists the first {count}.").format(count=number(listed))
    return text
