"""Fields for numbers that are settings of the analysis."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, pgettext
from batchwright.ui.results.statistics.analysis_state import AnalysisState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.no_wheel import FormSpinBox
from batchwright.ui.widgets.text import Label

_MAX_ANSWERS = 1_000_000
_MAX_WIDTH = 99
_WIDTH = 120


class SettingSpinBox(QWidget):
    """Shows and changes a setting that is a whole number from 0; it changes when editing is finished."""

    def __init__(self, state: AnalysisState, setting: str, label: str, meaning: str, most: int) -> None:
        super().__init__()
        self._state, self._setting, self.spin = state, setting, FormSpinBox()
        self.spin.setRange(0, most)
        self.spin.setKeyboardTracking(False)
        name = Label(label, TextRole.SMALL, "text2")
        name.setBuddy(self.spin)
        self.spin.setAccessibleName(label)
        self.spin.setAccessibleDescription(meaning)
        self.spin.setToolTip(meaning)
        row(name, self.spin, gap=8, parent=self)
        self.spin.valueChanged.connect(lambda value: state.change(**{setting: value}))
        state.changed.connect(self._show_value)
        theme().on_changed(self._update_width)
        self._update_width()
        self._show_value()

    def _show_value(self) -> None:
        if self._state.settings is not None and not self.spin.hasFocus():
            with QSignalBlocker(self.spin):
                self.spin.setValue(getattr(self._state.settings, self._setting))

    def _update_width(self) -> None:
        self.spin.setFixedWidth(theme().px(_WIDTH))


class FurtherAnswersField(SettingSpinBox):
    """A number of further answers for which the precision is computed, besides the usual ones."""

    def __init__(self, state: AnalysisState) -> None:
        meaning = _("The width of intervals is also shown for this many more answers.")
        label = _("Interval width with more answers")
        super().__init__(state, "further_answers", label, meaning, _MAX_ANSWERS)
        self.spin.setSpecialValueText(_("Usual"))


class WantedWidthField(SettingSpinBox):
    """The width of intervals for which the needed records are computed."""

    def __init__(self, state: AnalysisState) -> None:
        meaning = _(
            "The results say how large a sample intervals of this width need: in points of shares and win "
            "rates, and in per cent of the standard deviation for means."
        )
        super().__init__(state, "wanted_width", _("Wanted width"), meaning, _MAX_WIDTH)
        self.spin.setSuffix(_(" %"))
        self.spin.setSpecialValueText(pgettext("width", "None"))
