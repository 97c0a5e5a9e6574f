"""Single instance: a second start sends its files to the first and exits."""

import os
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QDeadlineTimer
from pytestqt.qtbot import QtBot

from batchwright.ui.core import single_instance
from batchwright.ui.core.single_instance import NoResponse, SingleInstance, _files_in
from tests.processes import started

pytestmark = pytest.mark.gui

SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from batchwright.ui.core.single_instance import SingleInstance
app = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]))
print("trying", flush=True)
print("acquired" if instance.acquire_or_send([Path(name) for name in sys.argv[2:]]) else "sent", flush=True)
"""


def second_start(folder: Path, *files: str) -> AbstractContextManager["subprocess.Popen[str]"]:
    """Start again, with another folder for temporary files."""
    environment = {**os.environ, "TMPDIR": str(folder)}
    return started([sys.executable, "-c", SECOND, str(folder), *files], environment)


@pytest.fixture
def long_folder(tmp_path: Path) -> Path:
    """A data folder whose path is too long for the address of a socket."""
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    return folder


def test_a_second_start_sends_its_files_to_the_first(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(tmp_path)
    assert first.acquire()
    study = tmp_path / "a study.batchwright"
    with (
        qtbot.waitSignal(first.files_received, timeout=30_000) as received,
        second_start(tmp_path, str(study)) as second,
    ):
        qtbot.waitUntil(lambda: second.poll() is not None, timeout=30_000)
        assert second.stdout is not None
        assert second.stdout.read().split("\n")[1] == "sent"
    assert received.args == [[study.resolve()]]
    first.release()


def test_a_second_start_is_received_although_the_path_of_the_folder_is_long(
    qtbot: QtBot, long_folder: Path
) -> None:
    first = SingleInstance(long_folder)
    assert first.acquire()
    with (
        qtbot.waitSignal(first.files_received, timeout=30_000),
        started([sys.executable, "-c", SECOND, str(long_folder)]) as second,
    ):
        qtbot.waitUntil(lambda: second.poll() is not None, timeout=30_000)
    first.release()


def test_files_are_sent_once_to_a_program_that_is_busy(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single_instance, "_ENDS_WITHIN", 300)
    first = SingleInstance(tmp_path)
    assert first.acquire()
    requests: list[list[Path]] = []
    first.files_received.connect(requests.append)
    study = tmp_path / "a study.batchwright"
    with pytest.raises(NoResponse):  # the event loop of the first does not run meanwhile
        SingleInstance(tmp_path).acquire_or_send([study])
    SingleInstance(tmp_path)._send([], QDeadlineTimer(0))
    qtbot.waitUntil(lambda: requests[-1:] == [[]], timeout=30_000)
    assert requests == [[study.resolve()], []]
    first.release()


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_a_link_to_itself_is_sent_as_it_is(qtbot: QtBot, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    first = SingleInstance(tmp_path)
    assert first.acquire()
    with (
        qtbot.waitSignal(first.files_received, timeout=30_000) as received,
        second_start(tmp_path, str(loop)) as second,
    ):
        qtbot.waitUntil(lambda: second.poll() is not None, timeout=30_000)
    assert received.args == [[loop]]
    first.release()


def test_a_lock_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    instance = SingleInstance(folder)
    folder.rmdir()
    folder.touch()
    with pytest.raises(NotADirectoryError) as raised:
        instance.acquire_or_send([])
    assert raised.value.filename == str(folder)


def test_a_second_start_waits_for_a_first_that_is_ending(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(tmp_path)
    assert first.acquire()
    requests: list[list[Path]] = []
    first.files_received.connect(requests.append)
    first.stop_listening()
    with second_start(tmp_path, str(tmp_path / "a study.batchwright")) as second:
        assert second.stdout is not None
        assert second.stdout.readline().strip() == "trying"
        QCoreApplication.processEvents()
        first.release()
        qtbot.waitUntil(lambda: second.poll() is not None, timeout=30_000)
        assert second.stdout.read().strip() == "acquired"
    assert not requests


def test_the_next_instance_can_acquire_the_lock_after_release(tmp_path: Path) -> None:
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.acquire()
    assert not second.acquire()
    first.release()
    assert second.acquire()
    second.release()


def test_a_killed_program_does_not_keep_the_lock(tmp_path: Path) -> None:
    killed = [sys.executable, "-c", f"{SECOND}\nimport os\nos._exit(9)", str(tmp_path)]
    done = subprocess.run(killed, capture_output=True, text=True, check=False)
    assert "acquired" in done.stdout or done.returncode == 9
    after = SingleInstance(tmp_path)
    assert after.acquire()
    after.release()


def test_different_data_folders_have_separate_instances(tmp_path: Path) -> None:
    first_folder, second_folder = tmp_path / "first", tmp_path / "second"
    first_folder.mkdir()
    second_folder.mkdir()
    first, second = SingleInstance(first_folder), SingleInstance(second_folder)
    assert first.acquire()
    assert second.acquire()
    first.release()
    second.release()


@pytest.mark.parametrize("line", [b"\xff\xfe\n", b"{}\n", b"[1]\n", b"\n"])
def test_an_unknown_message_opens_nothing(line: bytes) -> None:
    assert _files_in(line) is None


def test_the_lock_of_a_crashed_process_with_the_same_id_is_taken_over(tmp_path: Path) -> None:
    lock = tmp_path / "window.lock"
    crashed = SingleInstance(tmp_path)
    assert crashed.acquire()
    names_this_process = lock.read_bytes()
    crashed.release()
    lock.write_bytes(names_this_process)
    instance, other = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert instance.acquire()
    assert not other.acquire()  # a lock that is held is not removed
    instance.release()
