"""The description of an item type for the editor, and functions that several types share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.base.json_values import JsonObject
from batchwright.base.text import truncate
from batchwright.layout.attributes import Attribute
from batchwright.layout.item_types.content_blocks import ContentBlock
from batchwright.layout.item_types.questions import Question
from batchwright.layout.item_types.registry import Instruction, Item
from batchwright.schema.model import Schema
from batchwright.ui.core.web_media import PreviewMedia
from batchwright.ui.editor.inspector.fields import TextField
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.preview.answer_inputs import Control
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import LayoutItem, column
from batchwright.ui.widgets.text import Label

CardBody = Sequence[LayoutItem]

FieldFactory = Callable[[NodeForm, Attribute], QWidget]
"""Creates the form field for an attribute."""


@dataclass(frozen=True)
class ItemEditor:
    """How the editor presents the items of one type.

    Participants see the items of a type as questions or content blocks: `controls` has the preview control
    for each class of question, `blocks` a function that creates the widget for each class of content
    block.
    """

    item_type: type[Item]
    glyph: str
    family: str
    """`content`, `question` or `field`; the palette has a section for each."""
    card_body: Callable[[Any, Schema | None, JsonObject | None], CardBody]
    """Creates what the card shows below its header, given the schema and a record (or None)."""
    fields: Mapping[str, FieldFactory]
    """The form fields by attribute, in their order."""
    more_fields: Mapping[str, FieldFactory] = field(default_factory=dict)
    """Fields that are rarely needed, shown in a collapsible section at the end."""
    controls: Mapping[type[Question], type[Control]] = field(default_factory=dict)
    blocks: Mapping[type[ContentBlock], Callable[[Any, PreviewMedia], QWidget]] = field(default_factory=dict)


def description_field(form: NodeForm, attribute: Attribute) -> QWidget:
    """The field for the text of the question (`description`)."""
    return TextField(form, attribute, lines=2, example=_("What do you want to know?"), is_long=True)


def helper_text_field(form: NodeForm, attribute: Attribute) -> QWidget:
    """The field for the helper text below the question."""
    return TextField(
        form,
        attribute,
        example=_("Small print under the question"),
        is_long=True,
        hint=_("Optional."),
    )


def placeholder_field(form: NodeForm, attribute: Attribute) -> QWidget:
    """The field for the placeholder of the answer field on the participant page."""
    return TextField(
        form,
        attribute,
        example=_("Shown in the empty field"),
        hint=_("An example of an answer. Optional."),
    )


PLACEHOLDER_FIELDS: Mapping[str, FieldFactory] = {"placeholder_text_input": placeholder_field}


MAX_CARD_CHARACTERS = 3_000
"""Characters of a text that a card lays out."""


def question_labels(item: Instruction) -> CardBody:
    """The question and its helper text on a card."""
    text = truncate(item.description.strip(), MAX_CARD_CHARACTERS)
    question = Label(text or _("No question yet"), TextRole.SECTION, "text" if text else "text3", wraps=True)
    helper = truncate(item.text("helper_text").strip(), MAX_CARD_CHARACTERS)
    return [question, Label(helper, TextRole.SMALL, "text2", wraps=True)] if helper else [question]


def option_label(option: JsonObject) -> str:
    """The label of an option on a card."""
    label = option.get("label")
    return label if isinstance(label, str) and label else _("(no label)")


def hint_label(text: str) -> Label:
    """A hint on a card in place of something missing."""
    label = Label(text, TextRole.SMALL, "text2", wraps=True)
    font = label.font()
    font.setItalic(True)
    label.setFont(font)
    return label


def labelled(label: str, inside: QWidget) -> QWidget:
    """A widget of the preview below its label, if it has one."""
    container = QWidget()
    lines = column(gap=4, parent=container)
    if label:
        lines.add(Label(label, TextRole.SMALL_STRONG, "text2", wraps=True))
    lines.add(inside)
    return container
