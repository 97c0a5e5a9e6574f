"""Models of collections: pages of content and instructions without a dataset (wire reference, section 10).

Keys of page items that are not defined here are the same as in a layout (wire reference, section 6). They are
passed on unchanged, and validated by `layout`.
"""

from collections.abc import Sequence
from typing import Protocol, Self, TypeAlias, TypeVar

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from batchwright.base.i18n import _
from batchwright.wire.base import FilledArray, Name, Omittable, RequestBody, ResponseBody
from batchwright.wire.batches import FilledTaskDetails, TaskDetailsResponse
from batchwright.wire.ids import Timestamp
from batchwright.wire.responses import INSTRUCTION_TYPES, Response, ResponseRecord


class PageItemWrite(RequestBody):
    """A page item in a request; one without `id` is created. Instructions require an `order`."""

    type: str
    id: str | None = None
    order: Omittable[int] = None

    @model_validator(mode="after")
    def _order_of_instruction(self) -> Self:
        if self.type in INSTRUCTION_TYPES and self.order is None:
            raise PydanticCustomError("no_order", _("An instruction needs an order."))
        return self


class PageWrite(RequestBody):
    """A page in a request; one without `id` is created."""

    page_items: FilledArray[PageItemWrite]
    id: str | None = None
    order: Omittable[int] = None


class CollectionReplace(RequestBody):
    """PUT `/collections/{id}`: the complete collection, changed or not (wire reference, section 10.2)."""

    name: Name
    task_details: FilledTaskDetails
    collection_items: FilledArray[PageWrite]


class CollectionCreate(CollectionReplace):
    """POST `/collections` (wire reference, section 10.2)."""

    workspace_id: str


class PageItem(ResponseBody):
    """A page item; `parent_id` is the collection for instructions, the page for content."""

    id: str
    type: str
    created_at: Timestamp | None = None
    created_by: str | None = None
    parent_id: str | None = None
    parent_type: str | None = None
    schema_version: int | None = None
    order: int | None = None


class CollectionPage(ResponseBody):
    """A page of a collection."""

    id: str
    created_at: Timestamp | None = None
    created_by: str | None = None
    schema_version: int | None = None
    order: int | None = None
    page_items: tuple[PageItem, ...] = ()


class Collection(ResponseBody):
    """A collection (wire reference, section 10.1); in lists its pages may be missing."""

    id: str
    schema_version: int | None = None
    created_at: Timestamp | None = None
    created_by: str | None = None
    workspace_id: str = ""
    name: str = ""
    task_details: TaskDetailsResponse | None = None
    collection_items: tuple[CollectionPage, ...] | None = None
    """The pages; None in a list entry without them."""
    last_modified_at: Timestamp | None = None
    last_modified_by: str | None = None
    item_count: int | None = None

    @property
    def page_count(self) -> int | None:
        """Number of pages; None if the response does not contain it in any form."""
        return self.item_count if self.collection_items is None else len(self.collection_items)


class CollectionResponse(ResponseBody):
    """An entry of GET `/collections/{id}/responses`, which is optional (wire reference, section 10.3)."""

    id: str
    response: Response
    created_at: Timestamp | None = None
    collection_id: str | None = None
    participant_id: str = ""
    submission_id: str | None = None

    @property
    def task_id(self) -> None:
        """None: a collection has no tasks."""

    @property
    def metadata(self) -> None:
        """None: a collection has no data."""


AnswerRecord: TypeAlias = ResponseRecord | CollectionResponse
"""An answer to one instruction of a batch or of a collection."""


class Ordered(Protocol):
    """A page or page item of a request or response."""

    @property
    def order(self) -> int | None:
        """Its position, if given."""


T = TypeVar("T", bound=Ordered)


def with_order(entries: Sequence[T]) -> list[tuple[int, T]]:
    """Sort entries for display, each with its `order`, or its array index if it has none.

    Entries with the same order keep their relative position (wire reference, section 10.2).
    """
    ordered = [(place if entry.order is None else entry.order, entry) for place, entry in enumerate(entries)]
    return sorted(ordered, key=lambda item: item[0])


def sorted_by_order(entries: Sequence[T]) -> list[T]:
    """Sort entries for display."""
    return [entry for _order, entry in with_order(entries)]
