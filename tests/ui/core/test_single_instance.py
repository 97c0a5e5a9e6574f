"""Single instance: a second start sends its files to the first and exits."""

import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from batchwright.ui.core.single_instance import SingleInstance, _files_in
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
    return started([sys.executable, "-c", SECOND, str(folder), *files])


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
