"""The parts list: what can be put on a page, to be dragged there or chosen by key (look.md 7)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from batchwright.layout.model import DatasetField, Item
from batchwright.records.schema import Schema
from batchwright.ui.icons import draw_glyph
from batchwright.ui.kit.boxes import clear, column, row
from batchwright.ui.kit.fields import SearchField
from batchwright.ui.kit.panels import Ground
from batchwright.ui.kit.text import Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.layout.drags import is_far_enough
from batchwright.ui.layout.kinds import KINDS, ItemKind, field_glyph
from batchwright.ui.theme import SOFT, Role, theme
from batchwright.ui.theme.drawing import dashed, rounded, write
from batchwright.ui.theme.focus import RING
from batchwright.words import _

_HEIGHT = 36


@dataclass(frozen=True)
class Part:
    """One thing that can be put on a page."""

    kind: ItemKind
    item: type[Item]
    field: str = ""
    note: str = ""
    """Where a field is used already."""
    is_here: bool = False
    """The page in view has it."""


@dataclass(frozen=True)
class Section:
    """Parts of one family."""

    title: str
    parts: tuple[Part, ...]
    empty: str = ""
    """What to do to have some."""


def sections(schema: Schema | None, uses: Mapping[str, Sequence[int]], page: int | None) -> list[Section]:
    """The parts there are: the fields of the schema that may be shown, and the seven other types."""
    fields = () if schema is None else schema.fields.items()
    shown = tuple(
        Part(ItemKind(key, *field_glyph(key, schema)), DatasetField, key, *_use(uses.get(key, ()), page))
        for key, field in fields
        if field.type.referable
    )
    others = [(kind, item) for item, kind in KINDS.items()]
    return [
        Section(_("Dataset fields"), shown, _("They come from the data. Choose a file on the Data stage.")),
        *(
            Section(title, tuple(Part(kind, item) for kind, item in others if kind.family == family))
            for title, family in ((_("Content"), "content"), (_("Questions"), "question"))
        ),
    ]


def _use(pages: Sequence[int], page: int | None) -> tuple[str, bool]:
    if page in pages:
        return _("here"), True
    if not pages:
        return "", False
    return _("on {pages}").format(pages=", ".join(str(number + 1) for number in pages)), False


class PartRow(QAbstractButton):
    """A part with its tile and name; pulled at it is dragged, pressed it is added."""

    taken = Signal(object)

    def __init__(self, part: Part, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.part = part
        self._press: QPoint | None = None
        self._is_dragged = self._is_narrow = False
        self.setProperty(RING, 7)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_part(part)

    def show_part(self, part: Part) -> None:
        """Show another use of the same part."""
        self.part = part
        self.setText(part.kind.title)
        self.setAccessibleName(part.kind.title)
        self.setAccessibleDescription(part.note)
        self._tell()
        self.update()

    def show_narrow(self, *, is_narrow: bool) -> None:
        """Be a tile alone; the tooltip names it."""
        self._is_narrow = is_narrow
        self._tell()
        self.updateGeometry()

    def _tell(self) -> None:
        how = _("Drag it onto the page, or click to add it")
        self.setToolTip(f"{self.part.kind.title}\n{how}" if self._is_narrow else how)

    def show_dragged(self, *, is_dragged: bool) -> None:
        """Look as what is being dragged."""
        self._is_dragged = is_dragged
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(theme().px(40 if self._is_narrow else 180), theme().px(_HEIGHT))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(40), theme().px(_HEIGHT))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._press = event.position().toPoint()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        press, self._press = self._press, None
        if press is not None and self.rect().contains(event.position().toPoint()):
            self.click()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Its first click has added the part; people who press twice want it once."""

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if is_far_enough(event, self._press):
            self._press = None
            self.taken.emit(self)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, px = QPainter(self), theme().tokens, theme().px
        kind, box = self.part.kind, self.rect().adjusted(theme().px(8), 0, -theme().px(8), 0)
        if self._is_dragged:
            dashed(painter, self.rect().adjusted(1, 1, -1, -1), px(7), tokens.border_strong, 1.0, [4, 3])
            painter.setOpacity(0.4)
        elif self.underMouse() or self.isDown():
            rounded(painter, self.rect(), px(7), tokens.hover)
        if (self.underMouse() or self.isDown()) and not self._is_narrow:
            handle = QRect(box.right() - px(12), 0, px(16), self.height())
            draw_glyph(painter, "dots-six-vertical-bold", handle, tokens.text2, px(16))
            box.adjust(0, 0, -px(18), 0)
        tile = QRect(box.left(), (self.height() - px(24)) // 2, px(24), px(24))
        rounded(painter, tile, px(6), tokens.get(SOFT[kind.family]))
        draw_glyph(painter, kind.glyph, tile, tokens.get(kind.family), px(16))
        if not self._is_narrow:
            self._paint_words(painter, box, tile)

    def _paint_words(self, painter: QPainter, box: QRect, tile: QRect) -> None:
        tokens, px = theme().tokens, theme().px
        note = theme().font(Role.CAPTION)
        painter.setFont(note)
        wide = painter.fontMetrics().horizontalAdvance(self.part.note)
        write(painter, box, self.part.note, note, tokens.text3, Qt.AlignmentFlag.AlignRight)
        words = QRect(
            tile.right() + px(9), 0, box.right() - tile.right() - px(9) - wide - px(6), self.height()
        )
        tone = tokens.text3 if self.part.is_here else tokens.text
        write(painter, words, self.part.kind.title, theme().font(Role.BODY), tone)


class PartsPanel(Ground):
    """All parts in their sections, narrowed by a search."""

    part_chosen = Signal(object)
    part_taken = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        self.setAccessibleName(_("Parts"))
        self.search = SearchField(_("Search parts"))
        self.search.textChanged.connect(self._narrow)
        self._sections: list[Section] = []
        self._rows: list[PartRow] = []
        self._list = QWidget()
        self._lines = QVBoxLayout(self._list)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(0)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.viewport().setAutoFillBackground(False)
        scroll.setWidget(self._list)
        self._list.setAutoFillBackground(False)
        self._is_narrow = False
        self._hint = QWidget()
        hint = row(
            Glyph("info", "text3", 14),
            Text(_("Drag onto the page, or click"), Role.CAPTION, "text2"),
            None,
            parent=self._hint,
        )
        hint.setContentsMargins(theme().px(8), 0, 0, 0)
        whole = column(self.search, gap=10, margins=(8, 12, 8, 12), parent=self)
        whole.addWidget(scroll, 1)
        whole.addWidget(self._hint)
        self._whole = whole

    def show_sections(self, shown: list[Section]) -> None:
        """Show other parts; the rows of parts that stay are kept."""
        before, self._sections = self._sections, shown
        if [_names(one) for one in before] == [_names(one) for one in shown]:
            self._refresh()
        else:
            self._narrow()

    @property
    def is_narrow(self) -> bool:
        """Whether it is a strip of tiles."""
        return self._is_narrow

    def show_narrow(self, *, is_narrow: bool) -> None:
        """Be a strip of tiles, or the whole list again."""
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self.search.setVisible(not is_narrow)
            self._hint.setVisible(not is_narrow)
            side = theme().px(4 if is_narrow else 8)
            self._whole.setContentsMargins(side, theme().px(12), side, theme().px(12))
            self._narrow()

    def begin(self) -> None:
        """Give the keyboard to the search, or to the first part; Down goes on through the parts."""
        if self._is_narrow:
            self._go(0)
            return
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def rows(self) -> list[PartRow]:
        """The parts shown."""
        return list(self._rows)

    def _refresh(self) -> None:
        now = {_id(part): part for section in self._sections for part in section.parts}
        for shown in self._rows:
            shown.show_part(now[_id(shown.part)])

    def _narrow(self) -> None:
        wanted = "" if self._is_narrow else self.search.text().strip().casefold()
        clear(self._lines)
        self._rows = []
        for section in self._sections:
            parts = [part for part in section.parts if wanted in part.kind.title.casefold()]
            if parts or (section.empty and not wanted):
                self._put(section, parts)
        if not self._rows and wanted:
            self._lines.addWidget(Text(_("No part is called that."), Role.SMALL, "text2", wraps=True))
        self._lines.addStretch(1)

    def _put(self, section: Section, parts: Sequence[Part]) -> None:
        if self._is_narrow:
            self._lines.addSpacing(theme().px(8 if self._lines.count() else 0))
        else:
            self._put_heading(section)
        for part in parts:
            shown = PartRow(part)
            shown.show_narrow(is_narrow=self._is_narrow)
            shown.clicked.connect(self._choose(shown))
            shown.taken.connect(self.part_taken)
            shown.installEventFilter(self)
            self._rows.append(shown)
            self._lines.addWidget(shown)
        if not parts and not self._is_narrow:
            words = Text(section.empty, Role.CAPTION, "text2", wraps=True)
            words.setContentsMargins(theme().px(8), 0, theme().px(8), theme().px(8))
            self._lines.addWidget(words)

    def _put_heading(self, section: Section) -> None:
        heading = Text(section.title, Role.HEAD, "text2")
        heading.setContentsMargins(
            theme().px(8), theme().px(10 if self._lines.count() else 2), 0, theme().px(6)
        )
        self._lines.addWidget(heading)

    def _choose(self, shown: PartRow) -> Callable[[], None]:
        return lambda: self.part_chosen.emit(shown.part)

    @override
    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Arrows move through the parts."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and watched in self._rows:
            by = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
            if by:
                self._go(self._rows.index(watched) + by)
                return True
        return False

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From the search, Down goes to the first part and Enter adds it."""
        if event.key() == Qt.Key.Key_Down and self._rows:
            self._go(0)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._rows:
            self.part_chosen.emit(self._nearest().part)
        else:
            super().keyPressEvent(event)

    def _nearest(self) -> PartRow:
        """What is meant by the words searched for: the part called so, or beginning so, or else the first."""
        words = self.search.text().strip().casefold()
        return min(self._rows, key=lambda row: _distance(row.part.kind.title.casefold(), words))

    def _go(self, number: int) -> None:
        if number < 0:
            self.begin()
        elif number < len(self._rows):
            self._rows[number].setFocus(Qt.FocusReason.TabFocusReason)


def _distance(title: str, words: str) -> int:
    return 0 if title == words else 1 if title.startswith(words) else 2


def _id(part: Part) -> tuple[type[Item], str]:
    return part.item, part.field


def _names(section: Section) -> tuple[str, tuple[tuple[ItemKind, str], ...]]:
    return section.title, tuple((part.kind, part.field) for part in section.parts)
