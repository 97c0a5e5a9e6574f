"""Temporary files and folders of a killed program are removed by the next one, except those in use."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from batchwright.api.files.partial_files import remove_stale, temp_path_for
from batchwright.base.files.temporary_files import (
    OLD,
    remove_leftover_folders,
    remove_leftovers,
    temporary_folder,
    temporary_subfolder,
)

LONG_AGO = time.time() - OLD - 1
KILLED_PROGRAM = """
import os, signal, sys, tempfile
tempfile.tempdir = sys.argv[1]
from batchwright.base.files.temporary_files import temporary_folder
with temporary_folder("rehearsal") as folder:
    (folder / "service").mkdir()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def temp_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which temporary folders are created."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")
def test_the_folder_of_a_killed_program_is_removed_at_the_next_start(temp_folder: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED_PROGRAM, str(temp_folder)], check=False)
    (stale,) = temp_folder.iterdir()
    os.utime(stale / "in-use", (LONG_AGO, LONG_AGO))
    with temporary_folder("rehearsal") as folder:
        assert list(temp_folder.iterdir()) == [folder]
    assert list(temp_folder.iterdir()) == []


def test_an_unlocked_folder_of_a_killed_program_is_removed(temp_folder: Path) -> None:
    stale = temp_folder / "batchwright-rehearsal-x"
    (stale / "service").mkdir(parents=True)
    os.utime(stale, (LONG_AGO, LONG_AGO))
    with temporary_folder("rehearsal"):
        assert not stale.exists()


def test_a_folder_in_use_is_not_removed(temp_folder: Path) -> None:
    with temporary_folder("rehearsal") as first:
        os.utime(first, (LONG_AGO, LONG_AGO))
        os.utime(first / "in-use", (LONG_AGO, LONG_AGO))
        with temporary_folder("rehearsal"):
            assert first.is_dir()


def test_a_link_with_such_a_name_is_not_followed(temp_folder: Path) -> None:
    (temp_folder / "work").mkdir()
    (temp_folder / "work" / "in-use").touch()
    (temp_folder / "batchwright-rehearsal-x").symlink_to(temp_folder / "work")
    os.utime(temp_folder / "work", (LONG_AGO, LONG_AGO))
    with temporary_folder("rehearsal"):
        assert (temp_folder / "work" / "in-use").exists()


def test_a_stale_partial_file_is_removed(tmp_path: Path) -> None:
    stale = temp_path_for(tmp_path / "report.csv")
    stale.touch()
    os.utime(stale, (LONG_AGO, LONG_AGO))
    remove_stale(tmp_path / "report.csv")
    assert list(tmp_path.iterdir()) == []


KILLED_ANALYSIS = """
import os, signal, sys
from pathlib import Path
from batchwright.base.files.temporary_files import temporary_subfolder
with temporary_subfolder(Path(sys.argv[1])) as folder:
    (folder / "answers.csv").write_text("real ids")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")
def test_the_copies_of_a_killed_program_are_removed_from_a_result_folder(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED_ANALYSIS, str(tmp_path)], check=False)
    (stale,) = tmp_path.iterdir()
    assert (stale / "answers.csv").exists()
    os.utime(stale / "in-use", (LONG_AGO, LONG_AGO))
    with temporary_subfolder(tmp_path) as folder:
        assert list(tmp_path.iterdir()) == [folder]
    assert list(tmp_path.iterdir()) == []


def test_only_temporary_files_are_removed_from_a_result_folder(tmp_path: Path) -> None:
    stale = [tmp_path / f".{'a' * 32}.part", temp_path_for(tmp_path / "report.csv")]
    names = (".hidden", "a.part", ".a.part", f"{'a' * 32}.part", ".batchwright")
    others = [tmp_path / name for name in names]
    for path in (*stale, *others):
        path.touch()
        os.utime(path, (LONG_AGO, LONG_AGO))
    fresh = tmp_path / f".{'b' * 32}.part"
    fresh.touch()
    remove_leftovers(tmp_path)
    assert set(tmp_path.iterdir()) == {*others, fresh}


def test_a_program_removes_the_folders_of_killed_ones_at_its_start(temp_folder: Path) -> None:
    stale, others = temp_folder / "batchwright-upload-abcd_123", temp_folder / "batchwright-mine"
    for folder in (stale, others):
        folder.mkdir()
    (stale / "in-use").touch()
    (others / "notes.txt").touch()
    os.utime(stale / "in-use", (LONG_AGO, LONG_AGO))
    with temporary_folder("records") as used:
        os.utime(used / "in-use", (LONG_AGO, LONG_AGO))
        remove_leftover_folders()
        assert set(temp_folder.iterdir()) == {others, used}
