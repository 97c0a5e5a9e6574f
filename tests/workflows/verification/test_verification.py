"""Downloaded results pass verification, and each check fails for the defect that it is about."""

import asyncio
import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from batchwright.base.json_values import Json
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobKind
from batchwright.client.remote_study import remote_batch
from batchwright.client.task_layouts import record_setup
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.wire.batches import Batch, BatchStatus, BatchUpdate
from batchwright.wire.collections import AnswerRecord
from batchwright.wire.timestamps import EPOCH
from batchwright.workflows.answers import download_verified
from batchwright.workflows.answers.download_results import (
    download_export,
    download_report,
    download_responses,
)
from batchwright.workflows.answers.download_verified import download_verified_report
from batchwright.workflows.publishing.set_up import set_up as set_up_tasks
from batchwright.workflows.rehearsal.simulate import SimulatedParticipants
from batchwright.workflows.verification import verify_export
from batchwright.workflows.verification.checks import Check, verify_records
from batchwright.workflows.verification.verify_export import ExportVerification, verify_export_file
from batchwright.workflows.verification.verify_report import verify_report
from tests.api.studies import CSV, QUESTIONS, SCHEMA, prompts_file, set_up
from tests.workflows.contexts import context_at

COLUMNS = list(read_schema(SCHEMA).fields)
ROWS = 2 * 3
"""Two datapoints with three instructions each."""

BY_SUBMISSION, BY_TASK = "responses-by-submission.jsonl", "responses-by-task.jsonl"


@dataclass(frozen=True)
class DownloadedResults:
    """The downloaded results of a study with two participants."""

    folder: Path
    responses: tuple[AnswerRecord, ...]
    batch_items: Json

    def verify_report(self, report: Path, *, is_exact: bool = True) -> list[Check]:
        """The checks of a report of the study."""
        return verify_report(
            report, COLUMNS, ROWS, self.responses, layouts=[self.batch_items], is_exact=is_exact
        )

    @property
    def report(self) -> list[list[str]]:
        text = (self.folder / "report.csv").read_text(encoding="utf-8")
        return list(csv.reader(io.StringIO(text, newline="")))

    @property
    def archive(self) -> dict[str, bytes]:
        with zipfile.ZipFile(self.folder / "export.zip") as archive:
            return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def results(running: ServiceAddress, tmp_path_factory: pytest.TempPathFactory) -> DownloadedResults:
    return asyncio.run(_download_results(running, tmp_path_factory.mktemp("collected")))


