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
KILLED = """
import os, signal, sys, tempfile
tempfile.tempdir = sys.argv[1]
from batchwright.api.partial_files import temporary_folder
with temporary_folder("batchwright-rehearsal-") as folder:
    (folder / "service").mkdir()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")
def test_the_folder_of_a_killed_program_goes_with_the_next_start(place: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(place)], check=False)
    (left,) = place.iterdir()
    os.utime(left, (LONG_AGO, LONG_AGO))
    with temporary_folder("batchwright-rehearsal-") as folder:
        assert list(place.iterdir()) == [folder]
    assert list(place.iterdir()) == []


def test_a_folder_whose_program_was_killed_before_it_was_locked_goes_as_well(place: Path) -> None:
    left = place / "batchwright-rehearsal-x"
    (left / "service").mkdir(parents=True)
    os.utime(left, (LONG_AGO, LONG_AGO))
    with temporary_folder("batchwright-rehearsal-"):
        assert not left.exists()


def test_a_folder_in_use_stays(place: Path) -> None:
    with temporary_folder("batchwright-rehearsal-") as first:
        os.utime(first, (LONG_AGO, LONG_AGO))
        with temporary_folder("batchwright-rehearsal-"):
            assert first.is_dir()


def test_a_link_with_such_a_name_is_not_followed(place: Path) -> None:
    (place / "work").mkdir()
    (place / "work" / "in-use").touch()
    (place / "batchwright-rehearsal-x").symlink_to(place / "work")
    os.utime(place / "work", (LONG_AGO, LONG_AGO))
    with temporary_folder("batchwright-rehearsal-"):
        assert (place / "work" / "in-use").exists()


def test_a_file_no_one_receives_any_more_goes_within_seconds(tmp_path: Path) -> None:
    left = temp_path_for(tmp_path / "report.csv")
    left.touch()
    os.utime(left, (LONG_AGO, LONG_AGO))
    remove_stale(tmp_path / "report.csv")
    assert list(tmp_path.iterdir()) == []
