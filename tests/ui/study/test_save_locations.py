"""Proposed files have a portable name, and a folder that the user expects."""

import asyncio
import sys
from pathlib import Path

import pytest

from batchwright.local.study_file import StudyFile
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study

pytestmark = pytest.mark.gui


def test_files_are_proposed_in_the_last_folder_or_beside_the_study(tmp_path: Path) -> None:
    study = Study()
    study.open(study.project, None, is_saved=False)
    files = SaveLocationMemory(study)

    def proposed(suffix: str) -> Path:
        return asyncio.run(files.proposed(suffix, "report"))

    assert proposed(".zip").name == "Untitled study report.zip"
    assert proposed(".zip").parent.is_dir()
    (tmp_path / "studies").mkdir()
    (tmp_path / "out").mkdir()
    study.open(study.project, StudyFile(tmp_path / "studies" / "cats.batchwright"))
    study.set_name("cats / dogs")
    assert proposed(".zip") == tmp_path / "studies" / "cats - dogs report.zip"
    files.record(tmp_path / "out" / "first.zip")
    assert proposed(".csv") == tmp_path / "out" / "cats - dogs report.csv"
    (tmp_path / "out").rmdir()
    assert proposed(".csv").parent == tmp_path / "studies"


@pytest.mark.parametrize("content", ["Which? – Share", "Which / Share", "Which: - Share"])
def test_an_invalid_character_becomes_one_dash(content: str) -> None:
    study = Study()
    study.open(study.project, None, is_saved=False)
    path = asyncio.run(SaveLocationMemory(study).proposed(".png", content))
    assert path.name == "Untitled study Which - Share.png"


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere the system says where documents are"
)
def test_without_a_documents_folder_files_are_proposed_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    study = Study()
    study.open(study.project, None, is_saved=False)
    assert asyncio.run(SaveLocationMemory(study).proposed(".zip")) == tmp_path / "Untitled study.zip"
