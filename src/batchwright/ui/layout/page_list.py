"""The list of pages: small pictures to go to, to reorder, and to drop things on (look.md 7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from batchwright.layout.edits import Gap
from batchwright.layout.entries import Entry, Level
from batchwright.layout.model import Choice, Image, Instruction, Page, RichText
from batchwright.layout.rules.problems import Severity
from batchwright.ui.icons import draw_glyph
from batchwright.ui.layout.canvas_landing import paint_pill
from batchwright.ui.layout.cargo import Cargo
from batchwright.ui.layout.drags import is_far_enough
from batchwright.ui.layout.drops import Drop, Subject
from batchwright.ui.layout.kinds import kind_of
from batchwright.ui.theme import SOFT, Role, theme
from batchwright.ui.theme.drawing import circle, rounded, write
from batchwright.words import _

Index = QModelIndex | QPersistentModelIndex
_SIZE = QSize(96, 74)
_STEP = 110
_FIRST = 6


@dataclass(frozen=True)
class PageSight:
    """What the list shows of a page."""

    page: Entry
    name: str
    worst: Severity | None = None

    @property
    def shown_as(self) -> str:
        """Its own name, or what its place among the pages is called."""
        if self.name or not isinstance(self.page, Page):
            return self.name
        return {"intro": _("Intro"), "outro": _("Outro")}.get(self.page.position, "")


class PagesModel(QAbstractListModel):
    """The pages; a name written in the list is told by `renamed`."""

    renamed = Signal(str, str)
    """Key and name."""

    def __init__(self) -> None:
        super().__init__()
        self._sights: tuple[PageSight, ...] = ()

    def show_sights(self, sights: Sequence[PageSight]) -> None:
        """Show other pages."""
        before, self._sights = self._sights, tuple(sights)
        if len(before) != len(self._sights):
            self._sights = before
            self.beginResetModel()
            self._sights = tuple(sights)
            self.endResetModel()
            return
        for number, (old, new) in enumerate(zip(before, self._sights, strict=True)):
            if old.page is not new.page or (old.name, old.worst) != (new.name, new.worst):
                self.dataChanged.emit(self.index(number), self.index(number))

    def sight(self, number: int) -> PageSight | None:
        """What is shown at a number."""
        return self._sights[number] if 0 <= number < len(self._sights) else None

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._sights)

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        sight = self._sights[index.row()]
        if role == Qt.ItemDataRole.EditRole:
            return sight.name
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return " ".join(part for part in (_("Page"), str(index.row() + 1), sight.shown_as) if part)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and sight.worst is not None:
            return _("has errors") if sight.worst is Severity.ERROR else _("has hints")
        return None

    @override
    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        self.renamed.emit(self._sights[index.row()].page.key, str(value))
        return True


class _Thumbnails(QStyledItemDelegate):
    """Paints a page as rounded bars in the families' soft colours."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(_SIZE.width()), theme().px(_STEP))

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        sight = model.sight(index.row()) if isinstance(model, PagesModel) else None
        if sight is None:
            return
        tokens, px = theme().tokens, theme().px
        view = option.widget
        is_shown = isinstance(view, PageList) and view.currentIndex().row() == index.row()
        box = picture_rect(option.rect)
        if is_shown:
            rounded(painter, box.adjusted(-px(4), -px(4), px(4), px(4)), px(8), None, tokens.accent_text, 2)
        rounded(painter, box, px(5), tokens.page, tokens.border)
        if isinstance(sight.page, Page):
            paint_picture(painter, box, sight.page)
        self._paint_words(painter, box, sight, index.row(), is_shown=is_shown)

    def _paint_words(
        self, painter: QPainter, box: QRect, sight: PageSight, number: int, *, is_shown: bool
    ) -> None:
        tokens, px = theme().tokens, theme().px
        line = QRect(box.left() + px(2), box.bottom() + px(6), box.width() - px(2), px(20))
        tone = tokens.accent_text if is_shown else tokens.text
        write(painter, line, str(number + 1), theme().font(Role.HEAD), tone)
        painter.setFont(theme().font(Role.HEAD))
        wide = painter.fontMetrics().horizontalAdvance(str(number + 1)) + px(7)
        rest = line.adjusted(wide, 0, -px(18) if sight.worst is not None else 0, 0)
        name = theme().font(Role.LABEL if is_shown else Role.CAPTION)
        write(painter, rest, sight.shown_as, name, tokens.text if is_shown else tokens.text2)
        if sight.worst is not None:
            tone_name = "err" if sight.worst is Severity.ERROR else "warn"
            glyph = "warning-circle-fill" if sight.worst is Severity.ERROR else "warning-fill"
            mark = QRect(line.right() - px(15), line.top() + px(2), px(15), px(15))
            draw_glyph(painter, glyph, mark, tokens.get(tone_name), px(15))

    @override
    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        box = picture_rect(option.rect)
        editor.setGeometry(box.left() - 4, box.bottom() + 2, box.width() + 8, theme().px(28))


