"""The header of the Run stage: the state of the study, the next step, and the button for it."""

from dataclasses import replace

from batchwright.base.i18n import _, ngettext
from batchwright.client.published_content import ContentComparison
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.formatting import number
from batchwright.ui.core.next_step import NextStep
from batchwright.ui.core.operations import Operation
from batchwright.ui.run.labels import task_summary
from batchwright.ui.run.remote_batches import is_legacy
from batchwright.ui.run.state import RunState
from batchwright.ui.run.sync import SyncState
from batchwright.wire.batches import Batch, BatchStatus


def next_step(state: RunState) -> NextStep[ActionId]:
    """The next step for the batch shown; that of the study also before it was created."""
    return _step(state) if state.shows_own else _step_without_study(state)


def _step(state: RunState) -> NextStep[ActionId]:
    operation = state.shown_operation
    if operation is not None:
        is_created = state.own is not None and state.own.status != BatchStatus.UNINITIALISED
        return _busy(state.own, operation, is_created=is_created)
    return _before_publishing(state) or _with_batch(state)


def _step_without_study(state: RunState) -> NextStep[ActionId]:
    """The next step for another batch of the workspace, with its name."""
    batch = state.chosen
    if batch is None:
        return _without_batches(state)
    operation = state.shown_operation
    step = _busy(batch, operation) if operation is not None else _with_other(state, batch)
    template = _("“{batch}”: {sentence}")
    if not state.study.is_open:
        template = _("No study is open. “{batch}”: {sentence}")
    return replace(step, text=template.format(batch=batch.name, sentence=step.text))


def _without_batches(state: RunState) -> NextStep[ActionId]:
    if state.remote_list.needs_sign_in:
        return NextStep(_("Sign in to see the batches."), ActionId.RUN_REFRESH, _("Sign in"), "lock-simple")
    if state.remote_list.error is not None:
        return NextStep(_("The batches could not be loaded."))
    if state.is_loading:
        return NextStep(_("Loading the batches."))
    return NextStep(_("The workspace has no batches yet. Next: create a study, or open one."))


def _with_other(state: RunState, batch: Batch) -> NextStep[ActionId]:
    """The step for a batch that does not belong to the study: its content is not compared with anything."""
    if batch.status == BatchStatus.READY:
        return _outdated(state) or _later(state.sync) or _other_ready(batch)
    if batch.status == BatchStatus.PROCESSING:
        return _processing()
    if not batch.datasets and is_legacy(batch):
        sentence = _("It has no dataset, so it has no tasks. Next: convert it to a study, and add data.")
        return NextStep(sentence, ActionId.RUN_CONVERT, _("Convert to a layout"), "layout")
    if not batch.datasets:
        sentence = _("It has no dataset, so it has no tasks. Next: open it as a study and add data.")
        return NextStep(sentence, ActionId.RUN_OPEN_BATCH, _("Open as a study"), "pencil-simple")
    if batch.status == BatchStatus.ERROR:
        return _failed()
    sentence = _("It has no tasks yet. Next: create them.")
    return NextStep(sentence, ActionId.RUN_SET_UP, _("Set up tasks"), "stack")


def _other_ready(batch: Batch) -> NextStep[ActionId]:
    text = ngettext(
        "{tasks} is ready for participants.", "{tasks} are ready for participants.", batch.total_task_count
    )
    return NextStep(
        text.format(tasks=task_summary(batch)), ActionId.RUN_ANSWERS, _("See answers"), "chart-bar"
    )


def _processing() -> NextStep[ActionId]:
    sentence, reason = _("The service is creating the tasks."), _("Tasks are being created")
    return NextStep(sentence, ActionId.RUN_ANSWERS, _("See results"), "chart-bar", disabled_reason=reason)


def _failed() -> NextStep[ActionId]:
    sentence = _("The tasks could not be created. Next: set up again.")
    return NextStep(sentence, ActionId.RUN_SET_UP, _("Set up again"), "stack")


