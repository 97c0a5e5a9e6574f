"""Batches as a kind of resource that a study is sent as."""

from batchwright.base.i18n import N_
from batchwright.client.batch_content import DesiredBatch
from batchwright.client.context import WorkflowContext
from batchwright.client.task_layouts import has_earlier_tasks
from batchwright.local.projects import StudyKind
from batchwright.ui.publishing.publishable import Publishable, PublishingTexts
from batchwright.ui.review.rows import place_text
from batchwright.ui.run.publish_dialogs import conflict_texts, update_texts
from batchwright.wire.batches import Batch
from batchwright.workflows.answers.count_answers import count_batch_answers
from batchwright.workflows.publishing.open_as_study import study_from_batch
from batchwright.workflows.publishing.publish_batch import (
    create_or_update_batch,
    fetch_with_answer_count,
)
from batchwright.workflows.rehearsal.simulate import fetch_batch_link


async def _has_earlier_tasks(context: WorkflowContext, batch: Batch, is_live: bool) -> bool:
    return await has_earlier_tasks(context, batch, is_live=is_live)


BATCH: Publishable[Batch, DesiredBatch] = Publishable(
    kind=StudyKind.BATCH,
    texts=PublishingTexts(
        checking=N_("Checking the batch"),
        creating=N_("Creating the batch"),
        created=N_("Batch created"),
        updating=N_("Updating the batch"),
        updated=N_("Batch updated"),
        exists=N_("This batch already exists"),
        send_changes=N_("“{name}” has an earlier version of the study. Update it to send the changes."),
        opening=N_("Opening the batch"),
        not_here=N_("The batch of this study is not {here}."),
    ),
    fetch=fetch_with_answer_count,
    count_answers=count_batch_answers,
    send=create_or_update_batch,
    has_earlier_tasks=_has_earlier_tasks,
    conflict_texts=conflict_texts,
    update_texts=update_texts,
    read_study=study_from_batch,
    fetch_link=fetch_batch_link,
    place=place_text,
)
