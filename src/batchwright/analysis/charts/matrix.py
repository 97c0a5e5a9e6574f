"""A matrix of shares: a cell for each pair, tinted by how far its share is from a neutral one."""

from collections.abc import Sequence
from math import isfinite

from batchwright.analysis.charts.chart import (
    Anchor,
    Area,
    Chart,
    Columns,
    Mark,
    Rectangle,
    Role,
    Shape,
    Text,
    Weight,
)
from batchwright.analysis.charts.formats import PERCENT, NumberFormat
from batchwright.analysis.charts.parts import (
    LABEL,
    LINE_HEIGHT,
    SMALL,
    finished,
    label,
    widest,
)
from batchwright.base.i18n import _

MAX_NAMES = 20
_LABEL_SHARE = 0.3
_GAP = 12.0
_CELL_GAP = 2.0
_CELL_HEIGHT, _TALL_CELL_HEIGHT = 32.0, 44.0
_NARROWEST, _WIDEST = 44.0, 120.0
_WITH_DETAIL, _WITH_NAMES = 72.0, 56.0
"""Widths of cells from which there is a second number in them, and a name above them instead of a number."""
_STRONGEST = 0.5
"""The strongest tint: text on it is still readable."""
_HALF = 0.5


def matrix_chart(
    title: str,
    marks: Sequence[Mark],
    width: float,
    *,
    form: NumberFormat = PERCENT,
    columns: Columns | None = None,
    max_names: int = MAX_NAMES,
    neutral: float = _HALF,
) -> Chart:
    """Lay out a matrix: a mark is in the row of its group and in the column of its label.

    Shares above the neutral one are tinted with the first colour, those below with the second. As many names
    are shown as cells fit; where they are narrow, the columns have the numbers of the rows.
    """
    columns = columns or Columns.with_interval(_("Against"), _("Share won"), _("Counts"), _("System"))
    names = list(dict.fromkeys(mark.group for mark in marks))
    names += [name for name in dict.fromkeys(mark.label for mark in marks) if name not in set(names)]
    fitting = int(((1 - _LABEL_SHARE) * width - _GAP) / _NARROWEST)
    shown = names[: max(1, min(max_names, fitting))]
    left = min(widest([f"{name} 00" for name in shown], LABEL), _LABEL_SHARE * width) + _GAP
    side = min((width - left) / max(len(shown), 1), _WIDEST)
    grid = _Grid(shown, left, side, form, neutral)
    shapes = grid.headings()
    areas: list[Area] = []
    index = {name: number for number, name in enumerate(shown)}
    rows = {(mark.group, mark.label): row for row, mark in enumerate(marks)}
    for (group, name), row in rows.items():
        if group in index and name in index:
            drawn, area = grid.cell(marks[row], row, index[group], index[name])
            shapes += drawn
            areas.append(area)
    areas.sort(key=lambda area: (area.y, area.x))
    y = grid.bottom if marks else 0.0
    chart = Chart(title, width, tuple(marks), columns, form)
    return finished(chart, shapes, areas, y, hidden=len(names) - len(shown))


class _Grid:
    """The grid of a matrix."""

    def __init__(
        self, names: Sequence[str], left: float, side: float, form: NumberFormat, neutral: float
    ) -> None:
        self._names, self._left, self._side, self._form = names, left, side, form
        self._neutral = neutral
        self._has_names = side >= _WITH_NAMES
        self._has_details = side >= _WITH_DETAIL
        self._height = _TALL_CELL_HEIGHT if self._has_details else _CELL_HEIGHT
        self._top = 2 * LINE_HEIGHT + 4 if self._has_names else LINE_HEIGHT + 4

    @property
    def bottom(self) -> float:
        """The end of the last row."""
        return self._top + len(self._names) * self._height

    def headings(self) -> list[Shape]:
        """The names of the rows and columns, and the background of the cells of a name with itself."""
        shapes: list[Shape] = []
        for number, name in enumerate(self._names):
            x, y = self._left + (number + _HALF) * self._side, self._top + number * self._height
            text = name if self._has_names else f"{number + 1}"
            heading = label(
                text, x, 0.0, self._side - 6, anchor=Anchor.MIDDLE, size=SMALL, role=Role.SECONDARY
            )
            rise = 0.0 if len(heading) > 1 or not self._has_names else LINE_HEIGHT
            shapes += [
                Text(t.x, t.y + rise, t.text, t.role, t.size, t.weight, t.anchor, full=t.full)
                for t in heading
            ]
            full = name if self._has_names else f"{number + 1} {name}"
            shapes += self._row_heading(full, y)
            shapes.append(self._box(number, number, Role.TRACK, 1.0, None))
        return shapes

    def _row_heading(self, text: str, top: float) -> list[Text]:
        lines = 2 if self._height >= 2 * LINE_HEIGHT else 1
        texts = label(text, 0.0, 0.0, self._left - _GAP, max_lines=lines)
        rise = top + (self._height - len(texts) * LINE_HEIGHT) / 2
        return [Text(t.x, t.y + rise, t.text, t.role, t.size, full=t.full) for t in texts]

    def cell(self, mark: Mark, row: int, down: int, across: int) -> tuple[list[Shape], Area]:
        """The cell of a mark."""
        x, y = self._left + across * self._side, self._top + down * self._height
        shapes: list[Shape] = []
        if isfinite(mark.value):
            role = Role.SERIES_1 if mark.value > self._neutral else Role.SERIES_2
            farthest = max(self._neutral, 1 - self._neutral)
            strength = min(1.0, abs(mark.value - self._neutral) / farthest) * _STRONGEST
            shapes.append(self._box(down, across, role, strength, row))
        middle = y + self._height / 2
        has_detail = self._has_details and bool(mark.detail)
        top = middle - (8 if has_detail else 0) - LINE_HEIGHT / 2
        centre = x + self._side / 2
        text = mark.written(self._form)
        shapes += label(
            text,
            centre,
            top,
            self._side - _CELL_GAP,
            row=row,
            max_lines=1,
            anchor=Anchor.MIDDLE,
            weight=Weight.BOLD,
        )
        if has_detail:
            shapes += label(
                mark.detail,
                centre,
                middle,
                self._side - 8,
                row=row,
                max_lines=1,
                anchor=Anchor.MIDDLE,
                size=11.0,
            )
        return shapes, Area(row, x, y, self._side, self._height)

    def _box(self, down: int, across: int, role: Role, opacity: float, row: int | None) -> Rectangle:
        x, y = self._left + across * self._side, self._top + down * self._height
        inner = self._side - _CELL_GAP, self._height - _CELL_GAP
        return Rectangle(x + _CELL_GAP / 2, y + _CELL_GAP / 2, *inner, role, 0.0, opacity, row)
