"""What the editor has to know of an item type, and the parts that several types share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.layout.attributes import Attribute
from batchwright.layout.item_types.registry import Instruction, Item
from batchwright.layout.pages.content_blocks import ContentBlock
from batchwright.layout.pages.questions import Question
from batchwright.schema.model import Schema
from batchwright.ui.editor.inspector.fields import TextField
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.preview.answer_inputs import Control
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import LayoutItem, column
from batchwright.ui.widgets.text import Label

CardBody = Sequence[LayoutItem]

FieldFactory = Callable[[NodeForm, Attribute], QWidget]
"""Makes the form's field for an attribute."""


@dataclass(frozen=True)
class ItemEditor:
    """How the editor shows the items of one type. The title is English, to be translated where it is shown.

    A type shows participants questions or blocks: `controls` has the preview's control for each class of
    question, `blocks` a function that makes the widget for each class of block.
    """

    item_type: type[Item]
    title: str
    glyph: str
    family: str
    """`content`, `question` or `field`; the palette has a section for each."""
    card_body: Callable[[Any, Schema | None, JsonObject | None], CardBody]
    """What the card of an item shows below its head, given a schema and a record, if there are any."""
    fields: Mapping[str, FieldFactory]
    """The form's fields by attribute, in their order."""
    more_fields: Mapping[str, FieldFactory] = field(default_factory=dict)
    """Fields that are rarely needed, in a collapsible section at the end."""
    controls: Mapping[type[Question], type[Control]] = field(default_factory=dict)
    blocks: Mapping[type[ContentBlock], Callable[[Any], QWidget]] = field(default_factory=dict)


def description_field(form: NodeForm, attribute: Attribute) -> QWidget:
    """The field for the question."""
    return TextField(form, attribute, lines=2, example=_("What do you want to know?"), is_long=True)


def helper_text_field(form: NodeForm, attribute: Attribute) -> QWidget:
    """The field for the text under the question."""
    return TextField(
        form,
        attribute,
        example=_("Shown in small print under the question"),
        is_long=True,
        hint=_("Leave empty to show nothing."),
    )


def placeholder_field(form: NodeForm, attribute: Attribute) -> QWidget:
    """The field for the text in an empty field of the participant page."""
    return TextField(
        form,
        attribute,
        example=_("Shown in the empty field"),
        hint=_("An example of an answer, or nothing."),
    )


PLACEHOLDER_FIELDS: Mapping[str, FieldFactory] = {"placeholder_text_input": placeholder_field}


def question_labels(item: Instruction) -> CardBody:
    """The question on a card, and its helper text."""
    text = item.description.strip()
    question = Label(text or _("No question yet"), TextRole.SECTION, "text" if text else "text3", wraps=True)
    helper = item.text("helper_text").strip()
    return [question, Label(helper, TextRole.SMALL, "text2", wraps=True)] if helper else [question]


def option_label(option: JsonObject) -> str:
    """The label of an option on a card."""
    label = option.get("label")
    return label if isinstance(label, str) and label else _("(no label)")


def hint_label(text: str) -> Label:
    """A hint on a card in place of something that is missing."""
    label = Label(text, TextRole.SMALL, "text2", wraps=True)
    font = label.font()
    font.setItalic(True)
    label.setFont(font)
    return label


def labelled(label: str, inside: QWidget) -> QWidget:
    """A block of the preview below its label, if it has one."""
    container = QWidget()
    lines = column(gap=4, parent=container)
    if label:
        lines.add(Label(label, TextRole.SMALL_STRONG, "text2", wraps=True))
    lines.add(inside)
    return container
