"""The cards of the study templates: those of the program, and the user's own."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.local.library import LibraryEntry
from batchwright.ui.study.library import LibraryCommands
from batchwright.ui.study.library_menu import open_library_menu
from batchwright.ui.study.templates import TEMPLATES, Template
from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.glyphs import draw_glyph
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.headings import SectionHeading
from batchwright.ui.widgets.help_button import set_help_address
from batchwright.ui.widgets.text import show_literal

_HEIGHT, _RADIUS, _TILE = 62, 9, 36
_TEXT_LEFT, _TEXT_RIGHT = 61, 10
_GAP = 12
_MIN_CARD_WIDTH = 236
"""Smallest width at which the name is readable."""


class TemplateCard(QAbstractButton):
    """The card of a template; a click creates a study from it."""

    def __init__(
        self, name: str, description: str, glyph: str, family: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._description, self._glyph, self._family = sanitize_line(description), glyph, family
        self.right_margin = _TEXT_RIGHT
        """Space at the right end, in pixels at 100 %."""
        show_literal(self, name)
        self.setAccessibleDescription(sanitize(description))
        self.setProperty(RING, _RADIUS)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(220), theme().px(_HEIGHT))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px, box = QPainter(self), theme().tokens, theme().px, self.rect()
        fill = tokens.pressed if self.isDown() else tokens.surface
        border = tokens.border_strong if self.underMouse() else tokens.border
        draw_rounded(painter, box, px(_RADIUS), fill, border)
        tile = QRect(px(13), (box.height() - px(_TILE)) // 2, px(_TILE), px(_TILE))
        draw_rounded(painter, tile, px(8), tokens.get(SOFT[self._family]))
        draw_glyph(painter, self._glyph, tile, tokens.get(self._family), px(20))
        text_box = box.adjusted(px(_TEXT_LEFT), 0, -px(self.right_margin), 0)
        middle = box.center().y()
        first = QRect(text_box.x(), middle - px(20), text_box.width(), px(20))
        second = QRect(text_box.x(), middle + px(1), text_box.width(), px(18))
        draw_text(painter, first, self.text(), theme().font(TextRole.NAME), tokens.text)
        draw_text(painter, second, self._description, theme().font(TextRole.SMALL), tokens.text2)


class OwnTemplateCard(TemplateCard):
    """The card of a template of the user, with a menu. A damaged file is shown as such."""

    menu_requested = Signal(QPoint)
    """The menu is to be opened at this global position."""

    def __init__(self, entry: LibraryEntry) -> None:
        description = _("The file is damaged") if entry.error else entry.description
        glyph, family = ("warning-fill", "err") if entry.error else ("file-text", "question")
        super().__init__(entry.name, description, glyph, family)
        self.entry = entry
        self.right_margin = 44
        self.setToolTip(tooltip_text(entry.error))
        self.more = IconButton("dots-three-bold", _("Actions for “{name}”").format(name=entry.name))
        self.more.clicked.connect(
            lambda: self.menu_requested.emit(self.more.mapToGlobal(self.more.rect().bottomLeft()))
        )
        row(None, self.more, margins=(0, 0, 8, 0), parent=self)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(event.globalPos())


class TemplateGrid(QWidget):
    """Cards in as many columns as fit, up to a maximum."""

    def __init__(self, columns: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._max_columns, self._columns = columns, 0
        self._cards: list[TemplateCard] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(theme().px(_GAP))

    def show_cards(self, cards: Sequence[TemplateCard]) -> None:
        """Replace the cards."""
        for card in self._cards:
            self._grid.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards, columns = [*cards], self._columns or self._max_columns
        self._columns = 0
        self._arrange(columns)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for number, card in enumerate(self._cards):
            self._grid.addWidget(card, number // columns, number % columns)
            card.show()
        for number in range(self._max_columns):
            self._grid.setColumnStretch(number, 1 if number < columns else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = (self.width() + theme().px(_GAP)) // theme().px(_MIN_CARD_WIDTH + _GAP)
        self._arrange(max(1, min(columns, self._max_columns)))


def template_grid(columns: int, choose: Callable[[Template], object]) -> TemplateGrid:
    """The templates of the program."""
    grid, cards = TemplateGrid(columns), []
    for template in TEMPLATES:
        card = TemplateCard(_(template.name), _(template.description), template.glyph, template.family)
        card.clicked.connect(lambda _checked, template=template: choose(template))
        set_help_address(card, f"template-{template.folder[-1]}.md")
        cards.append(card)
    grid.show_cards(cards)
    return grid


class OwnTemplates(QWidget):
    """The user's own templates below a heading; hidden while there are none."""

    def __init__(self, library: LibraryCommands, columns: int) -> None:
        super().__init__()
        self._library = library
        self._grid = TemplateGrid(columns)
        self._content = QWidget(self)
        heading = SectionHeading(_("My templates"), help_address="layout.md#templates-and-blocks")
        column(24, heading, 12, self._grid, gap=0, parent=self._content)
        column(self._content, gap=0, parent=self)
        library.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        entries = self._library.templates
        self._grid.show_cards([self._card(entry) for entry in entries])
        self._content.setVisible(bool(entries))

    def _card(self, entry: LibraryEntry) -> OwnTemplateCard:
        card = OwnTemplateCard(entry)
        card.clicked.connect(lambda: self._library.open_template(entry))
        card.menu_requested.connect(lambda at: open_library_menu(self, at, self._library, entry))
        return card