async def _download_results(running: ServiceAddress, folder: Path) -> DownloadedResults:
    data = prompts_file(folder)
    async with context_at(
        folder, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        batch = await set_up(context.service, running.workspace_id, data)
        link = (await context.service.local.participation(batch.id)).url
        for seed in (7, 8):  # one after the other, so that their answers have different times
            assert len([number async for number in SimulatedParticipants(link, seed, 1).run()]) == 1
        await download_report(context, batch.id, folder / "report.csv")
        await download_export(context, remote_batch(batch.id), folder / "export.zip")
        responses = await download_responses(context, remote_batch(batch.id), folder / "responses.json")
        return DownloadedResults(folder, responses, (await context.service.batches.get(batch.id)).batch_items)


def failed_statements(checks: Iterable[Check]) -> list[str]:
    """The statements of failed checks; each check reports what it found."""
    failures = [check for check in checks if not check.passed]
    assert all(check.actual for check in failures)
    return [check.statement for check in failures]


def test_every_check_passes_for_the_downloads_of_the_service(results: DownloadedResults) -> None:
    report, export = results.folder / "report.csv", results.folder / "export.zip"
    assert failed_statements(results.verify_report(report)) == []
    assert failed_statements(verify_export_file(export, results.responses).checks) == []
    assert len(json.loads((results.folder / "responses.json").read_text(encoding="utf-8"))) == ROWS


async def answered_in_two_setups(context: WorkflowContext, workspace_id: str, data: Path) -> Batch:
    """A batch that is answered, gets another layout, is set up again, and answered again."""
    batch = await set_up(context.service, workspace_id, data)
    await record_setup(context, batch)
    async for _status in context.jobs.started_statuses(JobKind.SETUP, {"batch_id": batch.id}, "Study"):
        pass
    link = (await context.service.local.participation(batch.id)).url
    assert len([number async for number in SimulatedParticipants(link, 7, 1).run()]) == 1
    items: list[Any] = [QUESTIONS[0], {"type": "free_text", "description": "What else?"}]
    pages: list[Any] = [{"rows": [{"columns": [{"items": items}]}]}]
    batch = await context.service.batches.update(batch.id, BatchUpdate(batch_items=pages))
    await set_up_tasks(
        context, batch.id, "Study", 1, BatchStatus.READY, on_accepted=lambda: record_setup(context, batch)
    )
    assert len([number async for number in SimulatedParticipants(link, 8, 1).run()]) == 1
    return batch


@pytest.mark.parametrize("has_earlier_answers", [True, False])
@pytest.mark.parametrize("is_own_service", [True, False])
async def test_a_report_of_two_setups_passes_if_it_has_all_answers_that_its_service_writes(
    running: ServiceAddress,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    has_earlier_answers: bool,
    is_own_service: bool,
) -> None:
    path = tmp_path / "report.csv"

    async def download_latest_only(context: WorkflowContext, batch_id: str, path: Path, *more: Any) -> None:
        await download_report(context, batch_id, path, *more)
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(row for row in rows if row[3] in {"Question", "What else?"})

    monkeypatch.setattr(download_verified, "is_on_this_computer", lambda _context: is_own_service)
    if not has_earlier_answers:
        monkeypatch.setattr(download_verified, "download_report", download_latest_only)
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        batch = await answered_in_two_setups(context, running.workspace_id, prompts_file(tmp_path))
        download = await download_verified_report(context, batch.id, path)
    expected = [] if has_earlier_answers or not is_own_service else [ANSWER]
    assert failed_statements(download.checks) == expected
    assert download.answers == 3 + 1


def test_records_are_counted_in_the_local_file(tmp_path: Path) -> None:
    table, lines = tmp_path / "data.csv", tmp_path / "data.JSONL"
    table.write_text(CSV, encoding="utf-8")
    lines.write_text('{"a": 1}\n\nnonsense\n', encoding="utf-8")
    assert failed_statements([verify_records(table, 2), verify_records(lines, 2)]) == []
    assert failed_statements([verify_records(table, 1)]) == [
        "The service has accepted or rejected every record of the file."
    ]


def without_column(rows: list[list[str]]) -> None:
    for row in rows:
        del row[4]


def without_row(rows: list[list[str]]) -> None:
    del rows[-1]


def without_answer(rows: list[list[str]]) -> None:
    rows[1][5] = ""


def with_answer_of_another(rows: list[list[str]]) -> None:
    rows[1][5] = "51b0" + "f" * 20


def with_answer_twice(rows: list[list[str]]) -> None:
    for number, row in enumerate(rows):
        row += row[5:8] if number < 2 else ["", "", ""]


def with_answer_of_nobody(rows: list[list[str]]) -> None:
    rows[0] += ["Annotator2_ID", "Annotator2_Response", "Annotator2_Timestamp"]
    for row in rows[1:]:
        row += ["", "", ""]
    rows[1][-2] = "never answered"


def with_time_of_nobody(rows: list[list[str]]) -> None:
    with_answer_of_nobody(rows)
    rows[1][-2:] = ["", rows[1][7]]


def with_short_row(rows: list[list[str]]) -> None:
    rows[1] = rows[1][:3]


def without_rows(rows: list[list[str]]) -> None:
    rows.clear()


def with_answers_replaced(rows: list[list[str]]) -> None:
    for row in rows[1:]:
        row[6] = "never answered"


def with_answers_swapped(rows: list[list[str]]) -> None:
    first, second = (row for row in rows if row[2] == "free_text")
    first[6], second[6] = second[6], first[6]


def with_another_time(rows: list[list[str]]) -> None:
    rows[1][7] = (
        rows[1][7].replace("T", "T0", 1).replace("T00", "T1").replace("T01", "T2").replace("T02", "T1")
    )


def with_another_record(rows: list[list[str]]) -> None:
    rows[1][4] += "!"


COLUMN, ROW, RECORD, ANSWER = (
    "The report has every column of the dataset.",
    "The report has a row for each datapoint and instruction.",
    "The rows of a record have the same values.",
    "The report has every answer.",
)


@pytest.mark.parametrize(
    ("damage", "statements"),
    [
        (without_column, [COLUMN]),
        (without_row, [ROW, ANSWER]),
        (without_answer, [ANSWER]),
        (with_answer_of_another, [ANSWER]),
        (with_answer_twice, [COLUMN, RECORD, ANSWER]),
        (with_answer_of_nobody, [ANSWER]),
        (with_time_of_nobody, [ANSWER]),
        (with_answers_replaced, [ANSWER]),
        (with_answers_swapped, [ANSWER]),
        (with_another_time, [ANSWER]),
        (with_another_record, [RECORD]),
        (with_short_row, ["The report is a valid table."]),
        (without_rows, [COLUMN, ROW, ANSWER]),
    ],
)
def test_a_damaged_report_does_not_pass_verification(
    damage: Callable[[list[list[str]]], None],
    statements: list[str],
    results: DownloadedResults,
    tmp_path: Path,
) -> None:
    rows = results.report
    damage(rows)
    with (tmp_path / "report.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    assert failed_statements(results.verify_report(tmp_path / "report.csv")) == statements


def test_any_changed_byte_of_the_report_fails_a_check(results: DownloadedResults, tmp_path: Path) -> None:
    valid = (results.folder / "report.csv").read_bytes()
    start = valid.index(b"\n") + 1
    separators = [found.end() for found in re.finditer(rb"\d-\d\d-\d\d(?=T)", valid)]
    assert separators, "the times of answers"
    for offset in (*separators, *random.Random(48).sample(range(start, len(valid) - 2), 60)):
        damaged = valid[:offset] + bytes([valid[offset] ^ 1]) + valid[offset + 1 :]
        (tmp_path / "report.csv").write_bytes(damaged)
        assert failed_statements(results.verify_report(tmp_path / "report.csv")), offset


@pytest.mark.parametrize("type", ["multiple_choice", "free_text"])
@pytest.mark.parametrize("is_exact", [True, False])
def test_a_changed_answer_is_detected_with_an_exact_and_an_older_layout(
    results: DownloadedResults, tmp_path: Path, type: str, *, is_exact: bool
) -> None:
    rows = results.report
    row = next(row for row in rows if row[2] == type)
    labels = {"One", "Two"} if type == "multiple_choice" else {"something else"}
    row[6] = min(labels - {row[6]})
    with (tmp_path / "report.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    assert failed_statements(results.verify_report(tmp_path / "report.csv", is_exact=is_exact)) == [ANSWER]


@pytest.mark.parametrize("count", range(1, 40))
def test_a_truncated_report_fails_a_check(count: int, results: DownloadedResults, tmp_path: Path) -> None:
    valid = (results.folder / "report.csv").read_bytes()
    (tmp_path / "report.csv").write_bytes(valid.rstrip()[:-count])
    assert failed_statements(results.verify_report(tmp_path / "report.csv"))


def test_the_first_answer_that_differs_is_named(results: DownloadedResults, tmp_path: Path) -> None:
    rows = results.report
    participant, question = rows[1][5], rows[1][3]
    rows[1][6] = "never answered"
    with (tmp_path / "report.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    (check,) = [item for item in results.verify_report(tmp_path / "report.csv") if not item.passed]
    for named in (participant, question, "never answered", rows[1][0]):
        assert named in check.actual


def test_an_answer_beside_an_empty_id_is_named(results: DownloadedResults, tmp_path: Path) -> None:
    rows = results.report
    with_answer_of_nobody(rows)
    with (tmp_path / "report.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    (check,) = [item for item in results.verify_report(tmp_path / "report.csv") if not item.passed]
    record, question = rows[1][0], rows[1][3]
    assert check.actual == (
        f"0 missing, 1 too many: no participant, record {record}, “{question}”: "
        "no one answered “never answered”"
    )


def test_labels_changed_since_the_setup_fail_no_check(results: DownloadedResults) -> None:
    renamed = json.loads(json.dumps(results.batch_items).replace('"label": "', '"label": "Once more '))
    report = results.folder / "report.csv"

    def checks(*, is_exact: bool) -> list[str]:
        renamed_results = replace(results, batch_items=renamed)
        return failed_statements(renamed_results.verify_report(report, is_exact=is_exact))

    assert checks(is_exact=True) == [ANSWER]
    assert checks(is_exact=False) == []


def test_a_binary_report_does_not_pass_verification(results: DownloadedResults, tmp_path: Path) -> None:
    (tmp_path / "report.csv").write_bytes(b"DataPoint_ID\xff\xfe")
    checks = results.verify_report(tmp_path / "report.csv")
    assert failed_statements(checks) == ["The report is a valid table."]


def edit_lines(lines: bytes, edit: Callable[[list[Any]], None], *, everywhere: bool = False) -> bytes:
    """The lines of an archive with the answers of the first line that has any, or of all, edited."""
    entries = [json.loads(line) for line in lines.splitlines()]
    answer_lists = [line["responses"] for line in entries if line["responses"]]
    for answers in answer_lists if everywhere else answer_lists[:1]:
        edit(answers)
    return "".join(json.dumps(line) + "\n" for line in entries).encode()


def drop_answer(answers: list[Any]) -> None:
    del answers[0]


def duplicate_answer(answers: list[Any]) -> None:
    answers.append(answers[0])


def change_answer(answers: list[Any]) -> None:
    answers[0]["response"]["answer"] = [{"value": "never answered"}]


def change_participant(answers: list[Any]) -> None:
    answers[0]["participant_id"] = "51b0" + "f" * 20


@pytest.mark.parametrize("damage", [drop_answer, duplicate_answer, change_answer, change_participant])
@pytest.mark.parametrize(
    ("name", "statements"),
    [
        (BY_SUBMISSION, "The export has every answer once, by submission."),
        (BY_TASK, "The export has every answer once, by task."),
    ],
)
def test_a_changed_answer_in_the_archive_is_detected(
    name: str,
    statements: str,
    damage: Callable[[list[Any]], None],
    results: DownloadedResults,
    tmp_path: Path,
) -> None:
    content = results.archive
    content[name] = edit_lines(content[name], damage)
    assert failed_statements(
        verify_export_file(write_archive(tmp_path, content), results.responses).checks
    ) == [statements]


def test_an_archive_that_decompresses_to_too_much_is_not_read(
    results: DownloadedResults, tmp_path: Path
) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in results.archive.items():
            archive.writestr(name, content + (9 << 20) * b" " if name == BY_TASK else content)
    (check,) = verify_export_file(path, results.responses).checks
    assert not check.passed
    assert "decompresses to far too much" in check.actual


def test_an_overlong_line_is_not_read(
    results: DownloadedResults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify_export, "_MAX_LINE_BYTES", 500)
    (check,) = verify_export_file(results.folder / "export.zip", results.responses).checks
    assert "is too long" in check.actual


def test_a_missing_uploaded_file_is_detected(results: DownloadedResults, tmp_path: Path) -> None:
    content = results.archive
    del content[next(name for name in content if name.startswith("files/"))]
    checks = verify_export_file(write_archive(tmp_path, content), results.responses).checks
    assert failed_statements(checks) == ["The export has every uploaded file."]


def test_a_file_of_an_answer_that_was_not_sent_is_no_error(
    results: DownloadedResults, tmp_path: Path
) -> None:
    content = {**results.archive, "files/responses/never/sent/file.txt": b"x"}
    checks = verify_export_file(write_archive(tmp_path, content), results.responses).checks
    assert failed_statements(checks) == []


def test_answers_newer_than_the_archive_are_counted_and_missing_older_ones_are_detected(
    results: DownloadedResults, tmp_path: Path
) -> None:
    in_order = sorted(results.responses, key=lambda item: item.created_at or EPOCH)
    oldest, newest = in_order[0], in_order[-1]
    since = [item for item in in_order if item.created_at == newest.created_at]

    def without(deleted: Iterable[AnswerRecord]) -> ExportVerification:
        ids, content = {item.id for item in deleted}, results.archive

        def remove(answers: list[Any]) -> None:
            answers[:] = [item for item in answers if item["id"] not in ids]

        for name in (BY_SUBMISSION, BY_TASK):
            content[name] = edit_lines(content[name], remove, everywhere=True)
        return verify_export_file(write_archive(tmp_path, content), results.responses, may_be_older=True)

    actual = without(since)
    assert actual.newer == len(since)
    assert actual.until == max(item.created_at or EPOCH for item in in_order if item not in since)
    assert "The export has every answer once, by task." not in failed_statements(actual.checks)
    assert "The export has every answer once, by task." in failed_statements(without([oldest]).checks)
    empty = without(in_order)
    assert (empty.newer, empty.until) == (len(in_order), None)


def test_answers_changed_after_the_archive_are_counted_unless_it_must_have_all(
    results: DownloadedResults, tmp_path: Path
) -> None:
    content = results.archive
    changed = next(item.id for item in results.responses if item.response.type != "file_upload")

    def change(answers: list[Any]) -> None:
        for item in answers:
            if item["id"] == changed:
                item["response"]["answer"] = [{"value": "another one"}]

    for name in (BY_SUBMISSION, BY_TASK):
        content[name] = edit_lines(content[name], change, everywhere=True)
    archive = write_archive(tmp_path, content)
    older = verify_export_file(archive, results.responses, may_be_older=True)
    assert (failed_statements(older.checks), older.changed, older.newer) == ([], 1, 0)
    assert failed_statements(verify_export_file(archive, results.responses).checks)


INVALID = ["The export is a valid archive."]


@pytest.mark.parametrize(
    "lines", [b"nonsense\n", b"[]\n", b"5\n", b'{"responses": 5}\n', b'{"responses": [5]}\n']
)
def test_an_archive_with_malformed_lines_is_invalid(
    lines: bytes, results: DownloadedResults, tmp_path: Path
) -> None:
    content = {**results.archive, BY_TASK: lines}
    assert (
        failed_statements(verify_export_file(write_archive(tmp_path, content), results.responses).checks)
        == INVALID
    )


def test_an_archive_without_all_its_files_is_invalid(results: DownloadedResults, tmp_path: Path) -> None:
    content = results.archive
    del content[BY_SUBMISSION]
    assert (
        failed_statements(verify_export_file(write_archive(tmp_path, content), results.responses).checks)
        == INVALID
    )


def test_a_truncated_or_damaged_archive_is_invalid(results: DownloadedResults, tmp_path: Path) -> None:
    complete = (results.folder / "export.zip").read_bytes()
    path = tmp_path / "export.zip"
    path.write_bytes(complete[:-30])
    assert failed_statements(verify_export_file(path, results.responses).checks) == INVALID
    with zipfile.ZipFile(results.folder / "export.zip") as archive:
        entry = archive.getinfo(BY_TASK)
    # A local header: 30 bytes, the name, and an extra field with its length in bytes 28 and 29 (ZIP, 4.3.7).
    more = int.from_bytes(complete[entry.header_offset + 28 : entry.header_offset + 30], "little")
    start = entry.header_offset + 30 + len(BY_TASK) + more
    offsets = range(start, start + entry.compress_size)
    detected = 0
    for offset in offsets:
        path.write_bytes(complete[:offset] + bytes([complete[offset] ^ 0xFF]) + complete[offset + 1 :])
        if failed_statements(verify_export_file(path, results.responses).checks):
            detected += 1
        else:  # Some bits have no meaning: those after the end, and the length of an unused code.
            with zipfile.ZipFile(path) as archive:
                assert archive.read(BY_TASK) == results.archive[BY_TASK]
    assert detected > 0.9 * len(offsets)


def write_archive(folder: Path, content: dict[str, bytes]) -> Path:
    """An archive of these files."""
    with zipfile.ZipFile(folder / "export.zip", "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return folder / "export.zip"
