"""A folder with a layout, a schema and records is a study."""

import json
from pathlib import Path

import pytest

from batchwright.base.json_values import InvalidJson
from batchwright.base.resources import resource
from batchwright.data_files.formats import FormatKind
from batchwright.layout.file_format import InvalidLayoutFile
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.study_folders import read_study_folder
from batchwright.schema.parsing import InvalidSchema
from tests.local.test_projects import PAGES


def test_the_sample_folder_is_a_complete_study() -> None:
    folder = resource("samples", "preference")
    study = read_study_folder(folder, "Sample")
    assert study.name == "Sample"
    assert study.layout.pages
    assert study.schema is not None
    assert study.data is not None
    assert study.data.path == folder / "records.csv"
    assert study.data.size == (folder / "records.csv").stat().st_size


def test_schema_and_records_may_be_absent(tmp_path: Path) -> None:
    (tmp_path / "layout.json").write_text(json.dumps(PAGES))
    study = read_study_folder(tmp_path, "Bare")
    assert (study.schema, study.data) == (None, None)


def test_records_may_be_json_lines(tmp_path: Path) -> None:
    (tmp_path / "layout.json").write_text(json.dumps(PAGES))
    (tmp_path / "records.jsonl").write_text('{"a": "b"}\n')
    data = read_study_folder(tmp_path, "Lines").data
    assert data is not None
    assert data.format.kind is FormatKind.JSONL


def test_a_folder_without_a_layout_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InvalidProjectFile, match=r"contains no layout\.json"):
        read_study_folder(tmp_path, "Nothing")


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("layout.json", "[", InvalidLayoutFile),
        ("schema.json", "{", InvalidJson),
        ("schema.json", "{}", InvalidSchema),
    ],
)
def test_an_invalid_file_of_the_folder_is_reported(
    name: str, content: str, error: type[Exception], tmp_path: Path
) -> None:
    (tmp_path / "layout.json").write_text(json.dumps(PAGES))
    (tmp_path / name).write_text(content)
    with pytest.raises(error):
        read_study_folder(tmp_path, "Broken")
