"""The dialogs before a batch is created or updated.

An update is reviewed: what changes, for which tasks, and what happens to answers.
"""

from batchwright.base.i18n import _
from batchwright.client.content_review import ContentReview
from batchwright.layout.nodes import NodePath
from batchwright.ui.connections.labels import live_phrase
from batchwright.ui.publishing.publishable import UpdateTexts
from batchwright.ui.review.conflict_dialog import ConflictTexts
from batchwright.ui.run.alternatives import Alternative, AlternativesDialog
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog, info_row
from batchwright.wire.batches import Batch


def create_dialog(name: str, service: str) -> Dialog:
    """The confirmation before a batch is created at a live service."""
    dialog = Dialog(
        _("Create the batch “{name}”?").format(name=name),
        _("Creates a batch with the layout and the dataset. No tasks are created yet."),
        _("Create batch"),
        ButtonKind.LIVE,
        help_address="run.md#create-the-batch",
    )
    dialog.warn_if_live(service)
    return dialog


class CreateWithoutDataDialog(AlternativesDialog):
    """The confirmation before a batch without a dataset is created: what it lacks, and alternatives.

    Args:
        name: name of the batch.
        live: name of the live service; empty for the service on this computer.
    """

    help_address = "run.md#create-the-batch"

    def __init__(self, name: str, live: str) -> None:
        super().__init__(
            _("Create the batch “{name}” without data?").format(name=name),
            _("The layout shows no fields of a dataset, so the batch can be created without one."),
            _("Create batch"),
            ButtonKind.LIVE if live else ButtonKind.PRIMARY,
            width=WIDE,
        )
        self.add(
            info_row(
                _(
                    "Tasks are created from the records of a dataset, one for each. The batch cannot be set "
                    "up until a dataset is attached, which can be done later."
                )
            ),
            info_row(_("To ask every participant the same questions once, without data, use a collection.")),
        )
        self.warn_if_live(live)
        self.add_alternatives((Alternative.DATA, Alternative.CONVERT))


def update_texts(batch: Batch, review: ContentReview, live: str) -> UpdateTexts:
    """The texts of the review of an update; `live` is empty for the service on this computer."""
    text = _("The batch “{name}” {there} is updated to match the study.")
    return UpdateTexts(
        text.format(name=batch.name, there=live_phrase(live)),
        _("Update batch"),
        _effect_notes(batch, review, live),
        _consequence(review, live),
    )


def instructions_texts(batch: Batch, review: ContentReview, live: str) -> UpdateTexts:
    """The texts of the review of the instructions of a legacy batch; see `update_texts`."""
    text = _("The instructions of the batch “{name}” {there} are replaced.")
    return UpdateTexts(
        text.format(name=batch.name, there=live_phrase(live)),
        _("Replace instructions"),
        _effect_notes(batch, review, live),
        _consequence(review, live),
    )


def instruction_place(path: NodePath) -> str:
    """The place of an instruction of a legacy batch, whose instructions are rows of one page."""
    if path.row is None:
        return _("Instructions")
    return _("Instruction {number}").format(number=path.row + 1)


def conflict_texts(name: str, since: str, live: str) -> ConflictTexts:
    """The texts of the dialog about changes that others have made to the batch.

    Args:
        name: the name of the batch.
        since: when the study was last sent; empty if that is unknown.
        live: name of the live service; empty for the service on this computer.
    """
    text = _("Someone else, or another copy of the study, has changed the batch {there}.")
    if since:
        text = _(
            "Someone else, or another copy of the study, has changed the batch {there} since this study last "
            "sent it ({time})."
        )
    return ConflictTexts(
        _("“{name}” was changed elsewhere").format(name=name),
        text.format(there=live_phrase(live), time=since),
        _("Keep my version as a new batch"),
        _("The existing batch keeps their version, tasks and answers."),
    )


def instructions_conflict_texts(name: str, live: str) -> ConflictTexts:
    """The texts of the dialog about changes that others have made to the instructions of a legacy batch.

    Args:
        name: the name of the batch.
        live: name of the live service; empty for the service on this computer.
    """
    text = _("Someone else has changed the instructions {there} since you opened them.")
    return ConflictTexts(
        _("The instructions of “{name}” were changed elsewhere").format(name=name),
        text.format(there=live_phrase(live)),
        _("Keep my version as a new batch"),
        _("Creates a copy of the batch. The existing one keeps their instructions and answers."),
        _("It replaces yours in the dialog. Your changes are discarded."),
    )


def _effect_notes(batch: Batch, review: ContentReview, live: str) -> tuple[str, ...]:
    """When participants see the changes (specification, Batches rule 4; wire reference, section 5.4)."""
    notes: list[str] = []
    if not batch.total_task_count:
        return (_("There are no tasks yet: those that the setup creates have these changes."),)
    if review.changes_tasks and live:
        notes.append(
            _(
                "Existing tasks may stay as they are until tasks are set up again: {service} does not say "
                "when it shows changes to participants."
            ).format(service=live)
        )
    elif review.changes_tasks:
        notes.append(_("Existing tasks stay as they are until tasks are set up again."))
    if any(change.attribute != "name" for change in review.texts):
        notes.append(_("Participants see the new task details at once."))
    return tuple(notes)


def _consequence(review: ContentReview, live: str) -> str:
    if not (review.changes_tasks and live):
        return _("Answers are kept, and stay in the report.")
    text = _(
        "Answers are kept. Once tasks are set up again, {service} may leave these answers out of the report; "
        "the export keeps them."
    )
    return text.format(service=live)
