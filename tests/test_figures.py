"""Figures of benchmarks are compared with their limits and with the recorded ratios."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.figures import processor, read_figures

TESTS = Path(__file__).parent

Run = Callable[..., pytest.RunResult]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file with the recorded ratios."""
    return tmp_path / "figures.json"


@pytest.fixture
def run(pytester: pytest.Pytester, file: Path) -> Run:
    """Runs a benchmark that measures some costs, one after the other, against a reference of 10 seconds."""

    def run(*costs: float, work: str = "sorting", options: tuple[str, ...] = ()) -> pytest.RunResult:
        pytester.syspathinsert(TESTS.parent)
        pytester.makepyfile(
            f"""
            def test_sorting(figure):
                costs = iter({list(costs)})
                figure("{work}", lambda: (next(costs), 10.0), 3, runs={len(costs)})
            """
        )
        return pytester.runpytest("-p", "tests.figures", "--figures", str(file), *options)

    return run


def record(file: Path, **ratios: float) -> None:
    file.write_text(json.dumps({sys.platform: {processor(): ratios}}))


def recorded(file: Path) -> object:
    return json.loads(file.read_text())[sys.platform][processor()]


def test_a_ratio_above_its_limit_fails(run: Run) -> None:
    result = run(31.0, 31.0)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*sorting: the ratio is 3.1, and the limit is 3"])


def test_a_ratio_that_is_worse_by_more_than_a_quarter_fails(run: Run, file: Path) -> None:
    record(file, sorting=1.0)
    run(12.4).assert_outcomes(passed=1)
    result = run(12.6)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*sorting: the ratio is 1.26, more than a quarter above 1, the recorded one"]
    )


def test_one_run_that_is_accepted_suffices(run: Run, file: Path) -> None:
    record(file, sorting=1.0)
    run(20.0, 14.0, 11.0).assert_outcomes(passed=1)


def test_the_median_is_recorded_also_if_it_is_worse(run: Run, file: Path) -> None:
    record(file, sorting=0.5, other=2.0)
    run(12.0, 20.0, 11.0, options=("--record-figures",)).assert_outcomes(passed=1)
    assert recorded(file) == {"other": 2.0, "sorting": 1.2}


def test_the_table_compares_with_the_recorded_ratio(run: Run, file: Path) -> None:
    record(file, sorting=1.25)
    run(12.0).stdout.fnmatch_lines(
        [
            "work          figure  ratio  limit  before",
            "sorting  12,000.0 ms    1.2      3    1.25",
        ]
    )


def test_a_ratio_that_is_not_recorded_fails_where_others_are(run: Run, file: Path) -> None:
    run(12.0).assert_outcomes(passed=1)
    record(file, other=1.0)
    result = run(12.0)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*sorting: no ratio is recorded"])


def test_a_recorded_ratio_that_nothing_measures_fails_a_complete_run(run: Run, file: Path) -> None:
    record(file, other=1.0, sorting=1.2)
    assert run(12.0).ret == pytest.ExitCode.OK
    result = run(12.0, options=("--all-figures",))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["other: recorded, but measured by no benchmark"])


def test_recording_all_figures_removes_those_that_nothing_measures(run: Run, file: Path) -> None:
    record(file, other=1.0)
    run(12.0, options=("--all-figures", "--record-figures")).assert_outcomes(passed=1)
    assert recorded(file) == {"sorting": 1.2}


def test_another_processor_is_compared_with_the_largest_ratio(run: Run, file: Path) -> None:
    others = {"fast": {"sorting": 0.5}, "slow": {"sorting": 1.0, "searching": 2.0}}
    file.write_text(json.dumps({sys.platform: others}))
    assert read_figures(file, type="fast") == {"sorting": 0.5, "searching": 2.0}
    assert read_figures(file) == {"sorting": 1.0, "searching": 2.0}
    run(12.4).assert_outcomes(passed=1)
    run(12.6).assert_outcomes(failed=1)
    run(12.6, options=("--record-figures",)).assert_outcomes(passed=1)
    assert recorded(file) == {"sorting": 1.26}
    assert read_figures(file, type="fast")["sorting"] == 0.5
    run(12.6).assert_outcomes(passed=1)


def test_the_processor_has_a_name() -> None:
    assert processor().strip()
