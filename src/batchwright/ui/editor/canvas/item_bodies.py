"""What stands on a card below its head, for each item type: the page as it will look (look.md 7)."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.answer_constraints import most_answers
from batchwright.layout.attributes import effective
from batchwright.layout.model import (
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
from batchwright.layout.nodes import Entry
from batchwright.schema.model import FieldType
from batchwright.ui.editor.collapsible_text import LongText
from batchwright.ui.editor.rich_text_view import ShownRichText
from batchwright.ui.theme import Role
from batchwright.ui.widgets.answer_previews import AnswerRow, AnswersAbreast, FieldSpecimen, PictureSpecimen
from batchwright.ui.widgets.box_layouts import Part, column, row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.text import CutText, Text

_SHORT_OPTION = 14
_MOST_ABREAST = 3
_MOST_OPTIONS = 12
"""How many options a card shows; the rest are counted."""

Body = Sequence[Part]


def body_of(entry: Entry) -> Body:
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
            return [row(PictureSpecimen(), CutText(text, Role.CAPTION, "text3", in_middle=True), gap=14)]
        case FieldType.AUDIO_URL | FieldType.VIDEO_URL:
            address = CutText(text, Role.SMALL, "text2", in_middle=True)
            line = row(Glyph("play-circle", "field", 22), gap=10)
            line.addWidget(address, 1)
            return [line]
        case _:
            return [LongText(text)]


def _rich_text(item: RichText) -> Body:
    content = item.text("content")
    if not content.strip():
        return [_quiet(_("Write the text at the right."))]
    shown = ShownRichText(_("Rich text"))
    shown.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    shown.show_content(content, item.format)
    return [shown]


def _image(item: Image) -> Body:
    words = column(gap=4)
    said = item.text("caption") or item.text("alt_text")
    if said:
        words.put(Text(said, Role.BODY, wraps=True))
    address = item.text("url").removeprefix("https://")
    if address:
        words.put(CutText(address, Role.CAPTION, "text3", in_middle=True))
    else:
        words.put(_quiet(_("Enter the address of the image at the right.")))
    line = row(PictureSpecimen(), gap=14)
    line.addLayout(column(None, words, None), 1)
    return [line]


def _choice(item: Choice) -> Body:
    labels = [_label(option) for option in item.options]
    boxes = most_answers(item) != 1
    rows = [AnswerRow(label, is_box=boxes) for label in labels[:_MOST_OPTIONS]]
    body: list[Part] = [*_question(item)]
    if 0 < len(labels) <= _MOST_ABREAST and all(len(label) <= _SHORT_OPTION for label in labels):
        body.append(AnswersAbreast(rows))
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
    return [*_choice(item), FieldSpecimen(more)] if first else _choice(item)


def _free_text(item: FreeText) -> Body:
    return [*_question(item), FieldSpecimen(item.text("placeholder_text_input"), height=38)]


def _free_text_with_unit(item: FreeTextWithUnit) -> Body:
    field = FieldSpecimen(item.text("placeholder_text_input"), width=150)
    labels = [_label(unit) for unit in item.units]
    words = labels[0] if labels else _("unit")
    unit = FieldSpecimen(words, width=90, is_menu=len(labels) > 1, is_value=bool(labels))
    parts = (unit, field) if item.text("unit_position") == "prefix" else (field, unit)
    return [*_question(item), row(*parts, None)]


def _file_upload(item: FileUpload) -> Body:
    line = row(Glyph("paperclip", "question", 16), gap=8)
    line.addWidget(Text(upload_words(item), Role.SMALL, "text2", wraps=True), 1)
    return [*_question(item), line]


def upload_words(item: FileUpload) -> str:
    """`1 to 3 files, .png or .jpg, 25 MB each`."""
    least, most = effective(item, "min_file_count"), effective(item, "max_file_count")
    count = (
        _("{count} files").format(count=most)
        if least == most != 1
        else _("1 file")
        if least == most
        else _("{least} to {most} files").format(least=least, most=most)
    )
    types = effective(item, "accepted_file_types") or ()
    named = [one for one in types if isinstance(one, str)] if isinstance(types, (list, tuple)) else []
    kinds = _(" or ").join((", ".join(named[:-1]), named[-1])) if len(named) > 1 else "".join(named)
    size = _("{size} MB each").format(size=effective(item, "max_file_size_mb"))
    return ", ".join(part for part in (count, kinds, size) if part)


def _question(item: Instruction) -> Body:
    text = item.description.strip()
    question = Text(text or _("No question yet"), Role.SECTION, "text" if text else "text3", wraps=True)
    helper = item.text("helper_text").strip()
    return [question, Text(helper, Role.SMALL, "text2", wraps=True)] if helper else [question]


def _label(option: JsonObject) -> str:
    label = option.get("label")
    return label if isinstance(label, str) and label else _("(no label)")


def _unknown() -> Body:
    return [_quiet(_("Batchwright does not know this item type; the item is kept as it is."))]


def _quiet(sentence: str) -> Text:
    text = Text(sentence, Role.SMALL, "text2", wraps=True)
    font = text.font()
    font.setItalic(True)
    text.setFont(font)
    return text


_BODIES: dict[type[Entry], Callable[[Any], Body]] = {
    RichText: _rich_text,
    Image: _image,
    MultipleChoice: _choice,
    MultipleChoiceWithFreeText: _choice_with_text,
    FreeText: _free_text,
    FreeTextWithUnit: _free_text_with_unit,
    FileUpload: _file_upload,
}
