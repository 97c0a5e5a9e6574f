"""Read-only cards of items whose changes are marked, and texts before and after a change."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.comparison import NodeComparison
from batchwright.layout.nodes import Node
from batchwright.schema.model import Schema
from batchwright.ui.editor.item_labels import item_label, spoken_name
from batchwright.ui.editor.item_types.registry import card_body
from batchwright.ui.review.rows import ValueRow
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.versions.labels import STATUSES, node_differences
from batchwright.ui.widgets.accessible import Accessible, accessible_with
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.icon_tile import Glyph, IconTile
from batchwright.ui.widgets.statuses import StatusBadge
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import ElidedLabel, Label

_RADIUS = 8


@accessible_with(Accessible)
class ComparedCard(QFrame):
    """An item as on the canvas. What has changed has a coloured border and a badge, and takes the focus.

    Args:
        node: the item.
        comparison: what happened to it.
        schema: the schema of the content that it belongs to.
        moved: where it came from or went to; empty if it was not moved.
        is_before: whether it is shown on the side of the earlier content.
    """

    def __init__(
        self, node: Node, comparison: NodeComparison, schema: Schema | None, moved: str, *, is_before: bool
    ) -> None:
        super().__init__()
        self.key, self.changes = node.key, comparison.changes
        shown = [STATUSES[change] for change in comparison.changes if change in STATUSES]
        self._tone = shown[-1].tone if shown else ""
        label = item_label(node, schema)
        title = ElidedLabel(label.title, TextRole.SMALL_NAME, "text2")
        head = row(IconTile(label.glyph, label.family), gap=8)
        head.addWidget(title, 1)
        head.add(*(StatusBadge(status) for status in shown))
        lines = column(head, gap=8, margins=(12, 8, 12, 12), parent=self)
        if moved:
            lines.add(Label(moved, TextRole.CAPTION, "text2", wraps=True))
        lines.add(*card_body(node, schema, None))
        differences = node_differences(comparison)
        if differences and not is_before:
            lines.add(DifferenceList(differences))
        name = ", ".join((*(_(status.label) for status in shown), spoken_name(node, schema)))
        self.setAccessibleName(sanitize_line(name))
        texts = (moved, *(difference.spoken for difference in differences))
        self.setAccessibleDescription(sanitize(" ".join(filter(None, texts))))
        if shown:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setProperty(RING, _RADIUS)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Scroll the card into view."""
        super().focusInEvent(event)
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None:
            area.ensureWidgetVisible(self)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens, radius = theme().tokens, theme().px(_RADIUS)
        line = tokens.get(self._tone) if self._tone else tokens.border
        draw_rounded(QPainter(self), self.rect(), radius, tokens.page, line, 2 if self._tone else 1)


class DifferenceList(QWidget):
    """The texts that differ: each with its title, the text before, and the text after below or beside it."""

    def __init__(self, differences: Sequence[ValueRow], *, is_wide: bool = False) -> None:
        super().__init__()
        lines = column(gap=6, parent=self)
        for index, difference in enumerate(differences):
            if index and is_wide:
                lines.add(4)
            lines.add(Label(difference.title, TextRole.SMALL_STRONG, "text2", wraps=True))
            texts = row(gap=16) if is_wide else column(gap=6)
            texts.addWidget(_text(difference.before, is_before=True), 1)
            texts.addWidget(_text(difference.after, is_before=False), 1)
            lines.addLayout(texts)


def _text(text: str, *, is_before: bool) -> QWidget:
    """A text before or after the change, with an icon and a coloured background."""
    glyph, tone, fill = ("minus-circle", "err", "err_soft") if is_before else ("plus-circle", "ok", "ok_soft")
    surface = SunkenSurface(fill, 6)
    label = Label(text, TextRole.SMALL, wraps=True)
    label.setAccessibleName(
        sanitize((_("Before: {text}") if is_before else _("After: {text}")).format(text=label.text()))
    )
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    layout = row(gap=8, margins=(8, 5, 8, 5), parent=surface)
    layout.addWidget(Glyph(glyph, tone, 16, text_role=TextRole.SMALL), 0, Qt.AlignmentFlag.AlignTop)
    layout.addWidget(label, 1)
    return surface
