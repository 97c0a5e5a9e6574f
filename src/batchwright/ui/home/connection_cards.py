"""The connections at the right of Home: where requests can go, how they stand, and which one is chosen."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import N_, _
from batchwright.local.connections import Connection
from batchwright.ui.home.service_status_text import ServiceStatusText
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.connection_badge import ConnectionBadge
from batchwright.ui.widgets.headings import SectionHeading
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.text import ElidedLabel, Label

_RADIUS = 10
TOKEN_IN_ENVIRONMENT = N_("A token was found in PROLIFIC_TOKEN. It is filled in for you.")
"""Said where a connection can be added, while the environment offers one."""


class ConnectionCard(QAbstractButton):
    """One connection: its name, its badge, and what is known of it. Pressing it sends requests there."""

    def __init__(self, connection: Connection, *, is_chosen: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_chosen = is_chosen
        is_live = not connection.is_local
        word = _("Live") if is_live else _("Rehearsal")
        self.setAccessibleName(sanitize_line(f"{word}, {connection.title}"))
        self.setProperty(RING, _RADIUS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        head = row(gap=8)
        head.addWidget(ElidedLabel(connection.title, TextRole.NAME), 1)
        head.addWidget(ConnectionBadge(is_live=is_live))
        self._layout = column(head, gap=4, margins=(14, 10, 12, 12), parent=self)
        chosen = _("Requests go here") if is_chosen else _("Press to send requests here")
        self.setAccessibleDescription(sanitize(chosen))
        self.setToolTip(tooltip_text(chosen))

    @override
    def sizeHint(self) -> QSize:
        return self._layout.totalSizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        line = tokens.accent_text if self._is_chosen else tokens.border
        line = tokens.border_strong if self.underMouse() and not self._is_chosen else line
        draw_rounded(QPainter(self), self.rect(), theme().px(_RADIUS), tokens.surface, line)


class LocalCard(ConnectionCard):
    """This computer, and how its service stands."""

    restart_requested = Signal()

    def __init__(self, connection: Connection, *, is_chosen: bool, parent: QWidget | None = None) -> None:
        super().__init__(connection, is_chosen=is_chosen, parent=parent)
        self._icon = Glyph("clock", "text2", 14)
        self._text = Label("", TextRole.CAPTION, "text2", wraps=True)
        self._restart_row = QWidget()
        restart = Button(_("Start again"), glyph="arrow-clockwise", height=ButtonSize.SMALL)
        restart.clicked.connect(self._on_restart_clicked)
        row(restart, None, margins=(0, 6, 0, 0), parent=self._restart_row)
        state = row(gap=6)
        state.addLayout(column(1, self._icon, None, gap=0))
        state.addWidget(self._text, 1)
        self._layout.add(
            ElidedLabel(_("Always there, costs nothing"), TextRole.CAPTION, "text2"), state, self._restart_row
        )

    def show_service(self, words: ServiceStatusText) -> None:
        """Show how the service stands."""
        self._icon.show_glyph(words.glyph, words.tone)
        self._text.setText(words.text)
        self._text.set_tone("text" if words.can_restart else "text2")
        self._restart_row.setVisible(words.can_restart)
        self.setAccessibleDescription(sanitize(words.text))
        self.updateGeometry()

    def _on_restart_clicked(self) -> None:
        self.setFocus()  # the button goes, and would take the keyboard with it
        self.restart_requested.emit()


class HostedCard(ConnectionCard):
    """A hosted service: its workspace, whose token it is, its address; it can be changed and forgotten."""

    change_requested = Signal()
    removal_requested = Signal()

    def __init__(self, connection: Connection, *, is_chosen: bool, parent: QWidget | None = None) -> None:
        super().__init__(connection, is_chosen=is_chosen, parent=parent)
        who = connection.owner or connection.email
        if who:
            owner = ElidedLabel(_("Signed in as {name}").format(name=who), TextRole.CAPTION, "text2")
            self._layout.add(owner)
        if connection.owner and connection.email:
            self._layout.add(ElidedLabel(connection.email, TextRole.CAPTION, "text2", in_middle=True))
        self._layout.add(ElidedLabel(connection.url, TextRole.CAPTION, "text2", in_middle=True))
        workspace = _("Workspace {id}").format(id=connection.workspace_id)
        change = IconButton("pencil-simple", _("Change {name}").format(name=connection.title), glyph_size=16)
        remove = IconButton("trash", _("Forget {name}").format(name=connection.title), glyph_size=16)
        change.clicked.connect(self.change_requested)
        remove.clicked.connect(self.removal_requested)
        below = row(gap=4)
        below.addWidget(ElidedLabel(workspace, TextRole.CAPTION, "text2", in_middle=True), 1)
        below.add(change, remove)
        self._layout.add(below)


class ConnectionList(QWidget):
    """All connections, and the way to add one."""

    chosen = Signal(str)
    change_requested = Signal(object)
    removal_requested = Signal(object)
    restart_requested = Signal()

    def __init__(self, *, is_offered: bool, parent: QWidget | None = None) -> None:
        """Make the list; `is_offered` says whether the environment holds a token to begin with."""
        super().__init__(parent)
        self.add_button = Button(_("Add a connection"), ButtonKind.QUIET, glyph="plus")
        self._offer = Label(_(TOKEN_IN_ENVIRONMENT), TextRole.CAPTION, "text2", wraps=True)
        self._is_offered = is_offered
        self._cards = column(gap=8)
        self._shown: tuple[tuple[Connection, ...], str] = ((), "")
        self._local: LocalCard | None = None
        column(
            SectionHeading(_("Connections")),
            self._cards,
            row(self.add_button, None),
            self._offer,
            None,
            gap=10,
            parent=self,
        )

    def show_connections(self, connections: tuple[Connection, ...], chosen: Connection) -> None:
        """Show these, and which of them requests go to."""
        if self._shown == (connections, chosen.name):
            return
        self._shown = (connections, chosen.name)
        self._offer.setVisible(self._is_offered and all(one.is_local for one in connections))
        clear(self._cards)
        for connection in connections:
            card = self._card(connection, is_chosen=connection.name == chosen.name)
            card.clicked.connect(lambda _checked, name=connection.name: self.chosen.emit(name))
            self._cards.add(card)

    def show_service(self, words: ServiceStatusText) -> None:
        """Show how the service of this computer stands."""
        if self._local is not None:
            self._local.show_service(words)

    def _card(self, connection: Connection, *, is_chosen: bool) -> ConnectionCard:
        if connection.is_local:
            self._local = LocalCard(connection, is_chosen=is_chosen)
            self._local.restart_requested.connect(self.restart_requested)
            return self._local
        card = HostedCard(connection, is_chosen=is_chosen)
        card.change_requested.connect(lambda: self.change_requested.emit(connection))
        card.removal_requested.connect(lambda: self.removal_requested.emit(connection))
        return card
