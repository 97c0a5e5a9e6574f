"""The connection cards of Home: each connection with its state; the current one is marked."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import N_, _
from batchwright.base.policy import computer_policy
from batchwright.local.connections import Connection
from batchwright.ui.content.connection_badge import ConnectionBadge
from batchwright.ui.home.service_status_text import ServiceStatusText
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.fields import lock_note
from batchwright.ui.widgets.headings import SectionHeading
from batchwright.ui.widgets.help_button import set_help_address
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.id_label import CopyIdButton
from batchwright.ui.widgets.text import ElidedLabel, Label

_RADIUS = 10
TOKEN_IN_ENVIRONMENT = N_("A token was found in PROLIFIC_TOKEN. It is filled in for you.")
"""Shown beside “Add a connection” if the environment contains a token."""


class ConnectionCard(QAbstractButton):
    """The card of a connection. A click selects it."""

    def __init__(self, connection: Connection, *, is_chosen: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_chosen = False
        is_live = not connection.is_local
        mode = _("Live") if is_live else _("Rehearsal")
        self.setAccessibleName(sanitize_line(f"{mode}, {connection.title}"))
        self.setProperty(RING, _RADIUS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        head = row(gap=8)
        head.addWidget(ElidedLabel(connection.title, TextRole.NAME), 1)
        head.addWidget(ConnectionBadge(is_live=is_live))
        self._layout = column(head, gap=4, margins=(14, 10, 12, 12), parent=self)
        self.show_chosen(is_chosen=is_chosen)

    def show_chosen(self, *, is_chosen: bool) -> None:
        """Show whether this is the current connection."""
        self._is_chosen = is_chosen
        text = _("Requests go here") if is_chosen else _("Select to send requests here")
        self.setAccessibleDescription(sanitize(text))
        self.setToolTip(tooltip_text(text))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return self._layout.totalSizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = theme().tokens
        border = tokens.accent_text if self._is_chosen else tokens.border
        border = tokens.border_strong if self.underMouse() and not self._is_chosen else border
        draw_rounded(QPainter(self), self.rect(), theme().px(_RADIUS), tokens.surface, border)


class LocalCard(ConnectionCard):
    """The card of this computer with the status of the local service."""

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
            ElidedLabel(_("Always available, free of charge"), TextRole.CAPTION, "text2"),
            state,
            self._restart_row,
        )

    def show_service(self, status: ServiceStatusText) -> None:
        """Show the status of the service."""
        self._icon.show_glyph(status.glyph, status.tone)
        self._text.setText(status.text)
        self._text.set_tone("text" if status.can_restart else "text2")
        self._restart_row.setVisible(status.can_restart)
        self.setAccessibleDescription(sanitize(status.text))
        self.updateGeometry()

    def _on_restart_clicked(self) -> None:
        self.setFocus()  # the button is hidden and would lose the focus
        self.restart_requested.emit()


class HostedCard(ConnectionCard):
    """The card of a hosted service, with buttons to change and remove the connection."""

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
        if reason := computer_policy().service_reason(connection.url, connection.workspace_id):
            self._layout.add(lock_note(reason))
        workspace = _("Workspace {id}").format(id=connection.workspace_id)
        change = IconButton("pencil-simple", _("Change {name}").format(name=connection.title), glyph_size=16)
        remove = IconButton("trash", _("Remove {name}").format(name=connection.title), glyph_size=16)
        change.clicked.connect(self.change_requested)
        remove.clicked.connect(self.removal_requested)
        self.copy_workspace = CopyIdButton(_("Copy the workspace id"))
        self.copy_workspace.set_id(connection.workspace_id)
        below = row(gap=4)
        below.addWidget(ElidedLabel(workspace, TextRole.CAPTION, "text2", in_middle=True), 1)
        below.add(self.copy_workspace, change, remove)
        self._layout.add(below)


class ConnectionList(QWidget):
    """All connections and a button to add one."""

    chosen = Signal(str)
    change_requested = Signal(object)
    removal_requested = Signal(object)
    restart_requested = Signal()

    def __init__(self, *, has_token_in_environment: bool, parent: QWidget | None = None) -> None:
        """Create the list; `has_token_in_environment` shows a hint that the token is filled in."""
        super().__init__(parent)
        set_help_address(self, "home.md#connections")
        self.add_button = Button(_("Add a connection"), ButtonKind.QUIET, glyph="plus")
        self._token_hint = Label(_(TOKEN_IN_ENVIRONMENT), TextRole.CAPTION, "text2", wraps=True)
        self._has_token_in_environment = has_token_in_environment
        self._cards = column(gap=8)
        self._shown: tuple[tuple[Connection, ...], str] = ((), "")
        self._cards_by_name: dict[str, ConnectionCard] = {}
        self._local: LocalCard | None = None
        column(
            SectionHeading(_("Connections"), has_help=True),
            self._cards,
            row(self.add_button, None),
            self._token_hint,
            None,
            gap=10,
            parent=self,
        )

    def show_connections(self, connections: tuple[Connection, ...], chosen: Connection) -> None:
        """Show the connections and mark the current one."""
        if self._shown == (connections, chosen.name):
            return
        before, self._shown = self._shown[0], (connections, chosen.name)
        if connections == before:  # the cards stay, so that the one that was clicked keeps the focus
            for name, card in self._cards_by_name.items():
                card.show_chosen(is_chosen=name == chosen.name)
            return
        self._token_hint.setVisible(
            self._has_token_in_environment and all(connection.is_local for connection in connections)
        )
        clear(self._cards)
        self._cards_by_name.clear()
        for connection in connections:
            card = self._card(connection, is_chosen=connection.name == chosen.name)
            self._cards_by_name[connection.name] = card
            card.clicked.connect(lambda _checked, name=connection.name: self.chosen.emit(name))
            self._cards.add(card)

    def show_service(self, status: ServiceStatusText) -> None:
        """Show the status of the local service."""
        if self._local is not None:
            self._local.show_service(status)

    def _card(self, connection: Connection, *, is_chosen: bool) -> ConnectionCard:
        if connection.is_local:
            self._local = LocalCard(connection, is_chosen=is_chosen)
            self._local.restart_requested.connect(self.restart_requested)
            return self._local
        card = HostedCard(connection, is_chosen=is_chosen)
        card.change_requested.connect(lambda: self.change_requested.emit(connection))
        card.removal_requested.connect(lambda: self.removal_requested.emit(connection))
        return card
