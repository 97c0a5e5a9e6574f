"""Temporary files of a killed program are removed at the next download, except those in use."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from batchwright.api.partial_files import OLD, remove_stale, temp_path_for, temporary_folder

LONG_AGO = time.time() - OLD - 1
KILLED_PROGRAM = """
import os, signal, sys, tempfile
tempfile.tempdir = sys.argv[1]
from batchwright.api.partial_files import temporary_folder
with temporary_folder("batchwright-rehearsal-") as folder:
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
    os.utime(stale, (LONG_AGO, LONG_AGO))
    with temporary_folder("batchwright-rehearsal-") as folder:
        assert list(temp_folder.iterdir()) == [folder]
    assert list(temp_folder.iterdir()) == []


def test_an_unlocked_folder_of_a_killed_program_is_removed(temp_folder: Path) -> None:
    stale = temp_folder / "batchwright-rehearsal-x"
    (stale / "service").mkdir(parents=True)
    os.utime(stale, (LONG_AGO, LONG_AGO))
    with temporary_folder("batchwright-rehearsal-"):
        assert not stale.exists()


def test_a_folder_in_use_is_not_removed(temp_folder: Path) -> None:
    with temporary_folder("batchwright-rehearsal-") as first:
        os.utime(first, (LONG_AGO, LONG_AGO))
        with temporary_folder("batchwright-rehearsal-"):
            assert first.is_dir()


def test_a_link_with_such_a_name_is_not_followed(temp_folder: Path) -> None:
    (temp_folder / "work").mkdir()
    (temp_folder / "work" / "in-use").touch()
    (temp_folder / "batchwright-rehearsal-x").symlink_to(temp_folder / "work")
    os.utime(temp_folder / "work", (LONG_AGO, LONG_AGO))
    with temporary_folder("batchwright-rehearsal-"):
        assert (temp_folder / "work" / "in-use").exists()


def test_a_stale_partial_file_is_removed(tmp_path: Path) -> None:
    stale = temp_path_for(tmp_path / "report.csv")
    stale.touch()
    os.utime(stale, (LONG_AGO, LONG_AGO))
    remove_stale(tmp_path / "report.csv")
    assert list(tmp_path.iterdir()) == []