def _busy(batch: Batch | None, operation: Operation, *, is_created: bool = True) -> NextStep[ActionId]:
    """Nothing else until the operation ends, except that results show answers of simulated participants."""
    sentence = f"{operation.message.removesuffix('.')}."
    if not is_created:
        return NextStep(sentence, ActionId.RUN_PUBLISH, _("Create batch"), "plus", disabled_reason=sentence)
    if batch is not None and batch.status == BatchStatus.READY:
        reason = "" if operation.key == "simulate" else sentence
        return NextStep(sentence, ActionId.RUN_ANSWERS, _("See results"), "chart-bar", disabled_reason=reason)
    return NextStep(sentence, ActionId.RUN_SET_UP, _("Set up tasks"), "stack", disabled_reason=sentence)


def _before_publishing(state: RunState) -> NextStep[ActionId] | None:
    if state.needs_instructions:
        return _with_v3_data(state)
    if counts := state.problem_counts:
        sentence = _("Layout: {counts}.").format(counts=counts.text)
        if state.refused:
            sentence = _("The service rejected the layout. The items concerned are marked.")
        return NextStep(sentence, ActionId.LAYOUT_NEXT_PROBLEM, counts.next_label, keys="F8", stage="layout")
    if not state.study.layout.pages:
        sentence = _("The layout is empty. Next: add a question to its first page.")
        return NextStep(sentence, None, _("Go to Layout"), "layout", stage="layout")
    if state.needs_data and state.remote.dataset_id is None:
        sentence = _("No data is uploaded here yet. Next: upload it.")
        if elsewhere := state.dataset_elsewhere:
            sentence = _("{elsewhere} Next: upload its data here.").format(elsewhere=elsewhere)
        return NextStep(sentence, None, _("Go to Data"), "table", stage="data")
    is_compared = not state.is_unfetched and state.comparison is not None
    if state.schema_differs and is_compared and not state.is_as_sent:
        sentence = _("The dataset has a different schema. Next: make the two match.")
        return NextStep(sentence, None, _("Go to Data"), "table", stage="data")
    return None


def _with_v3_data(state: RunState) -> NextStep[ActionId]:
    """The step for V3 data, which a batch with instructions shows."""
    batch = state.legacy_batch
    if batch is not None:
        sentence = _("Pages cannot show V3 data; “{batch}” shows it. Next: select it in the list of batches.")
        return NextStep(sentence.format(batch=batch.name))
    sentence = _("Pages cannot show V3 data. Next: create a batch with instructions.")
    return NextStep(sentence, ActionId.RUN_NEW_LEGACY, _("Create batch…"), "plus")


def _with_batch(state: RunState) -> NextStep[ActionId]:
    batch = state.own
    if state.is_unfetched:
        return _unseen(state)
    if batch is None:
        return _untitled(state) if state.is_untitled else _not_created(state)
    if batch.status == BatchStatus.PROCESSING:
        return _processing()
    if state.comparison is None:
        sentence = _("Comparing the study with the batch.")
        return NextStep(
            sentence, ActionId.RUN_PUBLISH, _("Update batch"), "arrow-clockwise", disabled_reason=sentence
        )
    if state.comparison is ContentComparison.REMOTE_CHANGED:
        sentence = _("The batch was changed elsewhere. Next: decide which version to keep.")
        return NextStep(sentence, ActionId.RUN_PUBLISH, _("Update batch"), "arrow-clockwise")
    if not state.is_as_sent and state.is_untitled:
        return _untitled(state)
    if not state.is_as_sent:
        sentence = _("The study has changed since the batch was sent. Next: update it.")
        return NextStep(sentence, ActionId.RUN_PUBLISH, _("Update batch"), "arrow-clockwise")
    if batch.status == BatchStatus.ERROR:
        return _failed()
    if batch.status != BatchStatus.READY:
        return _importing() if state.awaits_import else _created(batch)
    return _outdated(state) or _later(state.sync) or _ready(state, batch)


def _outdated(state: RunState) -> NextStep[ActionId] | None:
    """The step for a batch that was changed after its tasks were created."""
    if not state.is_outdated:
        return None
    sentence = _("The tasks still show the previous version. Next: set up again.")
    return NextStep(sentence, ActionId.RUN_SET_UP, _("Set up again"), "stack")


