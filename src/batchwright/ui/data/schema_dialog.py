"""Asking before a dataset's schema is changed: what will happen, field by field, and what will be refused."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.ui.data.file_question import note
from batchwright.ui.data.schema_plan import SchemaPlan
from batchwright.ui.data.wording import type_name
from batchwright.ui.kit.boxes import Box, column, row
from batchwright.ui.kit.buttons import Kind
from batchwright.ui.kit.dialogs import WIDE, Dialog
from batchwright.ui.kit.panels import Rule
from batchwright.ui.kit.text import Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.measures import number, records
from batchwright.ui.theme import Role
from batchwright.words import _


@dataclass(frozen=True)
class ChangeLine:
    """One thing that changes: what, and what comes of it."""

    glyph: str
    tone: str
    what: str
    consequence: str
    is_loss: bool = False


class SchemaDialog(Dialog):
    """Every change in a line, then what happens to the datapoints that are there.

    Args:
        name: of the dataset.
        plan: what will be done.
        live: the service reached, where it is a live one.
    """

    def __init__(self, name: str, plan: SchemaPlan, live: str) -> None:
        super().__init__(
            _("Change the dataset's schema"),
            what_happens(name, plan),
            _("Write version {version}").format(version=number(plan.version)),
            Kind.LIVE if live else Kind.PRIMARY,
            width=WIDE,
        )
        lines = column(gap=8)
        for place, line in enumerate(change_lines(plan)):
            if place:
                lines.put(Rule())
            lines.put(_shown(line))
        whole = QWidget()
        whole.setLayout(lines)
        whole.setAccessibleName(_("Changes"))
        self.put(whole)
        refusal = why_refused(plan)
        if refusal:
            self.warn(refusal, is_live=False)
        self.act.allow(refusal)
        if plan.migrates and plan.records:
            self.put(
                note(_("Values that do not fit their field's type become empty; each is listed afterwards."))
            )
        if live:
            self.warn(_("This reaches {service}. It cannot be undone.").format(service=live), is_live=True)


def what_happens(name: str, plan: SchemaPlan) -> str:
    """Whether a version is written, and whether datapoints are brought to it."""
    words = {"name": name, "version": number(plan.version), "records": records(plan.records)}
    if not plan.migrates:
        return _(
            "The dataset “{name}” gets its first schema, version {version}. Nothing is migrated, and imports "
            "that wait for a schema go on."
        ).format(**words)
    if not plan.records:
        return _(
            "The dataset “{name}” gets version {version} of its schema. It holds no records to be brought to "
            "it."
        ).format(**words)
    return _(
        "The dataset “{name}” gets version {version} of its schema, and a migration brings its {records} "
        "to it."
    ).format(**words)


def why_refused(plan: SchemaPlan) -> str:
    """Why the service will refuse it; empty where it will not (specification, Datasets rule 1)."""
    if not plan.is_v4:
        return _("This is a V3 dataset: it has no schema, and cannot be given one.")
    if not plan.records or plan.group_change is None:
        return ""
    was, will = plan.group_change
    if not was:
        said = _(
            "The service refuses this: the dataset holds records, and “{will}” would become the task group. "
            "Give it another type, or upload a new dataset."
        )
    elif not will:
        said = _(
            "The service refuses this: the dataset holds records, and “{was}” would be no task group any "
            "more. Make it the task group again, or upload a new dataset."
        )
    else:
        said = _(
            "The service refuses this: the dataset holds records, and the task group would change from "
            "“{was}” to “{will}”. Keep it, or upload a new dataset."
        )
    return said.format(was=was, will=will)


def change_lines(plan: SchemaPlan) -> Iterator[ChangeLine]:
    """Fields that come, go and change, in this order, then what holds for all of them."""
    is_new = not plan.migrates or not plan.records
    for name in plan.come:
        type = type_name(plan.new.fields[name].type)
        empty = _("Empty in the {records} that are there").format(records=records(plan.records))
        yield ChangeLine("plus", "ok", f"{name}  ·  {type}", "" if is_new else empty)
    for name in plan.go:
        yield ChangeLine("trash", "err", name, _("Its values are not kept") if plan.records else "", True)
    for name, old, new in plan.retyped:
        change = _("{old} to {new}").format(old=type_name(old), new=type_name(new))
        yield ChangeLine("pencil-simple", "question", name, change)
    for name in plan.relabelled:
        label = plan.new.fields[name].label
        called = _("People read “{label}”").format(label=label) if label else _("Without a label")
        yield ChangeLine("pencil-simple", "question", name, called)
    if plan.strictness is not None:
        consequence = (
            _("New records that lack a field are rejected")
            if plan.strictness
            else _("New records may lack fields")
        )
        yield ChangeLine("pencil-simple", "question", _("Every field must be filled"), consequence)
    if plan.is_reordered:
        yield ChangeLine("pencil-simple", "question", _("Order of the fields"), "")


def _shown(line: ChangeLine) -> Box:
    shown = row(gap=10)
    shown.addWidget(Glyph(line.glyph, line.tone, 16), 0, Qt.AlignmentFlag.AlignTop)
    shown.addWidget(Text(line.what, Role.NAME, wraps=True), 1)
    tone = "err" if line.is_loss else "text2"
    said = Text(line.consequence, Role.SMALL, tone, wraps=True)
    said.setAlignment(Qt.AlignmentFlag.AlignRight)
    shown.addWidget(said, 1)
    return shown
