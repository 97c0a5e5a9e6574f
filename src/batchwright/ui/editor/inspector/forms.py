"""Which rows the form of each type has, and in which order; the table of attributes says the rest."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import Json
from batchwright.layout.attributes import Attribute
from batchwright.layout.item_types import FreeTextWithUnit, Item
from batchwright.layout.option_values import as_text
from batchwright.ui.editor.inspector.answer_limit import AnswerLimit
from batchwright.ui.editor.inspector.collapsible import CollapsibleSection
from batchwright.ui.editor.inspector.fields import (
    AttributeField,
    MenuField,
    NumberField,
    SegmentedField,
    SwitchField,
    TextField,
    TextListField,
)
from batchwright.ui.editor.inspector.form import NodeForm, capitalized
from batchwright.ui.editor.inspector.options.list import OptionList
from batchwright.ui.editor.inspector.presets import file_presets, option_presets, unit_presets
from batchwright.ui.editor.inspector.rich_text import FORMAT, RichTextEditor
from batchwright.ui.editor.inspector.unknown_keys import ServerIdLine, UnknownKeysView, unknown_keys
from batchwright.ui.editor.inspector.validation_editor import ValidationEditor

Make = Callable[[NodeForm, Attribute], QWidget]

_RARE = frozenset({"placeholder_text_input", "caption"})
"""Attributes that stand under More."""

_FIRST = ("description", "options", "unit_options", "answer_limit")
"""Attributes that stand at the top, in this order; the others follow in the order of the table."""

_WITH_ANOTHER = frozenset({FORMAT})
"""Attributes that the row of another one shows, too."""


def item_rows(form: NodeForm) -> list[QWidget]:
    """The rows of an item, with what is rarely needed folded away at the end."""
    item = form.entry
    if not isinstance(item, Item):
        return []
    known = sorted(
        (one for one in item.known_attributes if one.name not in _WITH_ANOTHER),
        key=lambda one: _FIRST.index(one.name) if one.name in _FIRST else len(_FIRST),
    )
    rows = [_ROWS[one.name](form, one) for one in known if one.name not in _RARE]
    rare = [one for one in known if one.name in _RARE]
    more = [_ROWS[one.name](form, one) for one in rare]
    words = [*(_(one.title) for one in rare), _("item id")]
    if not known:
        return [UnknownKeysView(form), CollapsibleSection(_("Item id"), ServerIdLine(form))]
    if unknown_keys(item):
        words.insert(-1, _("other keys"))
    has_problem = any(form.problem(one.name) for one in rare)
    fold = CollapsibleSection(
        capitalized(", ".join(words)), *more, UnknownKeysView(form), ServerIdLine(form), is_open=has_problem
    )
    return [*rows, fold]


class ValidationField(AttributeField):
    """What may be typed as an answer."""

    def __init__(self, form: NodeForm, attribute: Attribute) -> None:
        words = _("What may be typed")
        self._editor = ValidationEditor(words)
        super().__init__(form, attribute, self._editor, label=words)
        self._editor.edited.connect(self._edit)
        self._editor.left.connect(form.leave)
        self.refresh()

    def show_value(self, value: Json) -> None:
        """Show another rule."""
        self._editor.show_rule(value)

    def can_show(self, value: Json) -> bool:
        """Only rules of a known type."""
        return self._editor.can_show(value)

    def _edit(self, rule: Json, is_typed: bool) -> None:
        self.form.put(self.attribute.name, rule, typing=self.attribute.name if is_typed else "")


def _field_row(form: NodeForm, attribute: Attribute) -> QWidget:
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
        return TextField(
            form,
            attribute,
            label=_("Dataset field"),
            hint=_(
                "Without a schema this cannot be checked yet: choose data first, or type the field's key."
            ),
        )
    return MenuField(
        form, attribute, titles, label=_("Dataset field"), hint=_("Shows this field of each record.")
    )


def _unit_menu(form: NodeForm, attribute: Attribute) -> QWidget:
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

    return MenuField(form, attribute, titles)


_ROWS: Mapping[str, Make] = {
    "description": lambda form, one: TextField(
        form, one, lines=2, example=_("What do you want to know?"), is_long=True
    ),
    "helper_text": lambda form, one: TextField(
        form,
        one,
        example=_("Shown in small print under the question"),
        is_long=True,
        hint=_("Leave empty to show nothing."),
    ),
    "placeholder_text_input": lambda form, one: TextField(
        form, one, example=_("Shown in the empty field"), hint=_("An example of an answer, or nothing.")
    ),
    "field": _field_row,
    "url": lambda form, one: TextField(form, one, example="https://", hint=_("An https address.")),
    "alt_text": lambda form, one: TextField(
        form, one, lines=2, hint=_("Read out to those who cannot see the image."), is_long=True
    ),
    "caption": lambda form, one: TextField(form, one, hint=_("Stands below the image."), is_long=True),
    "content": RichTextEditor,
    "validation": ValidationField,
    "unit_options": lambda form, one: OptionList(form, one, unit_presets()),
    "default_unit": _unit_menu,
    "unit_position": lambda form, one: SegmentedField(
        form, one, {"prefix": _("Before"), "suffix": _("After")}, hint=_("Beside the field.")
    ),
    "answer_limit": AnswerLimit,
    "disable_dropdown": lambda form, one: SwitchField(
        form, one, _("Show as list, never as menu"), _("Five options or more become a menu otherwise.")
    ),
    "options": lambda form, one: OptionList(form, one, option_presets()),
    "accepted_file_types": lambda form, one: TextListField(
        form, one, hint=_("File endings with a dot, with commas between them."), presets=file_presets()
    ),
    "max_file_size_mb": lambda form, one: NumberField(form, one, hint=_("For each file.")),
    "min_file_count": NumberField,
    "max_file_count": NumberField,
}
