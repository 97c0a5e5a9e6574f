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


def checks(state: RunState) -> tuple[ChecklistEntry, ...]:
    """The entries for a study, in the order in which they are completed."""
    lines = [_layout(state), _data(state), _details(state), _batch(state), _tasks(state)]
    if not state.session.is_live:
        lines.append(_answers(state))
    return tuple(lines)


def _layout(state: RunState) -> ChecklistEntry:
    pages, _items = state.pages_and_items
    if counts := state.problem_counts:
        check_state = CheckState.ERROR if counts.errors else CheckState.LATER
        return ChecklistEntry(_("Layout accepted"), check_state, counts.text)
    if not pages:
        return ChecklistEntry(_("Layout accepted"), CheckState.LATER, _("empty"))
    check_state = CheckState.DONE if state.own is not None and state.is_as_sent else CheckState.LATER
    detail = _("by the service") if check_state is CheckState.DONE else _("no problems found here")
    return ChecklistEntry(_("Layout accepted"), check_state, detail)


def _data(state: RunState) -> ChecklistEntry:
    if state.dataset_elsewhere:
        return ChecklistEntry(_("Dataset imported"), CheckState.ADVICE, _("elsewhere, not here"))
    if not state.remote.has_data:
        detail = _("not yet; the tasks need it") if state.awaits_import else _("not yet")
        detail = detail if state.needs_data else _("the batch needs none; its tasks do")
        return ChecklistEntry(_("Dataset imported"), CheckState.LATER, detail)
    if state.schema_differs:
        return ChecklistEntry(_("Dataset imported"), CheckState.ADVICE, _("schema differs from the study"))
    data = state.study.data
    detail = records(state.records) if state.records else _("attached")
    return ChecklistEntry(
        _("Dataset imported"), CheckState.DONE, f"{data.path.name}, {detail}" if data else detail
    )


def _details(state: RunState) -> ChecklistEntry:
    details = state.study.details
    if state.is_untitled:
        text = _("no title; participants would read “{title}”").format(title=state.name)
        return ChecklistEntry(_("Task details written"), CheckState.ERROR, text)
    if details.task_introduction.strip() and details.task_steps.strip():
        return ChecklistEntry(_("Task details written"), CheckState.DONE, state.task_details.task_name)
    return ChecklistEntry(_("Task details written"), CheckState.ADVICE, _("introduction or steps are empty"))


def _batch(state: RunState) -> ChecklistEntry:
    if state.is_lost:
        return ChecklistEntry(_("Batch created"), CheckState.ERROR, _("not at this service"))
    if state.own is None:
        detail = _("elsewhere, not here") if state.elsewhere else _not_yet(state)
        return ChecklistEntry(_("Batch created"), CheckState.LATER, detail)
    if state.comparison is ContentComparison.REMOTE_CHANGED:
        return ChecklistEntry(_("Batch created"), CheckState.ADVICE, _("changed elsewhere since it was sent"))
    if state.comparison is None:
        return ChecklistEntry(_("Batch created"), CheckState.DONE, _("comparing it with the study"))
    if not state.is_as_sent:
        return ChecklistEntry(_("Batch created"), CheckState.ADVICE, _("the study has changed since"))
    return ChecklistEntry(_("Batch created"), CheckState.DONE, _("same content as the study"))


def _tasks(state: RunState) -> ChecklistEntry:
    batch = state.own
    if batch is None or batch.status not in (BatchStatus.READY, BatchStatus.ERROR):
        return ChecklistEntry(_("Tasks created"), CheckState.LATER, _not_yet(state))
    if batch.status == BatchStatus.ERROR:
        return ChecklistEntry(_("Tasks created"), CheckState.ERROR, _("the service could not create them"))
    if state.is_outdated:
        return ChecklistEntry(_("Tasks created"), CheckState.ADVICE, _("before the batch was updated"))
    return ChecklistEntry(_("Tasks created"), CheckState.DONE, task_summary(batch))


def _answers(state: RunState) -> ChecklistEntry:
    done, total = state.answers
    if not done:
        no_answers = _not_yet(state) if state.is_unfetched else _("no answers yet")
        return ChecklistEntry(_("Rehearsed"), CheckState.LATER, no_answers)
    detail = ngettext("{done} of {total} group", "{done} of {total} groups", total)
    detail = detail.format(done=number(done), total=number(total))
    return ChecklistEntry(_("Rehearsed"), CheckState.DONE if done == total else CheckState.LATER, detail)


def _not_yet(state: RunState) -> str:
    """The text for a missing batch; one that was not fetched yet may exist."""
    return _("not known yet") if state.is_unfetched else _("not yet")
