"""Rehearsing a study on any service, from its files to verified results."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import _, ngettext, program_language
from batchwright.base.json_values import Json, to_json
from batchwright.base.local_media import MediaFolder
from batchwright.client.batch_content import DesiredBatch
from batchwright.client.checkpoint import Checkpoint, file_sha256
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import step
from batchwright.client.remote_study import remote_batch
from batchwright.data_files.formats import FormatKind
from batchwright.layout.ids import to_request
from batchwright.layout.model import Layout
from batchwright.schema.model import Schema
from batchwright.schema.parsing import write_schema
from batchwright.wire.base import to_payload
from batchwright.wire.batches import Batch, TaskDetails
from batchwright.wire.collections import AnswerRecord
from batchwright.wire.local_routes import AnnotatorsPerTask, ParticipantLanguage, ShuffleSeed
from batchwright.wire.syncs import SyncJob
from batchwright.workflows.answers.download_results import (
    download_export,
    download_report,
    download_responses,
    downloaded_text,
)
from batchwright.workflows.data.append import AppendProgress, append_file
from batchwright.workflows.data.create_dataset import DatasetCreationUnknown
from batchwright.workflows.data.share_media import require_web_addresses, share_media
from batchwright.workflows.data.upload_dataset import UploadResult, upload_dataset
from batchwright.workflows.publishing.create_batch import create_batch
from batchwright.workflows.publishing.set_up import ensure_set_up
from batchwright.workflows.publishing.sync import sync
from batchwright.workflows.rehearsal.simulate import Behaviour, SimulatedParticipants
from batchwright.workflows.verification.checks import Check, count_check, verify_records
from batchwright.workflows.verification.verify_export import verify_export_file
from batchwright.workflows.verification.verify_report import verify_report

RESULT_FILES = ("responses.json", "report.csv", "export.zip", "summary.json")
"""The files that a rehearsal writes; that of a collection has no report."""


@dataclass(frozen=True)
class RehearsalInput:
    """The study to be rehearsed: a layout and the data that it is shown with."""

    name: str
    layout: Layout
    schema: Schema
    data: Path
    details: TaskDetails
    more: Path | None = None
    """A file of records that are appended once the batch is set up."""
    media: Sequence[MediaFolder] = ()
    """The files on this computer that the service shows to participants."""
    lines: Callable[[Path], Sequence[int]] = field(default=lambda _path: ())
    """Returns the line of each record of a file, or its row in the source, to name rejected ones."""
    language: str = ""
    """The language of the participants; empty for that of the program."""


@dataclass(frozen=True)
class RehearsalOptions:
    """How the study is rehearsed. Without `simulated`, no answers are generated: people give them."""

    tasks_per_group: int = 1
    annotators_per_task: int = 1
    participants: int = 0
    seed: int = 0
    behaviour: Behaviour = field(default_factory=Behaviour)
    simulated: bool = True


@dataclass(frozen=True)
class RehearsedAppend:
    """The result of appending: the records, the sync, and the number of datapoints afterwards."""

    appended: AppendProgress
    sync: SyncJob
    datapoints: int


@dataclass(frozen=True)
class RehearsalResult:
    """The result of a rehearsal; `turned_away` counts participants for whom no task group was left."""

    upload: UploadResult
    batch: Batch
    append: RehearsedAppend | None
    participants: int
    turned_away: int
    responses: Sequence[AnswerRecord]
    checks: Sequence[Check]

    @property
    def passed(self) -> bool:
        """Whether all checks passed."""
        return all(check.passed for check in self.checks)


def summary(rehearsal: RehearsalResult, options: RehearsalOptions) -> Json:
    """The content of `summary.json`: ids, counts, and the results of the checks."""
    upload, batch = rehearsal.upload, rehearsal.batch
    return {
        "dataset_id": upload.dataset.id,
        "import_id": upload.job.import_id,
        "import_status": upload.job.status,
        "batch_id": batch.id,
        "records": upload.accepted + upload.rejected,
        "accepted": upload.accepted,
        "rejected": upload.rejected,
        "sha256": upload.transfer.sha256,
        "appended": None if rehearsal.append is None else _append_summary(rehearsal.append),
        "tasks": batch.total_task_count,
        "task_groups": batch.total_task_groups,
        "tasks_per_group": options.tasks_per_group,
        "annotators_per_task": options.annotators_per_task,
        "participants": rehearsal.participants,
        "turned_away": rehearsal.turned_away,
        "seed": options.seed,
        "behaviour": asdict(options.behaviour),
        "responses": len(rehearsal.responses),
        "proofs": [
            {"statement": check.statement, "holds": check.passed, "found": check.actual}
            for check in rehearsal.checks
        ],
        "files": ["responses.json", "report.csv", "export.zip"],
    }


def _append_summary(append: RehearsedAppend) -> Json:
    """The part of `summary.json` about the append and the sync."""
    return {
        "records": append.appended.counted,
        "accepted": append.appended.accepted,
        "rejected": append.appended.rejected,
        "errors": [to_payload(rejection) for rejection in append.appended.rejections],
        "datapoints": append.datapoints,
        "sync_id": append.sync.sync_id,
        "tasks_created": append.sync.tasks_created,
        "groups_created": append.sync.groups_created,
        "groups_expanded": append.sync.groups_expanded,
    }


_SHOWN_REJECTIONS = 10


async def rehearse(
    context: WorkflowContext, study: RehearsalInput, options: RehearsalOptions, out: Path
) -> RehearsalResult:
    """Run a study from its files to answers, report, export and summary in the folder `out`.

    If the same rehearsal was interrupted before, it resumes at the step that did not complete.

    Raises:
        ImportIncomplete: some records were rejected, or there are none, so that no tasks can be created.
        StepFailed: another error; it names the step and contains the error.
    """
    checkpoint = await asyncio.to_thread(_checkpoint, context, study, options, out)
    with step(_("Sending the data")):
        await _prepare_media(context, study, options)
        upload = await _upload(context, checkpoint, study)
    context.notify(
        ngettext(
            "Imported: {accepted} record accepted, {rejected} rejected.",
            "Imported: {accepted} records accepted, {rejected} rejected.",
            upload.accepted,
        ).format(accepted=upload.accepted, rejected=upload.rejected)
    )
    upload.require_complete(lambda: study.lines(study.data))
    with step(_("Creating the batch")):
        batch = await _create_batch(context, checkpoint, study, options, upload.dataset.id)
    with step(_("Creating the tasks")):
        batch = await ensure_set_up(context, batch, study.name, options.tasks_per_group)
    tasks, groups = batch.total_task_count, batch.total_task_groups or 0
    text = _("Set up: {tasks} in {groups}.")
    context.notify(
        text.format(
            tasks=ngettext("{count} task", "{count} tasks", tasks).format(count=tasks),
            groups=ngettext("{count} task group", "{count} task groups", groups).format(count=groups),
        )
    )
    append = None
    if study.more is not None:
        with step(_("Appending records")):
            append = await _append(context, study, study.more, upload.dataset.id, batch.id)
            batch = await context.service.batches.get(batch.id)
    with step(_("Simulating participants")):
        participants, turned_away = await _participate(context, options, batch.id)
    responses = await _download(context, batch.id, out)
    checks = await asyncio.to_thread(_verify, study, upload, append, batch, responses, out)
    rehearsal = RehearsalResult(upload, batch, append, participants, turned_away, responses, checks)
    write_atomically(out / "summary.json", f"{to_json(summary(rehearsal, options), indent=2)}\n".encode())
    if rehearsal.passed:
        await checkpoint.clear()
    return rehearsal


def _checkpoint(
    context: WorkflowContext, study: RehearsalInput, options: RehearsalOptions, out: Path
) -> Checkpoint:
    """The checkpoint of this rehearsal into this folder."""
    files = [path for path in (study.data, study.more) if path is not None]
    return context.checkpoint(
        "rehearsal",
        study.name,
        to_request(study.layout, {}),
        write_schema(study.schema),
        to_payload(study.details),
        study.language,
        [file_sha256(path) for path in files],
        asdict(options),
        str(out.resolve()),
    )


async def _prepare_media(context: WorkflowContext, study: RehearsalInput, options: RehearsalOptions) -> None:
    """Let the service that the rehearsal has started show media of this computer; others could not."""
    if options.simulated:
        for folder in study.media:
            await share_media(context, folder)
        return
    for path in (study.data, study.more):
        if path is not None:
            await require_web_addresses(path)


async def _upload(context: WorkflowContext, checkpoint: Checkpoint, study: RehearsalInput) -> UploadResult:
    """Upload the study's data. A command cannot ask whether to create another dataset, so it does."""
    try:
        return await upload_dataset(context, checkpoint, study.name, study.schema, study.data)
    except DatasetCreationUnknown:
        context.notify(
            _("The response was lost; an empty dataset with this name may remain. Creating another one.")
        )
        return await upload_dataset(context, checkpoint, study.name, study.schema, study.data)


