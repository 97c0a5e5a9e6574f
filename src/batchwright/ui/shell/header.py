"""The header: open study, connection, workspace and the button of the command palette."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.content.connection_badge import badge_size, paint_badge
from batchwright.ui.core.formatting import abbreviated_id, short_folder
from batchwright.ui.shell.state import ConnectionLabel, ShellState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.glyphs import draw_glyph, icon
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.id_label import CopyIdButton
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label, literal, show_literal

_INDICATOR_HEIGHT = 3
_DASH, _GAP = 10, 6


class LiveIndicator(QWidget):
    """Differs by shape as well as colour; decorative, the badge says the same in text."""

    def __init__(self, *, is_live: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_live = is_live
        self.setFixedHeight(_INDICATOR_HEIGHT)

    def set_live(self, *, is_live: bool) -> None:
        """Set whether the connection is live."""
        self._is_live = is_live
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, box = QPainter(self), theme().tokens, self.rect()
        painter.fillRect(box, tokens.live if self._is_live else tokens.reh_soft)
        if not self._is_live:
            for x in range(0, box.width(), _DASH + _GAP):
                painter.fillRect(x, 0, _DASH, box.height(), tokens.reh)


_HEIGHT = 48
_NARROW_BELOW = 760
_FOLDER_SHOWN_FROM = 960
_MAX_WORKSPACE_CHARS = 16
"""Longer workspaces are ids and are abbreviated."""


class _HeaderButton(QPushButton):
    """A flat button of the header that paints itself."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty(RING, 7)
        self.setAutoDefault(False)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme().on_changed(self.updateGeometry)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paint_hover(self, painter: QPainter) -> None:
        """Paint the background while hovered or pressed."""
        if (self.underMouse() or self.isDown()) and self.isEnabled():
            draw_rounded(painter, self.rect(), theme().px(7), theme().tokens.hover)

    def paint_text(self, painter: QPainter, left: int, text: str, role: TextRole, tone: str) -> None:
        """Paint a text and a caret after it."""
        px, colour = theme().px, theme().tokens.get(tone)
        box = self.rect().adjusted(left, 0, -px(26), 0)
        draw_text(painter, box, text, theme().font(role), colour)
        at = QRect(self.width() - px(22), 0, px(12), self.height())
        draw_glyph(painter, "caret-down-bold", at, theme().tokens.text3, px(12))


