"""The content of a batch, and the comparison of a batch with what its study defines.

A batch cannot simply be compared with what was sent: services store Markdown as HTML, a hosted one may render
it differently from `layout.rich_text`, and another person may have changed the batch. A study therefore
records digests of what it last sent and of what the service returned then (`local.projects.LastSent`). While
the batch is still what was returned, it is up to date if the study is still what was sent. If nothing is
recorded, the batch is compared with what the service on this computer would store.

`LastSent` contains digests of `BatchContent` and is stored in study files: if the text that
`stored_form.canonical` returns changes, every batch is shown as changed once.
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
    """The state that a batch should have.

    `ids` are the service's ids of layout nodes by key, as far as they are known; `schema` is the study's
    schema, which the dataset must have too.
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
    """Task name, introduction and steps; other keys that a service may return are not compared."""
    dataset_ids: tuple[str, ...]
    layout: str

    @property
    def digest(self) -> str:
        """The SHA-256 of the content, in hexadecimal."""
        return hashlib.sha256(to_json(list(astuple(self))).encode()).hexdigest()

    def has_same_content(self, other: "BatchContent") -> bool:
        """Whether tasks created from both would have the same datasets and the same layout."""
        return (self.dataset_ids, self.layout) == (other.dataset_ids, other.layout)

    def is_named_like(self, other: "BatchContent") -> bool:
        """Whether both have the same name, task details and datasets; layouts are not compared."""
        return (self.name, self.details, self.dataset_ids) == (other.name, other.details, other.dataset_ids)


class ContentComparison(Enum):
    """The result of comparing a batch with its study."""

    UP_TO_DATE = auto()
    STUDY_CHANGED = auto()
    """The study differs from what was last sent."""
    BATCH_CHANGED = auto()
    """The batch differs from what the service last returned.

    Another person, or another copy of the study, has changed it.
    """


def desired_batch(project: Project, dataset_id: str, ids: Mapping[str, str] | None = None) -> DesiredBatch:
    """Return the batch that a study defines."""
    name, details = batch_name(project), task_details(project)
    return DesiredBatch(name, details, project.layout, dataset_id, ids or {}, project.schema)


def batch_name(project: Project) -> str:
    """Return the name of a study's batch."""
    return project.name or _("Untitled study")


def task_details(project: Project) -> TaskDetails:
    """Return the task details of a study; a task without a name gets the name of the study."""
    texts = project.details
    return texts if texts.task_name.strip() else texts.model_copy(update={"task_name": batch_name(project)})


def content_of(batch: Batch) -> BatchContent:
    """Return the content of a batch as the service returned it."""
    texts = batch.task_details
    details = (texts.task_name, texts.task_introduction, texts.task_steps) if texts else ("", "", "")
    layout = read(items_of(batch), sequential_keys())
    return BatchContent(
        batch.name, details, tuple(dataset.id for dataset in batch.datasets), canonical(layout)
    )


def content_sent(desired: DesiredBatch) -> BatchContent:
    """Return the content of the request that creates or updates a batch, with Markdown as written."""
    return _content(desired, desired.layout)


def content_stored(desired: DesiredBatch) -> BatchContent:
    """Return `content_sent` as the service on this computer would store it."""
    return _content(desired, as_stored(desired.layout))


def last_sent(sent: str, batch: Batch) -> LastSent:
    """Return the record of a batch just returned by the service; `sent` is the digest of `content_sent`."""
    return LastSent(sent, content_of(batch).digest, datetime.now(UTC).isoformat(timespec="seconds"))


def compare(batch: Batch, desired: DesiredBatch, last: LastSent | None) -> ContentComparison:
    """Return whether a batch is up to date, and if not, whether it or the study changed since `last`."""
    current = content_of(batch)
    is_as_returned = last is not None and last.returned == current.digest
    if last is not None and is_as_returned and last.sent == content_sent(desired).digest:
        return ContentComparison.UP_TO_DATE  # without rendering anything
    if current == content_stored(desired):
        return ContentComparison.UP_TO_DATE
    return (
        ContentComparison.STUDY_CHANGED if last is None or is_as_returned else ContentComparison.BATCH_CHANGED
    )


def items_of(batch: Batch) -> list[Json]:
    """Return the pages of a batch; a legacy batch has none."""
    return list(batch.batch_items) if is_array(batch.batch_items) else []


def _content(desired: DesiredBatch, layout: Layout) -> BatchContent:
    texts = desired.details
    details = texts.task_name, texts.task_introduction, texts.task_steps
    return BatchContent(desired.name, details, (desired.dataset_id,), canonical(layout))
