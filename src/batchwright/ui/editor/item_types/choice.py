"""The two choice item types in the editor: card body, field for the answer limit, and preview controls."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QButtonGroup,
    QCheckBox,
    QRadioButton,
    QSizePolicy,
    QStyle,
    QWidget,
)
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import JsonObject
from batchwright.layout.attributes import Attribute
from batchwright.layout.form_encoding import explanation_name
from batchwright.layout.item_types.choice import DropdownQuestion, ListQuestion
from batchwright.layout.item_types.questions import Option, Question
from batchwright.layout.item_types.registry import Choice
from batchwright.layout.rules.problems import AttributePath
from batchwright.schema.model import Schema
from batchwright.ui.content.answer_previews import OptionPreview, OptionsPreview
from batchwright.ui.editor.inspector.attribute_focus import focus_field
from batchwright.ui.editor.inspector.fields import SwitchField
from batchwright.ui.editor.inspector.fix_button import FixHint, show_problem
from batchwright.ui.editor.inspector.form import NodeForm, capitalized
from batchwright.ui.editor.inspector.options.list import OptionList
from batchwright.ui.editor.inspector.presets import option_presets
from batchwright.ui.editor.item_types.base import (
    CardBody,
    FieldFactory,
    description_field,
    helper_text_field,
    hint_label,
    option_label,
    question_labels,
)
from batchwright.ui.editor.preview.answer_inputs import Control, answer_area, chosen_values
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.check_controls import ring
from batchwright.ui.theme.drawing import direction_flag, draw_rounded
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.widgets.box_layouts import LayoutItem, ScaledBoxLayout, column, row
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.no_wheel import FormComboBox, FormSpinBox
from batchwright.ui.widgets.text import Label, breakable, show_literal
from batchwright.ui.widgets.toggles import Switch

_ANY = -1
_MAX = 9999


class AnswerLimit(QWidget):
    """The field for `answer_limit`: a spin box, and a switch for any number of answers."""

    def __init__(self, form: NodeForm, attribute: Attribute) -> None:
        super().__init__()
        self._form, self._name = form, attribute.name
        self.spin = FormSpinBox()
        self.spin.setRange(1, _MAX)
        self.spin.setFixedWidth(theme().px(96))
        self.any_number = Switch(_("Any number of answers"))
        self._meaning = Label("", TextRole.SMALL, "text2")
        row_widget = QWidget()
        column(row(self.spin, self._meaning, None, gap=10), self.any_number, gap=8, parent=row_widget)
        self._field = InputField(capitalized(_(attribute.title)), row_widget)
        self.spin.setAccessibleName(capitalized(_(attribute.title)))
        self._fix_hint = FixHint(form)
        self._field.add_below(self._fix_hint)
        column(self._field, parent=self)
        self.spin.textChanged.connect(self._on_count_edited)
        self.spin.editingFinished.connect(form.end_typing)
        self.any_number.toggled.connect(self._on_toggled)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current value and problem of the attribute."""
        limit = self._form.node.answer_limit if isinstance(self._form.node, Choice) else None
        is_any = limit == _ANY
        with QSignalBlocker(self.spin), QSignalBlocker(self.any_number):
            self.any_number.setChecked(is_any)
            self.spin.setEnabled(not is_any)
            if limit is not None and 0 < limit <= _MAX:
                self.spin.setValue(limit)
            elif not is_any:
                self.spin.clear()
        self._meaning.setText(_("1 = single choice") if limit == 1 else "")
        problem = self._form.problem(self._name)
        show_problem(self._field, problem)
        value = self._form.value(self._name)
        is_shown = limit is not None and (is_any or 0 < limit <= _MAX)
        self._fix_hint.show_problem(problem, None if is_shown else value)

    @property
    def attribute_names(self) -> Collection[str]:
        """The one attribute that this field edits."""
        return (self._name,)

    def focus_attribute(self, path: AttributePath) -> None:
        """Focus the spin box, or the switch if the spin box is disabled."""
        focus_field(self.spin if self.spin.isEnabled() else self.any_number)

    def _on_count_edited(self, text: str) -> None:
        if text:
            self._form.set(self._name, self.spin.value(), typing=self._name)

    def _on_toggled(self, is_on: bool) -> None:
        self._form.set(self._name, _ANY if is_on else self.spin.value())


_ALIGNMENT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_MIN_HEIGHT_PX, _MARK_SIZE_PX, _LEFT_PADDING_PX, _RIGHT_PADDING_PX = 46, 20, 46, 14
_RADIUS_PX = 8


if TYPE_CHECKING:
    _Button = QAbstractButton
else:
    _Button = object
"""A class has only one Qt class among its bases, so at run time `_OptionTile` is none."""


