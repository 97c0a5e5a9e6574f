"""Rehearsing a study on any service, from its files to verified results."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from batchwright.base.atomic_files import write_atomically
from batchwright.base.i18n import _
from batchwright.base.json_values import to_json
from batchwright.client.checkpoint import Checkpoint, file_sha256
from batchwright.client.context import WorkflowContext
from batchwright.client.step_errors import step
from batchwright.data_files.formats import FormatKind
from batchwright.layout.ids import to_request
from batchwright.schema.parsing import write_schema
from batchwright.wire.base import to_payload
from batchwright.wire.batches import Batch
from batchwright.wire.local_routes import AnnotatorsPerTask, ShuffleSeed
from batchwright.wire.responses import ResponseRecord
from batchwright.workflows.append import AppendProgress, append_file
from batchwright.workflows.batch_content import DesiredBatch
from batchwright.workflows.create_batch import create_batch
from batchwright.workflows.create_dataset import DatasetCreationUnknown
from batchwright.workflows.download_results import download_export, download_report, download_responses
from batchwright.workflows.rehearse_types import (
    RehearsalInput,
    RehearsalOptions,
    RehearsalResult,
    RehearsedAppend,
    summary,
)
from batchwright.workflows.set_up import ensure_set_up
from batchwright.workflows.simulate import SimulatedParticipants
from batchwright.workflows.sync import sync
from batchwright.workflows.upload_dataset import UploadResult, upload_dataset
from batchwright.workflows.verify_export import verify_export_file
from batchwright.workflows.verify_report import Check, count_check, verify_records, verify_report

_SHOWN_REJECTIONS = 10


async def rehearse(
    bench: WorkflowContext, study: RehearsalInput, plan: RehearsalOptions, out: Path
) -> RehearsalResult:
    """Run a study from its files to answers, report, export and summary in the folder `out`.

    If the same rehearsal was interrupted before, it resumes at the step that did not complete.

    Raises:
        ImportIncomplete: some records were rejected, or there are none, so that no tasks can be created.
        StepFailed: another error; it names the step and contains the error.
    """
    trail = await asyncio.to_thread(_checkpoint, bench, study, plan, out)
    with step(_("Sending the data")):
        brought = await _upload(bench, trail, study)
    bench.notify(
        _("Imported: {accepted} records accepted, {rejected} rejected.").format(
            accepted=brought.accepted, rejected=brought.rejected
        )
    )
    brought.require_complete()
    with step(_("Creating the batch")):
        batch = await _create_batch(bench, trail, study, plan, brought.dataset.id)
    with step(_("Creating the tasks")):
        batch = await ensure_set_up(bench, batch, study.name, plan.tasks_per_group)
    bench.notify(
        _("Set up: {tasks} tasks in {groups} task groups.").format(
            tasks=batch.total_task_count, groups=batch.total_task_groups
        )
    )
    grown = None
    if study.more is not None:
        with step(_("Appending records")):
            grown = await _append(bench, study.more, brought.dataset.id, batch.id)
            batch = await bench.service.batches.get(batch.id)
    with step(_("Simulating participants")):
        took_part, turned_away = await _participate(bench, plan, batch.id)
    responses = await _download(bench, batch.id, out)
    proofs = await asyncio.to_thread(_verify, study, brought, grown, batch, responses, out)
    rehearsal = RehearsalResult(brought, batch, grown, took_part, turned_away, responses, proofs)
    write_atomically(out / "summary.json", f"{to_json(summary(rehearsal, plan), indent=2)}\n".encode())
    if rehearsal.passed:
        await trail.clear()
    return rehearsal


def _checkpoint(
    bench: WorkflowContext, study: RehearsalInput, plan: RehearsalOptions, out: Path
) -> Checkpoint:
    """Return the checkpoint of this rehearsal into this folder."""
    files = [path for path in (study.data, study.more) if path is not None]
    return bench.checkpoint(
        "rehearsal",
        study.name,
        to_request(study.layout, {}),
        write_schema(study.schema),
        to_payload(study.details),
        [file_sha256(path) for path in files],
        vars(plan),
        str(out.resolve()),
    )


async def _upload(bench: WorkflowContext, trail: Checkpoint, study: RehearsalInput) -> UploadResult:
    """Upload the study's data. A command cannot ask whether to create another dataset, so it does."""
    try:
        return await upload_dataset(bench, trail, study.name, study.schema, study.data)
    except DatasetCreationUnknown:
        bench.notify(
            _("The response was lost; an empty dataset with this name may remain. Creating another one.")
        )
        return await upload_dataset(bench, trail, study.name, study.schema, study.data)


