"""Fields for what intervals are about, and for the weights of records."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from batchwright.analysis.store.sampling import Clusters
from batchwright.base.i18n import N_, _
from batchwright.ui.results.statistics.analysis_state import AnalysisState
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.fields import FilterCombo
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.text import Label

_TEXTS = {
    Clusters.RECORDS: N_("further records"),
    Clusters.PARTICIPANTS: N_("further participants"),
    Clusters.BOTH: N_("further records and participants"),
}


class ClustersField(QWidget):
    """Shows and changes what intervals are about."""

    def __init__(self, state: AnalysisState) -> None:
        super().__init__()
        self._state, self.combo = state, FormComboBox()
        name = Label(_("Intervals are about"), TextRole.SMALL, "text2")
        name.setBuddy(self.combo)
        for clusters, text in _TEXTS.items():
            self.combo.add(_(text), clusters)
        meaning = _(
            "Of what the answers are taken as a random sample. With few participants, or one who gave many "
            "answers, results of other participants may differ by more than intervals about records say."
        )
        self.combo.setAccessibleName(_("Intervals are about"))
        self.combo.setAccessibleDescription(meaning)
        self.combo.setToolTip(meaning)
        row(name, self.combo, gap=8, parent=self)
        self.combo.activated.connect(lambda: state.change(clusters=Clusters(self.combo.currentData())))
        state.changed.connect(self._show_value)
        self._show_value()

    def _show_value(self) -> None:
        if self._state.settings is not None:
            self.combo.setCurrentIndex(self.combo.findData(self._state.settings.clusters))


class WeightField(QWidget):
    """Shows and changes the field with the weights of records; hidden without fields of numbers."""

    def __init__(self, state: AnalysisState) -> None:
        super().__init__()
        self._state = state
        self.combo = FilterCombo(_("Weights of records"), _("No weights"))
        name = Label(_("Weights of records"), TextRole.SMALL, "text2")
        name.setBuddy(self.combo)
        meaning = _("A field with how many records of a population each record stands for.")
        self.combo.setAccessibleDescription(meaning)
        self.combo.setToolTip(meaning)
        row(name, self.combo, gap=8, parent=self)
        self.combo.activated.connect(lambda: state.change(weight_field=self.combo.chosen or ""))

    def show_fields(self, names: Sequence[str]) -> None:
        """Show the fields that can be weights, and the chosen one."""
        settings = self._state.settings_in_use
        chosen = settings.weight_field if settings is not None else ""
        self.combo.set_choices({name: name for name in [*names, *({chosen} - {*names, ""})]}, chosen)
        self.setVisible(bool(names or chosen))
