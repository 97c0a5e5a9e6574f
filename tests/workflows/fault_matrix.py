"""The fault matrix: every kind of fault at every request of a complete study, once or lasting."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import product, repeat
from pathlib import Path

from batchwright.api.retry import RetryPolicy
from batchwright.service.process import ServiceAddress
from tests.fakes.faulty_proxy import Fault, FaultyProxy
from tests.workflows.whole_flow import MORE, RECORDS, Flow, StoredState, stored_state

REQUESTS = 27
"""How many requests the flow has, give or take a look at a job."""
PROVED = ("The report", "The export")
"""How a sentence begins that tells of a file which is not what it should be."""
_TRIES = 4
_CLOCKS = frozenset({Fault.CLOCK_AHEAD, Fault.CLOCK_BEHIND})
_ANSWERS = frozenset(
    {
        Fault.FORBIDDEN,
        Fault.GARBAGE,
        Fault.EXPIRED,
        Fault.SIGN_IN_PAGE,
        Fault.NO_SUCH_PAGE,
        Fault.ELSEWHERE,
    }
)
"""Answers that asking again would not mend, for all that a client can tell."""


class Outcome(Enum):
    """How a study came to its end."""

    COMPLETE = auto()
    """As if nothing had happened."""
    WENT_ON = auto()
    """It stopped with a sentence, and went on when it was begun again."""
    NOT_REACHED = auto()
    """The flow had fewer requests, since a job was done sooner."""


@dataclass(frozen=True)
class Case:
    """What goes wrong, from which request on, and whether only there."""

    error: Fault
    nth: int
    is_lasting: bool

    @property
    def may_stop(self) -> bool:
        """Whether it is right to stop and say so; all else is to be got over by itself."""
        return self.error in _ANSWERS or (self.is_lasting and self.error not in _CLOCKS)

    def __str__(self) -> str:
        return f"{self.error.name}-{self.nth}{'-lasting' if self.is_lasting else ''}"


def every_case() -> Iterator[Case]:
    """The whole matrix."""
    for error, nth, is_lasting in product(Fault, range(1, REQUESTS + 1), (False, True)):
        yield Case(error, nth, is_lasting)


def carried_through(case: Case, running: ServiceAddress, service_folder: Path, folder: Path) -> Outcome:
    """Carry a study through as far as it goes; after a stop mend what is wrong, and go on; look at all."""
    flow = Flow(running, folder)
    with FaultyProxy(running.url, case.error, case.nth, is_lasting=case.is_lasting) as proxy:
        asks = RetryPolicy(delays=lambda: repeat(0.0, _TRIES - 1), sleep=proxy.sleep)
        stopped = flow.go_on(proxy.url, asks)
        if stopped:
            assert proxy.struck, stopped
            assert "has stopped: " in stopped or stopped.startswith(PROVED), stopped
            proxy.mend()
            assert not flow.go_on(proxy.url, asks)
    judge(stored_state(service_folder, flow.name), [*flow.messages, stopped])
    if not proxy.struck:
        return Outcome.NOT_REACHED
    return Outcome.WENT_ON if stopped else Outcome.COMPLETE


def judge(stands: StoredState, messages: Iterable[str]) -> None:
    """That the service has everything once, but for what cannot be looked for there: that was told."""
    text = " ".join(messages)
    assert stands.records == ((*RECORDS, *MORE),)
    assert stands.imports == ("complete",)
    assert stands.batches == (("READY", 1, len(RECORDS) + len(MORE), 2, 9),)
    assert not stands.empty_datasets or "may remain" in text or "/datasets was lost" in text
    assert stands.feedback == 1 or (stands.feedback == 2 and "Sending the feedback has stopped" in text)
