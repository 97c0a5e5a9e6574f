"""The direction in which a document is written: by its text, and by the layout around it (`base.text`)."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument, QTextOption

from batchwright.base.text import runs_right_to_left

_MIRRORED = Qt.LayoutDirection.RightToLeft


def update_direction(document: QTextDocument, text: str, around: Qt.LayoutDirection) -> None:
    """Write a document with this text from right to left, and at the right, if the text is."""
    is_mirrored = runs_right_to_left(text, in_mirrored_layout=around is _MIRRORED)
    if is_mirrored is (document.defaultTextOption().textDirection() is _MIRRORED):
        return
    option = document.defaultTextOption()
    plain = QTextOption()
    option.setTextDirection(_MIRRORED if is_mirrored else plain.textDirection())
    at_right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
    option.setAlignment(at_right if is_mirrored else plain.alignment())
    document.setDefaultTextOption(option)
