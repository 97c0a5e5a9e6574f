"""What a small study does without: V3, migrations, copies, old instructions, collections, testers."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from batchwright.api.connection import Service
from batchwright.api.errors import NotFound, Refused
from batchwright.service.host import Running
from batchwright.wire.batches import Batch, BatchCreate, BatchDuplicate, BatchUpdate
from batchwright.wire.collections import CollectionCreate, CollectionReplace, in_order
from batchwright.wire.datapoints import Lines
from batchwright.wire.datasets import DatasetCreate, SchemaUpdate
from batchwright.wire.instructions import InstructionsWrite
from batchwright.wire.participants import ParticipantCreate
from tests.api.study import CSV, DETAILS, SCHEMA, bring, carry_out, set_up, settled

NOWHERE = "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff"
QUESTION: dict[str, Any] = {"type": "free_text", "description": "Why?"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data file of two records."""
    path = tmp_path / "prompts.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


def instructions(*entries: dict[str, Any]) -> InstructionsWrite:
    return InstructionsWrite.model_validate({"instructions": [{**QUESTION, **entry} for entry in entries]})


async def legacy_batch(service: Service, workspace_id: str) -> Batch:
    """A batch without a layout."""
    wanted = BatchCreate(name="Legacy", workspace_id=workspace_id, task_details=DETAILS)
    return await service.batches.create(wanted)


@pytest.mark.spec("V-01")
def test_a_v3_dataset_is_read_from_its_file(running: Running, data: Path) -> None:
    async def work(service: Service) -> None:
        dataset = await service.datasets.create(DatasetCreate(name="Old", workspace_id=running.workspace_id))
        assert (dataset.is_v4, dataset.status) == (False, "UNINITIALISED")
        address = await service.datasets.upload_url(dataset.id, data.name)
        assert address.import_id is None
        await service.transfers.upload(data, address.upload_url, content_type=address.content_type)
        state = await settled(lambda: service.datasets.status(dataset.id))
        seen = await service.datasets.get(dataset.id)
        assert (state.status, seen.filename, seen.total_datapoint_count) == ("READY", data.name, 2)

    carry_out(running, work)


def test_the_status_of_a_v4_dataset_is_refused(running: Running, data: Path) -> None:
    async def work(service: Service) -> None:
        dataset, _job = await bring(service, running.workspace_id, data)
        with pytest.raises(Refused):
            await service.datasets.status(dataset.id)

    carry_out(running, work)


def test_another_schema_starts_a_migration_and_the_first_one_does_not(running: Running, data: Path) -> None:
    async def work(service: Service) -> None:
        wanted = DatasetCreate(name="Empty", workspace_id=running.workspace_id, schema=None)
        empty = await service.datasets.create(wanted)
        first = await service.datasets.update_schema(empty.id, SchemaUpdate(schema=SCHEMA))
        assert (first.schema_version, first.migration_job_id) == (1, None)
        dataset, _job = await bring(service, running.workspace_id, data)
        fields = {**SCHEMA["fields"], "note": {"type": "metadata"}}
        update = SchemaUpdate(schema={"strict": False, "fields": fields})
        later = await service.datasets.update_schema(dataset.id, update)
        assert (later.schema_version, later.schema_) == (2, update.schema_)
        job_id = later.migration_job_id or ""
        job = await settled(lambda: service.datasets.migration(dataset.id, job_id))
        assert (job.status, job.schema_version, job.reprocessed_count) == ("complete", 2, 2)
        with pytest.raises(NotFound) as caught:
            await service.datasets.migration(dataset.id, NOWHERE)
        assert NOWHERE in caught.value.sought

    carry_out(running, work)


def test_records_are_appended_and_synced_by_themselves(running: Running, data: Path) -> None:
    async def work(service: Service) -> None:
        batch = await set_up(service, running.workspace_id, data)
        changed = await service.batches.update(batch.id, BatchUpdate(auto_sync_enabled=True))
        assert changed.auto_sync_enabled
        records = Lines(b'{"prompt": "Third"}\n\n{"prompt": "Third"}\n{"no": 1}\n')
        result = await service.datasets.append(batch.datasets[0].id, records)
        assert (result.accepted, result.rejected, result.errors[0].record_index) == (2, 1, 3)
        off = await service.batches.update(batch.id, BatchUpdate(auto_sync_enabled=False))
        assert not off.auto_sync_enabled

    carry_out(running, work)


