"""Flushes shared by several threads, and files that are complete or absent."""

import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from batchwright.base import durable_files
from batchwright.base.durable_files import GroupCommit, write_private_file


class Door:
    """A lock that says when somebody has come to it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.come = threading.Semaphore(0)

    def __enter__(self) -> None:
        self.come.release()
        self._lock.acquire()

    def __exit__(self, *_fault: object) -> None:
        self._lock.release()


def test_those_who_come_during_a_flush_share_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, goes_on, door = threading.Semaphore(0), threading.Semaphore(0), Door()
    flushes = []

    def slowly(handle: int) -> None:
        flushes.append(handle)
        begun.release()
        assert goes_on.acquire(timeout=60)

    monkeypatch.setattr(durable_files, "_flush_content", slowly)
    with closing(GroupCommit(tmp_path / "log")) as flush, ThreadPoolExecutor(5) as threads:
        monkeypatch.setattr(flush, "_lock", door)
        waiting = [threads.submit(flush.wait)]
        assert begun.acquire(timeout=60)
        waiting += [threads.submit(flush.wait) for _one in range(4)]
        assert all(door.come.acquire(timeout=60) for _one in waiting)
        assert not any(entry.done() for entry in waiting)
        goes_on.release(2)
        for entry in waiting:
            entry.result(60)
    assert len(flushes) == 2


def test_a_flush_that_fails_is_reported_and_the_next_one_is_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flush = GroupCommit(tmp_path / "log")

    def fails(_handle: int) -> None:
        raise OSError("no flush")

    with closing(flush):
        with monkeypatch.context() as broken:
            broken.setattr(durable_files, "_flush_content", fails)
            with pytest.raises(OSError, match="no flush"):
                flush.wait()
        flush.wait()
        assert flush._ended == flush._started


def test_a_private_file_is_for_the_owner_alone_whatever_was_there(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("old", encoding="utf-8")
    (tmp_path / "token.new").write_text("half", encoding="utf-8")
    write_private_file(file, "new")
    assert file.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["token"]
