"""The header of the Run stage: the state of the study, the next step, and the button for it."""

from dataclasses import dataclass, replace
from enum import Enum

from batchwright.base.i18n import _, ngettext
from batchwright.client.published_content import ContentComparison
from batchwright.ui.core.formatting import number
from batchwright.ui.core.operations import Operation
from batchwright.ui.run.labels import task_summary
from batchwright.ui.run.remote_batches import is_legacy
from batchwright.ui.run.state import RunState
from batchwright.ui.run.sync import SyncState
from batchwright.wire.batches import Batch, BatchStatus


class RunAction(Enum):
    """What the primary button does: the id of an action or of another stage."""

    NOTHING = ""
    DATA = "data"
    LAYOUT = "layout"
    RESULTS = "run.answers"
    PUBLISH = "run.publish"
    SET_UP = "run.set_up"
    SYNC = "run.sync"
    PARTICIPATE = "run.participate"
    REFRESH = "run.refresh"
    OPEN = "run.open_batch"
    CONVERT = "run.convert"
    DETAILS = "run.details"
    NEW_LEGACY = "run.new_legacy"


@dataclass(frozen=True)
class RunNextStep:
    """A sentence about the current state, and the button for the next step."""

    sentence: str
    act: RunAction = RunAction.NOTHING
    button: str = ""
    glyph: str = ""
    keys: str = ""
    reason_not: str = ""


def next_step(model: RunState) -> RunNextStep:
    """The next step for the batch shown; that of the study also before it was created."""
    return _step(model) if model.shows_own else _step_without_study(model)


def _step(model: RunState) -> RunNextStep:
    operation = model.shown_operation
    if operation is not None:
        is_created = model.batch is not None and model.batch.status != BatchStatus.UNINITIALISED
        return _busy(model.batch, operation, is_created=is_created)
    return _before_publishing(model) or _with_batch(model)


def _step_without_study(model: RunState) -> RunNextStep:
    """The next step for another batch of the workspace, with its name."""
    batch = model.chosen
    if batch is None:
        return _without_batches(model)
    operation = model.shown_operation
    step = _busy(batch, operation) if operation is not None else _with_other(model, batch)
    template = _("“{batch}”: {sentence}")
    if not model.study.is_open:
        template = _("No study is open. “{batch}”: {sentence}")
    return replace(step, sentence=template.format(batch=batch.name, sentence=step.sentence))


def _without_batches(model: RunState) -> RunNextStep:
    if model.remote_batches.needs_sign_in:
        return RunNextStep(_("Sign in to see the batches."), RunAction.REFRESH, _("Sign in"), "lock-simple")
    if model.remote_batches.error is not None:
        return RunNextStep(_("The batches could not be loaded."))
    if model.is_loading:
        return RunNextStep(_("Loading the batches."))
    return RunNextStep(_("The workspace has no batches yet. Next: create a study, or open one."))


def _with_other(model: RunState, batch: Batch) -> RunNextStep:
    """The step for a batch that does not belong to the study: its content is not compared with anything."""
    if batch.status == BatchStatus.READY:
        return _outdated(model) or _later(model.sync) or _other_ready(batch)
    if batch.status == BatchStatus.PROCESSING:
        return _processing()
    if not batch.datasets and is_legacy(batch):
        sentence = _("It has no dataset, so it has no tasks. Next: convert it to a study, and add data.")
        return RunNextStep(sentence, RunAction.CONVERT, _("Convert to a layout"), "layout")
    if not batch.datasets:
        sentence = _("It has no dataset, so it has no tasks. Next: open it as a study and add data.")
        return RunNextStep(sentence, RunAction.OPEN, _("Open as a study"), "pencil-simple")
    if batch.status == BatchStatus.ERROR:
        return _failed()
    sentence = _("It has no tasks yet. Next: create them.")
    return RunNextStep(sentence, RunAction.SET_UP, _("Set up tasks"), "stack")


def _other_ready(batch: Batch) -> RunNextStep:
    text = ngettext(
        "{tasks} is ready for participants.", "{tasks} are ready for participants.", batch.total_task_count
    )
    return RunNextStep(
        text.format(tasks=task_summary(batch)), RunAction.RESULTS, _("See answers"), "chart-bar"
    )


