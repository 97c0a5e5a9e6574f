"""Background surfaces: plain, panel, sunken, drop zone and separator."""

from enum import Enum, auto
from typing import ClassVar

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget
from typing_extensions import override

from batchwright.ui.theme import theme
from batchwright.ui.theme.drawing import draw_dashed, draw_rounded
from batchwright.ui.widgets.help_button import set_help_address


class Edge(Enum):
    """The edge with the border of a surface."""

    NONE = auto()
    LEFT = auto()
    RIGHT = auto()
    TOP = auto()
    BOTTOM = auto()


class Surface(QFrame):
    """A plain background in a token's colour, with a border on one edge."""

    def __init__(self, fill: str = "window", edge: Edge = Edge.NONE, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fill, self._edge = fill, edge

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, box = QPainter(self), theme().tokens, self.rect()
        painter.fillRect(event.rect(), tokens.get(self._fill))
        lines = {
            Edge.LEFT: (0, 0, 1, box.height()),
            Edge.RIGHT: (box.width() - 1, 0, 1, box.height()),
            Edge.TOP: (0, 0, box.width(), 1),
            Edge.BOTTOM: (0, box.height() - 1, box.width(), 1),
        }
        if self._edge in lines:
            painter.fillRect(*lines[self._edge], tokens.border)


class Panel(QFrame):
    """A rounded surface with a border, for tables and forms."""

    help_address: ClassVar[str] = ""
    """Where the help explains it, such as `data.md#checks`; empty for the page of the stage."""

    def __init__(self, radius: int = 10, fill: str = "surface", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_help_address(self, self.help_address)
        self._radius, self._fill = radius, fill

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        radius = theme().px(self._radius)
        draw_rounded(QPainter(self), self.rect(), radius, tokens.get(self._fill), tokens.border)


class SunkenSurface(QFrame):
    """A sunken surface without a border, inside of a panel."""

    def __init__(self, fill: str = "sunken", radius: int = 8, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fill, self._radius = fill, radius

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        draw_rounded(QPainter(self), self.rect(), theme().px(self._radius), theme().tokens.get(self._fill))


class DropZone(QFrame):
    """A drop target with a dashed border, highlighted during a drag."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_target = False

    def set_target(self, *, is_target: bool) -> None:
        """Highlight it while an acceptable drag is over it."""
        self._is_target = is_target
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, radius = QPainter(self), theme().tokens, theme().px(12)
        draw_rounded(painter, self.rect(), radius, tokens.accent_soft if self._is_target else tokens.surface)
        line = tokens.accent_text if self._is_target else tokens.border_strong
        draw_dashed(painter, self.rect(), radius, line, 1.5, [5, 3])


class Separator(QWidget):
    """A thin horizontal line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(1)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().tokens.border)
