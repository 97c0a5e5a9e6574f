"""What differs between batches and collections when a study is sent as one of them, as a value."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from batchwright.client.batch_content import DesiredBatch
from batchwright.client.collection_content import DesiredCollection
from batchwright.client.content_review import ContentReview
from batchwright.client.context import WorkflowContext
from batchwright.layout.nodes import NodePath
from batchwright.local.projects import Project, StudyKind
from batchwright.ui.review.conflict_dialog import ConflictTexts
from batchwright.wire.batches import Batch
from batchwright.wire.collections import Collection
from batchwright.workflows.publishing.published import Published, WithAnswerCount

R = TypeVar("R", Batch, Collection)
"""A batch or collection of the service."""
D = TypeVar("D", DesiredBatch, DesiredCollection)
"""What a study defines for it."""


@dataclass(frozen=True)
class UpdateTexts:
    """The texts of the review before an update is sent."""

    text: str
    """What is compared."""
    accept: str
    """The text of the button."""
    notes: tuple[str, ...]
    """When participants see the changes."""
    consequence: str
    """What happens to the answers."""


@dataclass(frozen=True)
class PublishingTexts:
    """The texts about a kind of resource; marked for translation, and translated where they are shown."""

    checking: str
    creating: str
    created: str
    updating: str
    updated: str
    exists: str
    """Title of the notice that it had been created from an earlier version of the study."""
    send_changes: str
    """Text of that notice, with its `name`."""
    opening: str
    not_here: str
    """Says that the study's does not exist at a connection, `here`."""


@dataclass(frozen=True)
class Publishable(Generic[R, D]):
    """How studies are compared with their batches or collections, and sent to them."""

    kind: StudyKind
    texts: PublishingTexts
    fetch: Callable[[WorkflowContext, str], Awaitable[WithAnswerCount[R]]]
    """Fetches one by its id, and counts its answers."""
    count_answers: Callable[[WorkflowContext, str], Awaitable[Mapping[str, int] | None]]
    """Counts its answers by the id of the instruction; None if that takes too long."""
    send: Callable[[WorkflowContext, D, R | None, str], Awaitable[Published[R]]]
    """Creates it, or updates the one given; the text is the id of an existing one that stays as it is."""
    has_earlier_tasks: Callable[[WorkflowContext, R, bool], Awaitable[bool]]
    """Whether participants get tasks from before it was updated; the flag is whether the service is live."""
    conflict_texts: Callable[[str, str, str], ConflictTexts]
    """Returns the texts about changes of others, for its name, when the study was last sent, and `live`."""
    update_texts: Callable[[R, ContentReview, str], UpdateTexts]
    """Returns the texts of the review, for the changes and `live`."""
    read_study: Callable[[WorkflowContext, str], Awaitable[Project]]
    """Returns a study with its content."""
    fetch_link: Callable[[WorkflowContext, str], Awaitable[str]]
    """Returns the address at which participants start, which the service on this computer has."""
    place: Callable[[NodePath], str]
    """Returns the text for the place of a node."""
