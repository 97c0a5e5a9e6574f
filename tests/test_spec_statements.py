"""The list of statements, and the report of those that no test has proved."""

import re
from pathlib import Path, PurePosixPath

import pytest

from tests import spec_report
from tests.spec_statements import STATEMENTS


def test_every_id_stands_once_and_in_order() -> None:
    ids = [id for id, _ in STATEMENTS]
    areas = list(dict.fromkeys(id.rpartition("-")[0] for id in ids))
    assert ids == sorted(set(ids), key=lambda id: (areas.index(id.rpartition("-")[0]), id))
    assert all(re.fullmatch(r"[A-Z]+-\d\d", id) for id in ids)


def test_every_statement_is_owed_by_a_side() -> None:
    assert {sides for _, sides in STATEMENTS} == {"S", "C", "SC"}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/service/test_batches.py", [("B-07", "S")]),
        ("tests/api/test_batches.py", [("B-07", "C")]),
        ("tests/layout/test_reading.py", [("B-07", "S"), ("B-07", "C")]),
    ],
)
def test_a_test_proves_its_statements_for_the_side_of_its_room(
    path: str, expected: list[spec_report.Proof]
) -> None:
    assert spec_report.proofs(pytest.mark.spec("B-07").mark, PurePosixPath(path)) == expected


def test_a_marker_may_say_for_which_sides_it_proves() -> None:
    mark = pytest.mark.spec("B-07", sides="SC").mark
    assert spec_report.proofs(mark, PurePosixPath("tests/api/test_batches.py")) == [
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
def test_a_marker_that_says_nothing_known_is_a_mistake(mark: pytest.MarkDecorator) -> None:
    assert list(spec_report.mistakes(mark.mark))


def test_a_statement_for_both_sides_is_unproved_until_each_has_its_test() -> None:
    proved = [("B-01", "C")]
    assert "B-01" not in spec_report.unproved(proved, "C")
    assert "B-01" in spec_report.unproved(proved, "S")


def test_the_report_counts_what_each_side_has_proved() -> None:
    text = "\n".join(spec_report.lines([(id, side) for id, sides in STATEMENTS for side in sides]))
    assert "unproved" not in text
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
    """A test run of its own that knows the report and nothing else of ours."""
    pytester.makeini("[pytest]\nmarkers = spec(*ids)\n")
    pytester.syspathinsert(Path(__file__).parents[1])
    return pytester


def test_a_skipped_or_failed_test_proves_nothing(inner_run: pytest.Pytester) -> None:
    inner_run.makepyfile(SAMPLE)
    result = inner_run.runpytest("-p", "tests.spec_report", "--spec-report")
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["the service (S): 1 of *", "    unproved: A-02", "the client (C): 1 of *"])
    result.stdout.fnmatch_lines(["    unproved: A-02, A-03, A-04"])


def test_a_test_that_names_an_unknown_id_fails_even_when_it_would_be_skipped(
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
    result.stdout.fnmatch_lines(["*no statement is called 'A-77'"])
