"""The dialog for how units are converted."""

from collections.abc import Sequence

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget
from typing_extensions import override

from batchwright.analysis.statistics.unit_conversion import UnitConversion
from batchwright.base.i18n import _, pgettext
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.entered_numbers import entered_number, number_example
from batchwright.ui.widgets.fields import mark_error
from batchwright.ui.widgets.text import ElidedLabel, Label


class UnitsDialog(Dialog):
    """Asks how numbers are converted to other units. Nothing is converted without this table."""

    help_address = "results.md#units"

    def __init__(self, units: Sequence[str], conversions: Sequence[UnitConversion]) -> None:
        text = _(
            "Numbers in different units are never mixed. Convert them here to compare them: the results use "
            "the converted numbers, files contain the numbers as given. Leave “to” empty to keep a unit."
        )
        super().__init__(_("Convert units"), text, pgettext("units", "Convert"), width=WIDE)
        self._units = list(units)
        self.conversions = tuple(conversions)
        """The conversions, once the dialog is accepted."""
        by_unit = {conversion.unit: conversion for conversion in conversions}
        table = QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(theme().px(8))
        for index, heading in enumerate((_("Unit"), _("Convert to"), _("Multiply by"), _("Then add"))):
            grid.addWidget(Label(heading, TextRole.SMALL_NAME, "text2"), 0, index)
        self.rows: list[tuple[QLineEdit, QLineEdit, QLineEdit]] = []
        for number, unit in enumerate(self._units, start=1):
            conversion = by_unit.get(unit)
            to = QLineEdit(conversion.to if conversion else "")
            factor = QLineEdit(_number_text(conversion.factor) if conversion else "")
            offset = QLineEdit(_number_text(conversion.offset) if conversion and conversion.offset else "")
            for field, name in (
                (to, _("Convert {unit} to")),
                (factor, _("Multiply {unit} by")),
                (offset, _("Then add to {unit}")),
            ):
                field.setAccessibleName(sanitize_line(name.format(unit=unit)))
            grid.addWidget(ElidedLabel(unit, TextRole.BODY), number, 0)
            for index, field in enumerate((to, factor, offset), start=1):
                grid.addWidget(field, number, index)
            self.rows.append((to, factor, offset))
        self._error = Label("", TextRole.SMALL, "err", wraps=True)
        self._error.hide()
        self.add(table, self._error)

    def _read(self) -> tuple[UnitConversion, ...]:
        """The conversions of the units that are converted."""
        return tuple(
            UnitConversion(
                unit,
                to.text().strip(),
                entered_number(factor.text()) or 1.0,
                entered_number(offset.text()) or 0.0,
            )
            for unit, (to, factor, offset) in zip(self._units, self.rows, strict=True)
            if to.text().strip()
        )

    @override
    def accept(self) -> None:
        wrong = [
            field
            for to, factor, offset in self.rows
            if to.text().strip()
            for field, is_valid in (
                (factor, bool(entered_number(factor.text()))),
                (offset, not offset.text().strip() or entered_number(offset.text()) is not None),
            )
            if not is_valid
        ]
        for row in self.rows:
            for field in row:
                mark_error(field, has_error=field in wrong)
        if wrong:
            text = _("Enter a number such as {example}. One by which to multiply cannot be 0.")
            self._error.setText(text.format(example=number_example()))
            self._error.show()
            wrong[0].setFocus()
        else:
            self.conversions = self._read()
            super().accept()


def _number_text(number: float) -> str:
    locale = QLocale()
    locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
    return locale.toString(number, "g", 12)
