"""`dataset_field` in the editor. Its icon is that of the type of the dataset field, if the type is known."""

from collections.abc import Mapping

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QLinearGradient,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.base.text import truncate
from batchwright.layout.attributes import Attribute
from batchwright.layout.item_types.dataset_field import AudioBlock, LinkBlock, TextBlock, VideoBlock
from batchwright.layout.item_types.registry import DatasetField
from batchwright.schema.model import FieldType, Schema
from batchwright.ui.content.answer_previews import ImagePlaceholder
from batchwright.ui.core.web_media import PreviewMedia
from batchwright.ui.editor.inspector.fields import MenuField, TextField
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.item_types.base import (
    MAX_CARD_CHARACTERS,
    CardBody,
    ItemEditor,
    hint_label,
    labelled,
)
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, browser_button
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import ElidedLabel, Label

MAX_LINES = 12

_MAX_CHARACTERS_OF_ALL = 20_000
"""Characters that "Show all" shows; Qt lays out this much in about 50 ms."""


class CollapsibleText(QWidget):
    """A long text on a card that shows its first `MAX_LINES` lines, fading out, until "Show all" is clicked.

    The end of a very long text is never shown.
    """

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clip = _Clip(text)
        self._show_all_button = Button(_("Show all"), ButtonKind.LINK, height=ButtonSize.SMALL)
        self._show_all_button.clicked.connect(self._show_all)
        column(self._clip, row(self._show_all_button, None), gap=2, parent=self)
        self._show_all_button.setVisible(False)
        self._clip.overflows.connect(self._show_all_button.setVisible)

    def _show_all(self) -> None:
        self._clip.show_all()
        self._show_all_button.hide()


class _Clip(QWidget):
    """Clips a text to its first lines. `overflows` is emitted with whether lines are cut off."""

    overflows = Signal(bool)

    def __init__(self, text: str) -> None:
        super().__init__()
        self._is_expanded = False
        self._full_text = truncate(text, _MAX_CHARACTERS_OF_ALL)
        self._text = Label(truncate(text, MAX_CARD_CHARACTERS), TextRole.BODY, wraps=True, parent=self)
        self._text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._fade = _Fade(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_all(self) -> None:
        """Show all lines."""
        self._is_expanded = True
        self._text.setText(self._full_text)
        self.updateGeometry()

    def _full_height(self, width: int) -> int:
        return self._text.heightForWidth(max(1, width))

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        max_height = self._text.fontMetrics().lineSpacing() * MAX_LINES
        return self._full_height(width) if self._is_expanded else min(self._full_height(width), max_height)

    @override
    def sizeHint(self) -> QSize:
        width = theme().px(240)
        return QSize(width, self.heightForWidth(width))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(40), self._text.fontMetrics().lineSpacing())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        full_height = self._full_height(self.width())
        self._text.setGeometry(0, 0, self.width(), full_height)
        is_cut = full_height > self.height() + 1 and not self._is_expanded
        self._fade.setVisible(is_cut)
        if is_cut:
            height = min(theme().px(40), self.height())
            self._fade.setGeometry(QRect(0, self.height() - height, self.width(), height))
            self._fade.raise_()
        self.overflows.emit(is_cut)


class _Fade(QWidget):
    """Lets the last lines fade into the card."""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        background = theme().tokens.page
        clear = QColor(background)
        clear.setAlpha(0)
        fade = QLinearGradient(0, 0, 0, self.height())
        fade.setColorAt(0, clear)
        fade.setColorAt(1, background)
        QPainter(self).fillRect(self.rect(), fade)


def _text_widget(block: TextBlock, _media: PreviewMedia) -> QWidget:
    view = RichTextView(block.text, TextRole.PAGE)
    view.show_text(block.text)
    return labelled(block.label, view)


def _audio_widget(block: AudioBlock, media: PreviewMedia) -> QWidget:
    return labelled(block.label, _recording("speaker-high", block, media))


def _video_widget(block: VideoBlock, media: PreviewMedia) -> QWidget:
    return labelled(block.label, _recording("film-strip", block, media))


def _link_widget(block: LinkBlock, media: PreviewMedia) -> QWidget:
    button = Button(block.text, ButtonKind.LINK, glyph="arrow-square-out", height=ButtonSize.SMALL)
    button.clicked.connect(lambda: media.open(block.url))
    return labelled(block.label, button)


def _recording(glyph: str, block: AudioBlock | VideoBlock, media: PreviewMedia) -> QWidget:
    """A row in place of the media player that the browser shows."""
    player = SunkenSurface()
    line = row(Glyph(glyph, "text2", 18), gap=10, margins=(12, 6, 6, 6), parent=player)
    line.addWidget(ElidedLabel(block.url, TextRole.SMALL, "text2", in_middle=True), 1)
    button = browser_button(block.label)
    button.clicked.connect(lambda: media.open(block.url))
    line.add(button)
    return player


def _card_body(item: DatasetField, schema: Schema | None, record: JsonObject | None) -> CardBody:
    if not item.field:
        return [hint_label(_("Choose a dataset field at the right."))]
    if record is None:
        return [hint_label(_("Shows the value of a record once there is data."))]
    if item.field not in record:
        return [hint_label(_("No value: the field is not in the data."))]
    value = record[item.field]
    if value is None or value == "":
        return [hint_label(_("This record has no value here."))]
    field = schema.fields.get(item.field) if schema is not None else None
    return _value(field.type if field is not None else None, value)


def _value(kind: FieldType | None, value: Json) -> CardBody:
    text = value if isinstance(value, str) else str(value)
    match kind:
        case FieldType.IMAGE_URL:
            return [
                row(ImagePlaceholder(), ElidedLabel(text, TextRole.CAPTION, "text3", in_middle=True), gap=14)
            ]
        case FieldType.AUDIO_URL | FieldType.VIDEO_URL:
            address = ElidedLabel(text, TextRole.SMALL, "text2", in_middle=True)
            player = row(Glyph("play-circle", "field", 22), gap=10)
            player.addWidget(address, 1)
            return [player]
        case _:
            return [CollapsibleText(text)]


def _field_field(form: NodeForm, attribute: Attribute) -> QWidget:
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
        form,
        attribute,
        titles,
        label=_("Dataset field"),
        hint=_("Shows this field of each record."),
        set_attribute=form.set_with_neutral_labels,
    )


EDITOR = ItemEditor(
    DatasetField,
    glyph="text-t",
    family="field",
    card_body=_card_body,
    fields={"field": _field_field},
    blocks={
        TextBlock: _text_widget,
        AudioBlock: _audio_widget,
        VideoBlock: _video_widget,
        LinkBlock: _link_widget,
    },
)
