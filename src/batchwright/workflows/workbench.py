"""What every workflow works with: the service, the memory of ids, patience, and someone to tell."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from batchwright.api.connection import Service
from batchwright.jobs.polling import backoff, poll
from batchwright.workflows.remembering import Memory

Tell = Callable[[str], None]
"""Is told in one sentence what has just happened or is about to."""


class Settling(Protocol):
    """Something seen at a service that is on its way until it is settled."""

    @property
    def settled(self) -> bool:
        """Whether there is nothing left to wait for."""
        ...


S = TypeVar("S", bound=Settling)


@dataclass(frozen=True)
class Workbench:
    """Handed to every workflow; `pauses` makes the pauses, in seconds, between two looks at a job."""

    service: Service
    workspace_id: str
    memory: Memory
    tell: Tell
    pauses: Callable[[], Iterable[float]] = backoff

    def watch(self, look: Callable[[], Awaitable[S]]) -> AsyncIterator[S]:
        """Every sight of a job, up to and with the one at which it is settled."""
        return poll(look, lambda seen: seen.settled, self.pauses())

    async def wait(self, look: Callable[[], Awaitable[S]]) -> S:
        """Look until the job is settled, and give the last sight of it."""
        return [seen async for seen in self.watch(look)][-1]
