"""The matrix of faults: each of them at each request of a whole study, once or until it is mended."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import product, repeat
from pathlib import Path

from batchwright.api.retrying import Patience
from batchwright.service.host import Running
from tests.fakes.faulty_proxy import Fault, FaultyProxy
from tests.workflows.whole_flow import MORE, RECORDS, Flow, Standing, standing

REQUESTS = 26
"""How many requests the flow has at least, with those looks at jobs that a quick service needs."""
PROVED = ("The report", "The export")
"""How a sentence begins that tells of a file which is not what it should be."""
_TRIES = 4
_CARRIED_OUT = frozenset(
    {
        Fault.RESET_AFTER,
        Fault.CUT,
        Fault.STALL,
        Fault.FAULT,
        Fault.BAD_GATEWAY,
        Fault.GARBAGE,
    }
)
"""After which nobody knows whether the request was carried out."""


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

    fault: Fault
    nth: int
    is_lasting: bool

    def __str__(self) -> str:
        return f"{self.fault.name}-{self.nth}{'-lasting' if self.is_lasting else ''}"


def every_case() -> Iterator[Case]:
    """The whole matrix."""
    for fault, nth, is_lasting in product(Fault, range(1, REQUESTS + 1), (False, True)):
        yield Case(fault, nth, is_lasting)


def carried_through(case: Case, running: Running, service_folder: Path, folder: Path) -> Outcome:
    """Carry a study through as far as it goes; after a stop mend what is wrong, and go on; look at all."""
    flow = Flow(running, folder)
    with FaultyProxy(running.url, case.fault, case.nth, is_lasting=case.is_lasting) as proxy:
        asks = Patience(pauses=lambda: repeat(0.0, _TRIES - 1), sleep=proxy.sleep)
        outcome = Outcome.COMPLETE
        said = flow.go_on(proxy.url, asks)
        if said:
            assert proxy.struck, said
            assert "has stopped: " in said or said.startswith(PROVED), said
            outcome = Outcome.WENT_ON
            proxy.mend()
            said = flow.go_on(proxy.url, asks)
        assert not said
        first = proxy.calls[case.nth - 1] if len(proxy.calls) >= case.nth else ""
        outcome = outcome if proxy.struck else Outcome.NOT_REACHED
    judge(case, standing(service_folder, flow.name), first)
    return outcome


def judge(case: Case, stands: Standing, call: str) -> None:
    """That the service has everything once; `call` is the first request that went wrong."""
    is_unsure = case.fault in _CARRIED_OUT
    assert stands.records == ((*RECORDS, *MORE),)
    assert stands.imports == ("complete",)
    assert stands.batches == (("READY", 1, len(RECORDS) + len(MORE), 2, 9),)
    # No list of datasets exists in which the one could be found whose answer was lost.
    assert not stands.empty_datasets or (is_unsure and call.endswith("/datasets"))
    # Nor is there one of feedback files: one whose answers were lost is sent again when that is asked for.
    assert stands.feedback == 1 or (stands.feedback == 2 and is_unsure and case.is_lasting)
