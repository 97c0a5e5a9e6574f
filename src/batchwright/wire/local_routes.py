"""Models of the routes below `/local/v1/`, which only the service on this computer has."""

import hashlib
import re
from typing import Annotated, Final, TypeAlias

from pydantic import Field

from batchwright.wire.base import JsonArray, RawJson, RawObject, RequestBody, ResponseBody
from batchwright.wire.ids import Timestamp

MAX_PLACE_TIMEOUT_MINUTES: Final = 7 * 24 * 60
MAX_LANGUAGE_TAG: Final = 35
"""Characters: what RFC 5646 recommends to support."""

LanguageTag: TypeAlias = Annotated[
    str, Field(pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", max_length=MAX_LANGUAGE_TAG)
]
"""A BCP 47 tag, such as `ar` or `pt-BR`."""

_SIMULATED = re.compile(r"51b0[0-9a-f]{20}")


class Participation(ResponseBody):
    """GET `batches/{id}/participation`, also for collections: the link that participants open."""

    url: str = Field(repr=False)


class AnnotatorsPerTask(RequestBody):
    """PUT `batches/{id}/annotators-per-task` and its response: annotators per task group."""

    annotators_per_task: Annotated[int, Field(ge=1)]


class ShuffleSeed(RequestBody):
    """PUT `batches/{id}/shuffle-seed` and its response: the random seed for groups of the next setup."""

    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)]


class PlaceTimeout(RequestBody):
    """PUT `batches/{id}/place-timeout` and its response: minutes of inactivity until a place is free.

    A place is one participant's share of a task group.
    """

    minutes: Annotated[int, Field(ge=1, le=MAX_PLACE_TIMEOUT_MINUTES)]


class ParticipantLanguage(RequestBody):
    """PUT `batches/{id}/language`, also for collections, and its response: that of the participant pages."""

    language: LanguageTag


class ReleasedPlaces(ResponseBody):
    """The response to POST `batches/{id}/release-places`: the number of places that became free."""

    released: int = 0


class GroupProgress(ResponseBody):
    """Progress of a task group: submissions that are completed, and those that hold a place unfinished."""

    group_id: str
    task_count: int = 0
    completed: int = 0
    in_progress: int = 0
    """Started, not finished, and active within the place timeout."""
    unanswered: int = 0
    """Those in progress without an answer."""
    annotators_per_task: int = 1


class Progress(ResponseBody):
    """GET `batches/{id}/progress`: all task groups of the latest setup, and the place timeout."""

    place_timeout_minutes: int = 60

    groups: tuple[GroupProgress, ...] = ()


class SetupLayout(ResponseBody):
    """GET `batches/{id}/setup-layout`: what the tasks of the latest setup show."""

    set_up: bool = False
    """Whether the batch was ever set up; the other values are empty until then."""
    batch_items: RawJson = None
    """The layout of the tasks, with the ids of the service; null for a legacy batch."""
    dataset_id: str | None = None
    """The dataset whose datapoints the tasks show."""


class PreviewRequest(RequestBody):
    """POST `previews`: a page of a layout, index from 0, to be shown as participants would see it."""

    batch_items: RawJson
    page: Annotated[int, Field(ge=0)] = 0
    schema_: RawObject | None = Field(default=None, alias="schema")
    record: RawObject | None = None
    """Values of the dataset fields, by key."""
    language: LanguageTag | None = None
    """The language of the study; that of the service if there is none."""


class Preview(ResponseBody):
    """The response to `POST previews`: a link that expires and under which no answers are stored."""

    url: str = Field(repr=False)
    expires_at: Timestamp | None = None


class MediaFolderSetting(RequestBody):
    """PUT `media-folders/{id}`: a folder of media files that records refer to."""

    folder: str = Field(min_length=1, repr=False)
    """The absolute path of the folder."""
    files: JsonArray[str] = Field(default=(), repr=False)
    """The files as paths with slashes; empty for all media in the folder."""


def simulated_participant(seed: int, number: int) -> str:
    """The id of a simulated participant: 24 hexadecimal digits that begin with `51b0`.

    It depends only on the seed of a rehearsal and the participant's number in it.
    """
    return "51b0" + hashlib.sha256(f"{seed}:{number}".encode()).hexdigest()[:20]


def is_simulated(participant_id: str) -> bool:
    """Whether a participant is simulated, judging by the id alone."""
    return _SIMULATED.fullmatch(participant_id) is not None
