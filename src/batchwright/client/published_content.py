"""The content that a study has in common with its batch or collection, and the comparison of both.

What a service has cannot simply be compared with what was sent: services store Markdown as HTML, a hosted one
may render it differently from `layout.rich_text`, and another person may have changed it. A study therefore
records digests of what it last sent and of what the service returned then (`local.projects.LastSent`). While
the service still has what it returned, it is up to date if the study is still what was sent. If nothing is
recorded, it is compared with what the service on this computer would store.

`LastSent` contains digests of `PublishedContent` and is stored in study files: if the text that
`stored_form.canonical` returns changes, every batch and collection is shown as changed once.
"""

import hashlib
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from typing import Protocol

from batchwright.base.i18n import _
from batchwright.base.json_values import to_json
from batchwright.base.text import is_blank
from batchwright.layout.model import Layout
from batchwright.layout.stored_form import as_stored
from batchwright.local.projects import UNTITLED, LastSent, Project, study_name
from batchwright.wire.batches import TaskDetails, TaskDetailsResponse


@dataclass(frozen=True)
class PublishedContent:
    """Name, task details, datasets and layout (`stored_form.canonical`), without the ids in the layout."""

    name: str
    details: tuple[str, str, str]
    """Task name, introduction and steps; other keys that a service may return are not compared."""
    dataset_ids: tuple[str, ...]
    """The datasets of a batch; empty for a collection."""
    layout: str

    @property
    def digest(self) -> str:
        """The SHA-256 of the content, in hexadecimal."""
        return hashlib.sha256(to_json(list(astuple(self))).encode()).hexdigest()

    def has_same_content(self, other: "PublishedContent") -> bool:
        """Whether participants would get the same datasets and the same layout from both."""
        return (self.dataset_ids, self.layout) == (other.dataset_ids, other.layout)

    def is_named_like(self, other: "PublishedContent") -> bool:
        """Whether both have the same name, task details and datasets; layouts are not compared."""
        return (self.name, self.details, self.dataset_ids) == (other.name, other.details, other.dataset_ids)


class ContentComparison(Enum):
    """The result of comparing what the service has with the study."""

    UP_TO_DATE = auto()
    STUDY_CHANGED = auto()
    """The study differs from what was last sent."""
    REMOTE_CHANGED = auto()
    """The service has something else than it last returned.

    Another person, or another copy of the study, has changed it.
    """


class DesiredState(Protocol):
    """The state that a batch or collection should have."""

    @property
    def layout(self) -> Layout:
        """The layout of the study."""

    def content(self, layout: Layout) -> PublishedContent:
        """The content with a layout that is written otherwise."""


def content_sent(desired: DesiredState) -> PublishedContent:
    """The content of the request that creates or updates it, with Markdown as written."""
    return desired.content(desired.layout)


def content_stored(desired: DesiredState) -> PublishedContent:
    """`content_sent` as the service on this computer would store it."""
    return desired.content(as_stored(desired.layout))


def compare_contents(
    current: PublishedContent, desired: DesiredState, last: LastSent | None
) -> ContentComparison:
    """Whether the service is up to date, and if not, whether it or the study changed since `last`.

    Args:
        current: what the service has.
        desired: what the study defines.
        last: what was last sent and returned; None if that is not known.
    """
    is_as_returned = last is not None and last.returned == current.digest
    if last is not None and is_as_returned and last.sent == content_sent(desired).digest:
        return ContentComparison.UP_TO_DATE  # without rendering anything
    if current == content_stored(desired):
        return ContentComparison.UP_TO_DATE
    return (
        ContentComparison.STUDY_CHANGED
        if last is None or is_as_returned
        else ContentComparison.REMOTE_CHANGED
    )


def record_sent(sent: str, returned: PublishedContent) -> LastSent:
    """The record of a request: the digest of what was sent, and what the service just returned."""
    return LastSent(sent, returned.digest, datetime.now(UTC).isoformat(timespec="seconds"))


def is_untitled(project: Project) -> bool:
    """Whether participants would read the title that every new study has."""
    return is_blank(project.details.task_name) and study_name(project) == _(UNTITLED)


def task_details(project: Project) -> TaskDetails:
    """The task details of a study; a task without a name gets the name of the study."""
    texts = project.details
    return texts.model_copy(update={"task_name": study_name(project)}) if is_blank(texts.task_name) else texts


def details_for_study(texts: TaskDetails, name: str, own: TaskDetails) -> TaskDetails:
    """The task details of a batch or collection for a study with the details `own`.

    A task name that the study leaves empty stays empty if it is only the `name` of the batch or collection.
    """
    is_default = texts.task_name == name and is_blank(own.task_name)
    return texts.model_copy(update={"task_name": own.task_name}) if is_default else texts


def details_of(texts: TaskDetails | TaskDetailsResponse | None) -> tuple[str, str, str]:
    """Task name, introduction and steps; empty texts for none."""
    return (texts.task_name, texts.task_introduction, texts.task_steps) if texts else ("", "", "")


def editable_details(texts: TaskDetailsResponse | None) -> TaskDetails:
    """The task details of a batch or collection for a study, without other keys."""
    name, introduction, steps = details_of(texts)
    return TaskDetails(task_name=name, task_introduction=introduction, task_steps=steps)
