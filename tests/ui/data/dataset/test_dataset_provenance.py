"""The provenance of a dataset: whether it was created from the current data."""

from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.data_files.formats import Format, FormatKind
from batchwright.local.projects import DataFile, Project, RemoteBinding
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.data.dataset.dataset_provenance import DatasetProvenance
from batchwright.ui.study.study_model import Study

pytestmark = pytest.mark.gui

SCHEMA = Schema(strict=False, fields={"a": Field(FieldType.TEXT)})
FORM = Format(FormatKind.CSV)
CONNECTION = "This computer"


def no_content() -> None:
    """The content of the file is not known."""


@pytest.fixture
def study() -> Study:
    """A study saved after its upload by a version that did not store the provenance."""
    study = Study()
    data = DataFile(Path("cats.csv"), 10, FORM)
    remotes = {CONNECTION: RemoteBinding("w", "dataset", "import", delivered=None)}
    study.open(Project("Cats", schema=SCHEMA, data=data, remotes=remotes), None)
    return study


def test_a_study_saved_after_its_upload_is_still_uploaded(study: Study) -> None:
    provenance = DatasetProvenance(study, no_content)
    assert not provenance.was_created_from_data(CONNECTION)
    provenance.load()
    assert provenance.was_created_from_data(CONNECTION)
    assert not provenance.was_created_from_data("Elsewhere")


def test_a_chosen_but_unsent_file_is_not_uploaded_after_reopening(
    study: Study,
) -> None:
    provenance = DatasetProvenance(study, no_content)
    provenance.start(CONNECTION)
    provenance.complete(CONNECTION)
    sent = study.project
    study.set_data(DataFile(Path("dogs.csv"), 10, FORM))
    for project, is_uploaded in ((study.project, False), (sent, True)):
        study.open(project, None)
        again = DatasetProvenance(study, no_content)
        again.load()
        assert again.was_created_from_data(CONNECTION) is is_uploaded


@pytest.mark.parametrize("is_known_at_start", [True, False])
def test_another_file_of_the_same_name_and_size_is_not_uploaded(
    study: Study, *, is_known_at_start: bool
) -> None:
    content: list[str | None] = ["first" if is_known_at_start else None]
    provenance = DatasetProvenance(study, lambda: content[0])
    provenance.start(CONNECTION)
    content[0] = "first"
    provenance.complete(CONNECTION)
    again = DatasetProvenance(study, lambda: content[0])
    content[0] = None  # until the file is read
    again.load()
    for sha256, is_same in ((None, True), ("first", True), ("second", False)):
        content[0] = sha256
        assert again.was_created_from_data(CONNECTION) is is_same
        assert again.was_created_from_file(CONNECTION, SCHEMA) is is_same


def test_data_changed_since_the_study_was_saved_is_not_uploaded(study: Study) -> None:
    provenance = DatasetProvenance(study, no_content)
    provenance.load()
    study.set_data(DataFile(Path("cats.csv"), 11, FORM))
    assert not provenance.was_created_from_data(CONNECTION)


def test_an_upload_is_compared_with_the_data_at_its_start(study: Study) -> None:
    provenance = DatasetProvenance(study, no_content)
    provenance.start(CONNECTION)
    study.set_schema(Schema(strict=True, fields=SCHEMA.fields))
    provenance.load()
    provenance.complete(CONNECTION)
    assert not provenance.was_created_from_data(CONNECTION)
    study.set_schema(SCHEMA)
    assert provenance.was_created_from_data(CONNECTION)


def test_a_dataset_that_came_with_the_version_of_a_service_is_used_as_it_is_until_that_is_undone(
    study: Study,
) -> None:
    provenance = DatasetProvenance(study, no_content)
    provenance.start(CONNECTION)
    provenance.complete(CONNECTION)
    remote = study.remote(CONNECTION).with_dataset("w", "theirs", is_filled=True)
    other = Schema(strict=True, fields=SCHEMA.fields)
    study.adopt(replace(study.content, schema=other), CONNECTION, replace(remote, delivered=None), "Load")
    assert provenance.is_current(CONNECTION)
    assert not provenance.was_created_from_data(CONNECTION)
    study.undo()
    assert provenance.was_created_from_data(CONNECTION)
    study.redo()
    assert provenance.is_current(CONNECTION)
    assert not provenance.was_created_from_data(CONNECTION)
