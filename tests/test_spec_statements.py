"""The list of statements, and the report of those that no test covers."""

import re
from pathlib import Path, PurePosixPath

import pytest

from tests import spec_report
from tests.spec_statements import STATEMENTS


def test_ids_are_unique_and_in_order() -> None:
    ids = [id for id, _ in STATEMENTS]
    areas = list(dict.fromkeys(id.rpartition("-")[0] for id in ids))
    assert ids == sorted(set(ids), key=lambda id: (areas.index(id.rpartition("-")[0]), id))
    assert all(re.fullmatch(r"[A-Z]+-\d\d", id) for id in ids)


def test_statements_exist_for_each_side_and_for_both() -> None:
    assert {sides for _, sides in STATEMENTS} == {"S", "C", "SC"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/service/test_batches.py", [("B-07", "S")]),
        ("tests/api/resources/test_batches.py", [("B-07", "C")]),
        ("tests/client/job_monitoring/test_job_watcher.py", [("B-07", "C")]),
        ("tests/service/local/test_queue.py", [("B-07", "S")]),
        ("tests/layout/test_reading.py", [("B-07", "S"), ("B-07", "C")]),
    ],
)
def test_a_test_covers_the_side_of_its_folder(path: str, expected: list[spec_report.Coverage]) -> None:
    assert spec_report.coverage(pytest.mark.spec("B-07").mark, PurePosixPath(path)) == expected


def test_a_marker_can_name_the_sides() -> None:
    mark = pytest.mark.spec("B-07", sides="SC").mark
    assert spec_report.coverage(mark, PurePosixPath("tests/api/resources/test_batches.py")) == [
        ("B-07", "S"),
        ("B-07", "C"),
    ]


@pytest.mark.parametrize(
    "mark",
    [
        pytest.mark.spec("B-99"),
        pytest.mark.spec(),
        pytest.mark.spec("B-07", sides="X"),
        pytest.mark.spec(id="B-07"),
    ],
)
def test_a_marker_with_unknown_arguments_is_an_error(mark: pytest.MarkDecorator) -> None:
    assert list(spec_report.marker_errors(mark.mark))


def test_a_statement_for_both_sides_needs_a_test_of_each() -> None:
    covered = [("B-01", "C")]
    assert "B-01" not in spec_report.uncovered(covered, "C")
    assert "B-01" in spec_report.uncovered(covered, "S")


def test_the_report_counts_the_statements_of_each_side() -> None:
    text = "\n".join(spec_report.lines([(id, side) for id, sides in STATEMENTS for side in sides]))
    assert "uncovered" not in text
    assert "A-01, A-02, A-03" in "\n".join(spec_report.lines([]))


SAMPLE = """
    import pytest

    @pytest.mark.spec("A-01")
    def test_that_passes() -> None: ...

    @pytest.mark.spec("A-02")
    def test_that_is_skipped() -> None:
        pytest.skip("for a reason")

    @pytest.mark.spec("A-03")
    def test_that_fails() -> None:
        raise AssertionError
"""


@pytest.fixture
def inner_run(pytester: pytest.Pytester) -> pytest.Pytester:
    """A separate test run with only this plugin."""
    pytester.makeini("[pytest]\nmarkers = spec(*ids)\n")
    pytester.syspathinsert(Path(__file__).parents[1])
    return pytester


def test_a_skipped_or_failed_test_covers_nothing(inner_run: pytest.Pytester) -> None:
    inner_run.makepyfile(SAMPLE)
    result = inner_run.runpytest("-p", "tests.spec_report", "--spec-report")
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["the service (S): 1 of *", "    uncovered: A-02", "the client (C): 1 of *"])
    result.stdout.fnmatch_lines(["    uncovered: A-02, A-03, A-04"])


def test_a_skipped_test_with_an_unknown_id_fails(
    inner_run: pytest.Pytester,
) -> None:
    inner_run.makepyfile(
        """
        import pytest

        @pytest.mark.skip(reason="for a reason")
        @pytest.mark.spec("A-77")
        def test_that_is_skipped() -> None: ...
        """
    )
    result = inner_run.runpytest("-p", "tests.spec_report")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*there is no statement 'A-77'"])
