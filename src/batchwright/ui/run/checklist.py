"""The checklist of a study: what is required before it gets answers, and the state of each entry."""

from dataclasses import dataclass
from enum import Enum

from batchwright.base.i18n import _, ngettext
from batchwright.client.published_content import ContentComparison
from batchwright.ui.core.formatting import number, records
from batchwright.ui.run.labels import task_summary
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import BatchStatus


class CheckState(Enum):
    """The state of an entry, as glyph and colour token."""

    DONE = ("check-circle-fill", "ok")
    ADVICE = ("warning-fill", "warn")
    ERROR = ("warning-circle-fill", "err")
    RUNNING = ("hourglass-medium", "question")
    LATER = ("circle-dashed", "text3")


@dataclass(frozen=True)
class ChecklistEntry:
    """A requirement and its current state."""

    what: str
    state: CheckState
    detail: str


def checks(model: RunState) -> tuple[ChecklistEntry, ...]:
    """The entries for a study, in the order in which they are completed."""
    lines = [_layout(model), _data(model), _details(model), _batch(model), _tasks(model)]
    if not model.session.is_live:
        lines.append(_answers(model))
    return tuple(lines)


def _layout(model: RunState) -> ChecklistEntry:
    pages, _items = model.pages_and_items
    if counts := model.problem_counts:
        state = CheckState.ERROR if counts.errors else CheckState.LATER
        return ChecklistEntry(_("Layout accepted"), state, counts.text)
    if not pages:
        return ChecklistEntry(_("Layout accepted"), CheckState.LATER, _("empty"))
    state = CheckState.DONE if model.own is not None and model.is_as_sent else CheckState.LATER
    detail = _("by the service") if state is CheckState.DONE else _("no problems found here")
    return ChecklistEntry(_("Layout accepted"), state, detail)


def _data(model: RunState) -> ChecklistEntry:
    if model.dataset_elsewhere:
        return ChecklistEntry(_("Dataset imported"), CheckState.ADVICE, _("elsewhere, not here"))
    if not model.remote.has_data:
        detail = _("not yet; the tasks need it") if model.awaits_import else _("not yet")
        detail = detail if model.needs_data else _("the batch needs none; its tasks do")
        return ChecklistEntry(_("Dataset imported"), CheckState.LATER, detail)
    if model.schema_differs:
        return ChecklistEntry(_("Dataset imported"), CheckState.ADVICE, _("schema differs from the study"))
    data = model.study.data
    detail = records(model.records) if model.records else _("attached")
    return ChecklistEntry(
        _("Dataset imported"), CheckState.DONE, f"{data.path.name}, {detail}" if data else detail
    )


def _details(model: RunState) -> ChecklistEntry:
    details = model.study.details
    if model.is_untitled:
        text = _("no title; participants would read “{title}”").format(title=model.name)
        return ChecklistEntry(_("Task details written"), CheckState.ERROR, text)
    if details.task_introduction.strip() and details.task_steps.strip():
        return ChecklistEntry(_("Task details written"), CheckState.DONE, model.task_details.task_name)
    return ChecklistEntry(_("Task details written"), CheckState.ADVICE, _("introduction or steps are empty"))


def _batch(model: RunState) -> ChecklistEntry:
    if model.is_lost:
        return ChecklistEntry(_("Batch created"), CheckState.ERROR, _("not at this service"))
    if model.own is None:
        detail = _("elsewhere, not here") if model.elsewhere else _not_yet(model)
        return ChecklistEntry(_("Batch created"), CheckState.LATER, detail)
    if model.comparison is ContentComparison.REMOTE_CHANGED:
        return ChecklistEntry(_("Batch created"), CheckState.ADVICE, _("changed elsewhere since it was sent"))
    if model.comparison is None:
        return ChecklistEntry(_("Batch created"), CheckState.DONE, _("comparing it with the study"))
    if not model.is_as_sent:
        return ChecklistEntry(_("Batch created"), CheckState.ADVICE, _("the study has changed since"))
    return ChecklistEntry(_("Batch created"), CheckState.DONE, _("same content as the study"))


def _tasks(model: RunState) -> ChecklistEntry:
    batch = model.own
    if batch is None or batch.status not in (BatchStatus.READY, BatchStatus.ERROR):
        return ChecklistEntry(_("Tasks created"), CheckState.LATER, _not_yet(model))
    if batch.status == BatchStatus.ERROR:
        return ChecklistEntry(_("Tasks created"), CheckState.ERROR, _("the service could not create them"))
    if model.is_outdated:
        return ChecklistEntry(_("Tasks created"), CheckState.ADVICE, _("before the batch was updated"))
    return ChecklistEntry(_("Tasks created"), CheckState.DONE, task_summary(batch))


def _answers(model: RunState) -> ChecklistEntry:
    done, total = model.answers
    if not done:
        no_answers = _not_yet(model) if model.is_unfetched else _("no answers yet")
        return ChecklistEntry(_("Rehearsed"), CheckState.LATER, no_answers)
    detail = ngettext("{done} of {total} group", "{done} of {total} groups", total)
    detail = detail.format(done=number(done), total=number(total))
    return ChecklistEntry(_("Rehearsed"), CheckState.DONE if done == total else CheckState.LATER, detail)


def _not_yet(model: RunState) -> str:
    """The text for a missing batch; one that was not fetched yet may exist."""
    return _("not known yet") if model.is_unfetched else _("not yet")
