"""Which statements of the specification the tests prove, as a part of pytest.

A test names what it proves: `@pytest.mark.spec("B-07", "B-08")`. It proves them for the side that
its folder stands for, see `SIDES_OF_ROOM`; a test elsewhere proves them for both sides, and so
does one that says so: `@pytest.mark.spec("B-07", sides="SC")`. A test whose marker names
an unknown id fails. `--spec-report` lists what no passed test has proved; a skipped
test proves nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

import pytest

from tests.spec_statements import STATEMENTS

SIDES: Final = {"S": "the service", "C": "the client"}

SIDES_OF_ROOM: Final = {"service": "S", "api": "C", "jobs": "C", "local": "C", "workflows": "C", "ui": "C"}
"""The folders below `tests` whose tests drive one side only."""

PROVED: Final = "spec"
"""The name under which a test's report carries its proofs, from xdist's workers too."""

Proof = tuple[str, str]
"""A statement's id, and the side for which it is proved."""


class SpecReport:
    """Gathers what the passed tests of one run have proved."""

    def __init__(self) -> None:
        self.proved: set[Proof] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            for name, proof in report.user_properties:
                if name == PROVED:
                    id, side = str(proof).split()
                    self.proved.add((id, side))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("statements of the specification")
        for line in lines(self.proved):
            terminalreporter.write_line(line)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--spec-report", action="store_true", help="list the statements that no test has proved")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--spec-report"):
        config.pluginmanager.register(SpecReport(), "spec-report")


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    for item in items:
        path = PurePosixPath(item.nodeid.partition("::")[0])
        for mark in item.iter_markers("spec"):
            item.user_properties += [(PROVED, " ".join(proof)) for proof in proofs(mark, path)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    faults = [fault for mark in item.iter_markers("spec") for fault in mistakes(mark)]
    if faults:
        pytest.fail("; ".join(faults), pytrace=False)


def mistakes(mark: pytest.Mark) -> Iterator[str]:
    """What is wrong with a `spec` marker: ids and sides that do not exist, or no id at all."""
    known = dict(STATEMENTS)
    yield from (f"no statement is called {id!r}" for id in mark.args if id not in known)
    yield from (f"there is no argument {name!r}" for name in mark.kwargs if name != "sides")
    if mark.kwargs.get("sides", "SC") not in ("S", "C", "SC"):
        yield f"the sides are S, C and SC, not {mark.kwargs['sides']!r}"
    if not mark.args:
        yield "it names no statement"


def proofs(mark: pytest.Mark, path: PurePosixPath) -> list[Proof]:
    """What a test in this file, named from the root, proves by one `spec` marker."""
    rooms = [SIDES_OF_ROOM[part] for part in path.parts if part in SIDES_OF_ROOM]
    sides = mark.kwargs.get("sides", rooms[-1] if rooms else "SC")
    return [(id, side) for id in mark.args for side in sides]


def unproved(proved: Iterable[Proof], side: str) -> list[str]:
    """The ids that a side owes and no test has proved for it, in the order of the list."""
    done = set(proved)
    return [id for id, sides in STATEMENTS if side in sides and (id, side) not in done]


def lines(proved: Iterable[Proof]) -> Iterator[str]:
    """The report, a paragraph for each side."""
    done = set(proved)
    for side, name in SIDES.items():
        owed = sum(side in sides for _, sides in STATEMENTS)
        left = unproved(done, side)
        yield f"{name} ({side}): {owed - len(left)} of {owed} proved"
        yield from (f"    unproved: {', '.join(area)}" for area in _by_area(left))


def _by_area(ids: Sequence[str]) -> list[list[str]]:
    areas: dict[str, list[str]] = {}
    for id in ids:
        areas.setdefault(id.rpartition("-")[0], []).append(id)
    return list(areas.values())
