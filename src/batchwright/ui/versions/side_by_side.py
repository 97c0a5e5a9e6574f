"""One page before and after, side by side, as cards of items whose changes are marked.

Also what differs in the study apart from its pages.
"""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.local_formats import joined
from batchwright.layout.comparing.comparison import Change, NodeComparison
from batchwright.layout.nodes import Node
from batchwright.schema.model import Schema
from batchwright.ui.core.formatting import number
from batchwright.ui.core.sliced_work import SlicedWork
from batchwright.ui.editor.core.item_labels import item_label, spoken_name
from batchwright.ui.editor.item_types.registry import card_body
from batchwright.ui.review.changes_list import change_row
from batchwright.ui.review.rows import ValueRow
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded
from batchwright.ui.theme.focus import RING
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.versions.comparison import PageComparison, StudyComparison
from batchwright.ui.versions.labels import STATUSES, move_text, node_differences, page_differences
from batchwright.ui.widgets.accessibility.accessible_interfaces import Accessible, accessible_with
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.icon_tile import Glyph, IconTile
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.statuses import StatusBadge
from batchwright.ui.widgets.surfaces import SunkenSurface
from batchwright.ui.widgets.text import ElidedLabel, Label

_CARD_RADIUS = 8


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
        name = joined((*(_(status.label) for status in shown), spoken_name(node, schema)))
        self.setAccessibleName(sanitize_line(name))
        texts = (moved, *(change_row(difference).spoken for difference in differences))
        self.setAccessibleDescription(sanitize(" ".join(filter(None, texts))))
        if shown:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setProperty(RING, _CARD_RADIUS)

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
        tokens, radius = theme().tokens, theme().px(_CARD_RADIUS)
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


_SHEET_RADIUS = 12
_NARROW_BELOW = 340
"""A narrower sheet shows the columns of a row below each other."""
_MAX_CARDS = 100
"""The items of a page that are shown on each side; each card takes some milliseconds to create."""


class PagesSideBySide(QWidget):
    """A page before at the left, and after at the right. Cards are created in slices, from the top.

    If they do not fit side by side, one is below the other, each with its title.

    Args:
        page: the page.
        comparison: the comparison of the contents.
        titles: the titles of the contents before and after.
    """

    stacked_changed = Signal(bool)

    def __init__(
        self, page: PageComparison, comparison: StudyComparison, titles: tuple[str, str] = ("", "")
    ) -> None:
        super().__init__()
        self._is_stacked = False
        sheets = (
            PageSheet(page, comparison, is_before=True),
            PageSheet(page, comparison, is_before=False),
        )
        self._sheets, self._titles = sheets, [Label(title, TextRole.STRONG) for title in titles]
        self._layout = row(gap=16, parent=self)
        for sheet, title in zip(sheets, self._titles, strict=True):
            title.hide()
            side = QWidget()
            self._layout.addWidget(side, 1, Qt.AlignmentFlag.AlignTop)
            column(title, sheet, gap=8, parent=side)
        self._work = SlicedWork(self)
        self._work.start(_alternating([sheet.build() for sheet in sheets]))

    @property
    def is_complete(self) -> bool:
        """Whether all cards are created."""
        return not self._work.is_active

    def arrange(self, width: int) -> None:
        """Put the sheets below each other if they do not fit into a width beside each other."""
        half = (width - self._layout.spacing()) // 2
        is_stacked = sum(sheet.needed_width(half) for sheet in self._sheets) > 2 * half
        for sheet in self._sheets:
            sheet.arrange(width if is_stacked else half)
        if is_stacked == self._is_stacked:
            return
        self._is_stacked = is_stacked
        self._layout.setDirection(_direction(is_stacked=is_stacked))
        for title in self._titles:
            title.setVisible(is_stacked)
        self.stacked_changed.emit(is_stacked)