def _untitled(state: RunState) -> NextStep[ActionId]:
    sentence = _("The study has no title: participants would read “{title}”. Next: name it.")
    return NextStep(
        sentence.format(title=state.name), ActionId.RUN_DETAILS, _("Name the study…"), "pencil-simple"
    )


def _not_created(state: RunState) -> NextStep[ActionId]:
    sentence = _("Data and layout are ready. Next: create the batch.")
    if not state.remote.has_data:
        sentence = _("The layout is ready, and shows no data. Next: create the batch.")
    if state.awaits_import:
        sentence = _("The data is not imported yet; the batch can be created now. Next: create it.")
    if elsewhere := state.elsewhere:
        sentence = _("{elsewhere} Next: create its batch here.").format(elsewhere=elsewhere)
        return NextStep(sentence, ActionId.RUN_PUBLISH, _("Create here"), "plus")
    return NextStep(sentence, ActionId.RUN_PUBLISH, _("Create batch"), "plus")


def _created(batch: Batch) -> NextStep[ActionId]:
    """The step for the study's batch that was not set up yet."""
    if not batch.datasets:
        sentence = _("The batch has no dataset, so it has no tasks. Next: add data, or make it a collection.")
        return NextStep(sentence, None, _("Go to Data"), "table", stage="data")
    sentence = _("The batch is created. Next: create its tasks.")
    return NextStep(sentence, ActionId.RUN_SET_UP, _("Set up tasks"), "stack")


def _importing() -> NextStep[ActionId]:
    """The step for a batch that was created before the data of its dataset was imported."""
    sentence = _("The batch is created. Its tasks can be created when the data is imported.")
    return NextStep(sentence, None, _("Go to Data"), "table", stage="data")


def _later(sync: SyncState) -> NextStep[ActionId] | None:
    """The step for records added after setup or the last sync."""
    unsynced = sync.unsynced
    if not unsynced:
        return None
    text = ngettext(
        "{count} record has no task yet. Next: sync.",
        "{count} records have no task yet. Next: sync.",
        unsynced,
    )
    if sync.is_awaited:
        text = ngettext(
            "Auto-sync creates the task of {count} new record.",
            "Auto-sync creates the tasks of {count} new records.",
            unsynced,
        )
    return NextStep(text.format(count=number(unsynced)), ActionId.RUN_SYNC, _("Sync"), "arrows-clockwise")


def _unseen(state: RunState) -> NextStep[ActionId]:
    """The step while the study's batch was not fetched yet."""
    if state.remote_list.needs_sign_in:
        return NextStep(_("Sign in to see the batch."), ActionId.RUN_REFRESH, _("Sign in"), "lock-simple")
    sentence = (
        _("Loading the batch.") if state.remote_list.error is None else _("The batch could not be loaded.")
    )
    reason = sentence if state.remote_list.error is None else ""
    return NextStep(sentence, ActionId.RUN_REFRESH, _("Refresh"), "arrow-clockwise", disabled_reason=reason)


def _ready(state: RunState, batch: Batch) -> NextStep[ActionId]:
    done, total = state.answers
    count, summary = batch.total_task_count, task_summary(batch)
    if state.session.is_live:
        text = ngettext("{tasks} is ready for participants.", "{tasks} are ready for participants.", count)
        sentence = text.format(tasks=summary)
        return NextStep(sentence, ActionId.RUN_ANSWERS, _("See results"), "chart-bar")
    if not done:
        text = ngettext(
            "{tasks} is ready. Next: take part yourself, or let others answer.",
            "{tasks} are ready. Next: take part yourself, or let others answer.",
            count,
        )
        sentence = text.format(tasks=summary)
        return NextStep(sentence, ActionId.RUN_PARTICIPATE, _("Open as participant"), "arrow-square-out")
    text = ngettext("{done} of {total} group is answered.", "{done} of {total} groups are answered.", total)
    sentence = text.format(done=number(done), total=number(total))
    return NextStep(sentence, ActionId.RUN_ANSWERS, _("See results"), "chart-bar")
