"""The bar below the header of Results: its sections, the running computation, and what is excluded."""

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.ui.results.analysis_state import AnalysisState
from batchwright.ui.results.sections import SECTIONS
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.progress import per_cent
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel
from batchwright.ui.widgets.toggles import SegmentedControl


class SectionBar(Surface):
    """Selects the section, and shows the progress of its computation."""

    def __init__(self, state: AnalysisState, parent: QWidget | None = None) -> None:
        super().__init__("window", Edge.BOTTOM, parent)
        self._state = state
        segments = [(section.value, _(info.title), "") for section, info in SECTIONS.items()]
        self.sections = SegmentedControl(_("Section"), segments)
        self._progress = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        layout = row(self.sections, gap=16, margins=(24, 6, 20, 6), parent=self)
        layout.addWidget(self._progress, 1)
        state.progress_changed.connect(self.show_progress)
        self.show_progress()

    def show_progress(self) -> None:
        """Show how far the computation is."""
        fraction = self._state.fraction
        text = "" if fraction is None else _("Computing, {share}").format(share=per_cent(fraction))
        self._progress.setText(text)
