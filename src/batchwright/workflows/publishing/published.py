"""What publishing returns for a batch and for a collection."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from batchwright.local.projects import LastSent

R = TypeVar("R")


@dataclass(frozen=True)
class WithAnswerCount(Generic[R]):
    """A batch or collection as the service has it now; `answers` is None if they could not be counted."""

    resource: R
    answers: int | None


@dataclass(frozen=True)
class Published(Generic[R]):
    """A batch or collection as the service has it now, its ids of nodes by key, and what was sent.

    `is_earlier` is True if an earlier attempt had created it, from an older version of the study.
    """

    resource: R
    ids: Mapping[str, str]
    last_sent: LastSent
    is_earlier: bool = False
