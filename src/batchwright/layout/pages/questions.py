"""What a page asks: each instruction with its control, what was answered so far, and what is wrong.

Field names are those of `layout/forms.py`; a control is filled in from form fields, whether they
were just posted or made from a stored answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from batchwright.base.i18n import _
from batchwright.layout.answer_constraints import (
    NumberLimits,
    file_limits,
    is_exclusive,
    max_choices,
    text_limits,
)
from batchwright.layout.attributes import value_or_default
from batchwright.layout.model import (
    Choice,
    FileUpload,
    FreeTextWithUnit,
    Instruction,
    MultipleChoiceWithFreeText,
)
from batchwright.layout.option_values import as_text
from batchwright.layout.pages.constraint_hints import (
    choices_in_words,
    file_constraints_text,
    label_of,
    limits_in_words,
    text_of,
    unit_limits_in_words,
)

Fields = Mapping[str, Sequence[str]]
"""Form fields by name, each with its values."""

DROPDOWN_FROM = 5
"""How many options make a dropdown when only one may be chosen (wire.md 6)."""

_SIDE_BY_SIDE = 3
_SHORT_LABEL = 26


@dataclass(frozen=True)
class Question:
    """One instruction; `number` counts the instructions of the page from 0.

    `kind` chooses the control in `questions.html`; a `grouped` one has several controls under one legend.
    """

    kind: ClassVar[str]
    grouped: ClassVar[bool] = False
    asks: ClassVar[bool] = True

    number: int
    description: str
    helper: str
    hint: str
    placeholder: str
    faults: tuple[str, ...]

    @property
    def name(self) -> str:
        """The field name, which all ids of the question begin with."""
        return f"i{self.number}"

    @property
    def control_id(self) -> str:
        """The control that a fault leads to."""
        return self.name


@dataclass(frozen=True)
class TextQuestion(Question):
    """A line for a number, or a box for text."""

    kind = "text"
    value: str
    numeric: bool


@dataclass(frozen=True)
class Option:
    """One option, or one unit."""

    index: int
    label: str
    chosen: bool
    exclusive: bool = False
    heading: str = ""
    explanation: str = ""


@dataclass(frozen=True)
class UnitQuestion(Question):
    """A line for a value, with its unit before or behind it."""

    kind = "unit"
    value: str
    numeric: bool
    units: tuple[Option, ...]
    position: str
    unit_label: str = field(default_factory=lambda: _("Unit"))
    unit_prompt: str = field(default_factory=lambda: _("Choose a unit"))

    @property
    def unit_chosen(self) -> bool:
        """Whether a unit is chosen already."""
        return any(unit.chosen for unit in self.units)


@dataclass(frozen=True)
class ListQuestion(Question):
    """Options as a list: one to choose, or several."""

    kind = "options"
    grouped = True
    options: tuple[Option, ...]
    many: bool

    @property
    def control_id(self) -> str:
        """The first option."""
        return f"{self.name}-0"

    @property
    def side_by_side(self) -> bool:
        """Whether the options stand in one line where there is room: few, short, nothing below them."""
        return len(self.options) <= _SIDE_BY_SIDE and all(
            len(option.label) <= _SHORT_LABEL and not option.heading for option in self.options
        )


@dataclass(frozen=True)
class DropdownQuestion(Question):
    """Options as a menu, one to choose."""

    kind = "dropdown"
    options: tuple[Option, ...]
    prompt: str = field(default_factory=lambda: _("Choose one"))


@dataclass(frozen=True)
class UploadedFile:
    """A file that arrived before and stays, unless it is unticked."""

    key: str
    name: str
    size: str


@dataclass(frozen=True)
class FilesQuestion(Question):
    """Files to send."""

    kind = "files"
    accept: str
    multiple: bool
    kept: tuple[UploadedFile, ...]
    kept_hint: str = field(default_factory=lambda: _("Untick a file to leave it out."))


def question(
    number: int,
    item: Instruction,
    fields: Fields,
    faults: Sequence[str] = (),
    kept: Sequence[UploadedFile] = (),
) -> Question:
    """An instruction as the page shows it."""
    common = _Common(number, item, fields, tuple(faults))
    match item:
        case Choice():
            return _choice(common, item)
        case FreeTextWithUnit():
            return _unit(common, item)
        case FileUpload():
            return _files(common, item, kept)
        case _:
            limits = text_limits(item.attributes)
            return TextQuestion(
                *common.with_hint(limits_in_words(limits)),
                value=common.typed(common.name),
                numeric=isinstance(limits, NumberLimits),
            )


@dataclass(frozen=True)
class _Common:
    """What every question is made from."""

    number: int
    item: Instruction
    fields: Fields
    faults: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"i{self.number}"

    def with_hint(self, hint: str) -> tuple[int, str, str, str, str, tuple[str, ...]]:
        """The fields of `AnsweredQuestion`, in order."""
        item = self.item
        helper, placeholder = item.text("helper_text"), item.text("placeholder_text_input")
        return self.number, item.description, helper, hint, placeholder, self.faults

    def typed(self, name: str) -> str:
        return next(iter(self.fields.get(name, ())), "")


def _choice(common: _Common, item: Choice) -> Question:
    chosen = set(common.fields.get(common.name, ()))
    explained = isinstance(item, MultipleChoiceWithFreeText)
    options = tuple(
        Option(
            index,
            label_of(option),
            str(index) in chosen,
            is_exclusive(option),
            text_of(option, "heading") if explained else "",
            common.typed(f"{common.name}.e{index}"),
        )
        for index, option in enumerate(item.options)
    )
    if is_dropdown(item):
        return DropdownQuestion(*common.with_hint(""), options=options)
    most = max_choices(item)
    return ListQuestion(*common.with_hint(choices_in_words(item)), options=options, many=most != 1)


def is_dropdown(item: Choice) -> bool:
    """Whether a choice is shown as a menu (wire.md 6).

    Only a choice of one: a menu for several is hard to use by keyboard and on a phone, so several
    of many are always a list of boxes to tick.
    """
    return (
        item.answer_limit == 1
        and len(item.options) >= DROPDOWN_FROM
        and value_or_default(item, "disable_dropdown") is not True
    )


def _unit(common: _Common, item: FreeTextWithUnit) -> Question:
    chosen = common.fields.get(f"{common.name}.u")
    default = item.text("default_unit")
    units = tuple(
        Option(
            index,
            label_of(unit),
            str(index) in chosen
            if chosen is not None
            else bool(default) and as_text(unit.get("value")) == default,
        )
        for index, unit in enumerate(item.units)
    )
    limits = [text_limits(unit) for unit in item.units]
    return UnitQuestion(
        *common.with_hint(unit_limits_in_words(item, limits)),
        value=common.typed(common.name),
        numeric=any(isinstance(limit, NumberLimits) for limit in limits),
        units=units,
        position="prefix" if item.text("unit_position") == "prefix" else "suffix",
    )


def _files(common: _Common, item: FileUpload, kept: Sequence[UploadedFile]) -> Question:
    limits = file_limits(item)
    return FilesQuestion(
        *common.with_hint(file_constraints_text(limits)),
        accept=",".join(limits.types),
        multiple=limits.most != 1,
        kept=tuple(kept),
    )
