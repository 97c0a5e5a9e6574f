"""Proposed files have a portable name, and a folder that the user expects."""

import sys
from pathlib import Path

import pytest

from batchwright.local.study_files.study_file import StudyFile
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study

pytestmark = pytest.mark.gui


async def test_files_are_proposed_in_the_last_folder_or_beside_the_study(tmp_path: Path) -> None:
    study = Study()
    study.open(study.project, None, is_saved=False)
    files = SaveLocationMemory(study)

    async def proposed(suffix: str) -> Path:
        return await files.proposed(suffix, "report")

    assert (await proposed(".zip")).name == "Untitled study report.zip"
    assert (await proposed(".zip")).parent.is_dir()
    (tmp_path / "studies").mkdir()
    (tmp_path / "out").mkdir()
    study.open(study.project, StudyFile(tmp_path / "studies" / "cats.batchwright"))
    study.set_name("cats / dogs")
    assert await proposed(".zip") == tmp_path / "studies" / "cats - dogs report.zip"
    files.record(tmp_path / "out" / "first.zip")
    assert await proposed(".csv") == tmp_path / "out" / "cats - dogs report.csv"
    (tmp_path / "out").rmdir()
    assert (await proposed(".csv")).parent == tmp_path / "studies"


@pytest.mark.parametrize("content", ["Which? – Share", "Which / Share", "Which: - Share"])
async def test_an_invalid_character_becomes_one_dash(content: str) -> None:
    study = Study()
    study.open(study.project, None, is_saved=False)
    path = await SaveLocationMemory(study).proposed(".png", content)
    assert path.name == "Untitled study Which - Share.png"


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere the system says where documents are"
)
async def test_without_a_documents_folder_files_are_proposed_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    study = Study()
    study.open(study.project, None, is_saved=False)
    assert await SaveLocationMemory(study).proposed(".zip") == tmp_path / "Untitled study.zip"
