"""The folders of the program."""

import stat
import sys
from pathlib import Path

import pytest

from batchwright.base.environment import HOME_VARIABLE
from batchwright.local.paths import Folders, default_paths


def test_the_environment_variable_sets_the_folder_of_all_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    folders = default_paths()
    folders.create()
    for folder in (folders.data, folders.cache, folders.service, folders.backups):
        assert folder.is_dir()
        assert tmp_path in folder.parents


def test_the_default_folders_are_those_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    folders = default_paths()
    assert folders.data.is_absolute()
    assert folders.data != folders.cache


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_folders_are_accessible_only_to_their_owner(tmp_path: Path) -> None:
    folders = Folders(tmp_path / "data", tmp_path / "cache")
    folders.create()
    assert stat.S_IMODE(folders.data.stat().st_mode) == 0o700
