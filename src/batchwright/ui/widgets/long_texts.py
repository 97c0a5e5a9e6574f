"""Fields of dialogs that are filled with a text from a file or service, however long it is."""

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from batchwright.base.i18n import _
from batchwright.ui.theme.foreign import is_too_long, sanitize
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.fields import InputField


def fill(field: InputField, text: str) -> Callable[[], str]:
    """Fill a field with a line or an area; returns a function that returns the text entered.

    Of a text that takes long to lay out, the beginning is shown. It cannot be edited, and stays as it is
    unless the user replaces it.
    """
    control = field.control
    if not isinstance(control, QLineEdit | QPlainTextEdit):
        raise TypeError("only a line or an area has a text")
    if not is_too_long(text):
        _show(control, text)
        return lambda: _text_of(control)
    _show(control, sanitize(text))
    control.setReadOnly(True)
    if isinstance(control, QLineEdit):
        control.home(False)  # shows the beginning
    hint = _("This text has {count} characters, too many to be edited here. It stays until you replace it.")
    field.set_hint(hint.format(count=len(text)))
    button = Button(_("Replace the text"), ButtonKind.LINK, height=ButtonSize.TINY)

    def replace() -> None:
        control.setReadOnly(False)
        control.clear()
        control.setFocus()
        field.set_hint("")
        button.hide()

    button.clicked.connect(replace)
    field.add_below(button)
    return lambda: text if control.isReadOnly() else _text_of(control)


def _show(control: QLineEdit | QPlainTextEdit, text: str) -> None:
    if isinstance(control, QLineEdit):
        control.setText(text)
    else:
        control.setPlainText(text)


def _text_of(control: QLineEdit | QPlainTextEdit) -> str:
    return control.text() if isinstance(control, QLineEdit) else control.toPlainText()
