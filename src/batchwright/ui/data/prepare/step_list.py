"""The list of the steps: each with what it does to the number of rows, and moved by drag or by keys."""

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import Json, JsonObject, is_array, is_object
from batchwright.base.local_formats import joined
from batchwright.data_files.profiling import as_text
from batchwright.prepare.reports import StepReport
from batchwright.ui.core.formatting import number
from batchwright.ui.data.prepare.step_forms import STEP_FORMS, FieldKind, StepField, is_asked
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.rows.values import ListRow, RowIcon, RowLook, RowStyle, RowText

_STYLE = RowStyle(RowLook.TILES, left=14, right=10, gutter=26)
_ROW_HEIGHT = 62
_SHOWN_VALUES = 20
"""The most values of an option in a row, which has space for fewer."""


@dataclass(frozen=True)
class ListedStep:
    """A step in its place, with what it has made of how many rows; None while that is not known."""

    number: int
    step: JsonObject
    before: int | None = None
    report: StepReport | None = None

    @property
    def is_off(self) -> bool:
        """Whether it is not made for now."""
        return self.step.get("off") is True

    @property
    def problem(self) -> str:
        """Why it cannot be made; empty if it can, or if that is not known."""
        return self.report.problem if self.report else ""


def step_label(step: JsonObject) -> str:
    """The name of a step."""
    form = STEP_FORMS.get(str(step.get("step")))
    return _(form.label) if form else str(step.get("step"))


def step_options(step: JsonObject) -> str:
    """The options of a step as a phrase: what was chosen, numbers, and the seed."""
    form = STEP_FORMS.get(str(step.get("step")))
    fields = form.fields if form else ()
    values = {field.name: step.get(field.name, field.default) for field in fields}
    asked = (field for field in fields if is_asked(field, values))
    texts = filter(None, (_option_text(field, values[field.name]) for field in asked))
    return " · ".join(dict.fromkeys(texts))


def _option_text(field: StepField, value: Json) -> str:
    if field.kind is FieldKind.CHOICE:
        return next((_(text) for id, text in field.choices if id == value), as_text(value))
    if field.kind is FieldKind.SEED:
        return _("seed {seed}").format(seed=as_text(value))
    if field.kind is FieldKind.NUMBER:
        return f"{_(field.title)}: {as_text(value)}" if value else ""
    if value in (None, True, False) or value == field.default:
        return ""
    if is_object(value):
        return joined(value, _SHOWN_VALUES)
    if is_array(value):
        entries = (entry[0] if is_array(entry) and entry else entry for entry in value)
        return joined(map(as_text, entries), _SHOWN_VALUES)
    return as_text(value)


def count_text(listed: ListedStep) -> str:
    """What a step does to the number of rows."""
    report = listed.report
    if listed.is_off:
        return _("off")
    if report is None or report.problem:
        return ""
    if listed.before is None or listed.before == report.count:
        rows = ngettext("{count} row", "{count} rows", report.count)
        return rows.format(count=number(report.count))
    text = _("{before} → {count}")  # without “rows”, which would be cut off
    return text.format(before=number(listed.before), count=number(report.count))


def _row_of(listed: ListedStep) -> ListRow:
    tone = "text3" if listed.is_off else "text"
    name = f"{listed.number}.  {step_label(listed.step)}"
    count = RowText(count_text(listed), tone="text2", is_right=True)
    details = RowText(step_options(listed.step), TextRole.CAPTION, "text3" if listed.is_off else "text2")
    if listed.problem:
        details = RowText(listed.problem, TextRole.CAPTION, "err")
    return ListRow(
        (RowText(name, TextRole.NAME, tone), count),
        details=(details,),
        height=_ROW_HEIGHT,
        icon=RowIcon("warning-circle-fill", "err", _("Problem")) if listed.problem else None,
        is_checked=None if listed.problem else not listed.is_off,
        state=_("switched off") if listed.is_off else "",
        description=_("Enter changes it, Space switches it off or on, Alt with an arrow key moves it."),
    )


class StepList(RowList[ListedStep]):
    """The steps in their order."""

    moved = Signal(object, int)
    """A step is to be moved to another place, counted from 1."""
    remove_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__(
            _("Steps"),
            _row_of,
            _STYLE,
            is_uniform=True,
            keys={
                "Alt+Up": lambda listed: self.moved.emit(listed, listed.number - 1),
                "Alt+Down": lambda listed: self.moved.emit(listed, listed.number + 1),
                "Space": lambda listed: self.check_clicked.emit(listed),  # also of one with a problem
                "Del": lambda listed: self.remove_requested.emit(listed),  # no signal exists yet
            },
        )
        self._pressed: tuple[QPoint, ListedStep] | None = None
        self._target: int | None = None
        """The place to which the dragged step would be moved, counted from 1; None if none is dragged."""

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        point = event.position().toPoint()
        number = self.indexAt(point).row()
        is_left = event.button() is Qt.MouseButton.LeftButton
        self._pressed = (point, self.entries[number]) if is_left and number >= 0 else None

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        point = event.position().toPoint()
        if self._pressed is None or not event.buttons():
            return
        start, listed = self._pressed
        if self._target is None and (point - start).manhattanLength() < QApplication.startDragDistance():
            return
        self._target = self._place_at(point, listed.number)
        self.viewport().update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        pressed, target = self._pressed, self._target
        self._pressed = self._target = None
        self.viewport().update()
        if pressed is not None and target not in (None, pressed[1].number):
            self.moved.emit(pressed[1], target)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._target is None or self._pressed is None:
            return
        number = self._pressed[1].number
        row = self.visualRect(self.model().index(self._target - 1, 0))
        y = row.bottom() if self._target > number else row.top()
        line = QRect(row.left(), max(0, y - 1), row.width(), theme().px(2))
        QPainter(self.viewport()).fillRect(line, theme().tokens.accent)

    def _place_at(self, point: QPoint, number: int) -> int:
        """The place to which a step is moved that is dropped at a point."""
        centers = [self.visualRect(self.model().index(row, 0)).center().y() for row in range(self.count)]
        above = sum(y < point.y() for row, y in enumerate(centers) if row != number - 1)
        return above + 1

    @property
    def count(self) -> int:
        """The number of steps."""
        return len(self.entries)
