"""The controls with which the options of a step are entered."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from secrets import randbelow
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array, is_object
from batchwright.base.text import is_blank
from batchwright.data_files.profiling import as_text
from batchwright.data_files.text_rows.v3_csv import HIDDEN_PREFIX
from batchwright.ui.data.prepare.step_forms import FieldKind, StepField
from batchwright.ui.theme import theme
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.entered_numbers import entered_count
from batchwright.ui.widgets.fields import MAX_SPIN_VALUE, TextArea, spin_box
from batchwright.ui.widgets.text import literal

_LIST_HEIGHT, _TABLE_HEIGHT = 132, 150
_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class StepControl:
    """A control, a function that returns what is entered, and what is placed beside its label."""

    widget: QWidget
    value: Callable[[], Json]
    corner: QWidget | None = None
    problem: Callable[[], str] = str
    """Returns what is wrong with what is entered; empty if nothing is."""


@dataclass(frozen=True)
class AskedOption:
    """An option with its value so far, the columns of the table before the step, and who hears of changes."""

    field: StepField
    value: Json
    columns: Sequence[str]
    on_change: Callable[[], object]


def create_control(option: AskedOption) -> StepControl:
    """A control with the value of an option."""
    return _CONTROLS[option.field.kind](option)


def _texts(value: Json) -> list[str]:
    return [as_text(entry) for entry in value] if is_array(value) else []


def _with(columns: Sequence[str], used: Iterable[str]) -> list[str]:
    """The columns, and those that are used but are not there."""
    return [*dict.fromkeys((*columns, *used))]


def _column(option: AskedOption) -> StepControl:
    value, columns, box = option.value, option.columns, QComboBox()
    if option.field.default is not None:
        box.addItem(_("(none)"), "")
    used = [as_text(value)] if value else []
    for name in _with(columns, used):
        text = name if name in columns else _("{column} (not in the table)").format(column=name)
        box.addItem(literal(text), name)
    box.setCurrentIndex(max(0, box.findData(value)))
    box.currentIndexChanged.connect(lambda _index: option.on_change())
    return StepControl(box, lambda: cast("str", box.currentData() or ""))


def _columns(option: AskedOption) -> StepControl:
    return _checked_list(option, [(name, name) for name in _with(option.columns, _texts(option.value))])


def _choices(option: AskedOption) -> StepControl:
    return _checked_list(option, [(id, _(text)) for id, text in option.field.choices])


def _checked_list(option: AskedOption, choices: Sequence[tuple[str, str]]) -> StepControl:
    box, chosen = QListWidget(), _texts(option.value)
    for id, text in choices:
        item = QListWidgetItem(literal(text))
        item.setData(_ROLE, id)
        item.setCheckState(Qt.CheckState.Checked if id in chosen else Qt.CheckState.Unchecked)
        box.addItem(item)
    rows = max(1, box.count()) * box.sizeHintForRow(0) + 2 * box.frameWidth() + theme().px(4)
    box.setFixedHeight(min(rows, theme().px(_LIST_HEIGHT)))
    box.itemChanged.connect(box.setCurrentItem)  # the keys continue where a box was clicked
    box.itemChanged.connect(lambda _item: option.on_change())

    def checked() -> Json:
        items = map(box.item, range(box.count()))
        return [str(item.data(_ROLE)) for item in items if item.checkState() is Qt.CheckState.Checked]

    return StepControl(box, checked)


def _line(option: AskedOption) -> StepControl:
    line = QLineEdit("" if option.value is None else as_text(option.value))
    line.textChanged.connect(lambda _text: option.on_change())
    return StepControl(line, line.text)


def _lines(option: AskedOption) -> StepControl:
    area: QPlainTextEdit = TextArea(3)
    area.setPlainText("\n".join(_texts(option.value)))
    area.textChanged.connect(option.on_change)
    return StepControl(area, lambda: [line for line in area.toPlainText().split("\n") if line])


def _number(option: AskedOption) -> StepControl:
    value = option.value if isinstance(option.value, int) else _PROPOSED
    spin = spin_box(value, MAX_SPIN_VALUE, least=option.field.least)
    spin.valueChanged.connect(lambda _value: option.on_change())
    return StepControl(spin, spin.value)


_PROPOSED = 100
"""A number that is proposed where there is no default."""


def _choice(option: AskedOption) -> StepControl:
    box = QComboBox()
    for id, text in option.field.choices:
        box.addItem(_(text), id)
    box.setCurrentIndex(max(0, box.findData(option.value)))
    box.currentIndexChanged.connect(lambda _index: option.on_change())
    return StepControl(box, lambda: cast("str", box.currentData()))


def _switch(option: AskedOption) -> StepControl:
    box = QCheckBox(_("Yes"))
    box.setChecked(option.value is True)
    box.toggled.connect(lambda _on: option.on_change())
    return StepControl(box, box.isChecked)


def _seed(option: AskedOption) -> StepControl:
    value = option.value if isinstance(option.value, int) else 1
    spin: QSpinBox = spin_box(value, MAX_SPIN_VALUE, least=0)
    spin.valueChanged.connect(lambda _value: option.on_change())
    draw = Button(_("Draw another"), ButtonKind.LINK, height=ButtonSize.TINY)
    draw.clicked.connect(lambda: spin.setValue(randbelow(MAX_SPIN_VALUE)))
    return StepControl(spin, spin.value, draw)


Rows = Sequence[tuple[str, str]]


def _values_table(option: AskedOption) -> StepControl:
    value = option.value
    rows = [(key, as_text(text)) for key, text in value.items()] if is_object(value) else []
    return _table(option, (_("Value"), _("New value")), rows, lambda entered: dict(entered))


def _counts(option: AskedOption) -> StepControl:
    entries = option.value if is_array(option.value) else []
    pairs = (entry for entry in entries if is_array(entry) and len(entry) == 2)
    rows = [(as_text(name), as_text(count)) for name, count in pairs]

    def counted(entered: Rows) -> Json:
        counts = ((name, entered_count(text)) for name, text in entered)
        return [[name, count] for name, count in counts if count is not None]

    def problem(entered: Rows) -> str:
        texts = [text for _name, text in entered if not is_blank(text) and entered_count(text) is None]
        return _("“{text}” is not a whole number.").format(text=texts[0]) if texts else ""

    return _table(option, (_("Stratum"), _("Rows")), rows, counted, problem)


def _column_texts(option: AskedOption) -> StepControl:
    value = option.value
    texts = {key: as_text(text) for key, text in value.items()} if is_object(value) else {}
    shown = [name for name in option.columns if not name.startswith(HIDDEN_PREFIX)]
    rows = [(name, texts.get(name, "")) for name in _with(shown, texts)]

    def filled(entered: Rows) -> Json:
        return {name: text for name, text in entered if text}

    return _table(option, (_("Column"), _("Text")), rows, filled, is_fixed=True)


def _table(
    option: AskedOption,
    headings: tuple[str, str],
    rows: Rows,
    value: Callable[[Rows], Json],
    problem: Callable[[Rows], str] = lambda _entered: "",
    *,
    is_fixed: bool = False,
) -> StepControl:
    """Two columns of texts; unless the first one is fixed, an empty row at the end takes another entry."""
    table = QTableWidget(0, 2)
    table.setHorizontalHeaderLabels(list(headings))
    table.verticalHeader().hide()
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    table.setTabKeyNavigation(False)
    table.setFixedHeight(theme().px(_TABLE_HEIGHT))

    def add(first: str, second: str) -> None:
        at = table.rowCount()
        table.insertRow(at)
        name = QTableWidgetItem(first)
        if is_fixed:
            name.setFlags(name.flags() & ~Qt.ItemFlag.ItemIsEditable)
        table.setItem(at, 0, name)
        table.setItem(at, 1, QTableWidgetItem(second))

    def text(row: int, column: int) -> str:
        item = table.item(row, column)
        return "" if item is None else item.text()

    def on_cell_changed(row: int, _column: int) -> None:
        if not is_fixed and row == table.rowCount() - 1 and (text(row, 0) or text(row, 1)):
            add("", "")
        option.on_change()

    for first, second in rows:
        add(first, second)
    if not is_fixed:
        add("", "")
    table.cellChanged.connect(on_cell_changed)

    def entered() -> Rows:
        found = [(text(row, 0), text(row, 1)) for row in range(table.rowCount())]
        return [(first, second) for first, second in found if first]

    return StepControl(table, lambda: value(entered()), problem=lambda: problem(entered()))


_CONTROLS: Mapping[FieldKind, Callable[[AskedOption], StepControl]] = {
    FieldKind.COLUMN: _column,
    FieldKind.COLUMNS: _columns,
    FieldKind.TEXT: _line,
    FieldKind.TEXTS: _lines,
    FieldKind.NUMBER: _number,
    FieldKind.CHOICE: _choice,
    FieldKind.CHOICES: _choices,
    FieldKind.SWITCH: _switch,
    FieldKind.TABLE: _values_table,
    FieldKind.COLUMN_TEXTS: _column_texts,
    FieldKind.COUNTS: _counts,
    FieldKind.SEED: _seed,
}