def test_tasks_and_groups_are_listed_by_their_ids(running: Running, data: Path) -> None:
    async def work(service: Service) -> None:
        batch = await set_up(service, running.workspace_id, data)
        tasks, groups = await service.batches.tasks(batch.id), await service.batches.task_groups(batch.id)
        assert (len(set(tasks)), len(set(groups))) == (batch.total_task_count, batch.total_task_groups)

    carry_out(running, work)


def test_a_copy_shares_the_dataset_or_has_none(running: Running, data: Path) -> None:
    async def work(service: Service) -> None:
        batch = await set_up(service, running.workspace_id, data)
        shared = await service.batches.duplicate(batch.id, BatchDuplicate())
        assert (shared.name, shared.status) == ("Study (Copy)", "UNINITIALISED")
        assert [one.id for one in shared.datasets] == [one.id for one in batch.datasets]
        alone = await service.batches.duplicate(
            batch.id, BatchDuplicate(name="Alone", upload_new_dataset=True)
        )
        assert (alone.name, alone.datasets) == ("Alone", ())

    carry_out(running, work)


@pytest.mark.spec("H-07")
def test_legacy_instructions_are_added_replaced_and_say_when_they_end(running: Running) -> None:
    async def work(service: Service) -> None:
        batch = await legacy_batch(service, running.workspace_id)
        added = await service.instructions.add(batch.id, instructions({}, {"description": "How?"}))
        assert added.deprecation is not None
        assert str(added.deprecation.sunset) == "2026-09-01 23:59:59+00:00"
        first, second = added.records
        kept = instructions({"id": second.id, "description": "How come?"}, {"description": "When?"})
        replaced = await service.instructions.replace(batch.id, kept)
        assert [one.description for one in replaced.records] == ["How come?", "When?"]
        assert replaced.records[0].id == second.id
        listed = await service.instructions.list(batch.id)
        assert listed == replaced
        assert first.id not in [one.id for one in listed.records]

    carry_out(running, work)


def test_instructions_of_a_batch_with_a_layout_are_refused_by_name(running: Running, data: Path) -> None:
    async def work(service: Service) -> None:
        batch = await set_up(service, running.workspace_id, data)
        with pytest.raises(Refused) as caught:
            await service.instructions.add(batch.id, instructions({}))
        assert caught.value.status == 422
        assert "batch_items" in caught.value.said.message
        assert caught.value.said.deprecation is not None
        with pytest.raises(NotFound):
            await service.instructions.list(NOWHERE)

    carry_out(running, work)


def test_a_collection_is_made_listed_replaced_and_exported(running: Running) -> None:
    item = {**QUESTION, "order": 0}
    words = {"name": "Words", "workspace_id": running.workspace_id, "task_details": DETAILS}

    async def work(service: Service) -> None:
        wanted = CollectionCreate.model_validate({**words, "collection_items": [{"page_items": [item]}]})
        made = await service.collections.create(wanted)
        listed = await service.collections.list(running.workspace_id)
        assert made.id in [one.id for one in listed.results]
        (page,) = (await service.collections.get(made.id)).collection_items or ()
        pages = [{"page_items": [item]}, {"id": page.id, "page_items": [{**item, "description": "Now?"}]}]
        whole = CollectionReplace.model_validate(
            {"name": "Two", "task_details": DETAILS, "collection_items": pages}
        )
        replaced = await service.collections.replace(made.id, whole)
        assert (replaced.name, replaced.page_count) == ("Two", 2)
        assert in_order(replaced.collection_items or ())[1].id == page.id
        assert list(await service.collections.responses(made.id)) == []
        job = await service.exports.start_of_collection(made.id)
        export_id = job.export_id or ""
        done = await settled(lambda: service.exports.get_of_collection(made.id, export_id))
        assert done.status == "complete"
        for asking in (
            service.collections.get(NOWHERE),
            service.collections.responses(NOWHERE),
            service.exports.start_of_collection(NOWHERE),
            service.exports.get_of_collection(made.id, NOWHERE),
        ):
            with pytest.raises(NotFound) as caught:
                await asking
            assert NOWHERE in caught.value.sought

    carry_out(running, work)


@pytest.mark.spec("P-01")
def test_a_test_participant_is_made_once_for_each_address(running: Running) -> None:
    wanted = ParticipantCreate(email=f"tester+{uuid4().hex}@example.org")

    async def work(service: Service) -> None:
        made = await service.participants.create(wanted)
        assert len(made.participant_id) == 24
        with pytest.raises(Refused):
            await service.participants.create(wanted)

    carry_out(running, work)
