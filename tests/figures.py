"""A pytest plugin for benchmarks: the fixture `figure` compares a ratio with its limit and the recorded one.

A figure is what some work costs, relative to something that is measured in the same run: a bare loop, a
library, a smaller case. It fails when the ratio is above the limit of the benchmark, or worse than the
recorded ratio by more than a quarter. Ratios are recorded for each type of processor, since one that is twice
as fast in a loop may sort as fast as another; on a type without any, the largest recorded ratio of its system
counts, and on a system without any, only the limits. A table of all figures is written at the end.
"""

import gc
import json
import platform
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final, Literal, Protocol

import pytest

Measure = Callable[[], tuple[float, float]]
"""Measures once; returns the cost of the work and that of the reference, in the same unit."""
Unit = Literal["s", "B"]

FIGURE: Final = "figure"
"""The user property of a test report with a figure; xdist passes it on from its workers."""
TOLERANCE: Final = 1.25
"""By what factor a ratio may be worse than the recorded one."""
RUNS: Final = 5
RECORDED_RUNS: Final = 3
"""Of how many runs the median ratio is recorded."""
FILE: Final = Path(__file__).parent / "benchmarks" / "figures.json"
_COLUMNS: Final[tuple[str, ...]] = ("work", "figure", "ratio", "limit", "before")


@dataclass(frozen=True)
class Figure:
    """What some work costs, in seconds or bytes, its ratio to a reference, and what the ratio may be."""

    work: str
    cost: float
    ratio: float
    limit: float
    before: float | None
    """The recorded ratio."""
    unit: Unit

    def problem(self, *, may_be_worse: bool = False) -> str:
        """Why the ratio is not accepted; empty if it is."""
        if self.ratio > self.limit:
            return f"{self.work}: the ratio is {self.ratio:.3g}, and the limit is {self.limit:g}"
        if not may_be_worse and self.before is not None and self.ratio > TOLERANCE * self.before:
            return (
                f"{self.work}: the ratio is {self.ratio:.3g}, more than a quarter above {self.before:g}, "
                "the recorded one"
            )
        return ""

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        cost = f"{self.cost * 1000:,.1f} ms" if self.unit == "s" else f"{self.cost / 1e6:,.1f} MB"
        before = "" if self.before is None else f"{self.before:g}"
        return self.work, cost, f"{self.ratio:.3g}", f"{self.limit:g}", before


class CheckFigure(Protocol):
    """The fixture `figure`."""

    def __call__(
        self, work: str, measure: Measure, limit: float, *, runs: int = RUNS, unit: Unit = "s"
    ) -> None:
        """Measure some work until its ratio is accepted, at most `runs` times, and fail if it never is.

        The smallest ratio counts, since other programs of the computer only make a run slower. No garbage is
        collected meanwhile, as in the window, where it is not in the middle of some work either.
        """


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> CheckFigure:
    """Measures a figure, and compares it with its limit and the recorded ratio."""
    is_recording = request.config.getoption("--record-figures")
    recorded = read_figures(request.config.getoption("--figures"))

    def check(work: str, measure: Measure, limit: float, *, runs: int = RUNS, unit: Unit = "s") -> None:
        def measured() -> Figure:
            with without_garbage_collection():
                cost, reference = measure()
            return Figure(work, cost, cost / reference, limit, recorded.get(work), unit)

        if is_recording:
            figure = median_figure([measured() for _run in range(min(runs, RECORDED_RUNS))])
        else:
            figure = first_accepted(measured, runs)
        request.node.user_properties.append((FIGURE, asdict(figure)))
        problem = figure.problem(may_be_worse=is_recording)
        assert not problem, problem
        assert is_recording or not recorded or work in recorded, f"{work}: no ratio is recorded"

    return check


def first_accepted(measured: Callable[[], Figure], runs: int) -> Figure:
    """The first figure without a problem; the one with the smallest ratio if all have one."""
    figures = []
    for _run in range(runs):
        figures.append(measured())
        if not figures[-1].problem():
            break
    return min(figures, key=lambda figure: figure.ratio)


