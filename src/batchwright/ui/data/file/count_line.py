"""A line of a dialog with a count that leads to its records."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from batchwright.ui.core.formatting import number, records
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.text import ElidedLabel, Label

_HEIGHT = 26
_BESIDE_LINK = 14
"""Space at the right of a number, so that it is below the number of a link."""


def count_line(text: str, count: int, choose: Callable[[], object] | None = None) -> QWidget:
    """Create a line; the count is a button if there are records that `choose` shows."""
    line = QWidget()
    line.setFixedHeight(theme().px(_HEIGHT))
    box = row(gap=12, parent=line)
    box.addWidget(ElidedLabel(text, TextRole.SMALL), 1)
    if choose is None or not count:
        box.add(Label(number(count), TextRole.SMALL, "text2", tabular=True), _BESIDE_LINK)
    else:
        show = Button(number(count), ButtonKind.LINK, height=ButtonSize.SMALL)
        show.setAccessibleName(sanitize_line(f"{text}: {records(count)}"))
        show.clicked.connect(choose)
        box.add(show)
    return line
