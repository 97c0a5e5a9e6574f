"""The documentation of the layout rules (Help menu)."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.checking.documentation import AnyRule, as_html, consequence_text, rule_doc
from batchwright.layout.rules import RULES, Severity
from batchwright.ui.icons import draw_glyph
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.drawing import draw_rounded, draw_text
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.models import CellDelegate, Index
from batchwright.ui.widgets.overlays import ModalOverlay, OverlayPanel
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import Label

_WIDTH, _VERTICAL_MARGIN, _TOP_MARGIN = 1040, 96, 48
_ROW = 36
_LIST_STRETCH, _CHAPTER_STRETCH = 3, 5
"""Stretch factors of the rule list and the chapter."""

_RULE_ROLE, _HAS_PROBLEM_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class RulesPage(OverlayPanel):
    """A list of the rules, those with problems first, and the chapter of the selected one."""

    closes_on_outside_click = True

    def __init__(self, codes_with_problems: Collection[str] = (), code: str = "") -> None:
        super().__init__(_("Layout rules"), _WIDTH)
        self._codes_with_problems = codes_with_problems
        self._search = SearchField(_("Find a rule"))
        self._search.textChanged.connect(self.show_matches)
        self._list = QListWidget()
        self._list.setAccessibleName(_("Rules"))
        self._list.setItemDelegate(_RuleDelegate(self._list))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.currentItemChanged.connect(self._show_chosen)
        self._no_results = Label(_("No matching rules. Try another search term."), tone="text2", wraps=True)
        self._chapter = RichTextView(_("The rule"))
        self._scroll_area = VerticalScrollArea(self._chapter)
        self._build()
        self.show_matches("")
        self.show_rule(code)

    def show_matches(self, typed: str) -> None:
        """List the rules whose code or title contains all typed words."""
        terms = typed.casefold().split()
        self._list.clear()
        for rule in sorted(
            RULES, key=lambda entry: (entry.code not in self._codes_with_problems, entry.code)
        ):
            if all(term in f"{rule.code} {_(rule.title)}".casefold() for term in terms):
                self._list.addItem(self._list_item(rule))
        self._no_results.setVisible(not self._list.count())
        self._list.setVisible(bool(self._list.count()))
        self._list.setCurrentRow(0)

    def show_rule(self, code: str) -> None:
        """Select the rule with this code, if any."""
        for number in range(self._list.count()):
            if self._list.item(number).data(_RULE_ROLE).code == code:
                self._list.setCurrentRow(number)

    def _build(self) -> None:
        close = IconButton("x", _("Close"))
        close.clicked.connect(self.reject)
        head = row(Label(self.windowTitle(), TextRole.TITLE), None, close, margins=(28, 18, 18, 14))
        left = column(self._search, self._no_results, self._list, gap=10, margins=(18, 14, 8, 12))
        left.setStretch(2, 1)
        body = row(gap=0)
        body.addLayout(left, _LIST_STRETCH)
        body.addLayout(column(self._scroll_area, margins=(20, 16, 12, 16)), _CHAPTER_STRETCH)
        layout = column(head, Separator(), gap=0, parent=self)
        layout.addLayout(body, 1)

    def _list_item(self, rule: AnyRule) -> QListWidgetItem:
        item = QListWidgetItem(f"{rule.code} {_(rule.title)}")
        has_problem = rule.code in self._codes_with_problems
        item.setData(_RULE_ROLE, rule)
        item.setData(_HAS_PROBLEM_ROLE, has_problem)
        item.setToolTip(_(rule.title))
        consequence = consequence_text(rule)
        description = (
            _("Violated in this layout. {kind}").format(kind=consequence) if has_problem else consequence
        )
        item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, description)
        return item

    def _show_chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._chapter.show_content(as_html(rule_doc(item.data(_RULE_ROLE))), "html")
            self._scroll_area.verticalScrollBar().setValue(0)

    @override
    def geometry_in(self, host: QRect) -> QRect:
        width = min(theme().px(self.panel_width), host.width() - 32)
        return QRect((host.width() - width) // 2, _TOP_MARGIN, width, host.height() - _VERTICAL_MARGIN)

    @override
    def set_initial_focus(self) -> None:
        self._search.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page Up and Page Down scroll the chapter.

        The arrow keys select a rule, also from the search field.
        """
        bar, key = self._scroll_area.verticalScrollBar(), event.key()
        if key in {Qt.Key.Key_PageDown, Qt.Key.Key_PageUp}:
            bar.setValue(bar.value() + (1 if key == Qt.Key.Key_PageDown else -1) * bar.pageStep())
        elif key in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            step = 1 if key == Qt.Key.Key_Down else -1
            self._list.setCurrentRow(max(0, min(self._list.currentRow() + step, self._list.count() - 1)))
        elif key not in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            super().keyPressEvent(event)


class _RuleDelegate(CellDelegate):
    """Paints a rule with icon, code and title; the icon is coloured if the layout has this problem."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(theme().px(200), theme().px(_ROW))

    @override
    def paint_cell(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, px, box = theme().tokens, theme().px, option.rect
        rule: AnyRule = index.data(_RULE_ROLE)
        if option.state & QStyle.StateFlag.State_Selected:
            draw_rounded(painter, box.adjusted(0, px(1), -px(2), -px(1)), px(7), tokens.accent_soft)
        is_error, has_problem = rule.severity is Severity.ERROR, index.data(_HAS_PROBLEM_ROLE)
        glyph = "warning-circle-fill" if is_error else "warning-fill"
        tone = (tokens.err if is_error else tokens.warn) if has_problem else tokens.text3
        icon_box = QRect(box.left() + px(10), box.top(), px(16), box.height())
        draw_glyph(painter, glyph, icon_box, tone, px(16))
        code = box.adjusted(px(34), 0, 0, 0)
        draw_text(painter, code, rule.code, theme().font(TextRole.CAPTION), tokens.text2)
        title = box.adjusted(px(78), 0, -px(10), 0)
        font = theme().font(TextRole.NAME if has_problem else TextRole.BODY)
        draw_text(painter, title, _(rule.title), font, tokens.text)


def open_rules(host: QWidget, codes_with_problems: Sequence[str] = (), code: str = "") -> ModalOverlay:
    """Show the rules over a window, at a given rule or at the first one with problems."""
    return ModalOverlay(
        host, RulesPage(frozenset(codes_with_problems), code or next(iter(codes_with_problems), ""))
    )
