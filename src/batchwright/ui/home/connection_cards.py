"""The connections at the right of Home: where requests can go, and which way is chosen."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.local.connections import Connection
from batchwright.ui.kit.boxes import clear, column, row
from batchwright.ui.kit.buttons import Button, IconButton, Kind
from batchwright.ui.kit.connection_badge import ConnectionBadge
from batchwright.ui.kit.headings import SectionHeading
from batchwright.ui.kit.text import CutText
from batchwright.ui.theme import Role, theme
from batchwright.ui.theme.drawing import rounded
from batchwright.ui.theme.focus import RING
from batchwright.words import _

_RADIUS = 10


class ConnectionCard(QAbstractButton):
    """One connection: its name, its badge, and what is known of it. Pressing it sends requests there."""

    removed = Signal()

    def __init__(self, connection: Connection, *, is_chosen: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_chosen = is_chosen
        is_live = not connection.is_local
        word = _("Live") if is_live else _("Rehearsal")
        self.setAccessibleName(f"{word}, {connection.name}")
        self.setProperty(RING, _RADIUS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        head = row(gap=8)
        head.addWidget(CutText(connection.name, Role.NAME), 1)
        head.addWidget(ConnectionBadge(is_live=is_live))
        lines = column(head, gap=4, margins=(14, 10, 12, 12), parent=self)
        if connection.is_local:
            lines.put(CutText(_("Always there, costs nothing"), Role.CAPTION, "text2"))
        else:
            lines.put(CutText(connection.url, Role.CAPTION, "text2", in_middle=True))
            remove = IconButton("trash", _("Forget {name}").format(name=connection.name), glyph_size=16)
            remove.clicked.connect(self.removed)
            below = row(gap=4)
            below.addWidget(CutText(connection.workspace_id, Role.CAPTION, "text2", in_middle=True), 1)
            below.addWidget(remove)
            lines.put(below)
        chosen = _("Requests go here") if is_chosen else _("Press to send requests here")
        self.setAccessibleDescription(chosen)
        self.setToolTip(chosen)

    @override
    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else QSize()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        line = tokens.accent_text if self._is_chosen else tokens.border
        line = tokens.border_strong if self.underMouse() and not self._is_chosen else line
        rounded(QPainter(self), self.rect(), theme().px(_RADIUS), tokens.surface, line)


class ConnectionList(QWidget):
    """All connections, and the way to add one."""

    chosen = Signal(str)
    removed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.add = Button(_("Add a connection"), Kind.QUIET, glyph="plus")
        self._cards = column(gap=8)
        column(SectionHeading(_("Connections")), self._cards, row(self.add, None), None, gap=10, parent=self)

    def show_connections(self, connections: tuple[Connection, ...], chosen: Connection) -> None:
        """Show these, and which of them requests go to."""
        clear(self._cards)
        for connection in connections:
            card = ConnectionCard(connection, is_chosen=connection.name == chosen.name)
            card.clicked.connect(lambda _checked, name=connection.name: self.chosen.emit(name))
            card.removed.connect(lambda connection=connection: self.removed.emit(connection))
            self._cards.put(card)