def _processing() -> RunNextStep:
    sentence, reason_not = _("The service is creating the tasks."), _("Tasks are being created")
    return RunNextStep(sentence, RunAction.RESULTS, _("See results"), "chart-bar", reason_not=reason_not)


def _failed() -> RunNextStep:
    sentence = _("The tasks could not be created. Next: set up again.")
    return RunNextStep(sentence, RunAction.SET_UP, _("Set up again"), "stack")


def _busy(batch: Batch | None, operation: Operation, *, is_created: bool = True) -> RunNextStep:
    """Nothing else until the operation ends, except that results show answers of simulated participants."""
    sentence = f"{operation.message.removesuffix('.')}."
    if not is_created:
        return RunNextStep(sentence, RunAction.PUBLISH, _("Create batch"), "plus", reason_not=sentence)
    if batch is not None and batch.status == BatchStatus.READY:
        reason_not = "" if operation.key == "simulate" else sentence
        return RunNextStep(sentence, RunAction.RESULTS, _("See results"), "chart-bar", reason_not=reason_not)
    return RunNextStep(sentence, RunAction.SET_UP, _("Set up tasks"), "stack", reason_not=sentence)


def _before_publishing(model: RunState) -> RunNextStep | None:
    if model.needs_instructions:
        return _with_v3_data(model)
    if counts := model.problem_counts:
        sentence = _("Layout: {counts}.").format(counts=counts.text)
        if model.refused:
            sentence = _("The service rejected the layout. The items concerned are marked.")
        return RunNextStep(sentence, RunAction.LAYOUT, counts.next_label, keys="F8")
    if not model.study.layout.pages:
        sentence = _("The layout is empty. Next: add a question to its first page.")
        return RunNextStep(sentence, RunAction.LAYOUT, _("Go to Layout"), "layout")
    if model.needs_data and model.remote.dataset_id is None:
        sentence = _("No data is uploaded here yet. Next: upload it.")
        if elsewhere := model.dataset_elsewhere:
            sentence = _("{elsewhere} Next: upload its data here.").format(elsewhere=elsewhere)
        return RunNextStep(sentence, RunAction.DATA, _("Go to Data"), "table")
    is_compared = not model.is_unfetched and model.comparison is not None
    if model.schema_differs and is_compared and not model.is_as_sent:
        sentence = _("The dataset has a different schema. Next: make the two match.")
        return RunNextStep(sentence, RunAction.DATA, _("Go to Data"), "table")
    return None


def _with_v3_data(model: RunState) -> RunNextStep:
    """The step for V3 data, which a batch with instructions shows."""
    batch = model.legacy_batch
    if batch is not None:
        sentence = _("Pages cannot show V3 data; “{batch}” shows it. Next: select it in the list of batches.")
        return RunNextStep(sentence.format(batch=batch.name))
    sentence = _("Pages cannot show V3 data. Next: create a batch with instructions.")
    return RunNextStep(sentence, RunAction.NEW_LEGACY, _("Create batch…"), "plus")


def _with_batch(model: RunState) -> RunNextStep:
    batch = model.batch
    if model.is_unfetched:
        return _unseen(model)
    if batch is None:
        return _untitled(model) if model.is_untitled else _not_created(model)
    if batch.status == BatchStatus.PROCESSING:
        return _processing()
    if model.comparison is None:
        sentence = _("Comparing the study with the batch.")
        return RunNextStep(
            sentence, RunAction.PUBLISH, _("Update batch"), "arrow-clockwise", reason_not=sentence
        )
    if model.comparison is ContentComparison.REMOTE_CHANGED:
        sentence = _("The batch was changed elsewhere. Next: decide which version to keep.")
        return RunNextStep(sentence, RunAction.PUBLISH, _("Update batch"), "arrow-clockwise")
    if not model.is_as_sent and model.is_untitled:
        return _untitled(model)
    if not model.is_as_sent:
        sentence = _("The study has changed since the batch was sent. Next: update it.")
        return RunNextStep(sentence, RunAction.PUBLISH, _("Update batch"), "arrow-clockwise")
    if batch.status == BatchStatus.ERROR:
        return _failed()
    if batch.status != BatchStatus.READY:
        return _importing() if model.awaits_import else _created(batch)
    return _outdated(model) or _later(model.sync) or _ready(model, batch)


