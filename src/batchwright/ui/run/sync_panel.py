"""The panel for records added after setup: auto-sync, how many wait, and the result of the last sync."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number, short_datetime
from batchwright.ui.run.checklist import CheckState
from batchwright.ui.run.labels import sync_result_text
from batchwright.ui.run.sync import LastSync, SyncState
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.headings import SectionHeading
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import Panel
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.ui.widgets.toggles import Switch


class SyncPanel(Panel):
    """The auto-sync switch with an explanation, and the sync status; `switched` is emitted when toggled."""

    switched = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._switch = Switch(_("Auto-sync"))
        self._switch.toggled.connect(self.switched)
        self._meaning = Label("", TextRole.BODY, "text2", wraps=True)
        self._sign, self._found = Glyph("", "text2"), Label("", wraps=True)
        self._when = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._when.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line = row(gap=10)
        line.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._found, 1)
        line.addWidget(self._when, 0, Qt.AlignmentFlag.AlignTop)
        heading = SectionHeading(_("New records after setup"), self._switch)
        column(heading, self._meaning, line, gap=8, margins=(20, 12, 20, 16), parent=self)

    def show_state(self, sync: SyncState) -> None:
        """Show the current state."""
        with QSignalBlocker(self._switch):
            self._switch.setChecked(sync.is_auto)
        meaning = _meaning(sync)
        self._meaning.setText(meaning)
        self._switch.setAccessibleDescription(meaning)
        (glyph, tone), found, at = _standing(sync)
        self._sign.show_glyph(glyph, tone)
        self._found.setText(found)
        self._when.setText(at)


def _meaning(sync: SyncState) -> str:
    """What the current setting of the switch means (Batches rule 6)."""
    if sync.is_v3:
        return _("No records can be appended to a V3 dataset, so a sync rarely finds any.")
    if not sync.is_auto:
        return _("Records appended to the dataset get tasks only when you sync.")
    meaning = _("Records appended to the dataset get tasks automatically.")
    if sync.unsynced and not sync.is_awaited:
        meaning += " " + _("Records added before it was turned on need a sync.")
    return meaning


def _standing(sync: SyncState) -> tuple[tuple[str, str], str, str]:
    """Icon, text and time of the waiting records, or else of the last sync."""
    waiting, last = sync.unsynced, sync.last_sync
    if last is not None and last.has_failed:
        reason = last.job.reason or _("the service gave no reason")
        return (
            CheckState.FAULT.value,
            _("The last sync failed: {reason}").format(reason=reason),
            short_datetime(last.ended_at),
        )
    if sync.is_awaited:
        text = ngettext(
            "Auto-sync creates the task of {count} new record.",
            "Auto-sync creates the tasks of {count} new records.",
            waiting,
        )
        return CheckState.GOING.value, text.format(count=number(waiting)), ""
    if waiting:
        text = ngettext("{count} record has no task yet.", "{count} records have no task yet.", waiting)
        return CheckState.ADVICE.value, text.format(count=number(waiting)), ""
    if last is None:
        return CheckState.LATER.value, _("No sync yet."), ""
    return CheckState.THERE.value, _came_of(last), short_datetime(last.ended_at)


def _came_of(last: LastSync) -> str:
    text = _("Last auto-sync: {result}") if last.is_by_itself else _("Last sync: {result}")
    return text.format(result=sync_result_text(last.job))
