"""The cards of the study templates."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QSizePolicy, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.ui.icons import draw_glyph
from batchwright.ui.study.templates import Template
from batchwright.ui.theme import SOFT, TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.theme.focus import RING

_HEIGHT, _RADIUS, _TILE = 62, 9, 36
_GAP = 12
_MIN_CARD_WIDTH = 236
"""Smallest width at which the name is readable."""


class TemplateCard(QAbstractButton):
    """The card of a template; a click creates a study from it."""

    def __init__(self, template: Template, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._template = template
        self.setText(_(template.name))
        self.setAccessibleName(_(template.name))
        self.setAccessibleDescription(_(template.description))
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
        family = self._template.family
        draw_rounded(painter, tile, px(8), tokens.get(SOFT[family]))
        draw_glyph(painter, self._template.glyph, tile, tokens.get(family), px(20))
        text_box = box.adjusted(px(13 + _TILE + 12), 0, -px(10), 0)
        middle = box.center().y()
        first = QRect(text_box.x(), middle - px(20), text_box.width(), px(20))
        second = QRect(text_box.x(), middle + px(1), text_box.width(), px(18))
        draw_text(painter, first, self.text(), theme().font(TextRole.NAME), tokens.text)
        draw_text(painter, second, _(self._template.description), theme().font(TextRole.SMALL), tokens.text2)


class TemplateGrid(QWidget):
    """All templates in as many columns as fit, up to a maximum."""

    def __init__(
        self,
        templates: Sequence[Template],
        columns: int,
        choose: Callable[[Template], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._max_columns, self._columns = columns, 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(theme().px(_GAP))
        self._cards = [TemplateCard(template) for template in templates]
        for card, template in zip(self._cards, templates, strict=True):
            card.clicked.connect(lambda _checked, template=template: choose(template))
        self._arrange(columns)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for number, card in enumerate(self._cards):
            self._grid.addWidget(card, number // columns, number % columns)
        for column in range(self._max_columns):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        columns = (self.width() + theme().px(_GAP)) // theme().px(_MIN_CARD_WIDTH + _GAP)
        self._arrange(max(1, min(columns, self._max_columns)))