class PageSheet(QFrame):
    """One side: the page with its rows and cards, or a sentence if the page does not exist there."""

    def __init__(self, page: PageComparison, comparison: StudyComparison, *, is_before: bool) -> None:
        super().__init__()
        self._comparison, self._is_before = comparison, is_before
        self._node = node = page.page.before if is_before else page.page.after
        self._schema = (comparison.before if is_before else comparison.after).schema
        self._rows: list[tuple[ScaledBoxLayout, list[ScaledBoxLayout]]] = []
        """Each row with its columns."""
        self._heads: list[ScaledBoxLayout] = []
        self._are_columns_stacked = False
        self._lines = column(gap=8, margins=16, parent=self)
        if node is None:
            self._lines.add(_no_page(is_before=is_before))
            return
        path = page.page.path_before if is_before else page.page.path_after
        index = path.page if path is not None else 0
        head = row(Label(_page_number(index or 0), TextRole.SMALL_STRONG, tabular=True), gap=8)
        head.addWidget(
            ElidedLabel(page.name_before if is_before else page.name_after, TextRole.SMALL, "text2"), 1
        )
        head.add(*(StatusBadge(STATUSES[change]) for change in page.page.changes if change in STATUSES))
        self._heads.append(head)
        self._lines.add(head)
        if page.page.is_moved:
            self._lines.add(Label(self._move_text(page.page), TextRole.CAPTION, "text2"))
        differences = page_differences(page)
        if differences and not is_before:
            self._lines.add(DifferenceList(differences))

    def build(self) -> Iterator[None]:
        """Create the rows; each step creates one card."""
        if self._node is None:
            return
        by_key, count = self._comparison.layout.by_key, 0
        if not self._node.children:
            self._lines.add(Label(_("This page is empty."), TextRole.SMALL, "text2"))
        for node in self._node.children:
            self._add_node_mark(by_key[node.key], _("Row"))
            columns, all_cards = row(gap=8), list[ScaledBoxLayout]()
            self._rows.append((columns, all_cards))
            columns.setDirection(_direction(is_stacked=self._are_columns_stacked))
            self._lines.addLayout(columns)
            for column_node in node.children:
                cards = column(gap=8)
                all_cards.append(cards)
                columns.addLayout(cards, 1)
                self._add_node_mark(by_key[column_node.key], _("Column"), cards)
                for item in column_node.children:
                    count += 1
                    if count > _MAX_CARDS:
                        break
                    compared = by_key[item.key]
                    moved = self._move_text(compared)
                    cards.add(ComparedCard(item, compared, self._schema, moved, is_before=self._is_before))
                    yield
                cards.add(None)
        if count > _MAX_CARDS:
            text = _("The first {count} items are shown.").format(count=number(_MAX_CARDS))
            self._lines.add(Label(text, TextRole.SMALL, "text2"))

    def needed_width(self, width: int) -> int:
        """The minimum width if columns are arranged for a width."""
        margins = self._lines.contentsMargins()
        are_stacked = not self._do_columns_fit(width)
        rows = (_needed_width(*row, is_stacked=are_stacked) for row in self._rows)
        heads = (head.minimumSize().width() for head in self._heads)
        return margins.left() + margins.right() + max((*rows, *heads), default=0)

    def arrange(self, width: int) -> None:
        """Put the columns of all rows below each other if the sheet is too narrow for them."""
        are_stacked = not self._do_columns_fit(width)
        if are_stacked != self._are_columns_stacked:
            self._are_columns_stacked = are_stacked
            for columns, _cards in self._rows:
                columns.setDirection(_direction(is_stacked=are_stacked))

    def _do_columns_fit(self, width: int) -> bool:
        """Whether all columns fit into a width beside each other."""
        margins = self._lines.contentsMargins()
        inside = width - margins.left() - margins.right()
        is_wide = width >= theme().px(_NARROW_BELOW)
        return is_wide and all(_needed_width(*row, is_stacked=False) <= inside for row in self._rows)

    def _move_text(self, node: NodeComparison) -> str:
        """Where a node came from or went to; empty if it was not moved."""
        return move_text(node, self._comparison, is_before=self._is_before) if node.is_moved else ""

    def _add_node_mark(
        self, comparison: NodeComparison, title: str, layout: ScaledBoxLayout | None = None
    ) -> None:
        """Mark a row or column that was moved or has other attributes; added ones show in their items."""
        layout = layout if layout is not None else self._lines
        shown = [change for change in comparison.changes if change in {Change.MOVED, Change.CHANGED}]
        if not shown:
            return
        head = row(*(StatusBadge(STATUSES[change]) for change in shown), gap=8)
        text = self._move_text(comparison)
        head.addWidget(Label(f"{title}. {text}" if text else title, TextRole.CAPTION, "text2", wraps=True), 1)
        self._heads.append(head)
        layout.addLayout(head)
        differences = node_differences(comparison)
        if differences and not self._is_before:
            layout.add(DifferenceList(differences))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens, radius = theme().tokens, theme().px(_SHEET_RADIUS)
        draw_rounded(QPainter(self), self.rect(), radius, tokens.window, tokens.border)


class StudyDifferences(QFrame):
    """What differs besides the pages: names, task details, schema."""

    def __init__(self, differences: Sequence[ValueRow]) -> None:
        super().__init__()
        column(DifferenceList(differences, is_wide=True), None, gap=8, margins=16, parent=self)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        tokens, radius = theme().tokens, theme().px(_SHEET_RADIUS)
        draw_rounded(QPainter(self), self.rect(), radius, tokens.window, tokens.border)


def _direction(*, is_stacked: bool) -> QBoxLayout.Direction:
    return QBoxLayout.Direction.TopToBottom if is_stacked else QBoxLayout.Direction.LeftToRight


def _needed_width(columns: ScaledBoxLayout, cards: Sequence[ScaledBoxLayout], *, is_stacked: bool) -> int:
    """The minimum width of a row: of its widest column, or of all beside each other."""
    widths = [each.minimumSize().width() for each in cards]
    return max(widths, default=0) if is_stacked else sum(widths) + columns.spacing() * (len(widths) - 1)


def _page_number(index: int) -> str:
    return _("Page {number}").format(number=number(index + 1))


def _no_page(*, is_before: bool) -> QWidget:
    if is_before:
        return EmptyState("plus-circle", _("Not there yet"), _("This page was added later."))
    return EmptyState("minus-circle", _("No longer there"), _("This page was removed."))


def _alternating(iterators: Sequence[Iterator[None]]) -> Iterator[None]:
    """The steps of all iterators in turn."""
    waiting = list(iterators)
    while waiting:
        for iterator in tuple(waiting):
            try:
                next(iterator)
            except StopIteration:
                waiting.remove(iterator)
            yield
