"""A dialog that shows several texts, one at a time."""

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox

from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.fields import InputField, TextArea

_LINES = 16


class TextsDialog(Dialog):
    """Shows the text that is chosen in a list of titles; the texts can be read and copied.

    Args:
        title: the title of the dialog.
        text: the sentence below it.
        accept_text: the text of the accept button.
        list_label: the label of the list.
        text_label: the label of the text.
        texts: titles and texts.
    """

    help_address = "privacy.md#what-is-stored-where"

    def __init__(
        self,
        title: str,
        text: str,
        accept_text: str,
        *,
        list_label: str,
        text_label: str,
        texts: Sequence[tuple[str, str]],
    ) -> None:
        super().__init__(title, text, accept_text, width=WIDE)
        self._texts = [text for _title, text in texts]
        self._titles, self._text = QComboBox(), TextArea(_LINES)
        self._titles.addItems([title for title, _text in texts])
        self._text.setReadOnly(True)
        self._titles.currentIndexChanged.connect(self._show)
        self.add(InputField(list_label, self._titles), InputField(text_label, self._text))
        self.set_shrinking(self._text, lambda: self._text.sizeHint().height())
        self._show(0)

    def _show(self, number: int) -> None:
        self._text.setPlainText(self._texts[number])
