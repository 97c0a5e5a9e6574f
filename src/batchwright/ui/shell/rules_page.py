"""The documentation of the layout rules (Help menu)."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QWidget,
)
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.layout.checking.documentation import AnyRule, as_html, consequence_text, rule_doc
from batchwright.layout.rules import RULES, Severity
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import IconButton
from batchwright.ui.widgets.dialogs.overlays import ModalOverlay, OverlayPanel
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.rows.values import ListRow, RowIcon, RowLook, RowStyle, RowText
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Separator
from batchwright.ui.widgets.text import Label

_WIDTH, _VERTICAL_MARGIN, _TOP_MARGIN = 1040, 96, 48
_LIST_STRETCH, _CHAPTER_STRETCH = 3, 5
"""Stretch factors of the rule list and the chapter."""

_STYLE = RowStyle(RowLook.TILES, left=10, right=10, gutter=24)
_CODE_PX = 44


class RulesPage(OverlayPanel):
    """A list of the rules, those with problems first, and the chapter of the selected one."""

    closes_on_outside_click = True

    def __init__(self, codes_with_problems: Collection[str] = (), code: str = "") -> None:
        super().__init__(_("Layout rules"), _WIDTH)
        self._codes_with_problems = codes_with_problems
        self._search = SearchField(_("Find a rule"))
        self._search.textChanged.connect(self.show_matches)
        self._list: RowList[AnyRule] = RowList(_("Rules"), self._row, _STYLE, is_uniform=True)
        self._list.entry_chosen.connect(self._show_chapter)
        self._no_results = Label(_("No matching rules. Try another search term."), tone="text2", wraps=True)
        self._chapter = RichTextView(_("The rule"))
        self._scroll_area = VerticalScrollArea(self._chapter)
        self._build()
        self.show_matches("")
        self.show_rule(code)

    def show_matches(self, typed: str) -> None:
        """List the rules whose code or title contains all typed words."""
        terms = typed.casefold().split()
        ordered = sorted(RULES, key=lambda rule: (rule.code not in self._codes_with_problems, rule.code))
        found = [
            rule
            for rule in ordered
            if all(term in f"{rule.code} {_(rule.title)}".casefold() for term in terms)
        ]
        self._list.show_entries(found)
        self._no_results.setVisible(not found)
        self._list.setVisible(bool(found))
        self._select(0)

    def show_rule(self, code: str) -> None:
        """Select the rule with this code, if any."""
        codes = [rule.code for rule in self._list.entries]
        if code in codes:
            self._select(codes.index(code))

    def _select(self, number: int) -> None:
        """Select the rule in a row, or in the nearest one."""
        if self._list.entries:
            number = max(0, min(number, len(self._list.entries) - 1))
            self._list.show_current(number)
            self._show_chapter(self._list.entries[number])

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

    def _row(self, rule: AnyRule) -> ListRow:
        """Icon, code and title; the icon is coloured if the layout has this problem."""
        is_error, has_problem = rule.severity is Severity.ERROR, rule.code in self._codes_with_problems
        tone = ("err" if is_error else "warn") if has_problem else "text3"
        texts = (
            RowText(rule.code, TextRole.CAPTION, "text2", _CODE_PX),
            RowText(_(rule.title), TextRole.NAME if has_problem else TextRole.BODY),
        )
        consequence = consequence_text(rule)
        description = (
            _("Violated in this layout. {kind}").format(kind=consequence) if has_problem else consequence
        )
        icon = RowIcon("warning-circle-fill" if is_error else "warning-fill", tone)
        return ListRow(texts, icon=icon, description=description)

    def _show_chapter(self, rule: AnyRule) -> None:
        self._chapter.show_content(as_html(rule_doc(rule)), "html")
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
            self._select(self._list.currentIndex().row() + step)
        elif key not in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            super().keyPressEvent(event)


def open_rules(host: QWidget, codes_with_problems: Sequence[str] = (), code: str = "") -> ModalOverlay:
    """Show the rules over a window, at a given rule or at the first one with problems."""
    return ModalOverlay(
        host, RulesPage(frozenset(codes_with_problems), code or next(iter(codes_with_problems), ""))
    )