def _outdated(model: RunState) -> RunNextStep | None:
    """The step for a batch that was changed after its tasks were created."""
    if not model.is_outdated:
        return None
    sentence = _("The tasks still show the previous version. Next: set up again.")
    return RunNextStep(sentence, RunAction.SET_UP, _("Set up again"), "stack")


def _untitled(model: RunState) -> RunNextStep:
    sentence = _("The study has no title: participants would read “{title}”. Next: name it.")
    return RunNextStep(
        sentence.format(title=model.name), RunAction.DETAILS, _("Name the study…"), "pencil-simple"
    )


def _not_created(model: RunState) -> RunNextStep:
    sentence = _("Data and layout are ready. Next: create the batch.")
    if not model.remote.has_data:
        sentence = _("The layout is ready, and shows no data. Next: create the batch.")
    if model.awaits_import:
        sentence = _("The data is not imported yet; the batch can be created now. Next: create it.")
    if elsewhere := model.batch_elsewhere:
        sentence = _("{elsewhere} Next: create its batch here.").format(elsewhere=elsewhere)
        return RunNextStep(sentence, RunAction.PUBLISH, _("Create here"), "plus")
    return RunNextStep(sentence, RunAction.PUBLISH, _("Create batch"), "plus")


def _created(batch: Batch) -> RunNextStep:
    """The step for the study's batch that was not set up yet."""
    if not batch.datasets:
        sentence = _("The batch has no dataset, so it has no tasks. Next: add data, or make it a collection.")
        return RunNextStep(sentence, RunAction.DATA, _("Go to Data"), "table")
    sentence = _("The batch is created. Next: create its tasks.")
    return RunNextStep(sentence, RunAction.SET_UP, _("Set up tasks"), "stack")


def _importing() -> RunNextStep:
    """The step for a batch that was created before the data of its dataset was imported."""
    sentence = _("The batch is created. Its tasks can be created when the data is imported.")
    return RunNextStep(sentence, RunAction.DATA, _("Go to Data"), "table")


def _later(sync: SyncState) -> RunNextStep | None:
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
    return RunNextStep(text.format(count=number(unsynced)), RunAction.SYNC, _("Sync"), "arrows-clockwise")


def _unseen(model: RunState) -> RunNextStep:
    """The step while the study's batch was not fetched yet."""
    if model.remote_batches.needs_sign_in:
        return RunNextStep(_("Sign in to see the batch."), RunAction.REFRESH, _("Sign in"), "lock-simple")
    sentence = (
        _("Loading the batch.") if model.remote_batches.error is None else _("The batch could not be loaded.")
    )
    reason_not = sentence if model.remote_batches.error is None else ""
    return RunNextStep(sentence, RunAction.REFRESH, _("Refresh"), "arrow-clockwise", reason_not=reason_not)


def _ready(model: RunState, batch: Batch) -> RunNextStep:
    done, total = model.answers
    count, summary = batch.total_task_count, task_summary(batch)
    if model.session.is_live:
        text = ngettext("{tasks} is ready for participants.", "{tasks} are ready for participants.", count)
        sentence = text.format(tasks=summary)
        return RunNextStep(sentence, RunAction.RESULTS, _("See results"), "chart-bar")
    if not done:
        text = ngettext(
            "{tasks} is ready. Next: take part yourself, or let others answer.",
            "{tasks} are ready. Next: take part yourself, or let others answer.",
            count,
        )
        sentence = text.format(tasks=summary)
        return RunNextStep(sentence, RunAction.PARTICIPATE, _("Open as participant"), "arrow-square-out")
    text = ngettext("{done} of {total} group is answered.", "{done} of {total} groups are answered.", total)
    sentence = text.format(done=number(done), total=number(total))
    return RunNextStep(sentence, RunAction.RESULTS, _("See results"), "chart-bar")
