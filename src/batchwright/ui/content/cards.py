"""The card of an item on the canvas."""

from collections.abc import Callable, Mapping
from enum import Enum, auto

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QMenu, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.content.card_footer import RADIUS, CardFooter, CardFooterWidget
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_dashed, draw_rounded
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.theme.glyphs import draw_glyph, icon
from batchwright.ui.widgets.accessibility.accessible_interfaces import (
    Accessible,
    accessible_with,
    emit_state_changed,
    show_menu,
)
from batchwright.ui.widgets.box_layouts import LayoutItem, ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.icon_tile import IconTile
from batchwright.ui.widgets.text import ElidedLabel, literal

_MAX_WIDTH = 16777215
"""The value of Qt's `QWIDGETSIZE_MAX`."""
_NARROW_BELOW = 280
"""A narrower card hides the note and shows its actions in a menu."""
_MIN_TITLE_WIDTH = 130
"""Smallest width of the title beside its note."""


class CardState(Enum):
    """The state of a card, besides hover and focus."""

    RESTING = auto()
    SELECTED = auto()
    DRAGGED = auto()


class AccessibleCard(Accessible):
    """The accessibility interface of a card: selection and actions."""

    role_of_class = QAccessible.Role.ListItem

    @override
    def update_state(self, state: QAccessible.State) -> None:
        card = self.widget()
        state.selectable = True
        state.selected = isinstance(card, Card) and card.is_selected

    @override
    def actions(self) -> Mapping[str, Callable[[], object]]:
        card = self.widget()
        return card.accessible_actions() if isinstance(card, Card) else {}


