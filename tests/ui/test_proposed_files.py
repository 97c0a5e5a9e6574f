"""Files are proposed with a name that every system takes, in a folder that a person would look in."""

from pathlib import Path

import pytest

from batchwright.local.study_files import StudyFile
from batchwright.ui.proposed_files import ProposedFiles
from batchwright.ui.study import Study

pytestmark = pytest.mark.gui


def test_files_are_proposed_where_the_last_one_went_else_beside_the_study(tmp_path: Path) -> None:
    study = Study()
    study.open(study.project, None, is_saved=False)
    files = ProposedFiles(study)
    assert files.proposed(".zip", "answers").name == "answers.zip"
    assert files.proposed(".zip", "answers").is_absolute()
    (tmp_path / "studies").mkdir()
    (tmp_path / "out").mkdir()
    study.open(study.project, StudyFile(tmp_path / "studies" / "cats.batchwright"))
    study.set_name("cats / dogs")
    assert files.proposed(".zip", "answers") == tmp_path / "studies" / "cats - dogs.zip"
    files.put(tmp_path / "out" / "first.zip")
    assert files.proposed(".csv", "answers") == tmp_path / "out" / "cats - dogs.csv"
    (tmp_path / "out").rmdir()
    assert files.proposed(".csv", "answers").parent == tmp_path / "studies"
