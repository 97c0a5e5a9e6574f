"""The base of the controls with which questions are answered, and the fields that they share."""

from PySide6.QtWidgets import QLineEdit, QWidget

from batchwright.layout.pages.questions import Question
from batchwright.ui.editor.preview.state import PreviewState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.fields import TextArea
from batchwright.ui.widgets.no_wheel import FormComboBox

_CONTROL_HEIGHT_PX, _NUMBER_WIDTH_PX = 44, 220


class Control(QWidget):
    """What a question is answered with; each answer goes into the model at once.

    `inputs` are the widgets that take the keyboard. `is_narrow` says that the page has little width.
    """

    def __init__(self, model: PreviewState, question: Question, *, is_narrow: bool = False) -> None:
        super().__init__()
        self.model, self.question = model, question
        self.inputs: list[QWidget] = []

    def add_input(self, control: QWidget, name: str) -> None:
        """Make a widget one of the inputs, with a name for screen readers."""
        control.setAccessibleName(sanitize_line(name))
        control.setFont(theme().font(TextRole.PAGE))
        if isinstance(control, (QLineEdit, FormComboBox)):
            control.setMinimumHeight(theme().px(_CONTROL_HEIGHT_PX))
        self.inputs.append(control)


def line_input(model: PreviewState, name: str, value: str, placeholder: str) -> QLineEdit:
    """A field of one line, for a number."""
    field = QLineEdit(value)
    field.setPlaceholderText(sanitize_line(placeholder))
    field.setFixedWidth(theme().px(_NUMBER_WIDTH_PX))
    field.textEdited.connect(lambda text: model.set_answer(name, [text]))
    return field


def answer_area(model: PreviewState, name: str, value: str, placeholder: str, *, rows: int) -> TextArea:
    """A field of several lines."""
    area = TextArea(rows)
    area.setFont(theme().font(TextRole.PAGE))
    area.setPlainText(value)
    area.setPlaceholderText(sanitize_line(placeholder))
    area.textChanged.connect(lambda: model.set_answer(name, [area.toPlainText()]))
    return area


def chosen_values(menu: FormComboBox, index: int) -> list[str]:
    """The value of an entry of a menu as values of a form field; none for the prompt."""
    value = str(menu.itemData(index))
    return [value] if value else []
