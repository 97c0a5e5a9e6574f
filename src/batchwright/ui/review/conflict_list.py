"""The list in which a side is chosen for each change that two versions have made at the same place.

Above it is what decides many conflicts: a search, a filter, and a button for each side.
"""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import N_, _
from batchwright.layout.comparing.merge import ConflictIdentity, MergeSide
from batchwright.ui.core.formatting import number
from batchwright.ui.review.conflicts import ConflictRow
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.accessibility.announcements import announce
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.rows.values import (
    ListRow,
    RowLook,
    RowSide,
    RowSides,
    RowStyle,
    RowText,
    SideValue,
)
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import SegmentedControl

Sides = dict[ConflictIdentity | str, MergeSide]
"""The sides chosen for conflicts, by identity; for a conflict about a text, by the name of the text."""

_STYLE = RowStyle(RowLook.PLAIN, left=2, right=2)
_MAX_HEIGHT_PX, _TITLE_PX = 480, 26
_MIN_FILTERED = 8
"""From this number of conflicts on, they can be searched."""
_SIDES = (MergeSide.MINE, MergeSide.THEIRS)
"""The left and the right side."""
_CHOSEN = {MergeSide.MINE: N_("my side chosen"), MergeSide.THEIRS: N_("their side chosen")}


class ConflictChooser(QWidget):
    """The conflicts that match the filter, and the sides chosen for all of them."""

    decided = Signal()
    """A side was chosen for some of them."""

    def __init__(self, rows: Sequence[ConflictRow], sides: Sides) -> None:
        super().__init__()
        self._conflicts, self._sides = rows, sides
        self.list: RowList[ConflictRow] = RowList(
            _("Changes at the same place"), self._row, _STYLE, max_height=_MAX_HEIGHT_PX
        )
        self.list.setAccessibleDescription(_("Press Left for your side, Right for theirs"))
        self.list.show_entries(rows)
        self.list.side_chosen.connect(self._on_side_chosen)
        self._search = SearchField(_("Search these changes"))
        self._filter = SegmentedControl(
            _("Changes shown"), [("all", _("All"), ""), ("undecided", _("Undecided"), "")]
        )
        self._count = Label("", TextRole.SMALL, "text2", tabular=True)
        layout = column(gap=10, parent=self)
        if len(rows) >= _MIN_FILTERED:
            head = row(gap=10)
            head.addWidget(self._search, 1)
            head.add(self._filter)
            layout.add(head)
        if len(rows) > 1:
            layout.add(row(self._count, None, *self._all_buttons(), gap=8))
        layout.add(self.list)
        self._search.textChanged.connect(self._narrow)
        self._filter.chosen.connect(self._narrow)
        self.decided.connect(self._update_count)
        self._update_count()

    @property
    def undecided(self) -> int:
        """The number of conflicts without a side, also of those that do not match the filter."""
        return len(self._conflicts) - len(self._sides)

    def choose_all(self, side: MergeSide) -> None:
        """Choose a side for all conflicts of the list."""
        self._sides.update((conflict.identity, side) for conflict in self.list.entries)
        self.list.refresh()
        self.decided.emit()

    def _all_buttons(self) -> tuple[Button, Button]:
        mine = Button(_("All mine"), height=ButtonSize.SMALL)
        theirs = Button(_("All theirs"), height=ButtonSize.SMALL)
        mine.setAccessibleDescription(_("Chooses your side for all changes in the list"))
        theirs.setAccessibleDescription(_("Chooses their side for all changes in the list"))
        mine.clicked.connect(lambda: self.choose_all(MergeSide.MINE))
        theirs.clicked.connect(lambda: self.choose_all(MergeSide.THEIRS))
        return mine, theirs

    def _on_side_chosen(self, conflict: ConflictRow, number: int) -> None:
        self._sides[conflict.identity] = _SIDES[number]
        self.list.refresh()
        self.decided.emit()
        announce(self.list, _(_CHOSEN[_SIDES[number]]))

    def _narrow(self) -> None:
        """List the conflicts that contain the text, or only those of them that are undecided now."""
        searched, is_undecided = self._search.text().strip().casefold(), self._filter.current != "all"
        self.list.show_entries(
            [
                conflict
                for conflict in self._conflicts
                if searched in conflict.searched_text
                and not (is_undecided and conflict.identity in self._sides)
            ]
        )

    def _update_count(self) -> None:
        total = len(self._conflicts)
        text = _("{decided} of {total} decided")
        self._count.setText(text.format(decided=number(total - self.undecided), total=number(total)))

    def _row(self, conflict: ConflictRow) -> ListRow:
        """The title and the place of a conflict, and both sides below them."""
        values = tuple(SideValue(value.title, value.before, value.after) for value in conflict.values)
        side = self._sides.get(conflict.identity)
        chosen = None if side is None else _SIDES.index(side)
        sides = RowSides(RowSide(_("Mine")), RowSide(_("Theirs")), values, is_choice=True, chosen=chosen)
        state = _("no side chosen") if side is None else _(_CHOSEN[side])
        title = RowText(conflict.title, TextRole.SMALL_STRONG)
        place = RowText(conflict.place, tone="text3", is_right=True)
        return ListRow((title, place), height=_TITLE_PX, sides=sides, state=state)