async def _create_batch(
    context: WorkflowContext,
    checkpoint: Checkpoint,
    study: RehearsalInput,
    options: RehearsalOptions,
    dataset_id: str,
) -> Batch:
    desired = DesiredBatch(study.name, study.details, study.layout, dataset_id)
    batch = await create_batch(context, checkpoint, desired)
    if options.simulated:
        local = context.service.local
        await local.set_annotators_per_task(
            batch.id, AnnotatorsPerTask(annotators_per_task=options.annotators_per_task)
        )
        await local.set_shuffle_seed(batch.id, ShuffleSeed(seed=options.seed))
        setting = ParticipantLanguage(language=study.language or program_language().tag)
        await local.set_language(batch.id, setting)
    return batch


async def _append(
    context: WorkflowContext, study: RehearsalInput, more: Path, dataset_id: str, batch_id: str
) -> RehearsedAppend:
    appended = await append_file(context, dataset_id, more)
    context.notify(
        ngettext(
            "Appended: {accepted} record accepted, {rejected} rejected.",
            "Appended: {accepted} records accepted, {rejected} rejected.",
            appended.accepted,
        ).format(accepted=appended.accepted, rejected=appended.rejected)
    )
    lines = await asyncio.to_thread(study.lines, more) if appended.rejections else ()
    for rejection in appended.rejections[:_SHOWN_REJECTIONS]:
        number = rejection.record_index
        text = _("Appended record {number}, {field}: {reason}")
        if number is not None and number <= len(lines):
            number, text = lines[number - 1], _("Appended, line {number}, {field}: {reason}")
        context.notify(text.format(number=number, field=rejection.field, reason=rejection.reason))
    job = await sync(context, batch_id, more.name)
    tasks, groups = job.tasks_created or 0, job.groups_created or 0
    created = ngettext("{count} new task", "{count} new tasks", tasks).format(count=tasks)
    grouped = ngettext("{count} new task group", "{count} new task groups", groups).format(count=groups)
    context.notify(_("Synced: {tasks}, {groups}.").format(tasks=created, groups=grouped))
    dataset = await context.service.datasets.get(dataset_id)
    return RehearsedAppend(appended, job, dataset.total_datapoint_count)


