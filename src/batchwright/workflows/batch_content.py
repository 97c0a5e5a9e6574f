"""What a batch consists of, and the one comparison of a batch with what a study wants it to be.

A batch cannot simply be compared with what was sent: a service stores Markdown as HTML, and a hosted one may
render it differently from `layout.rich_text`. So a study records what it last sent and what the service
returned then (`local.projects.LastSent`). As long as the batch is still what was returned, it is up to date
when the study is still what was sent. Where nothing is recorded, the batch is compared with what the service
of this computer would store.

`LastSent` holds digests of `BatchContent`, and is kept in study files: another form of the text that
`stored_form.canonical` writes makes every batch look changed once.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from enum import Enum, auto

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array, to_json
from batchwright.layout.model import Layout
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.stored_form import as_stored, canonical
from batchwright.local.projects import LastSent, Project
from batchwright.schema.model import Schema
from batchwright.wire.batches import Batch, TaskDetails


@dataclass(frozen=True)
class DesiredBatch:
    """What a batch is to be.

    `ids` is what it calls the entries of the layout, as far as it is known; `schema` is that of the study,
    which the dataset has to have, too.
    """

    name: str
    details: TaskDetails
    layout: Layout
    dataset_id: str
    ids: Mapping[str, str] = field(default_factory=dict)
    schema: Schema | None = None


@dataclass(frozen=True)
class BatchContent:
    """Name, task details, datasets and layout (`stored_form.canonical`), without the ids in the layout."""

    name: str
    details: tuple[str, str, str]
    """Task name, introduction and steps; a service may return more keys than it was sent."""
    dataset_ids: tuple[str, ...]
    layout: str

    @property
    def digest(self) -> str:
        """SHA-256 of all of it, in hexadecimal."""
        return hashlib.sha256(to_json(list(astuple(self))).encode()).hexdigest()

    def has_same_content(self, other: "BatchContent") -> bool:
        """Whether tasks created from both would show and ask the same."""
        return (self.dataset_ids, self.layout) == (other.dataset_ids, other.layout)

    def is_named_like(self, other: "BatchContent") -> bool:
        """Whether both have the same name, task details and dataset, whatever their layouts."""
        return (self.name, self.details, self.dataset_ids) == (other.name, other.details, other.dataset_ids)


class ContentComparison(Enum):
    """How a batch relates to the study that it belongs to."""

    UP_TO_DATE = auto()
    STUDY_CHANGED = auto()
    """The study is not what the batch was sent last."""
    BATCH_CHANGED = auto()
    """The batch is not what the service returned last: another person or copy of the study changed it."""


def desired_batch(project: Project, dataset_id: str, ids: Mapping[str, str] | None = None) -> DesiredBatch:
    """What the batch of a study is to be."""
    name, details = batch_name(project), task_details(project)
    return DesiredBatch(name, details, project.layout, dataset_id, ids or {}, project.schema)


def batch_name(project: Project) -> str:
    """The name of the batch of a study."""
    return project.name or _("Untitled study")


def task_details(project: Project) -> TaskDetails:
    """What participants read first; a task without a name has that of the study."""
    given = project.details
    return given if given.task_name.strip() else given.model_copy(update={"task_name": batch_name(project)})


def content_of(batch: Batch) -> BatchContent:
    """What a batch consists of at the service."""
    given = batch.task_details
    details = (given.task_name, given.task_introduction, given.task_steps) if given else ("", "", "")
    layout = read(items_of(batch), sequential_keys())
    return BatchContent(
        batch.name, details, tuple(dataset.id for dataset in batch.datasets), canonical(layout)
    )


def content_sent(wanted: DesiredBatch) -> BatchContent:
    """What a request for a batch holds, its Markdown still Markdown."""
    return _content(wanted, wanted.layout)


def content_stored(wanted: DesiredBatch) -> BatchContent:
    """What the service would store of `content_sent`."""
    return _content(wanted, as_stored(wanted.layout))


def last_sent(sent: str, batch: Batch) -> LastSent:
    """The record of a batch that the service has just returned; `sent` is the digest of `content_sent`."""
    return LastSent(sent, content_of(batch).digest, datetime.now(UTC).isoformat(timespec="seconds"))


def compare(batch: Batch, wanted: DesiredBatch, last: LastSent | None) -> ContentComparison:
    """Whether a batch is what is wanted of it, and if not, which of the two has changed since `last`."""
    there = content_of(batch)
    is_as_returned = last is not None and last.returned == there.digest
    if last is not None and is_as_returned and last.sent == content_sent(wanted).digest:
        return ContentComparison.UP_TO_DATE  # without rendering anything
    if there == content_stored(wanted):
        return ContentComparison.UP_TO_DATE
    return (
        ContentComparison.STUDY_CHANGED if last is None or is_as_returned else ContentComparison.BATCH_CHANGED
    )


def items_of(batch: Batch) -> list[Json]:
    """The pages of a batch; none of a legacy one."""
    return list(batch.batch_items) if is_array(batch.batch_items) else []


def _content(wanted: DesiredBatch, layout: Layout) -> BatchContent:
    given = wanted.details
    details = given.task_name, given.task_introduction, given.task_steps
    return BatchContent(wanted.name, details, (wanted.dataset_id,), canonical(layout))
