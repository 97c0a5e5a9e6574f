"""The fault matrix: every kind of fault at every request of a complete study, once or lasting."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import product, repeat
from pathlib import Path

from batchwright.api.http.retry import RetryPolicy
from batchwright.service.process import ServiceAddress
from tests.fakes.faulty_proxy import Fault, FaultyProxy
from tests.workflows.whole_flow import MORE, RECORDS, Flow, StoredState, stored_state

REQUESTS = 27
"""How many requests the flow has; the number of polls of a job varies."""
FAILED_CHECKS = ("The report", "The export")
"""How the message about a file that fails verification starts."""
_ATTEMPTS = 4
_CLOCKS = frozenset({Fault.CLOCK_AHEAD, Fault.CLOCK_BEHIND})
_FINAL_ERRORS = frozenset(
    {
        Fault.FORBIDDEN,
        Fault.INVALID_JSON,
        Fault.EXPIRED,
        Fault.SIGN_IN_PAGE,
        Fault.NO_SUCH_PAGE,
        Fault.REDIRECT,
    }
)
"""Responses that, for all that a client can know, repeating the request would not change."""


class Outcome(Enum):
    """How a study ended."""

    COMPLETE = auto()
    """As if nothing had happened."""
    RESUMED = auto()
    """It stopped with a message, and was completed when it was started again."""
    NOT_REACHED = auto()
    """The flow had fewer requests because a job ended sooner."""


@dataclass(frozen=True)
class Case:
    """What goes wrong, from which request on, and whether only there."""

    error: Fault
    nth: int
    is_lasting: bool

    @property
    def may_stop(self) -> bool:
        """Whether the flow may stop with a message; it must recover from all other errors by itself."""
        return self.error in _FINAL_ERRORS or (self.is_lasting and self.error not in _CLOCKS)

    def __str__(self) -> str:
        return f"{self.error.name}-{self.nth}{'-lasting' if self.is_lasting else ''}"


def every_case() -> Iterator[Case]:
    """Every case of the matrix."""
    for error, nth, is_lasting in product(Fault, range(1, REQUESTS + 1), (False, True)):
        yield Case(error, nth, is_lasting)


async def run_case(case: Case, running: ServiceAddress, service_folder: Path, folder: Path) -> Outcome:
    """Run a study until it stops, remove the fault, and resume it; then check the final state."""
    flow = Flow(running, folder)
    with FaultyProxy(running.url, case.error, case.nth, is_lasting=case.is_lasting) as proxy:
        retry_policy = RetryPolicy(delays=lambda: repeat(0.0, _ATTEMPTS - 1), sleep=proxy.sleep)
        message = await flow.resume(proxy.url, retry_policy)
        if message:
            assert proxy.fault_count, message
            assert "has stopped: " in message or message.startswith(FAILED_CHECKS), message
            proxy.clear_fault()
            assert not await flow.resume(proxy.url, retry_policy)
    check_final_state(stored_state(service_folder, flow.name), [*flow.messages, message])
    if not proxy.fault_count:
        return Outcome.NOT_REACHED
    return Outcome.RESUMED if message else Outcome.COMPLETE


def check_final_state(state: StoredState, messages: Iterable[str]) -> None:
    """Check that the service has everything once; what the client cannot look up must have been reported."""
    text = " ".join(messages)
    assert state.records == ((*RECORDS, *MORE),)
    assert state.imports == ("complete",)
    assert state.batches == (("READY", 1, len(RECORDS) + len(MORE), 2, 9),)
    assert not state.empty_datasets or "may remain" in text or "/datasets was lost" in text
    assert state.feedback == 1 or (state.feedback == 2 and "Sending the feedback has stopped" in text)
