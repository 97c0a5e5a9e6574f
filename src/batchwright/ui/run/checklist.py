"""The checklist of a study: what is required before it gets answers, and the state of each entry."""

from dataclasses import dataclass
from enum import Enum

from batchwright.base.i18n import _, ngettext
from batchwright.client.batch_content import ContentComparison
from batchwright.ui.core.formatting import abbreviated_id, number, records
from batchwright.ui.run.labels import task_summary
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import BatchStatus


class CheckState(Enum):
    """The state of an entry, as glyph and colour token."""

    THERE = ("check-circle-fill", "ok")
    ADVICE = ("warning-fill", "warn")
    FAULT = ("warning-circle-fill", "err")
    GOING = ("hourglass-medium", "question")
    LATER = ("circle-dashed", "text3")


@dataclass(frozen=True)
class ChecklistEntry:
    """A requirement and its current state."""

    what: str
    mark: CheckState
    found: str


def checks(model: RunState) -> tuple[ChecklistEntry, ...]:
    """The entries for a study, in the order in which they are completed."""
    lines = [_layout(model), _data(model), _details(model), _batch(model), _tasks(model)]
    if not model.session.is_live:
        lines.append(_answers(model))
    return tuple(lines)


def _layout(model: RunState) -> ChecklistEntry:
    pages, _items = model.pages_and_items
    if model.errors:
        text = ngettext("{count} problem", "{count} problems", model.errors).format(count=model.errors)
        return ChecklistEntry(_("Layout accepted"), CheckState.FAULT, text)
    if not pages:
        return ChecklistEntry(_("Layout accepted"), CheckState.LATER, _("empty"))
    mark = CheckState.THERE if model.batch is not None and model.is_as_sent else CheckState.LATER
    found = _("by the service") if mark is CheckState.THERE else _("no problems found here")
    return ChecklistEntry(_("Layout accepted"), mark, found)


def _data(model: RunState) -> ChecklistEntry:
    if not model.remote.has_data:
        return ChecklistEntry(_("Dataset imported"), CheckState.LATER, _("not yet"))
    if model.schema_differs:
        return ChecklistEntry(_("Dataset imported"), CheckState.ADVICE, _("schema differs from the study"))
    data = model.study.data
    found = records(model.records) if model.records else abbreviated_id(model.remote.dataset_id or "")
    return ChecklistEntry(
        _("Dataset imported"), CheckState.THERE, f"{data.path.name}, {found}" if data else found
    )


def _details(model: RunState) -> ChecklistEntry:
    given = model.study.details
    if given.task_introduction.strip() and given.task_steps.strip():
        return ChecklistEntry(_("Task details written"), CheckState.THERE, model.details.task_name)
    return ChecklistEntry(_("Task details written"), CheckState.ADVICE, _("introduction or steps are empty"))


def _batch(model: RunState) -> ChecklistEntry:
    if model.is_lost:
        return ChecklistEntry(_("Batch created"), CheckState.FAULT, _("no longer at the service"))
    if model.batch is None:
        return ChecklistEntry(_("Batch created"), CheckState.LATER, _not_yet(model))
    if model.comparison is ContentComparison.BATCH_CHANGED:
        return ChecklistEntry(_("Batch created"), CheckState.ADVICE, _("changed elsewhere since it was sent"))
    if not model.is_as_sent:
        return ChecklistEntry(_("Batch created"), CheckState.ADVICE, _("the study has changed since"))
    return ChecklistEntry(_("Batch created"), CheckState.THERE, abbreviated_id(model.batch.id))


def _tasks(model: RunState) -> ChecklistEntry:
    batch = model.batch
    if batch is None or batch.status not in (BatchStatus.READY, BatchStatus.ERROR):
        return ChecklistEntry(_("Tasks created"), CheckState.LATER, _not_yet(model))
    if batch.status == BatchStatus.ERROR:
        return ChecklistEntry(_("Tasks created"), CheckState.FAULT, _("the service could not create them"))
    if model.is_outdated:
        return ChecklistEntry(_("Tasks created"), CheckState.ADVICE, _("before the batch was updated"))
    return ChecklistEntry(_("Tasks created"), CheckState.THERE, task_summary(batch))


def _answers(model: RunState) -> ChecklistEntry:
    done, wanted = model.answers
    if not done:
        nobody = _not_yet(model) if model.is_unseen else _("no answers yet")
        return ChecklistEntry(_("Rehearsed"), CheckState.LATER, nobody)
    found = _("{done} of {wanted} groups").format(done=number(done), wanted=number(wanted))
    return ChecklistEntry(_("Rehearsed"), CheckState.THERE if done == wanted else CheckState.LATER, found)


def _not_yet(model: RunState) -> str:
    """The text for a missing batch; one that was not fetched yet may exist."""
    return _("not known yet") if model.is_unseen else _("not yet")
