"""Finding records in the report of a batch, which has every column beside each answer.

Wire reference, section 7.3.
"""

import asyncio
import csv
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from batchwright.api.files.file_streams import IncomingFile
from batchwright.api.files.resumable_download import ResumableDownload
from batchwright.base.cooperative import yielding_gil
from batchwright.base.files.temporary_files import temporary_folder
from batchwright.client.context import WorkflowContext
from batchwright.client.presigned_retry import with_presigned_retry
from batchwright.workflows.verification.report_comparison import ComparableTimes
from batchwright.workflows.verification.report_table import open_report


@dataclass(frozen=True)
class AnswerToLocate:
    """An answer that identifies the record of its task in a report."""

    task_id: str
    participant: str
    question: str
    answered_at: datetime
    text: str


async def find_records_in_report(
    context: WorkflowContext, batch_id: str, answers: Iterable[AnswerToLocate]
) -> dict[str, dict[str, str]]:
    """Download the report of a batch, and return the records that answers are about, by task id.

    Raises:
        ApiError: a request failed permanently.
        OSError: the report cannot be stored in a temporary file.
    """
    stopped = threading.Event()
    with temporary_folder("records") as folder:
        path = folder / "report.csv"
        await _download_report(context, batch_id, path)
        try:
            return await asyncio.to_thread(match_answers, path, answers, stopped.is_set)
        finally:
            stopped.set()


async def _download_report(context: WorkflowContext, batch_id: str, path: Path) -> None:
    """Download the report of a batch to `path` for internal use: it is not listed among the jobs."""

    async def address() -> str:
        return (await context.service.batches.report(batch_id)).url

    async with IncomingFile(path) as file:
        download_state = ResumableDownload(file)

        async def download(url: str) -> None:
            await context.service.transfers.download(url, download_state)

        await with_presigned_retry(address, download, path.name, lambda _sentence: None)
        await file.commit()


def match_answers(
    path: Path, answers: Iterable[AnswerToLocate], is_stopped: Callable[[], bool] = lambda: False
) -> dict[str, dict[str, str]]:
    """The records in a report that answers are about, as text, by task id.

    An answer is found by participant, time and question. If a service writes times so coarsely that several
    records match, the record is returned that fits the texts of most answers. A task is omitted if its record
    is not found or is ambiguous; all are if the file is no report.

    Args:
        path: the report.
        answers: iterated over once; several may belong to one task.
        is_stopped: once it returns True, reading ends.
    """
    try:
        times = _times_in(path, is_stopped)
        answers_by_key: dict[tuple[str, str, str], list[AnswerToLocate]] = defaultdict(list)
        for answer in yielding_gil(answers):
            answers_by_key[answer.participant, times.of_answer(answer.answered_at), answer.question].append(
                answer
            )
        return _match(path, answers_by_key, times, is_stopped)
    except (ValueError, IndexError, csv.Error):
        return {}


def _times_in(path: Path, is_stopped: Callable[[], bool]) -> ComparableTimes:
    """Determine the precision of the times in a report from all of its cells."""
    times = ComparableTimes()
    with open_report(path) as table:
        for row in table.rows:
            if is_stopped():
                break
            for cell in row.answers:
                times.of_cell(cell.answered_at)
    return times


def _match(
    path: Path,
    answers_by_key: Mapping[tuple[str, str, str], list[AnswerToLocate]],
    times: ComparableTimes,
    is_stopped: Callable[[], bool],
) -> dict[str, dict[str, str]]:
    scores: dict[str, Counter[str]] = defaultdict(Counter)
    records: dict[str, dict[str, str]] = {}
    with open_report(path) as table:
        for row in table.rows:
            if is_stopped():
                break
            for cell in row.answers:
                for answer in answers_by_key.get(
                    (cell.participant, times.of_cell(cell.answered_at), cell.question), ()
                ):
                    scores[answer.task_id][row.datapoint] += 2 if answer.text == cell.text else 1
                    if row.datapoint not in records:
                        records[row.datapoint] = dict(zip(table.columns, row.values, strict=True))
    best = {task_id: _only_best(points) for task_id, points in yielding_gil(scores.items())}
    return {task_id: records[datapoint] for task_id, datapoint in best.items() if datapoint is not None}


def _only_best(points: Counter[str]) -> str | None:
    """The datapoint with the most points; None if two have the same number."""
    (first, most), *others = points.most_common(2)
    return None if others and others[0][1] == most else first
