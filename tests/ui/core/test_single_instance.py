"""One program: the second start hands over its files, also to one that was killed before."""

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
one = SingleInstance(Path(sys.argv[1]))
print("trying", flush=True)
print("took" if one.acquire_or_send([Path(name) for name in sys.argv[2:]]) else "handed over", flush=True)
"""


def second_start(folder: Path, *files: str) -> AbstractContextManager["subprocess.Popen[str]"]:
    return started([sys.executable, "-c", SECOND, str(folder), *files])


def test_a_second_start_hands_its_files_over(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(tmp_path)
    assert first.acquire()
    study = tmp_path / "a study.batchwright"
    with (
        qtbot.waitSignal(first.files_received, timeout=30_000) as asked,
        second_start(tmp_path, str(study)) as second,
    ):
        qtbot.waitUntil(lambda: second.poll() is not None, timeout=30_000)
        assert second.stdout is not None
        assert second.stdout.read().split("\n")[1] == "handed over"
    assert asked.args == [[study.resolve()]]
    first.release()


def test_files_go_to_no_program_that_is_ending_and_wait_for_its_end(qtbot: QtBot, tmp_path: Path) -> None:
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
        assert second.stdout.read().strip() == "took"
    assert not requests


def test_once_the_first_has_ended_another_may_begin(tmp_path: Path) -> None:
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.acquire()
    assert not second.acquire()
    first.release()
    assert second.acquire()
    second.release()


def test_a_killed_program_is_in_nobodys_way(tmp_path: Path) -> None:
    killed = [sys.executable, "-c", f"{SECOND}\nimport os\nos._exit(9)", str(tmp_path)]
    done = subprocess.run(killed, capture_output=True, text=True, check=False)
    assert "took" in done.stdout or done.returncode == 9
    after = SingleInstance(tmp_path)
    assert after.acquire()
    after.release()


def test_two_folders_are_two_programs(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    first, second = SingleInstance(one), SingleInstance(other)
    assert first.acquire()
    assert second.acquire()
    first.release()
    second.release()


@pytest.mark.parametrize("line", [b"\xff\xfe\n", b"{}\n", b"[1]\n", b"\n"])
def test_what_no_start_of_ours_writes_opens_nothing(line: bytes) -> None:
    assert _files_in(line) is None
