"""The selected batch: name, counts, task details, checklist, syncs, and the progress of its groups."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.formatting import abbreviated_id, number, short_datetime
from batchwright.ui.publishing.resource_panels import DetailsPanel, ProgressPanel, StatisticsPanel
from batchwright.ui.run.checklist import ChecklistEntry, CheckState, checks
from batchwright.ui.run.group_progress import GroupsPanel
from batchwright.ui.run.labels import dataset_record_count, sync_result_text
from batchwright.ui.run.next_step import next_step
from batchwright.ui.run.remote_batches import is_legacy
from batchwright.ui.run.state import RunState
from batchwright.ui.run.sync import LastSync, SyncState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize
from batchwright.ui.widgets.headings import PanelHead, SectionHeading
from batchwright.ui.widgets.help_button import HelpButton
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.id_label import IdLabel
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.statuses import BATCH, DRAFT, StatusBadge, status_of
from batchwright.ui.widgets.surfaces import Panel, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.ui.widgets.toggles import Switch
from batchwright.wire.batches import Batch, BatchStatus


class SyncPanel(Panel):
    """The auto-sync switch with an explanation, and the sync status; `switched` is emitted when toggled."""

    help_address = "run.md#new-records"

    switched = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._switch = Switch(_("Auto-sync"))
        self._switch.toggled.connect(self.switched)
        self._meaning = Label("", TextRole.BODY, "text2", wraps=True)
        self._sign, self._result = Glyph("", "text2"), Label("", wraps=True)
        self._when = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._when.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line = row(gap=10)
        line.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._result, 1)
        line.addWidget(self._when, 0, Qt.AlignmentFlag.AlignTop)
        heading = SectionHeading(_("New records after setup"), self._switch, has_help=True)
        column(heading, self._meaning, line, gap=8, margins=(20, 12, 20, 16), parent=self)

    def show_state(self, sync: SyncState) -> None:
        """Show the current state."""
        with QSignalBlocker(self._switch):
            self._switch.setChecked(sync.is_auto)
        meaning = _meaning(sync)
        self._meaning.setText(meaning)
        self._switch.setAccessibleDescription(meaning)
        (glyph, tone), result, at = _sync_texts(sync)
        self._sign.show_glyph(glyph, tone)
        self._result.setText(result)
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


def _sync_texts(sync: SyncState) -> tuple[tuple[str, str], str, str]:
    """Icon, text and time of the waiting records, or else of the last sync."""
    waiting, last = sync.unsynced, sync.last_sync
    if last is not None and last.has_failed:
        reason = last.job.reason or _("the service gave no reason")
        return (
            CheckState.ERROR.value,
            _("The last sync failed: {reason}").format(reason=reason),
            short_datetime(last.ended_at),
        )
    if sync.is_awaited:
        text = ngettext(
            "Auto-sync creates the task of {count} new record.",
            "Auto-sync creates the tasks of {count} new records.",
            waiting,
        )
        return CheckState.RUNNING.value, text.format(count=number(waiting)), ""
    if waiting:
        text = ngettext("{count} record has no task yet.", "{count} records have no task yet.", waiting)
        return CheckState.ADVICE.value, text.format(count=number(waiting)), ""
    if last is None:
        return CheckState.LATER.value, _("No sync yet."), ""
    return CheckState.DONE.value, _came_of(last), short_datetime(last.ended_at)


def _came_of(last: LastSync) -> str:
    text = _("Last auto-sync: {result}") if last.is_by_itself else _("Last sync: {result}")
    return text.format(result=sync_result_text(last.job))


class BatchHead(PanelHead):
    """Name and status on the left, buttons on the right; the buttons show icons only if space is short."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._pill = ElidedLabel("", TextRole.TITLE), StatusBadge(DRAFT)
        self.open = Button(_("Open as a study"), glyph="pencil-simple")
        self.answers = Button(_("See answers"), glyph="chart-bar")
        self.duplicate = Button(_("Duplicate"), ButtonKind.QUIET, glyph="copy")
        self.sync = Button(_("Sync"), glyph="arrows-clockwise")
        self._created = ElidedLabel("", TextRole.SMALL, "text2", tabular=True)
        self._batch_id = IdLabel(_("Batch"), _("Copy the batch id"))
        self._dataset_id = IdLabel(_("Dataset"), _("Copy the dataset id"))
        line = self.head_row(self._name, self._pill, (self.duplicate, self.open, self.answers, self.sync))
        self._facts = row(self._created, self._batch_id, self._dataset_id, None, gap=14)
        for fact in (self._created, self._batch_id, self._dataset_id):
            self._facts.setAlignment(fact, Qt.AlignmentFlag.AlignLeft)  # buttons stay beside their ids
        column(line, self._facts, gap=2, parent=self)

    def show_batch(self, state: RunState) -> None:
        """Show the batch."""
        batch, is_own = state.chosen, state.shows_own
        self._name.setText(batch.name if batch else state.name)
        self._pill.show_status(status_of(BATCH, batch.status) if batch else DRAFT)
        self._pill.setVisible(batch is not None or not state.is_unfetched)
        self._created.setText(_created_text(batch))
        self._created.setVisible(batch is not None and batch.created_at is not None)
        batch_id, dataset_id = batch.id if batch else "", _dataset_id(state, batch)
        self._batch_id.show_id(batch_id, abbreviated_id(batch_id))
        self._dataset_id.show_id(dataset_id, abbreviated_id(dataset_id))
        next_action = next_step(state).action
        can_open = batch is not None and not is_own and not is_legacy(batch)
        self.open.setVisible(can_open and next_action is not ActionId.RUN_OPEN_BATCH)
        self.answers.setVisible(batch is not None and not is_own and next_action is not ActionId.RUN_ANSWERS)
        self.duplicate.setVisible(batch is not None)
        self.duplicate.set_disabled_reason(state.operation.title if state.operation else "")
        self.sync.setVisible(batch is not None and next_action is not ActionId.RUN_SYNC)
        self.sync.set_disabled_reason(state.sync.disabled_reason)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Resize}:
            self._arrange_facts()
        return super().event(event)

    def _arrange_facts(self) -> None:
        """Place the facts below each other if they do not fit beside each other."""
        facts = [fact for fact in (self._created, self._batch_id, self._dataset_id) if not fact.isHidden()]
        fit = sum(fact.sizeHint().width() + theme().px(14) for fact in facts) <= self.width()
        direction = QBoxLayout.Direction.LeftToRight if fit else QBoxLayout.Direction.TopToBottom
        if self._facts.direction() != direction:
            self._facts.setDirection(direction)
            self._facts.setSpacing(theme().px(14 if fit else 2))