class ConnectionButton(_HeaderButton):
    """Shows badge and name of the connection; opens the menu of connections."""

    def __init__(self, connection: ConnectionLabel, parent: QWidget) -> None:
        super().__init__(parent)
        self.show_connection(connection)

    def show_connection(self, connection: ConnectionLabel) -> None:
        """Show the connection."""
        self._connection = connection
        mode = _("Live") if connection.is_live else _("Rehearsal")
        show_literal(self, connection.text)
        self.setAccessibleName(sanitize_line(f"{mode}, {connection.text}"))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        px = theme().px
        text = QFontMetrics(theme().font(TextRole.SMALL_NAME)).horizontalAdvance(self._connection.text)
        return QSize(badge_size(is_live=self._connection.is_live).width() + text + px(40), px(32))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, px = QPainter(self), theme().px
        self.paint_hover(painter)
        size = badge_size(is_live=self._connection.is_live)
        badge = QRect(QPoint(px(3), (self.height() - size.height()) // 2), size)
        paint_badge(painter, badge, is_live=self._connection.is_live)
        self.paint_text(painter, badge.right() + px(9), self._connection.text, TextRole.SMALL_NAME, "text")


class WorkspaceButton(_HeaderButton):
    """Shows the workspace; opens its menu."""

    def show_workspace(self, workspace: str) -> None:
        """Show a workspace."""
        show_literal(self, abbreviated_id(workspace) if len(workspace) > _MAX_WORKSPACE_CHARS else workspace)
        self.setToolTip(tooltip_text(_("Workspace {id}").format(id=workspace)))
        self.setAccessibleName(sanitize_line(_("Workspace: {name}").format(name=workspace)))
        self.setVisible(bool(workspace))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        px = theme().px
        text = QFontMetrics(theme().font(TextRole.SMALL)).horizontalAdvance(self.text())
        return QSize(text + px(36), px(32))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.paint_hover(painter)
        self.paint_text(painter, theme().px(8), self.text(), TextRole.SMALL, "text2")


class CommandSearchButton(_HeaderButton):
    """A button in the style of a search field that opens the command palette."""

    def __init__(self, keys: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._keys, self._is_narrow = keys.replace("+", " "), False
        self.setText(_("Find anything"))
        self.setAccessibleName(_("Find anything"))

    @override
    def sizeHint(self) -> QSize:
        px = theme().px
        if self._is_narrow:
            return QSize(px(36), px(30))
        text = QFontMetrics(theme().font(TextRole.BODY)).horizontalAdvance(self.text())
        keys = QFontMetrics(theme().font(TextRole.CAPTION)).horizontalAdvance(self._keys)
        return QSize(max(px(214), px(60) + text + keys), px(30))

    def set_narrow(self, *, is_narrow: bool) -> None:
        """Show only the icon, with the text in the tooltip."""
        self._is_narrow = is_narrow
        self.setToolTip(tooltip_text(f"{self.text()}  {self._keys}" if is_narrow else ""))
        self.updateGeometry()
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        border = tokens.border_strong if self.underMouse() else tokens.border
        draw_rounded(painter, self.rect(), px(7), tokens.sunken, border)
        glass = QRect(px(10), 0, px(16), self.height())
        draw_glyph(painter, "magnifying-glass", glass, tokens.text2, px(16))
        if self._is_narrow:
            return
        text = self.rect().adjusted(px(32), 0, -px(10), 0)
        draw_text(painter, text, self.text(), theme().font(TextRole.BODY), tokens.text3)
        keys = theme().font(TextRole.CAPTION)
        draw_text(painter, text, self._keys, keys, tokens.text2, Qt.AlignmentFlag.AlignRight)


class Header(Surface):
    """Study at the left, connection and command palette at the right."""

    search_requested = Signal()

    def __init__(self, state: ShellState, search_shortcut: str, parent: QWidget | None = None) -> None:
        super().__init__("window", Edge.BOTTOM, parent)
        self._state = state
        self._icon = Glyph("stack", "accent_text", 18)
        self._name = ElidedLabel("", TextRole.STRONG)
        self._suffix = Label("", TextRole.BODY, "text3")
        self._unsaved = Label("●", TextRole.BODY, "text3")
        self._folder = ElidedLabel("", TextRole.SMALL, "text2", in_middle=True)
        self._connection = ConnectionButton(state.connection, self)
        self._connection.clicked.connect(self._open_connections)
        self._workspace = WorkspaceButton(self)
        self._workspace.clicked.connect(self._open_workspace)
        self._copy_workspace = CopyIdButton(_("Copy the workspace id"), self)
        self._search_button = search_button = CommandSearchButton(search_shortcut, self)
        search_button.clicked.connect(self.search_requested)
        layout = row(gap=7, margins=(17, 0, 13, 0), parent=self)
        layout.add(
            self._icon,
            row(row(self._name, self._suffix, gap=0), self._unsaved, gap=5),
            row(self._folder, margins=(6, 0, 0, 0)),
            None,
        )
        layout.add(row(self._connection, self._workspace, self._copy_workspace, gap=0), 2, search_button)
        state.document_changed.connect(self.show_document)
        state.connection_changed.connect(self.show_connection)
        theme().on_changed(self._update_geometry)
        self.show_document()
        self.show_connection()
        self._update_geometry()

    def show_document(self) -> None:
        """Show the open file and its folder, with a dot for unsaved changes."""
        document = self._state.document
        self._unsaved.setVisible(document is not None and not document.is_saved)
        if document is None:
            self._icon.show_glyph("stack", "accent_text")
            self._name.setText("Batchwright")
            self._suffix.setText("")
            self._folder.setText("")
            return
        self._unsaved.setToolTip(document.saved_text)
        self._icon.show_glyph("file-text", "text2")
        self._name.setText(document.title)
        self._folder.setText("" if document.path is None else short_folder(document.path.parent))
        self._suffix.setText(document.suffix)

    def show_connection(self) -> None:
        """Show the connection."""
        self._connection.show_connection(self._state.connection)
        self._workspace.show_workspace(self._state.connection.workspace)
        self._copy_workspace.set_id(self._state.connection.workspace)

    def _open_connections(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for connection in self._state.connections:
            mode, glyph, tone = (
                (_("Live"), "broadcast-fill", "live")
                if connection.is_live
                else (_("Rehearsal"), "flask-fill", "reh")
            )
            is_chosen = connection == self._state.connection
            label = _("{kind}, requests go here").format(kind=mode) if is_chosen else mode
            entry = menu.addAction(icon(glyph, tone), f"{literal(connection.text)}\t{label}")
            entry.setData(connection.name)
            entry.triggered.connect(self._on_connection_triggered)
        menu.addSeparator()
        add = menu.addAction(icon("plus"), _("Add a connection…"))
        add.triggered.connect(self._state.new_connection_requested)
        menu.popup(self._below(self._connection))

    def _on_connection_triggered(self) -> None:
        entry = self.sender()
        if isinstance(entry, QAction):
            self._state.connection_requested.emit(entry.data())

    def _open_workspace(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(icon("copy"), _("Copy the workspace id"))
        copy.triggered.connect(self._copy_workspace.click)
        change = menu.addAction(icon("pencil-simple"), _("Another workspace…"))
        change.triggered.connect(self._state.connection_change_requested)
        menu.popup(self._below(self._workspace))

    def _below(self, button: QWidget) -> QPoint:
        return button.mapToGlobal(QPoint(0, button.height() + 4))

    def _update_geometry(self) -> None:
        self.setFixedHeight(theme().px(_HEIGHT))
        self._search_button.set_narrow(is_narrow=self.width() < theme().px(_NARROW_BELOW))
        self._folder.setVisible(self.width() >= theme().px(_FOLDER_SHOWN_FROM))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_geometry()