async def _participate(context: WorkflowContext, options: RehearsalOptions, batch_id: str) -> tuple[int, int]:
    if not options.simulated or not options.participants:
        return 0, 0
    link = (await context.service.local.participation(batch_id)).url
    simulation = SimulatedParticipants(link, options.seed, options.participants, options.behaviour)
    participants = len([number async for number in simulation.run()])
    context.notify(_("Simulated participants who answered: {count}.").format(count=participants))
    return participants, options.participants - participants


async def _download(context: WorkflowContext, batch_id: str, out: Path) -> Sequence[AnswerRecord]:
    study = remote_batch(batch_id)
    with step(_("Downloading the answers")):
        responses = await download_responses(context, study, out / "responses.json")
    context.notify(downloaded_text(len(responses)))
    with step(_("Downloading the report")):
        await download_report(context, batch_id, out / "report.csv")
    with step(_("Downloading the export")):
        await download_export(context, study, out / "export.zip")
    return responses


def _verify(
    study: RehearsalInput,
    upload: UploadResult,
    append: RehearsedAppend | None,
    batch: Batch,
    responses: Sequence[AnswerRecord],
    out: Path,
) -> list[Check]:
    datapoints = upload.accepted if append is None else append.datapoints
    records = [verify_records(study.data, upload.accepted + upload.rejected)]
    if append is not None and study.more is not None:
        records += _verify_append(study.more, append.appended)
    tasks = count_check(_("Every accepted record has a task."), datapoints, batch.total_task_count)
    # For a layout without instructions, the report has one row per datapoint.
    rows = max(1, sum(1 for _place, _item in study.layout.instructions()))
    report = verify_report(
        out / "report.csv",
        list(study.schema.fields),
        datapoints * rows,
        responses,
        layouts=[batch.batch_items],
        is_exact=True,
    )
    return [*records, tasks, *report, *verify_export_file(out / "export.zip", responses).checks]


def _verify_append(more: Path, appended: AppendProgress) -> list[Check]:
    return [
        verify_records(more, appended.counted, FormatKind.JSONL),
        count_check(_("The service has accepted every appended record."), 0, appended.rejected),
    ]
