"""Headings of sections and stages (look.md 6)."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.buttons import Button, Height, Kind
from batchwright.ui.kit.panels import Edge, Ground
from batchwright.ui.kit.text import CutText, Text
from batchwright.ui.theme import Role, theme

_HEIGHT = 64


class SectionHeading(QWidget):
    """The title of a section, and at its right a word or a button."""

    def __init__(
        self,
        title: str,
        side: QWidget | str = "",
        *,
        role: Role = Role.SECTION,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        line = row(Text(title, role), None, parent=self)
        if isinstance(side, QWidget):
            line.put(side)
        elif side:
            line.put(Text(side, Role.SMALL, "text2"))


class StageHeader(Ground):
    """What a stage says at its top: title, what is done and what is next, and its buttons.

    There is one primary button at most; it is the last, and `show_primary` changes it with the state.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__("window", Edge.BOTTOM, parent)
        self._title = CutText(title, Role.TITLE)
        self._sentence = CutText("", Role.SMALL, "text2", tabular=True)
        self.primary = Button("", Kind.PRIMARY, height=Height.STAGE)
        self.primary.hide()
        self._buttons = row(gap=8)
        words = column(self._title, self._sentence, gap=2)
        line = row(gap=8, margins=(24, 0, 20, 0), parent=self)
        line.addLayout(words, 1)
        line.addLayout(self._buttons)
        line.addWidget(self.primary)
        line.setAlignment(words, Qt.AlignmentFlag.AlignVCenter)
        self._fit()
        theme().follow(self._fit)

    def add(self, *buttons: QWidget) -> None:
        """Put quiet and secondary buttons before the primary one."""
        self._buttons.put(*buttons)

    def show_title(self, title: str) -> None:
        """Show another title."""
        self._title.setText(title)

    def show_sentence(self, sentence: str) -> None:
        """Say what is done and what is next."""
        self._sentence.setText(sentence)

    def show_primary(self, text: str, *, glyph: str = "", keys: str = "", reason_not: str = "") -> None:
        """Show the next sensible step; with a reason it is disabled, and the sentence should say why too."""
        self.primary.setText(text)
        self.primary.set_glyph(glyph)
        self.primary.set_keys(keys)
        self.primary.allow(reason_not)
        self.primary.setVisible(bool(text))

    def _fit(self) -> None:
        self.setFixedHeight(theme().px(_HEIGHT))