def picture_rect(rect: QRect) -> QRect:
    """Where in its cell the picture of a page is."""
    px = theme().px
    left = rect.left() + (rect.width() - px(_SIZE.width())) // 2
    return QRect(left, rect.top() + px(_FIRST), px(_SIZE.width()), px(_SIZE.height()))


def paint_picture(painter: QPainter, box: QRect, page: Page) -> None:
    """A page as bars: each item as tall as its kind usually is, columns side by side."""
    px = theme().px
    inner = QRectF(box).adjusted(px(8), px(8), -px(8), -px(6))
    heights = [max((_column_height(column) for column in row.inside), default=1.0) for row in page.rows]
    unit = max(2.5, min(float(px(9)), (inner.height() - 3 * len(heights)) / max(1.0, sum(heights))))
    top = inner.top()
    painter.save()
    painter.setClipRect(inner)
    for row, height in zip(page.rows, heights, strict=True):
        columns = row.inside or (row,)
        wide = (inner.width() - 4 * (len(columns) - 1)) / len(columns)
        for number, column in enumerate(columns):
            at = QRectF(inner.left() + number * (wide + 4), top, wide, height * unit)
            _paint_bars(painter, at, column.inside or (column,), unit)
        top += height * unit + 3
    painter.restore()


def _column_height(column: Entry) -> float:
    return sum(map(_item_height, column.inside or (column,))) + 0.3 * max(0, len(column.inside) - 1)


def _item_height(entry: Entry) -> float:
    """How tall an item usually is, in lines: a question with options more than a field."""
    if isinstance(entry, Choice):
        return 1.2 + 0.4 * min(4, len(entry.options))
    return 1.6 if isinstance(entry, (Image, Instruction, RichText)) else 1.4


def _paint_bars(painter: QPainter, at: QRectF, entries: Sequence[Entry], unit: float) -> None:
    """The items of a column; the last one reaches to the end of its row."""
    tokens, top = theme().tokens, at.top()
    for entry in entries:
        family = kind_of(entry).family
        height = at.bottom() - top if entry is entries[-1] else _item_height(entry) * unit
        bar = QRectF(at.left(), top, at.width(), height)
        rounded(painter, bar, min(2.0, height / 2), tokens.get(SOFT[family]))
        ink = QRectF(bar.left() + 3, bar.top() + min(3.0, height / 3), min(18.0, bar.width() / 2), 1.6)
        painter.setOpacity(0.5)
        rounded(painter, ink, 0.8, tokens.get(family))
        painter.setOpacity(1.0)
        top += height + 0.3 * unit


