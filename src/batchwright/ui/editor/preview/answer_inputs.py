"""The base class of the controls that answer a question, and input fields that several controls use."""

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QWidget

from batchwright.layout.item_types.questions import Question
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import is_too_long, sanitize, sanitize_line
from batchwright.ui.widgets.fields import TextArea
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.text_direction import update_direction

_CONTROL_HEIGHT_PX, _NUMBER_WIDTH_PX = 44, 220


class Control(QWidget):
    """Base class of the control of a question. Every change is written to the state immediately.

    `inputs` are the widgets that can have the keyboard focus. `is_narrow` is set if the page is shown at
    phone width.
    """

    def __init__(self, state: PreviewState, question: Question, *, is_narrow: bool = False) -> None:
        super().__init__()
        self.state, self.question = state, question
        self.inputs: list[QWidget] = []

    def add_input(self, control: QWidget, name: str) -> None:
        """Add a widget to `inputs`, with its name for screen readers."""
        control.setAccessibleName(sanitize_line(name))
        control.setFont(theme().font(TextRole.PAGE))
        if isinstance(control, (QLineEdit, FormComboBox)):
            control.setMinimumHeight(theme().px(_CONTROL_HEIGHT_PX))
        self.inputs.append(control)


def line_input(state: PreviewState, name: str, value: str, placeholder: str) -> QLineEdit:
    """Create a single-line field for a number."""
    field = QLineEdit()
    _show_answer(field, field.setText, value)
    field.setPlaceholderText(sanitize_line(placeholder))
    field.setFixedWidth(theme().px(_NUMBER_WIDTH_PX))
    field.textEdited.connect(lambda text: state.set_answer(name, [text]))
    return field


def answer_area(state: PreviewState, name: str, value: str, placeholder: str, *, rows: int) -> TextArea:
    """Create a multi-line field."""
    area = TextArea(rows)
    area.setFont(theme().font(TextRole.PAGE))
    _show_answer(area, area.setPlainText, value)
    area.setPlaceholderText(sanitize_line(placeholder))
    area.textChanged.connect(lambda: state.set_answer(name, [area.toPlainText()]))

    def on_text_changed() -> None:
        update_direction(area.document(), area.toPlainText(), state.direction)

    area.textChanged.connect(on_text_changed)
    on_text_changed()
    return area


def _show_answer(field: QLineEdit | TextArea, show: Callable[[str], None], value: str) -> None:
    """Show an answer; of one that takes long to lay out the beginning, which cannot be edited."""
    field.setReadOnly(is_too_long(value))
    show(sanitize(value) if field.isReadOnly() else value)


def chosen_values(menu: FormComboBox, index: int) -> list[str]:
    """The form field values for the selected menu entry: empty for the prompt."""
    value = str(menu.itemData(index))
    return [value] if value else []
