"""Downloaded results pass verification, and each check fails for the defect that it is about."""

import csv
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from batchwright.base.json_values import Json
from batchwright.client.context import WorkflowContext
from batchwright.client.remote_study import remote_batch
from batchwright.schema.parsing import read_schema
from batchwright.service.process import ServiceAddress
from batchwright.wire.collections import AnswerRecord
from batchwright.wire.timestamps import EPOCH
from batchwright.workflows import verify_export
from batchwright.workflows.download_results import download_export, download_report, download_responses
from batchwright.workflows.simulate import SimulatedParticipants
from batchwright.workflows.verify_export import ExportVerification, verify_export_file
from batchwright.workflows.verify_report import Check, verify_records, verify_report
from tests.api.studies import CSV, SCHEMA, set_up
from tests.workflows.contexts import run_with_context

COLUMNS = list(read_schema(SCHEMA).fields)
ROWS = 2 * 3
"""Two datapoints with three instructions each."""

BY_SUBMISSION, BY_TASK = "responses-by-submission.jsonl", "responses-by-task.jsonl"


@dataclass(frozen=True)
class Collected:
    """What was collected of a study that two people have answered."""

    folder: Path
    responses: tuple[AnswerRecord, ...]
    batch_items: Json

    def prove(self, report: Path, *, is_exact: bool = True) -> list[Check]:
        """What has to hold of a report of the study."""
        return verify_report(
            report, COLUMNS, ROWS, self.responses, batch_items=self.batch_items, is_exact=is_exact
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
def collected(running: ServiceAddress, tmp_path_factory: pytest.TempPathFactory) -> Collected:
    folder = tmp_path_factory.mktemp("collected")
    data = folder / "prompts.csv"
    data.write_text(CSV, encoding="utf-8")

    async def carry_through(context: WorkflowContext) -> Collected:
        batch = await set_up(context.service, running.workspace_id, data)
        link = (await context.service.local.participation(batch.id)).url
        assert len([number async for number in SimulatedParticipants(link, 7, 2).run()]) == 2
        await download_report(context, batch.id, folder / "report.csv")
        await download_export(context, remote_batch(batch.id), folder / "export.zip")
        responses = await download_responses(context, remote_batch(batch.id), folder / "responses.json")
        return Collected(folder, responses, (await context.service.batches.get(batch.id)).batch_items)

    return run_with_context(
        folder, running.url, carry_through, token=running.token, workspace=running.workspace_id
    )


def failed(checks: Iterable[Check]) -> list[str]:
    """What does not hold; each says what was found instead."""
    fallen = [check for check in checks if not check.passed]
    assert all(check.actual for check in fallen)
    return [check.statement for check in fallen]


def test_every_check_passes_for_what_the_service_hands_out(collected: Collected) -> None:
    report, export = collected.folder / "report.csv", collected.folder / "export.zip"
    assert failed(collected.prove(report)) == []
    assert failed(verify_export_file(export, collected.responses).checks) == []
    assert len(json.loads((collected.folder / "responses.json").read_text(encoding="utf-8"))) == ROWS


def test_records_are_counted_in_the_file_itself(tmp_path: Path) -> None:
    table, lines = tmp_path / "data.csv", tmp_path / "data.JSONL"
    table.write_text(CSV, encoding="utf-8")
    lines.write_text('{"a": 1}\n\nnonsense\n', encoding="utf-8")
    assert failed([verify_records(table, 2), verify_records(lines, 2)]) == []
    assert failed([verify_records(table, 1)]) == [
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


def with_short_row(rows: list[list[str]]) -> None:
    rows[1] = rows[1][:3]


def without_anything(rows: list[list[str]]) -> None:
    rows.clear()


def with_answers_replaced(rows: list[list[str]]) -> None:
    for row in rows[1:]:
        row[6] = "nobody said this"


def with_answers_swapped(rows: list[list[str]]) -> None:
    first, second = (row for row in rows if row[2] == "free_text")
    first[6], second[6] = second[6], first[6]


def with_another_moment(rows: list[list[str]]) -> None:
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
    ("spoil", "fallen"),
    [
        (without_column, [COLUMN]),
        (without_row, [ROW, ANSWER]),
        (without_answer, [ANSWER]),
        (with_answer_of_another, [ANSWER]),
        (with_answer_twice, [COLUMN, RECORD, ANSWER]),
        (with_answers_replaced, [ANSWER]),
        (with_answers_swapped, [ANSWER]),
        (with_another_moment, [ANSWER]),
        (with_another_record, [RECORD]),
        (with_short_row, ["The report is a valid table."]),
        (without_anything, [COLUMN, ROW, ANSWER]),
    ],
)
def test_a_damaged_report_does_not_pass_verification(
    spoil: Callable[[list[list[str]]], None], fallen: list[str], collected: Collected, tmp_path: Path
) -> None:
    rows = collected.report
    spoil(rows)
    with (tmp_path / "report.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    assert failed(collected.prove(tmp_path / "report.csv")) == fallen


def test_no_byte_of_an_answer_can_be_another(collected: Collected, tmp_path: Path) -> None:
    sound = (collected.folder / "report.csv").read_bytes()
    start = sound.index(b"\n") + 1
    for place in random.Random(48).sample(range(start, len(sound) - 2), 60):
        spoilt = sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :]
        (tmp_path / "report.csv").write_bytes(spoilt)
        assert failed(collected.prove(tmp_path / "report.csv")), place


@pytest.mark.parametrize("type", ["multiple_choice", "free_text"])
@pytest.mark.parametrize("is_exact", [True, False])
def test_another_choice_is_noticed_whether_the_layout_is_known_exactly_or_not(
    collected: Collected, tmp_path: Path, type: str, *, is_exact: bool
) -> None:
    rows = collected.report
    row = next(row for row in rows if row[2] == type)
    labels = {"One", "Two"} if type == "multiple_choice" else {"something else"}
    row[6] = min(labels - {row[6]})
    with (tmp_path / "report.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    assert failed(collected.prove(tmp_path / "report.csv", is_exact=is_exact)) == [ANSWER]


@pytest.mark.parametrize("count", range(1, 40))
def test_no_end_of_a_report_can_be_missing(count: int, collected: Collected, tmp_path: Path) -> None:
    sound = (collected.folder / "report.csv").read_bytes()
    (tmp_path / "report.csv").write_bytes(sound.rstrip()[:-count])
    assert failed(collected.prove(tmp_path / "report.csv"))


def test_the_first_answer_that_differs_is_named(collected: Collected, tmp_path: Path) -> None:
    rows = collected.report
    person, question = rows[1][5], rows[1][3]
    rows[1][6] = "nobody said this"
    with (tmp_path / "report.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    (check,) = [item for item in collected.prove(tmp_path / "report.csv") if not item.passed]
    for named in (person, question, "nobody said this", rows[1][0]):
        assert named in check.actual


def test_a_layout_with_other_labels_since_is_no_difference(collected: Collected) -> None:
    renamed = json.loads(json.dumps(collected.batch_items).replace('"label": "', '"label": "Once more '))
    report = collected.folder / "report.csv"

    def checks(*, is_exact: bool) -> list[str]:
        later = replace(collected, batch_items=renamed)
        return failed(later.prove(report, is_exact=is_exact))

    assert checks(is_exact=True) == [ANSWER]
    assert checks(is_exact=False) == []


def test_a_report_that_is_no_text_does_not_pass_verification(collected: Collected, tmp_path: Path) -> None:
    (tmp_path / "report.csv").write_bytes(b"DataPoint_ID\xff\xfe")
    checks = collected.prove(tmp_path / "report.csv")
    assert failed(checks) == ["The report is a valid table."]


def changed(lines: bytes, change: Callable[[list[Any]], None], *, everywhere: bool = False) -> bytes:
    """The lines of an archive, with the answers of the first line that has some changed, or of all."""
    messages = [json.loads(line) for line in lines.splitlines()]
    having = [line["responses"] for line in messages if line["responses"]]
    for answers in having if everywhere else having[:1]:
        change(answers)
    return "".join(json.dumps(line) + "\n" for line in messages).encode()


def drop(answers: list[Any]) -> None:
    del answers[0]


def double(answers: list[Any]) -> None:
    answers.append(answers[0])


def falsify(answers: list[Any]) -> None:
    answers[0]["response"]["answer"] = [{"value": "nobody said this"}]


def hand_to_another(answers: list[Any]) -> None:
    answers[0]["participant_id"] = "51b0" + "f" * 20


@pytest.mark.parametrize("spoil", [drop, double, falsify, hand_to_another])
@pytest.mark.parametrize(
    ("name", "fallen"),
    [
        (BY_SUBMISSION, "The export has every answer once, by submission."),
        (BY_TASK, "The export has every answer once, by task."),
    ],
)
def test_an_answer_that_is_not_as_it_was_given_is_noticed(
    name: str, fallen: str, spoil: Callable[[list[Any]], None], collected: Collected, tmp_path: Path
) -> None:
    content = collected.archive
    content[name] = changed(content[name], spoil)
    assert failed(verify_export_file(written(tmp_path, content), collected.responses).checks) == [fallen]


def test_lines_that_unpack_too_far_are_not_read(collected: Collected, tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in collected.archive.items():
            archive.writestr(name, content + (9 << 20) * b" " if name == BY_TASK else content)
    (check,) = verify_export_file(path, collected.responses).checks
    assert not check.passed
    assert "decompresses to far too much" in check.actual


def test_a_line_without_end_is_not_read(
    collected: Collected, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify_export, "_MAX_LINE_BYTES", 500)
    (check,) = verify_export_file(collected.folder / "export.zip", collected.responses).checks
    assert "is too long" in check.actual


def test_an_uploaded_file_that_is_missing_is_noticed(collected: Collected, tmp_path: Path) -> None:
    content = collected.archive
    del content[next(name for name in content if name.startswith("files/"))]
    checks = verify_export_file(written(tmp_path, content), collected.responses).checks
    assert failed(checks) == ["The export has every uploaded file."]


def test_answers_newer_than_an_archive_are_counted_and_older_ones_are_missed(
    collected: Collected, tmp_path: Path
) -> None:
    in_order = sorted(collected.responses, key=lambda item: item.created_at or EPOCH)
    oldest, newest = in_order[0], in_order[-1]
    since = [item for item in in_order if item.created_at == newest.created_at]

    def without(deleted: Iterable[AnswerRecord]) -> ExportVerification:
        ids, content = {item.id for item in deleted}, collected.archive

        def leave_out(answers: list[Any]) -> None:
            answers[:] = [item for item in answers if item["id"] not in ids]

        for name in (BY_SUBMISSION, BY_TASK):
            content[name] = changed(content[name], leave_out, everywhere=True)
        return verify_export_file(written(tmp_path, content), collected.responses, may_be_older=True)

    actual = without(since)
    assert actual.newer == len(since)
    assert actual.until == max(item.created_at or EPOCH for item in in_order if item not in since)
    assert "The export has every answer once, by task." not in failed(actual.checks)
    assert "The export has every answer once, by task." in failed(without([oldest]).checks)
    empty = without(in_order)
    assert (empty.newer, empty.until) == (len(in_order), None)


UNSOUND = ["The export is a valid archive."]


@pytest.mark.parametrize(
    "lines", [b"nonsense\n", b"[]\n", b"5\n", b'{"responses": 5}\n', b'{"responses": [5]}\n']
)
def test_lines_of_another_form_are_no_sound_archive(
    lines: bytes, collected: Collected, tmp_path: Path
) -> None:
    content = {**collected.archive, BY_TASK: lines}
    assert failed(verify_export_file(written(tmp_path, content), collected.responses).checks) == UNSOUND


def test_an_archive_without_its_parts_is_not_sound(collected: Collected, tmp_path: Path) -> None:
    content = collected.archive
    del content[BY_SUBMISSION]
    assert failed(verify_export_file(written(tmp_path, content), collected.responses).checks) == UNSOUND


def test_an_archive_that_was_cut_or_whose_content_was_damaged_is_not_sound(
    collected: Collected, tmp_path: Path
) -> None:
    complete = (collected.folder / "export.zip").read_bytes()
    path = tmp_path / "export.zip"
    path.write_bytes(complete[:-30])
    assert failed(verify_export_file(path, collected.responses).checks) == UNSOUND
    with zipfile.ZipFile(collected.folder / "export.zip") as archive:
        entry = archive.getinfo(BY_TASK)
    # A local header is 30 bytes, the name, and as much more as its last two bytes say (ZIP, APPNOTE 4.3.7).
    more = int.from_bytes(complete[entry.header_offset + 28 : entry.header_offset + 30], "little")
    begins = entry.header_offset + 30 + len(BY_TASK) + more
    places = range(begins, begins + entry.compress_size)
    noticed = 0
    for place in places:
        path.write_bytes(complete[:place] + bytes([complete[place] ^ 0xFF]) + complete[place + 1 :])
        if failed(verify_export_file(path, collected.responses).checks):
            noticed += 1
        else:  # Some bits say nothing: those behind the end, the length of a code that is never used.
            with zipfile.ZipFile(path) as archive:
                assert archive.read(BY_TASK) == collected.archive[BY_TASK]
    assert noticed > 0.9 * len(places)


def written(folder: Path, content: dict[str, bytes]) -> Path:
    """An archive of these files."""
    with zipfile.ZipFile(folder / "export.zip", "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return folder / "export.zip"