def _created_text(batch: Batch | None) -> str:
    """The creation time of a batch."""
    if batch is None or batch.created_at is None:
        return ""
    return _("Created {when}").format(when=short_datetime(batch.created_at))


def _dataset_id(state: RunState, batch: Batch | None) -> str:
    """The dataset attached to a batch; of a study without a batch, its dataset at the connection."""
    if batch is None:
        return state.remote.dataset_id or ""
    return next((dataset.id for dataset in batch.datasets), "")


class BatchPanel(Surface):
    """Shows a batch, and the checklist if it is that of the study."""

    edit_pressed = Signal()
    stop_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("window", parent=parent)
        self.setAccessibleName(_("Batch"))
        self.head, self.sync, self.legacy = BatchHead(), SyncPanel(), LegacyPanel()
        self._figures, self._details, self._checks = StatisticsPanel(), DetailsPanel(), ChecklistPanel()
        self.groups, self._platform, self._progress = GroupsPanel(), PlatformPanel(), ProgressPanel()
        self._progress.stop_pressed.connect(self.stop_pressed)
        self._details.edit.clicked.connect(self.edit_pressed)
        content = QWidget()
        column(
            self.head,
            4,
            self._progress,
            self._platform,
            self._figures,
            self._details,
            self.legacy,
            self._checks,
            self.sync,
            self.groups,
            None,
            gap=12,
            margins=(24, 18, 24, 24),
            parent=content,
        )
        self._scroll_area = VerticalScrollArea(content)
        column(self._scroll_area, gap=0, parent=self)

    def show_batch(self, state: RunState) -> None:
        """Show the selected batch, or that of the study while it was not created."""
        batch, is_own = state.chosen, state.shows_own
        self._scroll_area.setVisible(batch is not None or is_own)
        self.head.show_batch(state)
        self._figures.show_figures(_figures(state, batch))
        details = state.task_details if is_own or batch is None else batch.task_details
        self._details.show_details(details, may_edit=is_own or batch is None)
        is_ready = batch is not None and batch.status == BatchStatus.READY
        self._platform.show_batch(state.session.connection.title, batch if is_ready else None)
        self._platform.setVisible(is_ready and state.session.is_live)
        self.legacy.setVisible(batch is not None and is_legacy(batch))
        self._checks.setVisible(is_own)
        self._checks.show_checks(checks(state) if is_own else ())
        self.sync.setVisible(batch is not None)
        self.sync.show_state(state.sync)
        self.groups.setVisible(bool(state.groups))
        self.groups.show_progress(state.progress)
        self._progress.show_operation(state.shown_operation)


