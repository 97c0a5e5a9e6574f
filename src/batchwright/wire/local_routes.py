"""Routes under `/local/v1/` that only the service on this computer has."""

import hashlib
import re
from typing import Annotated

from pydantic import Field

from batchwright.wire.base import RawJson, RawObject, RequestBody, ResponseBody
from batchwright.wire.ids import Timestamp

_SIMULATED = re.compile(r"51b0[0-9a-f]{20}")


class Participation(ResponseBody):
    """GET `batches/{id}/participation`, or of a collection: the link that participants open."""

    url: str = Field(repr=False)


class AnnotatorsPerTask(RequestBody):
    """PUT `batches/{id}/annotators-per-task`, answered with the same: how many people get each group."""

    annotators_per_task: Annotated[int, Field(ge=1)]


class ShuffleSeed(RequestBody):
    """PUT `batches/{id}/shuffle-seed`, answered with the same: what the next setup draws its groups from."""

    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)]


class GroupProgress(ResponseBody):
    """How far one task group has come: submissions completed, and begun within the hour."""

    group_id: str
    task_count: int = 0
    completed: int = 0
    in_progress: int = 0
    annotators_per_task: int = 1


class Progress(ResponseBody):
    """GET `batches/{id}/progress`: every task group of the latest setup."""

    groups: tuple[GroupProgress, ...] = ()


class PreviewRequest(RequestBody):
    """POST `previews`: one page of a layout, counted from 0, as participants would see it."""

    batch_items: RawJson
    page: Annotated[int, Field(ge=0)] = 0
    schema_: RawObject | None = Field(default=None, alias="schema")
    record: RawObject | None = None
    """The values of the dataset fields, by key."""


class Preview(ResponseBody):
    """The answer to `POST previews`: a link that stores nothing and ends by itself."""

    url: str = Field(repr=False)
    expires_at: Timestamp | None = None


def simulated_participant(seed: int, number: int) -> str:
    """The id of a simulated participant: 24 hex digits that begin with `51b0`.

    Depends on the seed of a rehearsal and the participant's number in it, and on nothing else.
    """
    return "51b0" + hashlib.sha256(f"{seed}:{number}".encode()).hexdigest()[:20]


def is_simulated(participant_id: str) -> bool:
    """Whether a participant is a simulated one, by the id alone."""
    return _SIMULATED.fullmatch(participant_id) is not None