async def _create_batch(
    bench: WorkflowContext, trail: Checkpoint, study: RehearsalInput, plan: RehearsalOptions, dataset_id: str
) -> Batch:
    wanted = DesiredBatch(study.name, study.details, study.layout, dataset_id)
    batch = await create_batch(bench, trail, wanted)
    if plan.simulated:
        local = bench.service.local
        await local.set_annotators_per_task(
            batch.id, AnnotatorsPerTask(annotators_per_task=plan.annotators_per_task)
        )
        await local.set_shuffle_seed(batch.id, ShuffleSeed(seed=plan.seed))
    return batch


async def _append(bench: WorkflowContext, more: Path, dataset_id: str, batch_id: str) -> RehearsedAppend:
    appended = await append_file(bench, dataset_id, more)
    bench.notify(
        _("Appended: {accepted} records accepted, {rejected} rejected.").format(
            accepted=appended.accepted, rejected=appended.rejected
        )
    )
    for one in appended.rejections[:_SHOWN_REJECTIONS]:
        bench.notify(
            _("Appended record {number}, {field}: {reason}").format(
                number=one.record_index, field=one.field, reason=one.reason
            )
        )
    job = await sync(bench, batch_id, more.name)
    bench.notify(
        _("Synced: {tasks} new tasks, {groups} new task groups.").format(
            tasks=job.tasks_created, groups=job.groups_created
        )
    )
    dataset = await bench.service.datasets.get(dataset_id)
    return RehearsedAppend(appended, job, dataset.total_datapoint_count)


async def _participate(bench: WorkflowContext, plan: RehearsalOptions, batch_id: str) -> tuple[int, int]:
    if not plan.simulated or not plan.participants:
        return 0, 0
    link = (await bench.service.local.participation(batch_id)).url
    simulation = SimulatedParticipants(link, plan.seed, plan.participants)
    took_part = len([number async for number in simulation.run()])
    bench.notify(_("Simulated participants who answered: {count}.").format(count=took_part))
    return took_part, plan.participants - took_part


async def _download(bench: WorkflowContext, batch_id: str, out: Path) -> Sequence[ResponseRecord]:
    with step(_("Downloading the answers")):
        responses = await download_responses(bench, batch_id, out / "responses.json")
    bench.notify(_("Downloaded {count} answers.").format(count=len(responses)))
    with step(_("Downloading the report")):
        await download_report(bench, batch_id, out / "report.csv")
    with step(_("Downloading the export")):
        await download_export(bench, batch_id, out / "export.zip")
    return responses


def _verify(
    study: RehearsalInput,
    brought: UploadResult,
    grown: RehearsedAppend | None,
    batch: Batch,
    responses: Sequence[ResponseRecord],
    out: Path,
) -> list[Check]:
    datapoints = brought.accepted if grown is None else grown.datapoints
    records = [verify_records(study.data, brought.accepted + brought.rejected)]
    if grown is not None and study.more is not None:
        records += _verify_append(study.more, grown.appended)
    tasks = count_check(_("Every accepted record has a task."), datapoints, batch.total_task_count)
    # For a layout without instructions, the report has one row per datapoint.
    rows = max(1, sum(1 for _place, _item in study.layout.instructions()))
    report = verify_report(
        out / "report.csv",
        list(study.schema.fields),
        datapoints * rows,
        responses,
        batch_items=batch.batch_items,
        is_exact=True,
    )
    return [*records, tasks, *report, *verify_export_file(out / "export.zip", responses).checks]


def _verify_append(more: Path, appended: AppendProgress) -> list[Check]:
    return [
        verify_records(more, appended.counted, FormatKind.JSONL),
        count_check(_("The service has accepted every appended record."), 0, appended.rejected),
    ]