@accessible_with(AccessibleCard)
class Card(QFrame):
    """A card with a header (icon, title, actions, handle), a body, and a footer for a problem.

    It accepts the focus. Set its accessible name if the title does not describe it.
    """

    chosen = Signal()
    """Clicked, or Space pressed."""
    opened = Signal()
    """Double-clicked, or Enter pressed."""
    fix_clicked = Signal()

    def __init__(
        self, glyph: str, family: str, title: str, note: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._state, self.is_hovered = CardState.RESTING, False
        self.footer: CardFooter | None = None
        self.setProperty(RING, RADIUS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(sanitize_line(title))
        self._tile = IconTile(glyph, family)
        self._title = ElidedLabel(title, TextRole.SMALL_NAME, "text2")
        self._note: ElidedLabel | None = None
        self._head_editor: QWidget | None = None
        self._action_row = row(gap=0)
        self._card_actions: list[tuple[str, str, Callable[[], object]]] = []
        self._buttons: list[IconButton] = []
        self._more_button: IconButton | None = None
        self._head = row(self._tile, self._title, None, self._action_row, margins=(10, 7, 36, 0))
        # The height of the action buttons, so that nothing moves when they appear.
        self._head.addStrut(theme().px(28))
        self.body: ScaledBoxLayout = column(gap=8, margins=(12, 5, 12, 12))
        self._footer_widget: CardFooterWidget | None = None
        self._outer_layout = column(self._head, gap=0, parent=self)
        self._outer_layout.addLayout(self.body, 1)
        self._show_note(note)
        theme().on_changed(self._update_head)

    def add(self, *items: LayoutItem) -> None:
        """Add items to the body."""
        self.body.add(*items)

    def add_action(self, glyph: str, name: str, action: Callable[[], object]) -> None:
        """Add an action: a button while the card is hovered or selected, or a menu entry on a narrow card.

        The button is created when it is first shown, because most cards of a long page never show theirs.
        """
        self._card_actions.append((glyph, name, action))
        self._refresh()

    def show_title(self, title: str, note: str = "", *, is_name: bool = False) -> None:
        """Set title and note; `is_name` shows the title in bold."""
        self._title.setText(title)
        self._title.set_role(TextRole.SMALL_STRONG if is_name else TextRole.SMALL_NAME)
        self._title.set_tone("text" if is_name else "text2")
        self._show_note(note)

    def show_head_editor(self, editor: QWidget | None) -> None:
        """Show a widget in place of title and note; None removes it."""
        if self._head_editor is not None:
            self._head.removeWidget(self._head_editor)
            self._head_editor.hide()
            self._head_editor.deleteLater()
        self._head_editor = editor
        if editor is not None:
            self._head.insertWidget(1, editor, 1)
        self._title.setVisible(editor is None)
        self._show_note(self._note.text() if self._note is not None else "")

    def is_on_note(self, position: QPoint) -> bool:
        """Whether a position is on the note beside the title."""
        note = self._note
        return note is not None and note.isVisible() and note.geometry().contains(position)

    def show_state(self, state: CardState) -> None:
        """Set the state."""
        was_selected, self._state = self.is_selected, state
        if was_selected != self.is_selected:
            emit_state_changed(self, "selected")
        self._refresh()

    def show_footer(self, footer: CardFooter | None) -> None:
        """Show a problem, or remove the footer."""
        self.footer = footer
        if footer is not None and self._footer_widget is None:
            self._footer_widget = CardFooterWidget(self)
            self._footer_widget.fix_requested.connect(self.fix_clicked)
            self._outer_layout.addWidget(self._footer_widget)
        if self._footer_widget is not None:
            self._footer_widget.setVisible(footer is not None)
            if footer is not None:
                self._footer_widget.show_footer(footer)
        self.update()

    @property
    def is_selected(self) -> bool:
        """Whether the state is selected."""
        return self._state is CardState.SELECTED

    def accessible_actions(self) -> dict[str, Callable[[], object]]:
        """The actions for screen readers by name."""
        standard_actions = {
            _("Select"): self.chosen.emit,
            _("Open"): self.opened.emit,
            _("Show menu"): lambda: show_menu(self),
        }
        return {**standard_actions, **{name: action for _glyph, name, action in self._card_actions}}

    def activate_layout(self) -> None:
        """Update the layout immediately."""
        self._outer_layout.activate()

    @property
    def tab_stops(self) -> list[QWidget]:
        """The tab stops of the card in order."""
        footer = self._footer_widget
        more = (self._more_button,) if self._more_button is not None else ()
        return [self, *self._buttons, *more, *((footer.fix_button,) if footer is not None else ())]

    @property
    def _is_narrow(self) -> bool:
        return self.width() < theme().px(_NARROW_BELOW)

    @property
    def _shows_actions(self) -> bool:
        return self.is_hovered or self._state is CardState.SELECTED

    def _show_note(self, note: str) -> None:
        if note and self._note is None:
            self._note = ElidedLabel("", TextRole.CAPTION, "text3")
            self._head.insertWidget(2, self._note)
        if self._note is not None:
            self._note.setText(note)
            self._note.setVisible(bool(note) and self._head_editor is None)
        self._update_head()

    def _update_head(self) -> None:
        """Give the title its width before the note, which is hidden on a narrow card."""
        if self._note is not None:
            self._note.setMaximumWidth(0 if self._is_narrow else _MAX_WIDTH)
            full_width = self._title.fontMetrics().horizontalAdvance(self._title.text())
            self._title.setMinimumWidth(min(full_width, theme().px(_MIN_TITLE_WIDTH)))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        self._update_head()
        self._refresh()

    def _refresh(self) -> None:
        shows, is_narrow = self._shows_actions, self._is_narrow
        if shows and is_narrow and self._more_button is None:
            self._more_button = IconButton("dots-three-bold", _("More actions"))
            self._more_button.clicked.connect(self._open_menu)
            self._action_row.add(self._more_button)
        if shows and not is_narrow and not self._buttons:
            for glyph, name, action in self._card_actions:
                button = IconButton(glyph, name)
                button.clicked.connect(action)
                self._buttons.append(button)
            self._action_row.add(*self._buttons)
        for button in self._buttons:
            button.setVisible(shows and not is_narrow)
        if self._more_button is not None:
            self._more_button.setVisible(shows and is_narrow)
        self.update()

    def _open_menu(self) -> None:
        """Open the menu of actions of a narrow card."""
        if self._more_button is None:
            return
        menu = QMenu(self._more_button)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for glyph, name, action in self._card_actions:
            menu.addAction(icon(glyph), literal(name)).triggered.connect(action)
        menu.popup(self._more_button.mapToGlobal(self._more_button.rect().bottomLeft()))

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self.is_hovered = True
        self._refresh()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.is_hovered = False
        self._refresh()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit()
        super().mousePressEvent(event)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.opened.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.chosen.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, radius = QPainter(self), theme().tokens, theme().px(RADIUS)
        if self._state is CardState.DRAGGED:
            painter.setOpacity(0.35)
            draw_dashed(painter, self.rect(), radius, tokens.border_strong, 1.0, [4, 3])
            return
        border, width = tokens.border_strong if self.is_hovered else tokens.border, 1.0
        if self._state is CardState.SELECTED:
            border, width = tokens.accent_text, 2.0
        elif self.footer is not None and not self.footer.severity.is_neutral:
            border, width = tokens.get(self.footer.severity.tone), 1.5
        draw_rounded(painter, self.rect(), radius, tokens.page, border, width)
        px = theme().px
        middle = self._tile.geometry().center().y()
        handle = QRect(self.width() - px(30), middle - px(7), px(16), px(16))
        draw_glyph(painter, "dots-six-vertical-bold", handle, tokens.text2, px(16))
