"""Flushes shared by several threads, and files that are complete or absent."""

import stat
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from batchwright.base.files import durable_files
from batchwright.base.files.durable_files import GroupCommit, write_private_file


class ObservedLock:
    """A lock with a semaphore that is released whenever a thread tries to acquire it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.arrivals = threading.Semaphore(0)

    def __enter__(self) -> None:
        self.arrivals.release()
        self._lock.acquire()

    def __exit__(self, *_fault: object) -> None:
        self._lock.release()


def test_callers_that_arrive_during_a_flush_share_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flush_started, may_continue, lock = threading.Semaphore(0), threading.Semaphore(0), ObservedLock()
    flushes = []

    def flush_slowly(handle: int) -> None:
        flushes.append(handle)
        flush_started.release()
        assert may_continue.acquire(timeout=60)

    monkeypatch.setattr(durable_files, "_flush_content", flush_slowly)
    with closing(GroupCommit(tmp_path / "log")) as flush, ThreadPoolExecutor(5) as threads:
        monkeypatch.setattr(flush, "_lock", lock)
        waiting = [threads.submit(flush.wait)]
        assert flush_started.acquire(timeout=60)
        waiting += [threads.submit(flush.wait) for _number in range(4)]
        assert all(lock.arrivals.acquire(timeout=60) for _number in waiting)
        assert not any(entry.done() for entry in waiting)
        may_continue.release(2)
        for entry in waiting:
            entry.result(60)
    assert len(flushes) == 2


def test_a_failed_flush_is_reported_and_the_next_one_succeeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flush = GroupCommit(tmp_path / "log")

    def fail(_handle: int) -> None:
        raise OSError("no flush")

    with closing(flush):
        with monkeypatch.context() as patch:
            patch.setattr(durable_files, "_flush_content", fail)
            with pytest.raises(OSError, match="no flush"):
                flush.wait()
        flush.wait()
        assert flush._ended == flush._started


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_a_private_file_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("old", encoding="utf-8")
    (tmp_path / "token.new").write_text("half", encoding="utf-8")
    write_private_file(file, "new")
    assert file.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["token"]
