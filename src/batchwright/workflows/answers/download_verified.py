"""Downloading report and export to the user's files, and verifying them against the answers.

Answers that an export lacks are no error if they are newer than everything in it: a service creates an export
once and returns the same one afterwards (specification, Batches rule 9). The window reports them and offers a
file of the answers. `rehearse` requires every answer.

A report can be made safe for spreadsheet programs, which run cells that start like a formula.
"""

import asyncio
import csv
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from batchwright.api.files.file_streams import OnProgress
from batchwright.api.http.errors import NotFound
from batchwright.base.cooperative import yielding_gil
from batchwright.base.files.atomic_files import errors_naming, replace_atomically, sibling_temp_file
from batchwright.base.files.temporary_files import temporary_subfolder
from batchwright.base.json_values import Json, is_object
from batchwright.client.batch_questions import fetch_questions
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.remote_study import RemoteStudy, remote_batch
from batchwright.client.resilient_run import RecoveryHooks, run_resiliently
from batchwright.client.task_layouts import is_on_this_computer, recorded_layouts
from batchwright.data_files.spreadsheet_cells import CsvWriter, safe_cell
from batchwright.data_files.text_rows.csv_rows import MAX_CELL_CHARS
from batchwright.wire.batches import Batch
from batchwright.wire.collections import AnswerRecord
from batchwright.workflows.answers.download_results import (
    download_export,
    download_report,
    download_responses,
)
from batchwright.workflows.verification.checks import Check
from batchwright.workflows.verification.verify_export import ExportVerification, verify_export_file
from batchwright.workflows.verification.verify_report import verify_report


def write_safe_copy(path: Path, target: Path) -> int:
    """Copy a CSV file with `safe_cell` applied to every cell; returns the number of cells changed.

    Raises:
        csv.Error: the file is not valid CSV.
        OSError: it cannot be read, or the target cannot be written.
    """
    csv.field_size_limit(MAX_CELL_CHARS)
    changed = 0
    with (
        path.open(encoding="utf-8", errors="surrogateescape", newline="") as source,
        target.open("w", encoding="utf-8", errors="surrogateescape", newline="") as out,
    ):
        writer = CsvWriter(out, is_spreadsheet_safe=True)
        for row in yielding_gil(csv.reader(source)):
            changed += sum(cell != safe_cell(cell) for cell in row)
            writer.writerow(row)
    return changed


_ATTEMPTS = 3
"""How often a file is downloaded while further answers arrive."""

Verify = Callable[[Iterable[AnswerRecord]], Sequence[Check]]


class SpreadsheetSafetyFailed(Exception):
    """A report could not be made safe for spreadsheets and was not saved; the text names its file."""


@dataclass(frozen=True)
class VerifiedDownload:
    """A downloaded file, the number of answers it was verified against, and the results of the checks."""

    path: Path
    answers: int | None
    """None if the service does not list the answers of collections, so that none were compared."""
    checks: tuple[Check, ...] = ()
    until: datetime | None = None
    """When the newest answer in an export was given."""
    newer: int = 0
    """How many answers were given after the service had created the export, which therefore lacks them.

    Wire reference, section 15.
    """
    changed: int = 0
    """How many answers in an export are other ones at the service now, as after participants changed them."""

    @property
    def passed(self) -> bool:
        """Whether all checks passed."""
        return all(check.passed for check in self.checks)

    @property
    def is_stale(self) -> bool:
        """Whether answers were given or changed after the service had created the export."""
        return bool(self.newer or self.changed)

    @property
    def failed_checks(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if not check.passed)


async def download_verified_report(
    context: WorkflowContext,
    batch_id: str,
    path: Path,
    on_progress: OnProgress | None = None,
    hooks: RecoveryHooks | None = None,
) -> VerifiedDownload:
    """Download and verify the report of a batch: every answer, every task, every column of its dataset.

    The report of the service on this computer has the answers to the tasks of all setups. That of a hosted
    service may have only those of the latest one, while it still returns the others: they may then be missing
    if it is known here when the batch was set up again. Outages are waited for, as in `run_resiliently`.

    Raises:
        ApiError: a request failed permanently.
        OSError: the file cannot be written.
    """
    batch = await context.service.batches.get(batch_id)
    columns, since = await _columns(context, batch), await _latest_repeated_setup(context, batch_id)
    recorded = await recorded_layouts(context, remote_batch(batch_id))
    layouts: list[Json] = [layout.pages for layout in recorded]
    layouts = layouts or [await fetch_questions(context, batch)]
    tasks = batch.total_task_count

    def checks_of(responses: Iterable[AnswerRecord]) -> list[Check]:
        return verify_report(path, columns, None, responses, datapoints=tasks, layouts=layouts)

    def verify(responses: Iterable[AnswerRecord]) -> list[Check]:
        checks = checks_of(responses)
        if since is None or is_on_this_computer(context) or all(check.passed for check in checks):
            return checks
        return checks_of(
            record for record in responses if record.created_at is None or record.created_at >= since
        )

    async def fetch() -> None:
        await download_report(context, batch_id, path, on_progress, hooks)

    return await _download_and_verify(context, remote_batch(batch_id), fetch, path, verify, hooks)