class PlatformPanel(Panel):
    """What to do next at a live service once the tasks are ready, and the id to use there.

    A study of the service names its batch by `data_collection_id` (wire reference, section 12).
    """

    help_address = "live.md#go-live"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._title = Label("", TextRole.SECTION)
        self._id = IdLabel(_("Batch id:"), _("Copy the batch id"))
        text = _(
            "Create a study there that collects its data with this batch: it takes the id below "
            "(data_collection_id) and how many participants answer each task (annotators_per_task)."
        )
        column(
            row(self._title, HelpButton(), None, gap=8),
            Label(text, TextRole.BODY, "text2", wraps=True),
            row(self._id, None),
            gap=6,
            margins=(20, 12, 20, 14),
            parent=self,
        )

    def show_batch(self, service: str, batch: Batch | None) -> None:
        """Show the id of a batch that is ready at a service."""
        self._title.setText(_("Next at {service}").format(service=service))
        self._id.show_id(batch.id if batch is not None else "")


class LegacyPanel(Panel):
    """Shown for a batch with instructions instead of a layout; buttons open these, and convert them."""

    help_address = "run.md#older-batches"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.edit = Button(_("Edit"), ButtonKind.QUIET, glyph="pencil-simple", height=ButtonSize.SMALL)
        self.edit.setAccessibleName(_("Edit instructions"))
        self.convert = Button(
            _("Convert to a layout"), ButtonKind.QUIET, glyph="layout", height=ButtonSize.SMALL
        )
        text = _("This is a legacy batch: it has instructions instead of a layout.")
        label = Label(text, TextRole.BODY, "text2", wraps=True)
        buttons = QWidget()
        row(self.convert, self.edit, gap=4, parent=buttons)
        heading = SectionHeading(_("Instructions"), buttons, has_help=True)
        column(heading, label, gap=4, margins=(20, 12, 20, 16), parent=self)


class ChecklistPanel(Panel):
    """The requirements of a study, one per line, with the current state on the right."""

    help_address = "run.md"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._shown: tuple[ChecklistEntry, ...] = ()
        self._lines = column(gap=10)
        title = SectionHeading(_("Checklist"), has_help=True)
        column(title, self._lines, gap=12, margins=(20, 14, 20, 16), parent=self)

    def show_checks(self, checks: Sequence[ChecklistEntry]) -> None:
        """Show the entries of the checklist."""
        if tuple(checks) == self._shown:
            return
        self._shown = tuple(checks)
        clear(self._lines)
        for check in checks:
            glyph, tone = check.state.value
            tone_of_side = "err" if check.state is CheckState.ERROR else "text2"
            side = ElidedLabel(check.detail, TextRole.SMALL, tone_of_side, tabular=True)
            side.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            line = row(Glyph(glyph, tone), Label(check.what), gap=10)
            line.addWidget(side, 1)
            self._lines.add(line)


def _figures(state: RunState, batch: Batch | None) -> tuple[tuple[str, str], ...]:
    pages, items = state.pages_and_items
    in_layout = (
        number(pages),
        ngettext("page, {items}", "pages, {items}", pages).format(
            items=ngettext("{count} item", "{count} items", items).format(count=items)
        ),
    )
    if batch is None:
        if not state.remote.has_data:
            missing = _("records, not uploaded yet") if state.needs_data else _("records, no dataset")
            return ("–", missing), in_layout
        records = state.records
        count = "–" if state.is_unknown else number(records)
        return (count, ngettext("record", "records", records)), in_layout
    records, questions = dataset_record_count(batch), batch.total_instruction_count
    tasks, groups = batch.total_task_count, batch.total_task_groups or 0
    of_pages = (number(questions), ngettext("question", "questions", questions))
    return (
        (number(records), ngettext("record", "records", records)),
        in_layout if state.shows_own else of_pages,
        (number(tasks), ngettext("task", "tasks", tasks)),
        (number(groups), ngettext("group", "groups", groups)),
    )