def median_figure(figures: Sequence[Figure]) -> Figure:
    """The figure that is recorded: a later run may reach it again, unlike the best of several."""
    middle = median(figure.ratio for figure in figures)
    return min(figures, key=lambda figure: abs(figure.ratio - middle))


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Collect garbage first, and none in the block."""
    was_enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def processor() -> str:
    """The type of the processor: vendor, family and model on Linux."""
    cpuinfo = Path("/proc/cpuinfo")
    if not cpuinfo.exists():
        return platform.processor()
    found = re.findall(r"^(?:vendor_id|cpu family|model)\s*: (.+)$", cpuinfo.read_text("utf-8"), re.MULTILINE)
    return " ".join(found[:3])


def read_figures(path: Path, system: str = sys.platform, type: str | None = None) -> dict[str, float]:
    """The recorded ratios by work, of a type of processor, or else the largest one; empty without any."""
    processors = _read_systems(path).get(system, {})
    largest: dict[str, float] = {}
    for ratios in processors.values():
        for work, ratio in ratios.items():
            largest[work] = max(ratio, largest.get(work, ratio))
    return largest | processors.get(processor() if type is None else type, {})


def write_figures(path: Path, ratios: Mapping[str, float], unmeasured: Collection[str] = ()) -> None:
    """Record ratios of this type of processor, with three digits, in place of earlier ones of the same works;
    those of works that nothing measures are removed.
    """
    systems = _read_systems(path)
    processors = systems.setdefault(sys.platform, {})
    processors.setdefault(processor(), {}).update(
        {work: float(f"{ratio:.3g}") for work, ratio in ratios.items()}
    )
    for recorded in processors.values():
        for work in recorded.keys() & unmeasured:
            del recorded[work]
    path.write_text(json.dumps(systems, indent=4, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")


def _read_systems(path: Path) -> dict[str, dict[str, dict[str, float]]]:
    """The recorded ratios by work, by type of processor, and by system."""
    if not path.exists():
        return {}
    systems: dict[str, dict[str, dict[str, float]]] = json.loads(path.read_text("utf-8"))
    return systems


class FigureReport:
    """Collects the figures of one run, records them if that is asked for, and writes the table."""

    def __init__(self, file: Path, *, is_recording: bool, has_all: bool) -> None:
        self._file, self._is_recording, self._has_all = file, is_recording, has_all
        self._figures: list[Figure] = []
        self._recorded = read_figures(file)
        self._is_complete = True
        """Whether no test failed or was skipped so far."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._is_complete &= report.passed
        if report.when == "call":
            values: list[Any] = [value for name, value in report.user_properties if name == FIGURE]
            self._figures += [Figure(**value) for value in values]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._is_recording:
            accepted = {figure.work: figure.ratio for figure in self._figures if figure.ratio <= figure.limit}
            write_figures(self._file, accepted, self._unmeasured)
        elif self._unmeasured:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._figures:
            terminalreporter.section("figures")
            for line in table(self._figures):
                terminalreporter.write_line(line)
        if not self._is_recording:
            for work in sorted(self._unmeasured):
                terminalreporter.write_line(f"{work}: recorded, but measured by no benchmark", red=True)

    @property
    def _unmeasured(self) -> set[str]:
        """What is recorded and measured no longer; known only when every benchmark has run."""
        if not (self._has_all and self._is_complete):
            return set()
        return self._recorded.keys() - {figure.work for figure in self._figures}


def table(figures: Sequence[Figure]) -> Iterator[str]:
    """Yield the lines of the table."""
    rows = [_COLUMNS, *(figure.cells() for figure in figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for work, *numbers in rows:
        cells = (number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True))
        yield "  ".join((work.ljust(widths[0]), *cells)).rstrip()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--figures", type=Path, default=FILE, help="the file with the recorded ratios")
    parser.addoption("--record-figures", action="store_true", help="record the ratios of benchmarks")
    parser.addoption(
        "--all-figures", action="store_true", help="fail if a recorded ratio is measured by no benchmark"
    )


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        report = FigureReport(
            config.getoption("--figures"),
            is_recording=config.getoption("--record-figures"),
            has_all=config.getoption("--all-figures"),
        )
        config.pluginmanager.register(report, "figure-report")
