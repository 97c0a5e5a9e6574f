"""Long work on a file in a child process."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from batchwright.data_files.checking import check_file
from batchwright.data_files.index import IndexChunk, RowIndex, index_file
from batchwright.data_files.process_job import Completed, Failed, ProcessJob, ProgressMessage
from batchwright.data_files.rows import EmptyFile
from tests.data_files.files import CSV, TEXTS, csv_text, write_file
from tests.processes import is_running


def report_endlessly(notify: Callable[[int], None]) -> None:
    """An operation that never ends, in its own process."""
    while True:
        notify(os.getpid())
        time.sleep(0.01)


def exit_abruptly(notify: Callable[[int], None]) -> None:
    """An operation whose process dies."""
    notify(1)
    os._exit(9)


def fail(_on_progress: Callable[[int], None]) -> None:
    """Raises an error that no caller expects."""
    raise RuntimeError("the index is inconsistent")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_file(
        tmp_path, csv_text([["a", "b"], *[[str(number), "x" * 40] for number in range(30_000)], ["1"]])
    )


def test_a_check_reports_its_progress_and_ends_with_its_report(table: Path) -> None:
    job = ProcessJob(check_file, table, CSV, TEXTS)
    *progress, last = job.messages()
    assert last == Completed(check_file(table, CSV, TEXTS))
    assert progress
    job.cancel()  # too late to matter
    size = table.stat().st_size
    assert all(isinstance(message, ProgressMessage) and message.values[1] == size for message in progress)


def test_an_index_is_delivered_in_slices(table: Path) -> None:
    index = RowIndex(table, CSV)
    for message in ProcessJob(index_file, table, CSV).messages():
        match message:
            case ProgressMessage((IndexChunk() as piece,)):
                index.extend(piece)
            case Completed(count):
                assert count == len(index) == 30_001
            case _:
                pytest.fail(str(message))
    assert index.rows(29_999, 1)[0].content == ["29999", "x" * 40]


def test_an_unreadable_file_is_reported_by_the_job(tmp_path: Path) -> None:
    empty, missing = write_file(tmp_path, ""), tmp_path / "missing.csv"
    for path, kind in ((empty, EmptyFile), (missing, FileNotFoundError)):
        *_progress, last = ProcessJob(check_file, path, CSV, TEXTS).messages()
        assert isinstance(last, Failed)
        assert isinstance(last.error, kind)


def test_a_cancelled_job_ends_its_process_and_sends_no_result() -> None:
    job = ProcessJob(report_endlessly)
    messages = job.messages()
    first = next(messages)
    assert isinstance(first, ProgressMessage)
    job.cancel()
    assert all(isinstance(message, ProgressMessage) for message in messages)
    assert not is_running(int(str(first.values[0])))


def test_a_process_that_dies_is_reported_as_a_failure() -> None:
    *progress, last = ProcessJob(exit_abruptly).messages()
    assert progress == [ProgressMessage((1,))]
    assert isinstance(last, Failed)


def test_a_job_ends_when_its_reader_is_closed() -> None:
    messages = ProcessJob(report_endlessly).messages()
    first = next(messages)
    messages.close()  # type: ignore[attr-defined]  # a generator: its process is waited for here
    assert isinstance(first, ProgressMessage)
    assert not is_running(int(str(first.values[0])))


def test_an_unexpected_error_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    (message,) = ProcessJob(fail).messages()
    assert isinstance(message, Failed)
    (logged,) = caplog.messages
    assert 'raise RuntimeError("the index is inconsistent")' in logged
    assert logged.endswith("RuntimeError")