class PageList(QListView):
    """The pages from above to below; the chosen one is the page in view."""

    chosen = Signal(str)
    taken = Signal(str)

    def __init__(self, subject: Subject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pages = PagesModel()
        self.drop = Drop(subject, self._gap_at)
        self._subject = subject
        self._press: QPoint | None = None
        self._onto: int | None = None
        self._before: int | None = None
        self._is_showing = False
        self.setModel(self.pages)
        self.setItemDelegate(_Thumbnails(self))
        self.setAccessibleName(_("Pages"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.viewport().setAutoFillBackground(False)
        self.setAcceptDrops(True)
        self.selectionModel().currentChanged.connect(self._tell)

    def show_pages(self, sights: Sequence[PageSight], shown: int | None) -> None:
        """Show these pages, and which of them is in view."""
        self._is_showing = True
        self.pages.show_sights(sights)
        if shown is not None:
            select = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(self.pages.index(shown), select)
        self._is_showing = False
        if shown is not None:
            self.scrollTo(self.pages.index(shown))
        self.viewport().update()

    def _tell(self, current: QModelIndex) -> None:
        sight = self.pages.sight(current.row())
        if sight is not None and not self._is_showing:
            self.chosen.emit(sight.page.key)

    def _gap_at(self, point: QPoint, cargo: Cargo) -> Gap | None:
        """Onto a picture: the end of that page. Between pictures: between the pages."""
        self._onto = self._before = None
        count = self.pages.rowCount()
        for number in range(count):
            rect = self.visualRect(self.pages.index(number))
            box = picture_rect(rect)
            middle = box.adjusted(0, box.height() // 5, 0, -box.height() // 5)
            if cargo.level is not Level.PAGE and middle.top() <= point.y() <= rect.bottom() - theme().px(8):
                page = self._subject.layout.pages[number]
                self._onto = number
                return Gap(page.key, len(page.inside))
            if point.y() < box.center().y():
                self._before = number
                return Gap(None, number)
        self._before = count
        return Gap(None, count)

    # What the pointer does

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press = event.position().toPoint()
        super().mousePressEvent(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        sight = None if self._press is None else self.pages.sight(self.indexAt(self._press).row())
        if sight is not None and is_far_enough(event, self._press):
            self._press = None
            self.taken.emit(sight.page.key)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.drop.enter(event)

    @override
    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.drop.move(event)
        self._scroll_near(event.position().toPoint())
        self.viewport().update()

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._end()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        self.drop.release(event, follows=False)
        self._end()

    def _end(self) -> None:
        self.drop.leave()
        self._onto = self._before = None
        self.viewport().update()

    def _scroll_near(self, point: QPoint) -> None:
        near, bar = theme().px(32), self.verticalScrollBar()
        if point.y() < near:
            bar.setValue(bar.value() - theme().px(12))
        elif point.y() > self.viewport().height() - near:
            bar.setValue(bar.value() + theme().px(12))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        landing = self.drop.landing
        if landing is None or landing.edit is None:
            return
        painter, tokens, px = QPainter(self.viewport()), theme().tokens, theme().px
        if self._onto is not None:
            box = picture_rect(self.visualRect(self.pages.index(self._onto)))
            rounded(painter, box.adjusted(-px(4), -px(4), px(4), px(4)), px(8), None, tokens.accent_text, 3)
            paint_pill(painter, QPointF(box.center()), _("To its end"), self.viewport().rect())
        elif self._before is not None:
            self._paint_between(painter, self._before)

    def _paint_between(self, painter: QPainter, before: int) -> None:
        tokens, px, count = theme().tokens, theme().px, self.pages.rowCount()
        rect = self.visualRect(self.pages.index(min(before, count - 1)))
        y = float(rect.top() if before < count else rect.bottom()) + px(1)
        box = picture_rect(rect)
        line = QRectF(box.left() + px(4), y - px(1), box.width() - px(8), px(3))
        rounded(painter, line, px(1.5), tokens.accent_text)
        for x in (box.left() + px(3), box.right() - px(3)):
            circle(painter, QPointF(x, y), px(5), tokens.surface, tokens.accent_text, 2)


def sights_of(
    pages: Sequence[Entry], names: Mapping[str, str], worst: Mapping[int, Severity]
) -> list[PageSight]:
    """What the list shows of each page."""
    return [PageSight(page, names.get(page.key, ""), worst.get(number)) for number, page in enumerate(pages)]
