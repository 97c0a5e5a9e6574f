"""What a study needs on its way to answers, and what of it is there."""

from dataclasses import dataclass
from enum import Enum

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number, records, short
from batchwright.ui.run.batch_operations import made_of
from batchwright.ui.run.state import RunViewModel
from batchwright.wire.batches import BatchStatus
from batchwright.workflows.batch_content import Comparison


class Mark(Enum):
    """How one line stands, as glyph and token."""

    THERE = ("check-circle-fill", "ok")
    ADVICE = ("warning-fill", "warn")
    FAULT = ("warning-circle-fill", "err")
    GOING = ("hourglass-medium", "question")
    LATER = ("circle-dashed", "text3")


@dataclass(frozen=True)
class Check:
    """One thing that is needed, and what is there."""

    what: str
    mark: Mark
    found: str


def checks(model: RunViewModel) -> tuple[Check, ...]:
    """The lines for a study, in the order in which they come about."""
    lines = [_layout(model), _data(model), _details(model), _batch(model), _tasks(model)]
    if not model.session.is_live:
        lines.append(_answers(model))
    return tuple(lines)


def _layout(model: RunViewModel) -> Check:
    pages, _items = model.pages_and_items
    if model.errors:
        words = ngettext("{count} problem", "{count} problems", model.errors).format(count=model.errors)
        return Check(_("Layout accepted"), Mark.FAULT, words)
    if not pages:
        return Check(_("Layout accepted"), Mark.LATER, _("empty"))
    mark = Mark.THERE if model.batch is not None and model.is_as_sent else Mark.LATER
    found = _("by the service") if mark is Mark.THERE else _("no problems found here")
    return Check(_("Layout accepted"), mark, found)


def _data(model: RunViewModel) -> Check:
    if not model.remote.has_data:
        return Check(_("Dataset imported"), Mark.LATER, _("not yet"))
    if model.schema_differs:
        return Check(_("Dataset imported"), Mark.ADVICE, _("has another schema than the study"))
    data = model.study.data
    found = records(model.records) if model.records else short(model.remote.dataset_id or "")
    return Check(_("Dataset imported"), Mark.THERE, f"{data.path.name}, {found}" if data else found)


def _details(model: RunViewModel) -> Check:
    given = model.study.details
    if given.task_introduction.strip() and given.task_steps.strip():
        return Check(_("Task details written"), Mark.THERE, model.details.task_name)
    return Check(_("Task details written"), Mark.ADVICE, _("introduction or steps are empty"))


def _batch(model: RunViewModel) -> Check:
    if model.is_lost:
        return Check(_("Batch created"), Mark.FAULT, _("the service does not have it any more"))
    if model.batch is None:
        return Check(_("Batch created"), Mark.LATER, _not_yet(model))
    if model.comparison is Comparison.BATCH_CHANGED:
        return Check(_("Batch created"), Mark.ADVICE, _("changed elsewhere since it was sent"))
    if not model.is_as_sent:
        return Check(_("Batch created"), Mark.ADVICE, _("the study has changed since"))
    return Check(_("Batch created"), Mark.THERE, short(model.batch.id))


def _tasks(model: RunViewModel) -> Check:
    batch = model.batch
    if batch is None or batch.status not in (BatchStatus.READY, BatchStatus.ERROR):
        return Check(_("Tasks created"), Mark.LATER, _not_yet(model))
    if batch.status == BatchStatus.ERROR:
        return Check(_("Tasks created"), Mark.FAULT, _("the service could not make them"))
    if model.is_outdated:
        return Check(_("Tasks created"), Mark.ADVICE, _("before the batch was updated"))
    return Check(_("Tasks created"), Mark.THERE, made_of(batch))


def _answers(model: RunViewModel) -> Check:
    done, wanted = model.answers
    if not done:
        nobody = _not_yet(model) if model.is_unseen else _("nobody has answered yet")
        return Check(_("Rehearsed"), Mark.LATER, nobody)
    found = _("{done} of {wanted} groups").format(done=number(done), wanted=number(wanted))
    return Check(_("Rehearsed"), Mark.THERE if done == wanted else Mark.LATER, found)


def _not_yet(model: RunViewModel) -> str:
    """What is said of a batch that is not there; one that nobody has seen yet may be."""
    return _("not known yet") if model.is_unseen else _("not yet")
