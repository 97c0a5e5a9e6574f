"""V3 data is shown in a batch with instructions, and every result of the batch contains the answers."""

import csv
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

import pytest

from batchwright.analysis.store.layout_versions import LayoutVersions
from batchwright.base.json_values import is_array
from batchwright.client.batch_questions import fetch_questions
from batchwright.client.remote_study import remote_batch
from batchwright.client.task_layouts import record_observed_setups, recorded_layouts
from batchwright.layout.serialization import read, sequential_keys
from batchwright.local.projects import Project
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import BatchStatus
from batchwright.wire.instructions import InstructionsWrite
from batchwright.wire.timestamps import to_milliseconds
from batchwright.workflows.answers.answered_layouts import answered_layouts
from batchwright.workflows.answers.download_verified import (
    download_verified_answers,
    download_verified_export,
    download_verified_report,
)
from batchwright.workflows.answers.open_answers import open_answers
from batchwright.workflows.data.upload_v3_dataset import upload_v3_dataset
from batchwright.workflows.publishing.create_batch import create_legacy_batch
from batchwright.workflows.publishing.legacy_instructions import replace_instructions
from batchwright.workflows.publishing.set_up import ensure_set_up
from tests.api.studies import DETAILS
from tests.service.participant import answer_task_group
from tests.workflows.contexts import context_at

ROWS = "review,META_source\nNice mug,web\nLid leaks,shop\n"
QUESTION = {"type": "free_text", "description": "Why?"}


async def test_answers_of_a_legacy_batch_have_the_instructions_of_its_setup(
    running: ServiceAddress, tmp_path: Path
) -> None:
    path = tmp_path / "reviews.csv"
    path.write_text(ROWS, encoding="utf-8")
    asked = InstructionsWrite.model_validate({"instructions": [QUESTION]})

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        dataset = await upload_v3_dataset(context, context.checkpoint("v3"), "Reviews", path)
        batch = await create_legacy_batch(context, "V3 study", DETAILS, dataset.id, None)
        (question,) = await replace_instructions(context, batch.id, asked)
        batch = await ensure_set_up(context, batch, batch.name, 2)
        reworded = [{**QUESTION, "description": "Why not?", "id": question.id}]
        changed = InstructionsWrite.model_validate({"instructions": reworded})
        await replace_instructions(context, batch.id, changed)
        answered = await answered_layouts(context, remote_batch(batch.id), batch)
    assert [question.title for question in LayoutVersions((answered.timeline,)).questions] == ["Why?"]
    assert answered.timeline.known_since < to_milliseconds(datetime.now(UTC))


async def test_the_setup_of_a_legacy_batch_by_another_client_is_recorded_once(
    running: ServiceAddress, tmp_path: Path
) -> None:
    path = tmp_path / "reviews.csv"
    path.write_text(ROWS, encoding="utf-8")
    asked = InstructionsWrite.model_validate({"instructions": [QUESTION]})

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        dataset = await upload_v3_dataset(context, context.checkpoint("v3"), "Reviews", path)
        batch = await create_legacy_batch(context, "V3 study", DETAILS, dataset.id, None)
        await replace_instructions(context, batch.id, asked)
        seen = batch.model_copy(update={"status": BatchStatus.PROCESSING})
        for _refresh in range(2):
            await record_observed_setups(context, [seen])
        (layout,) = await recorded_layouts(context, remote_batch(batch.id))
    assert not layout.is_assumed


@pytest.mark.spec("H-07", "V-05")
async def test_answers_about_v3_data_are_in_the_list_the_report_and_the_export(
    running: ServiceAddress, tmp_path: Path
) -> None:
    path = tmp_path / "reviews.csv"
    path.write_text(ROWS, encoding="utf-8")
    shown: list[str] = []

    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        dataset = await upload_v3_dataset(context, context.checkpoint("v3"), "Reviews", path)
        batch = await create_legacy_batch(context, "V3 study", DETAILS, dataset.id, None)
        assert batch.batch_items is None
        instructions = InstructionsWrite.model_validate({"instructions": [QUESTION]})
        (question,) = await replace_instructions(context, batch.id, instructions, ())
        batch = await ensure_set_up(context, batch, batch.name, 2)
        assert batch.total_task_count == 2
        link = (await context.service.local.participation(batch.id)).url
        answer_task_group(link, "a" * 24, on_page=shown.append)
        study = remote_batch(batch.id)
        listed = tmp_path / "answers.jsonl"
        assert (await download_verified_answers(context, study, listed)).answers == 2
        report, export = tmp_path / "report.csv", tmp_path / "export.zip"
        assert (await download_verified_report(context, batch.id, report)).passed
        assert (await download_verified_export(context, study, export)).passed
        pages = await fetch_questions(context, batch)
        assert is_array(pages)
        questions = read(pages, sequential_keys())
        opened = open_answers(listed, Project("Reviews", layout=questions))
        assert [item.title for item in opened.store.questions] == ["Why?"]
        assert len(opened.store) == 2
        from_export = open_answers(export, Project("Reviews", layout=questions))
        assert (from_export.has_questions, len(from_export.store)) == (True, 2)
        assert question.id in listed.read_text(encoding="utf-8")
    for cell in ("Nice mug", "Lid leaks", "Why?"):
        assert any(cell in page for page in shown), cell
    assert not any("META_source" in page for page in shown)
    with (tmp_path / "report.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sorted((row["review"], row["META_source"]) for row in rows) == [
        ("Lid leaks", "shop"),
        ("Nice mug", "web"),
    ]
    assert all("Fine" in row.values() for row in rows)
    with ZipFile(tmp_path / "export.zip") as archive:
        assert sum(archive.read(name).count(b'"Fine"') for name in archive.namelist()) >= 2
