"""What stands on a card below its head, for each item type: the page as it will look (look.md 7)."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.item_types import (
    Choice,
    DatasetField,
    FileUpload,
    FreeText,
    FreeTextWithUnit,
    Image,
    Instruction,
    MultipleChoice,
    MultipleChoiceWithFreeText,
    RichText,
)
from batchwright.layout.nodes import Node
from batchwright.schema.model import FieldType
from batchwright.ui.editor.collapsible_text import CollapsibleText
from batchwright.ui.editor.rich_text_view import RichTextView
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.answer_previews import (
    FieldPreview,
    ImagePlaceholder,
    OptionPreview,
    OptionsPreview,
)
from batchwright.ui.widgets.box_layouts import LayoutItem, column, row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.text import ElidedLabel, Label

_SHORT_OPTION = 14
_MOST_ABREAST = 3
_MOST_OPTIONS = 12
"""How many options a card shows; the rest are counted."""

Body = Sequence[LayoutItem]


def card_body(entry: Node) -> Body:
    """What stands on the card of an item; for dataset fields see `field_body`."""
    maker = _BODIES.get(type(entry))
    return maker(entry) if maker is not None else _unknown()


def field_body(entry: DatasetField, kind: FieldType | None, record: JsonObject | None) -> Body:
    """The value that a record has for a dataset field."""
    if not entry.field:
        return [_quiet(_("Choose a dataset field at the right."))]
    if record is None:
        return [_quiet(_("A record's value stands here once there is data."))]
    if entry.field not in record:
        return [_quiet(_("No value: the field is not in the data."))]
    value = record[entry.field]
    if value is None or value == "":
        return [_quiet(_("This record has no value here."))]
    return _value(kind, value)


def _value(kind: FieldType | None, value: Json) -> Body:
    text = value if isinstance(value, str) else str(value)
    match kind:
        case FieldType.IMAGE_URL:
            return [
                row(ImagePlaceholder(), ElidedLabel(text, TextRole.CAPTION, "text3", in_middle=True), gap=14)
            ]
        case FieldType.AUDIO_URL | FieldType.VIDEO_URL:
            address = ElidedLabel(text, TextRole.SMALL, "text2", in_middle=True)
            line = row(Glyph("play-circle", "field", 22), gap=10)
            line.addWidget(address, 1)
            return [line]
        case _:
            return [CollapsibleText(text)]


def _rich_text(item: RichText) -> Body:
    content = item.text("content")
    if not content.strip():
        return [_quiet(_("Write the text at the right."))]
    shown = RichTextView(_("Rich text"))
    shown.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    shown.show_content(content, item.format)
    return [shown]


def _image(item: Image) -> Body:
    words = column(gap=4)
    said = item.text("caption") or item.text("alt_text")
    if said:
        words.put(Label(said, TextRole.BODY, wraps=True))
    address = item.text("url").removeprefix("https://")
    if address:
        words.put(ElidedLabel(address, TextRole.CAPTION, "text3", in_middle=True))
    else:
        words.put(_quiet(_("Enter the address of the image at the right.")))
    line = row(ImagePlaceholder(), gap=14)
    line.addLayout(column(None, words, None), 1)
    return [line]


def _choice(item: Choice) -> Body:
    labels = [_label(option) for option in item.options]
    boxes = item.max_choices != 1
    rows = [OptionPreview(label, is_box=boxes) for label in labels[:_MOST_OPTIONS]]
    body: list[LayoutItem] = [*_question(item)]
    if 0 < len(labels) <= _MOST_ABREAST and all(len(label) <= _SHORT_OPTION for label in labels):
        body.append(OptionsPreview(rows))
    elif rows:
        body.append(column(*rows, gap=4))
    else:
        body.append(_quiet(_("Add options at the right.")))
    if len(labels) > _MOST_OPTIONS:
        more = ngettext("{count} more option", "{count} more options", len(labels) - _MOST_OPTIONS)
        body.append(_quiet(more.format(count=len(labels) - _MOST_OPTIONS)))
    return body


def _choice_with_text(item: MultipleChoiceWithFreeText) -> Body:
    first = item.options[0] if item.options else {}
    heading = first.get("heading")
    label = _label(first) if first else ""
    more = (
        heading if isinstance(heading, str) and heading else _("Say more about {label}").format(label=label)
    )
    return [*_choice(item), FieldPreview(more)] if first else _choice(item)


def _free_text(item: FreeText) -> Body:
    return [*_question(item), FieldPreview(item.text("placeholder_text_input"), height=38)]


def _free_text_with_unit(item: FreeTextWithUnit) -> Body:
    field = FieldPreview(item.text("placeholder_text_input"), width=150)
    labels = [_label(unit) for unit in item.units]
    words = labels[0] if labels else _("unit")
    unit = FieldPreview(words, width=90, is_menu=len(labels) > 1, is_value=bool(labels))
    parts = (unit, field) if item.text("unit_position") == "prefix" else (field, unit)
    return [*_question(item), row(*parts, None)]


def _file_upload(item: FileUpload) -> Body:
    line = row(Glyph("paperclip", "question", 16), gap=8)
    line.addWidget(Label(upload_words(item), TextRole.SMALL, "text2", wraps=True), 1)
    return [*_question(item), line]


def upload_words(item: FileUpload) -> str:
    """`1 to 3 files, .png or .jpg, 25 MB each`."""
    least, most = item.value_or_default("min_file_count"), item.value_or_default("max_file_count")
    count = (
        _("{count} files").format(count=most)
        if least == most != 1
        else _("1 file")
        if least == most
        else _("{least} to {most} files").format(least=least, most=most)
    )
    types = item.value_or_default("accepted_file_types") or ()
    named = [one for one in types if isinstance(one, str)] if isinstance(types, (list, tuple)) else []
    kinds = _(" or ").join((", ".join(named[:-1]), named[-1])) if len(named) > 1 else "".join(named)
    size = _("{size} MB each").format(size=item.value_or_default("max_file_size_mb"))
    return ", ".join(part for part in (count, kinds, size) if part)


def _question(item: Instruction) -> Body:
    text = item.description.strip()
    question = Label(text or _("No question yet"), TextRole.SECTION, "text" if text else "text3", wraps=True)
    helper = item.text("helper_text").strip()
    return [question, Label(helper, TextRole.SMALL, "text2", wraps=True)] if helper else [question]


def _label(option: JsonObject) -> str:
    label = option.get("label")
    return label if isinstance(label, str) and label else _("(no label)")


def _unknown() -> Body:
    return [_quiet(_("Batchwright does not know this item type; the item is kept as it is."))]


def _quiet(sentence: str) -> Label:
    text = Label(sentence, TextRole.SMALL, "text2", wraps=True)
    font = text.font()
    font.setItalic(True)
    text.setFont(font)
    return text


_BODIES: dict[type[Node], Callable[[Any], Body]] = {
    RichText: _rich_text,
    Image: _image,
    MultipleChoice: _choice,
    MultipleChoiceWithFreeText: _choice_with_text,
    FreeText: _free_text,
    FreeTextWithUnit: _free_text_with_unit,
    FileUpload: _file_upload,
}
