"""The panel with the latest jobs of the study."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _
from batchwright.client.job_monitoring.status import JobOutcome
from batchwright.local.job_table import JobRow
from batchwright.ui.core.formatting import short_datetime
from batchwright.ui.core.job_types import KINDS, counts, job_status, job_title
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.surfaces import Separator, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_MOST = 12


class JobsPanel(Surface):
    """A line for each job: its title, start time and status."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        self.setAccessibleName(_("Jobs of this study"))
        self._shown: tuple[JobRow, ...] | None = None
        self._lines = column(gap=9)
        content = QWidget()
        column(
            Label(_("Jobs of this study"), TextRole.SECTION),
            2,
            self._lines,
            None,
            gap=8,
            margins=16,
            parent=content,
        )
        column(VerticalScrollArea(content), gap=0, margins=(1, 0, 0, 0), parent=self)

    def show_jobs(self, jobs: Sequence[JobRow]) -> None:
        """Show these jobs, which are sorted newest first."""
        shown = tuple(jobs[:_MOST])
        if shown == self._shown:
            return
        self._shown = shown
        clear(self._lines)
        if not shown:
            text = _("Imports, setups, syncs and exports of this study appear here.")
            self._lines.add(Label(text, TextRole.SMALL, "text2", wraps=True))
        for place, job in enumerate(shown):
            if place:
                self._lines.add(Separator())
            self._lines.add(_Job(job))


class _Job(QWidget):
    def __init__(self, job: JobRow) -> None:
        super().__init__()
        status = job_status(job.kind, job.state, job.outcome)
        title = ElidedLabel(job_title(job.kind, job.title), TextRole.SMALL_NAME)
        head = row(Glyph(KINDS[job.kind].glyph, "text2", 18), gap=8)
        head.addWidget(title, 1)
        head.add(Label(short_datetime(job.started_at), TextRole.SMALL, "text2", tabular=True))
        found = counts(job.detail) or _(status.label)
        tone = status.tone if status.tone in {"err", "warn"} else "text2"
        lines = column(head, ElidedLabel(found, TextRole.SMALL, tone, tabular=True), gap=4, parent=self)
        if job.outcome == JobOutcome.FAILED and (reason := job.detail.get("reason")):
            lines.add(Label(str(reason), TextRole.SMALL, "text2", wraps=True))