async def download_safe_report(
    context: WorkflowContext,
    batch_id: str,
    path: Path,
    on_progress: OnProgress | None = None,
    hooks: RecoveryHooks | None = None,
) -> VerifiedDownload:
    """Like `download_verified_report`; texts that a spreadsheet might execute get an apostrophe.

    The report is downloaded to a temporary folder: an existing file is replaced only by the safe copy.

    Raises:
        ApiError: a request failed permanently.
        OSError: the file cannot be written.
        SpreadsheetSafetyFailed: the report is not a table.
    """
    with errors_naming(path), temporary_subfolder(path.parent) as folder:
        report = folder / path.name
        download = await download_verified_report(context, batch_id, report, on_progress, hooks)
        await asyncio.to_thread(_save_safe_copy, report, path)
    return replace(download, path=path)


def _save_safe_copy(report: Path, path: Path) -> None:
    try:
        with sibling_temp_file(path) as temp_path:
            write_safe_copy(report, temp_path)
            replace_atomically(temp_path, path)
    except csv.Error as error:
        raise SpreadsheetSafetyFailed(path.name) from error


async def download_verified_export(
    context: WorkflowContext,
    study: RemoteStudy,
    path: Path,
    on_progress: OnProgress | None = None,
    hooks: RecoveryHooks | None = None,
) -> VerifiedDownload:
    """Download and verify an export; outages are waited for, as in `run_resiliently`.

    A service creates the export once. Answers given or changed later are counted, and are no error.

    Raises:
        ExportFailed: the service could not create it.
        ApiError: a request failed permanently.
        OSError: the file cannot be written.
    """

    verification = ExportVerification()

    def verify(responses: Iterable[AnswerRecord]) -> Sequence[Check]:
        nonlocal verification
        verification = verify_export_file(
            path, responses, may_be_older=True, is_collection=study.is_collection
        )
        return verification.checks

    async def fetch() -> None:
        await download_export(context, study, path, on_progress, hooks)

    download = await _download_and_verify(context, study, fetch, path, verify, hooks)
    return replace(download, until=verification.until, newer=verification.newer, changed=verification.changed)


async def download_verified_answers(
    context: WorkflowContext,
    study: RemoteStudy,
    path: Path,
    _on_progress: OnProgress | None = None,
    hooks: RecoveryHooks | None = None,
) -> VerifiedDownload:
    """Download all answers that the service has now, independent of an existing export.

    Raises:
        ApiError: a request failed permanently.
        OSError: the file cannot be written.
    """
    async with context.jobs.local_job(JobKind.DOWNLOAD, study.job_subject, path.name) as local_job:
        records = await run_resiliently(
            context, lambda context: download_responses(context, study, path), hooks, local_job
        )
    return VerifiedDownload(path, len(records))


async def _columns(context: WorkflowContext, batch: Batch) -> Sequence[str] | None:
    """The fields of the batch's dataset in order; None if they are unknown.

    They are fetched, since the study may have another schema by now. A V3 dataset has no schema (wire
    reference, 4.1).
    """
    if len(batch.datasets) != 1:
        return None
    try:
        dataset = await context.service.datasets.get(batch.datasets[0].id)
    except NotFound:
        return None
    fields = (dataset.schema_ or {}).get("fields")
    return list(fields) if is_object(fields) else None


async def _latest_repeated_setup(context: WorkflowContext, batch_id: str) -> datetime | None:
    """When the latest setup that replaced tasks was started; None if no such setup is known."""
    setups = await context.jobs.rows_for(JobKind.SETUP, {"batch_id": batch_id})
    return setups[-1].started_at if len(setups) > 1 else None


async def _download_and_verify(
    context: WorkflowContext,
    study: RemoteStudy,
    fetch: Callable[[], Awaitable[None]],
    path: Path,
    verify: Verify,
    hooks: RecoveryHooks | None,
) -> VerifiedDownload:
    """Download and verify a file; repeat while answers arrive in between, since it cannot contain them."""
    previous_count = -1
    for _attempt in range(_ATTEMPTS):
        await fetch()
        try:
            records = await run_resiliently(context, lambda context: study.responses(context.service), hooks)
        except NotFound:
            if not study.is_collection:
                raise
            return VerifiedDownload(path, None)
        answers = _CountingIterable(records)
        checks = await asyncio.to_thread(verify, answers)
        download = VerifiedDownload(path, answers.count, tuple(checks))
        if download.passed or answers.count == previous_count:
            break
        previous_count = answers.count
    return download


class _CountingIterable:
    """Counts the records while they are iterated over."""

    def __init__(self, records: Iterable[AnswerRecord]) -> None:
        self._records, self.count = records, 0

    def __iter__(self) -> Iterator[AnswerRecord]:
        self.count = 0
        for record in self._records:
            self.count += 1
            yield record
