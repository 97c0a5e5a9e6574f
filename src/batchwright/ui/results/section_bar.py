"""The bar below the header of Results: its sections, the running computation, and what is excluded."""

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.results.analysis_state import AnalysisState
from batchwright.ui.results.numbers import excluded_text
from batchwright.ui.results.sections import SECTIONS, Section
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.progress import per_cent
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel
from batchwright.ui.widgets.toggles import SegmentedControl


class SectionBar(Surface):
    """Selects the section; shows the progress of its computation, or what is excluded."""

    def __init__(self, state: AnalysisState, parent: QWidget | None = None) -> None:
        super().__init__("window", Edge.BOTTOM, parent)
        self._state = state
        segments = [(section.value, _(info.title), "") for section, info in SECTIONS.items()]
        self.sections = SegmentedControl(_("Section"), segments)
        self._status = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        layout = row(self.sections, gap=16, margins=(24, 6, 20, 6), parent=self)
        layout.addWidget(self._status, 1)
        for signal in (state.progress_changed, state.changed):
            signal.connect(self.show_state)
        self.show_state()

    def show_state(self) -> None:
        """Show how far the computation is, or what the results leave out."""
        fraction, excluded = self._state.fraction, self._state.excluded
        text = ""
        if fraction is not None:
            text = _("Computing, {share}").format(share=per_cent(fraction))
        elif excluded is not None and self._state.section is not Section.ANSWERS:
            text = excluded_text(excluded.answers, excluded.participants)
        self._status.setText(text)
