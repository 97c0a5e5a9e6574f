"""A study that was saved with its data: uploaded in one step where its table does not exist."""

from pathlib import Path

import pytest

from batchwright.client.context import WorkflowContext
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.formats import Format, FormatKind
from batchwright.local.projects import DataFile, Project
from batchwright.local.study_files.study_archive import write_archive
from batchwright.local.study_files.study_file import read_study
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.stage import DataStage
from tests.data_files.conversion.test_convert import workbook
from tests.ui.conftest import until
from tests.ui.data.conftest import checked

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]

SCHEMA = Schema(strict=True, fields={"prompt": Field(FieldType.TEXT, "Prompt")})


async def test_the_table_of_an_opened_archive_is_uploaded_and_stays_the_data_of_the_dataset(
    stage: DataStage, context: WorkflowContext, tmp_path: Path
) -> None:
    source = workbook(
        tmp_path / "pilot.xlsx", [["Our pilot"], [], ["prompt", "id"], ["Which?", "1"], ["", "2"]]
    )
    data = DataFile(source, source.stat().st_size, Format(FormatKind.JSONL), conversion=Conversion())
    archive = tmp_path / "pilot.batchwright"
    write_archive(Project("Pilot", schema=SCHEMA, data=data), archive)
    source.unlink()
    state = stage.state
    state.study.open(*read_study(archive))
    await checked(state)
    assert [(rejection.line, rejection.field) for rejection in state.rejections] == [(5, "prompt")]
    start_upload(state.dataset)
    await until(lambda: state.dataset.is_uploaded, 30)
    binding = state.study.remote(state.session.connection.name)
    assert binding.dataset_id is not None
    dataset = await context.service.datasets.get(binding.dataset_id)
    assert dataset.total_datapoint_count == 1
    assert state.study.file is not None
    await state.study.save(state.study.file)
    state.study.open(*read_study(archive))
    await checked(state)
    assert state.study.is_saved
    assert state.dataset.is_uploaded
