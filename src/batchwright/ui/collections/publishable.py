"""Collections as a kind of resource that a study is sent as."""

from batchwright.base.i18n import N_
from batchwright.client.collection_content import DesiredCollection
from batchwright.client.context import WorkflowContext
from batchwright.local.projects import StudyKind
from batchwright.ui.collections.dialogs import conflict_texts, update_texts
from batchwright.ui.publishing.publishable import Publishable, PublishingTexts
from batchwright.ui.review.rows import item_place_text
from batchwright.wire.collections import Collection
from batchwright.workflows.answers.count_answers import count_collection_answers
from batchwright.workflows.publishing.open_as_study import study_from_collection
from batchwright.workflows.publishing.publish_collection import (
    create_or_replace_collection,
    fetch_with_answer_count,
)
from batchwright.workflows.rehearsal.simulate import fetch_collection_link


async def _has_earlier_tasks(_context: WorkflowContext, _collection: Collection, _is_live: bool) -> bool:
    """A collection has no tasks."""
    return False


COLLECTION: Publishable[Collection, DesiredCollection] = Publishable(
    kind=StudyKind.COLLECTION,
    texts=PublishingTexts(
        checking=N_("Checking the collection"),
        creating=N_("Creating the collection"),
        created=N_("Collection created"),
        updating=N_("Saving the collection"),
        updated=N_("Collection saved"),
        exists=N_("This collection already exists"),
        send_changes=N_(
            "“{name}” has an earlier version of the study. Save it to the service to send the changes."
        ),
        opening=N_("Opening the collection"),
        not_here=N_("The collection of this study is not {here}."),
    ),
    fetch=fetch_with_answer_count,
    count_answers=count_collection_answers,
    send=create_or_replace_collection,
    has_earlier_tasks=_has_earlier_tasks,
    conflict_texts=conflict_texts,
    update_texts=update_texts,
    read_study=study_from_collection,
    fetch_link=fetch_collection_link,
    place=item_place_text,
)
