"""The list of changes: sections with nodes, their places and effects, and old and new values side by side."""

from collections.abc import Mapping, Sequence

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number
from batchwright.ui.review.rows import ChangeRow, HeadingRow, NodeRow, ValueRow
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.rows.values import (
    ListRow,
    RowIcon,
    RowLook,
    RowSide,
    RowSides,
    RowStyle,
    RowText,
    SideValue,
)

_STYLE = RowStyle(RowLook.PLAIN, left=0, right=4, gutter=26)
_HEADING_PX, _NODE_PX, _CAPTION_PX = 32, 28, 20
_MAX_HEIGHT_PX = 380


class ChangesList(RowList[ChangeRow]):
    """The rows, with the numbers of answers to instructions."""

    def __init__(self, name: str, rows: Sequence[ChangeRow], *, max_height: int = _MAX_HEIGHT_PX) -> None:
        """Create a list with an accessible name; the maximum height is in pixels at 100 %."""
        super().__init__(name, self._row, _STYLE, max_height=max_height)
        self._answers: Mapping[str, int] | None = {}
        self._is_counting = False
        self.show_entries(rows)

    def show_counting(self) -> None:
        """Show that the answers are being counted."""
        self._is_counting = True
        self.refresh()

    def show_answers(self, answers: Mapping[str, int] | None) -> None:
        """Show the numbers of answers by instruction; None if they could not be counted."""
        self._answers, self._is_counting = answers, False
        self.refresh()

    def _row(self, change: ChangeRow) -> ListRow:
        return change_row(change, self._answers_text(change) if isinstance(change, NodeRow) else None)

    def _answers_text(self, node: NodeRow) -> RowText | None:
        """The number of answers to the instruction of a row; None if there are none."""
        count = (self._answers or {}).get(node.key, 0)
        if not node.counts_answers:
            return None
        if self._is_counting:
            return RowText(_("counting answers…"), tone="text2", is_right=True)
        if self._answers is None:
            return RowText(_("answers not counted"), tone="text2", is_right=True)
        text = ngettext("{count} answer", "{count} answers", count).format(count=number(count))
        return RowText(text, tone="err", is_right=True) if count else None


def change_row(change: ChangeRow, answers: RowText | None = None) -> ListRow:
    """The row that shows a change, with a text about its answers if it has any."""
    match change:
        case HeadingRow():
            icon = RowIcon(change.glyph, change.tone)
            return ListRow((RowText(change.text, TextRole.STRONG),), height=_HEADING_PX, icon=icon)
        case NodeRow():
            title, place = RowText(change.title, TextRole.BODY), RowText(change.place, tone="text3")
            effect = RowText(change.effect, tone="text2", is_right=True)
            texts = (title, place, effect, *([answers] if answers else []))
            return ListRow(texts, height=_NODE_PX)
        case ValueRow():
            before = RowSide(_("before"), "minus-circle", "err")
            after = RowSide(_("after"), "plus-circle", "ok")
            sides = RowSides(before, after, (SideValue("", change.before, change.after),))
            caption = (RowText(change.title, TextRole.CAPTION, "text2"),) if change.title else ()
            return ListRow(caption, height=_CAPTION_PX if caption else 0, sides=sides)
