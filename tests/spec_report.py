"""A pytest plugin that reports which statements of the specification are covered by tests.

A test names the statements it covers: `@pytest.mark.spec("B-07", "B-08")`. They count for the side of its
folder, see `SIDE_OF_FOLDER`; in other folders, and with `@pytest.mark.spec("B-07", sides="SC")`, they count
for both sides. A test with an unknown id fails. `--spec-report` lists the statements that no passed test
covers; a skipped test covers nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

import pytest

from tests.spec_statements import STATEMENTS

SIDES: Final = {"S": "the service", "C": "the client"}

SIDE_OF_FOLDER: Final = {"service": "S", "api": "C", "client": "C", "local": "C", "workflows": "C", "ui": "C"}
"""The folders in `tests` whose tests run one side only."""

COVERED: Final = "spec"
"""The user property of a test report with a covered statement; xdist passes it on from its workers."""

Coverage = tuple[str, str]
"""The id of a statement, and the side for which it is covered."""


class SpecReport:
    """Collects the statements covered by the passed tests of one run."""

    def __init__(self) -> None:
        self.covered: set[Coverage] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            for name, value in report.user_properties:
                if name == COVERED:
                    id, side = str(value).split()
                    self.covered.add((id, side))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("statements of the specification")
        for line in lines(self.covered):
            terminalreporter.write_line(line)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--spec-report",
        action="store_true",
        help="list the statements of the specification that no test covers",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--spec-report"):
        config.pluginmanager.register(SpecReport(), "spec-report")


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    for item in items:
        path = PurePosixPath(item.nodeid.partition("::")[0])
        for mark in item.iter_markers("spec"):
            item.user_properties += [(COVERED, " ".join(entry)) for entry in coverage(mark, path)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    errors = [error for mark in item.iter_markers("spec") for error in marker_errors(mark)]
    if errors:
        pytest.fail("; ".join(errors), pytrace=False)


def marker_errors(mark: pytest.Mark) -> Iterator[str]:
    """Yield the errors of a `spec` marker: unknown ids or sides, or no id."""
    statements = dict(STATEMENTS)
    yield from (f"there is no statement {id!r}" for id in mark.args if id not in statements)
    yield from (f"there is no argument {name!r}" for name in mark.kwargs if name != "sides")
    if mark.kwargs.get("sides", "SC") not in ("S", "C", "SC"):
        yield f"the sides are S, C and SC, not {mark.kwargs['sides']!r}"
    if not mark.args:
        yield "the marker has no statement"


def coverage(mark: pytest.Mark, path: PurePosixPath) -> list[Coverage]:
    """What one `spec` marker covers; `path` is the test file relative to the root."""
    side_of_folder = next((SIDE_OF_FOLDER[part] for part in path.parts if part in SIDE_OF_FOLDER), "SC")
    sides = mark.kwargs.get("sides", side_of_folder)
    return [(id, side) for id in mark.args for side in sides]


def uncovered(covered: Iterable[Coverage], side: str) -> list[str]:
    """The statements of a side that no test covers, in the order of `STATEMENTS`."""
    found = set(covered)
    return [id for id, sides in STATEMENTS if side in sides and (id, side) not in found]


def lines(covered: Iterable[Coverage]) -> Iterator[str]:
    """Yield the lines of the report, a paragraph for each side."""
    found = set(covered)
    for side, name in SIDES.items():
        total = sum(side in sides for _, sides in STATEMENTS)
        missing = uncovered(found, side)
        yield f"{name} ({side}): {total - len(missing)} of {total} covered"
        yield from (f"    uncovered: {', '.join(area)}" for area in _by_area(missing))


def _by_area(ids: Sequence[str]) -> list[list[str]]:
    areas: dict[str, list[str]] = {}
    for id in ids:
        areas.setdefault(id.rpartition("-")[0], []).append(id)
    return list(areas.values())