class _OptionTile(_Button):
    """The tile of an option, as participants see it; combined with the button that it is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._heights: dict[int, int] = {}
        """The height for each width: layouts ask many times, and each time Qt would lay out the text."""
        show_literal(self, text)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setProperty(RING, _RADIUS_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFont(theme().font(TextRole.PAGE))

    @override
    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    @override
    def heightForWidth(self, width: int) -> int:
        """The height in pixels for the wrapped label, at least `_MIN_HEIGHT_PX` at the current text size."""
        height = self._heights.get(width)
        if height is None:
            px = theme().px
            rect = QRect(0, 0, max(px(40), width - px(_LEFT_PADDING_PX) - px(_RIGHT_PADDING_PX)), 10_000)
            flags, text = int(Qt.TextFlag.TextWordWrap), breakable(self.text())
            height = QFontMetrics(self.font()).boundingRect(rect, flags, text).height()
            height = self._heights[width] = max(px(_MIN_HEIGHT_PX), height + px(22))
        return height

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._heights.clear()

    @override
    def sizeHint(self) -> QSize:
        width = theme().px(180)
        return QSize(width, self.heightForWidth(width))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(90), theme().px(_MIN_HEIGHT_PX))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._paint_tile(painter)
        size = theme().px(_MARK_SIZE_PX)
        square = QRectF(theme().px(15), (self.height() - size) / 2, size, size)
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            square.moveRight(self.width() - square.left())
        self.paint_mark(painter, square)

    def paint_mark(self, painter: QPainter, square: QRectF) -> None:
        """Paint the radio button or checkbox."""
        raise NotImplementedError

    def _paint_tile(self, painter: QPainter) -> None:
        """Paint background and label."""
        tokens, px, box = theme().tokens, theme().px, self.rect()
        if self.isChecked():
            draw_rounded(painter, box, px(_RADIUS_PX), tokens.accent_soft, tokens.accent_text, 2)
        else:
            fill = tokens.sunken if self.underMouse() else tokens.surface
            draw_rounded(painter, box, px(_RADIUS_PX), fill, tokens.border_strong)
        painter.setFont(self.font())
        painter.setPen(tokens.text)
        inner = box.adjusted(px(_LEFT_PADDING_PX), 0, -px(_RIGHT_PADDING_PX), 0)
        rect = QStyle.visualRect(self.layoutDirection(), box, inner)
        align = QStyle.visualAlignment(self.layoutDirection(), _ALIGNMENT) | Qt.AlignmentFlag.AlignAbsolute
        flags = int(Qt.TextFlag.TextWordWrap) | direction_flag(self.text(), self.layoutDirection())
        painter.drawText(rect, flags | int(align), breakable(self.text()))


class RadioTile(_OptionTile, QRadioButton):
    """The tile of an option with a radio button."""

    @override
    def paint_mark(self, painter: QPainter, square: QRectF) -> None:
        ring(theme(), painter, square, is_on=self.isChecked(), colour=theme().tokens.accent)


class CheckTile(_OptionTile, QCheckBox):
    """The tile of an option with a checkbox."""

    @override
    def paint_mark(self, painter: QPainter, square: QRectF) -> None:
        tokens, px = theme().tokens, theme().px
        if self.isChecked():
            draw_rounded(painter, square, px(5), tokens.accent)
            draw_glyph(painter, "check-bold", square, tokens.on_accent, px(14))
        else:
            draw_rounded(painter, square, px(5), tokens.input, tokens.border_strong, 1.5)


_MENU_WIDTH_PX = 480

_SHORT_OPTION_CHARACTERS = 14
_MAX_SIDE_BY_SIDE = 3
_MAX_CARD_OPTIONS = 12
"""How many options a card shows; the others are counted."""


class ListControl(Control):
    """Options as tiles for single or multiple choice; a selected option may require an explanation."""

    def __init__(self, state: PreviewState, question: ListQuestion, *, is_narrow: bool = False) -> None:
        super().__init__(state, question, is_narrow=is_narrow)
        self._options = question.options
        self._group = QButtonGroup(self)
        self._group.setExclusive(not question.is_multiple)
        self._explanations: dict[int, QWidget] = {}
        is_row = question.side_by_side and not is_narrow
        direction = QBoxLayout.Direction.LeftToRight if is_row else QBoxLayout.Direction.TopToBottom
        lines = ScaledBoxLayout(direction, gap=12 if is_row else 8, parent=self)
        for option in question.options:
            tile = CheckTile(option.label) if question.is_multiple else RadioTile(option.label)
            tile.setChecked(option.chosen)
            self._group.addButton(tile, option.index)
            lines.addWidget(tile, 1 if is_row else 0)
            self.add_input(tile, option.label)
            if option.heading:
                self._explanations[option.index] = Explanation(state, question, option)
                lines.addWidget(self._explanations[option.index])
        self._show_explanations()
        self._group.idToggled.connect(self._choose)

    def _choose(self, index: int, is_on: bool) -> None:
        if is_on and not self._group.exclusive():
            self._deselect_others(index)
        selection = [str(option.index) for option in self._options if self._is_chosen(option.index)]
        self.state.set_answer(self.question.name, selection)
        self._show_explanations()

    def _deselect_others(self, index: int) -> None:
        """Deselect the other options if this one or the other one is exclusive."""
        for option in self._options:
            if option.index != index and (option.exclusive or self._options[index].exclusive):
                self._group.button(option.index).setChecked(False)

    def _is_chosen(self, index: int) -> bool:
        return self._group.button(index).isChecked()

    def _show_explanations(self) -> None:
        for index, explanation in self._explanations.items():
            explanation.setVisible(self._is_chosen(index))


class DropdownControl(Control):
    """Options as a drop-down menu for single choice."""

    def __init__(self, state: PreviewState, question: DropdownQuestion, *, is_narrow: bool = False) -> None:
        super().__init__(state, question, is_narrow=is_narrow)
        self._menu = FormComboBox()
        self._menu.setMaximumWidth(theme().px(_MENU_WIDTH_PX))
        self._menu.add(question.placeholder or question.prompt, "")
        self._explanations = {
            option.index: Explanation(state, question, option)
            for option in question.options
            if option.heading
        }
        for option in question.options:
            self._menu.add(option.label, str(option.index))
            if option.chosen:
                self._menu.setCurrentIndex(self._menu.count() - 1)
        column(self._menu, *self._explanations.values(), gap=10, parent=self)
        self._menu.activated.connect(self._choose)
        self.add_input(self._menu, question.description)
        self._show_explanations()

    def _choose(self, number: int) -> None:
        self.state.set_answer(self.question.name, chosen_values(self._menu, number))
        self._show_explanations()

    def _show_explanations(self) -> None:
        for index, explanation in self._explanations.items():
            explanation.setVisible(self._menu.currentData() == str(index))


class Explanation(QWidget):
    """The text field for the explanation of a selected option."""

    def __init__(
        self, state: PreviewState, question: ListQuestion | DropdownQuestion, option: Option
    ) -> None:
        super().__init__()
        name = explanation_name(question.number, option.index)
        placeholder = question.placeholder if isinstance(question, ListQuestion) else ""
        area = answer_area(state, name, option.explanation, placeholder, rows=2)
        area.setAccessibleName(sanitize_line(option.heading))
        if option.chosen:
            state.set_answer(name, [option.explanation])
        # Below a drop-down menu, the prompt must name the option.
        prompt = option.heading
        if isinstance(question, DropdownQuestion):
            prompt = _("{option}: {heading}").format(option=option.label, heading=option.heading)
        column(Label(prompt, TextRole.STRONG, wraps=True), area, gap=4, margins=(14, 0, 0, 4), parent=self)


def choice_card_body(item: Choice, _schema: Schema | None, _record: JsonObject | None) -> CardBody:
    """The question with its first options."""
    labels = [option_label(option) for option in item.options]
    has_checkboxes = item.max_choices != 1
    rows = [OptionPreview(label, is_box=has_checkboxes) for label in labels[:_MAX_CARD_OPTIONS]]
    body: list[LayoutItem] = [*question_labels(item)]
    if 0 < len(labels) <= _MAX_SIDE_BY_SIDE and all(
        len(label) <= _SHORT_OPTION_CHARACTERS for label in labels
    ):
        body.append(OptionsPreview(rows))
    elif rows:
        body.append(column(*rows, gap=4))
    else:
        body.append(hint_label(_("Add options at the right.")))
    if len(labels) > _MAX_CARD_OPTIONS:
        more = ngettext("{count} more option", "{count} more options", len(labels) - _MAX_CARD_OPTIONS)
        body.append(hint_label(more.format(count=len(labels) - _MAX_CARD_OPTIONS)))
    return body


def _options_field(form: NodeForm, attribute: Attribute) -> QWidget:
    return OptionList(form, attribute, option_presets())


def _disable_dropdown_field(form: NodeForm, attribute: Attribute) -> QWidget:
    return SwitchField(
        form, attribute, _("Always show as a list"), _("Otherwise, five or more options are shown as a menu.")
    )


CHOICE_FIELDS: Mapping[str, FieldFactory] = {
    "description": description_field,
    "options": _options_field,
    "answer_limit": AnswerLimit,
    "helper_text": helper_text_field,
    "disable_dropdown": _disable_dropdown_field,
}

CHOICE_CONTROLS: Mapping[type[Question], type[Control]] = {
    ListQuestion: ListControl,
    DropdownQuestion: DropdownControl,
}
