"""Which rows the form of each type has, and in which order; the table of attributes says the rest."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtWidgets import QWidget

from batchwright.layout.attributes import Attribute, attributes_of
from batchwright.layout.model import FreeTextWithUnit, Item
from batchwright.layout.option_values import as_text
from batchwright.layout.rules.problems import Severity
from batchwright.records.json_values import Json, render
from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.fields import Field
from batchwright.ui.kit.text import CutText, Text
from batchwright.ui.layout.inspector.answer_limit import AnswerLimit
from batchwright.ui.layout.inspector.entry_list import EntryList
from batchwright.ui.layout.inspector.folds import Fold
from batchwright.ui.layout.inspector.form import Form
from batchwright.ui.layout.inspector.rich_text import FORMAT, RichTextEditor
from batchwright.ui.layout.inspector.rows import (
    MenuRow,
    NumberRow,
    SegmentsRow,
    SwitchRow,
    TextRow,
    TextsRow,
)
from batchwright.ui.layout.inspector.rules_of_typing import RuleEditor
from batchwright.ui.theme import Role
from batchwright.words import _

Make = Callable[[Form, Attribute], QWidget]

_RARE = frozenset({"placeholder_text_input", "caption"})
"""Attributes that stand under More."""

_FIRST = ("description", "options", "unit_options", "answer_limit")
"""Attributes that stand at the top, in this order; the others follow in the order of the table."""

_WITH_ANOTHER = frozenset({FORMAT})
"""Attributes that the row of another one shows, too."""


def item_rows(form: Form) -> list[QWidget]:
    """The rows of an item, with what is rarely needed folded away at the end."""
    item = form.entry
    if not isinstance(item, Item):
        return []
    known = sorted(
        (one for one in attributes_of(item) if one.name not in _WITH_ANOTHER),
        key=lambda one: _FIRST.index(one.name) if one.name in _FIRST else len(_FIRST),
    )
    rows = [_ROWS[one.name](form, one) for one in known if one.name not in _RARE]
    rare = [one for one in known if one.name in _RARE]
    more = [_ROWS[one.name](form, one) for one in rare]
    words = [_("Item id"), *(_(one.title) for one in rare)]
    unknown = _unknown_keys(item)
    if unknown:
        words.append(_("other keys"))
        more.append(KeptKeys({name: item.attributes[name] for name in unknown}))
    return [*rows, Fold(", ".join(words), *more, IdLine(form))]


class ValidationRow(Field):
    """What may be typed as an answer."""

    def __init__(self, form: Form, attribute: Attribute) -> None:
        self._form, self._name = form, attribute.name
        self._editor = RuleEditor(_("What may be typed"))
        super().__init__(_("What may be typed"), self._editor)
        self._editor.edited.connect(self._edit)
        self._editor.left.connect(form.leave)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the form as it is now."""
        self._editor.show_rule(self._form.value(self._name))
        problem = self._form.problem(self._name)
        if problem is not None and problem.severity is Severity.ADVICE:
            self.show_advice(problem.sentence)
        else:
            self.show_error(problem.sentence if problem else "")

    def _edit(self, rule: Json, is_typed: bool) -> None:
        self._form.put(self._name, rule, typing=self._name if is_typed else "")


class IdLine(QWidget):
    """The id that the service gave the entry, to be copied."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        given = form.value("id")
        self._words = CutText(
            as_text(given) if given is not None else _("Given by the service when the batch is made"),
            Role.SMALL,
            "text2" if given is not None else "text3",
            in_middle=True,
            tabular=True,
        )
        column(Text(_("Id"), Role.SMALL_NAME), self._words, gap=5, parent=self)


class KeptKeys(QWidget):
    """Keys of an item that Batchwright does not know, kept as they came."""

    def __init__(self, keys: Mapping[str, Json]) -> None:
        super().__init__()
        lines = column(Text(_("Other keys, kept as they are"), Role.SMALL_NAME), gap=5, parent=self)
        for name, value in keys.items():
            lines.put(row(Text(name, Role.SMALL), CutText(render(value), Role.SMALL, "text2"), None, gap=12))


def _unknown_keys(item: Item) -> list[str]:
    known = {"id", "type", *(one.name for one in attributes_of(item))}
    return [name for name in item.attributes if name not in known]


def _field_row(form: Form, attribute: Attribute) -> QWidget:
    def titles() -> Mapping[str, str]:
        schema = form.study.schema
        if schema is None:
            return {}
        return {
            key: f"{key} ({field.label})" if field.label else key
            for key, field in schema.fields.items()
            if field.type.referable
        }

    if form.study.schema is None:
        return TextRow(
            form,
            attribute,
            label=_("Dataset field"),
            hint=_(
                "Without a schema this cannot be checked yet: choose data first, or type the field's key."
            ),
        )
    return MenuRow(
        form, attribute, titles, label=_("Dataset field"), hint=_("Shows this field of each record.")
    )


def _unit_menu(form: Form, attribute: Attribute) -> QWidget:
    def titles() -> Mapping[str, str]:
        units: Iterable[Mapping[str, Json]] = (
            form.entry.units if isinstance(form.entry, FreeTextWithUnit) else ()
        )
        named = {
            as_text(unit.get("value")): as_text(unit.get("label") or unit.get("value"))
            for unit in units
            if unit.get("value") not in (None, "")
        }
        return {"": _("None, participants choose"), **named}

    return MenuRow(form, attribute, titles)


_ROWS: Mapping[str, Make] = {
    "description": lambda form, one: TextRow(form, one, lines=2, example=_("What do you want to know?")),
    "helper_text": lambda form, one: TextRow(
        form,
        one,
        example=_("Shown in small print under the question"),
        hint=_("Leave empty to show nothing."),
    ),
    "placeholder_text_input": lambda form, one: TextRow(
        form, one, example=_("Shown in the empty field"), hint=_("An example of an answer, or nothing.")
    ),
    "field": _field_row,
    "url": lambda form, one: TextRow(form, one, example="https://", hint=_("An https address.")),
    "alt_text": lambda form, one: TextRow(
        form, one, lines=2, hint=_("Read out to those who cannot see the image.")
    ),
    "caption": lambda form, one: TextRow(form, one, hint=_("Stands below the image.")),
    "content": RichTextEditor,
    "validation": ValidationRow,
    "unit_options": lambda form, one: EntryList(form, one, has_presets=False),
    "default_unit": _unit_menu,
    "unit_position": lambda form, one: SegmentsRow(
        form, one, {"prefix": _("Before"), "suffix": _("After")}, hint=_("Beside the field.")
    ),
    "answer_limit": AnswerLimit,
    "disable_dropdown": lambda form, one: SwitchRow(
        form, one, _("Show as list, never as menu"), _("Five options or more become a menu otherwise.")
    ),
    "options": lambda form, one: EntryList(form, one, has_presets=True),
    "accepted_file_types": lambda form, one: TextsRow(
        form, one, hint=_("File endings with a dot, with commas between them.")
    ),
    "max_file_size_mb": lambda form, one: NumberRow(form, one, hint=_("For each file.")),
    "min_file_count": NumberRow,
    "max_file_count": NumberRow,
}
