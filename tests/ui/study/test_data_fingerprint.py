"""Whether a dataset was created from the data that the study has now."""

from pathlib import Path

import pytest

from batchwright.base.json_values import JsonObject
from batchwright.data_files.formats import Format, FormatKind
from batchwright.local.projects import DataFile, Project, RemoteBinding
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.study.data_fingerprint import current_data, has_other_data
from batchwright.ui.study.study_model import Study

pytestmark = pytest.mark.gui

SCHEMA = Schema(strict=False, fields={"a": Field(FieldType.TEXT)})
CONNECTION = "This computer"


def test_other_steps_make_other_data_than_the_dataset_has() -> None:
    study = Study()
    data = DataFile(Path("cats.csv"), 10, Format(FormatKind.CSV))
    sample: JsonObject = {"step": "sample", "size": 5}
    study.open(Project("Cats", schema=SCHEMA, data=data), None)
    study.change_records("Add step", data.changes._replace(steps=(sample,)))
    assert not has_other_data(study, CONNECTION)  # there is no dataset
    sent = current_data(study, "content of the file")
    assert sent is not None
    study.set_remote(CONNECTION, RemoteBinding("w", "dataset", "import", delivered=sent.stored))
    assert not has_other_data(study, CONNECTION)
    study.change_records("Change step", data.changes._replace(steps=({**sample, "seed": 2},)))
    assert has_other_data(study, CONNECTION)
    assert not has_other_data(study, "Elsewhere")
