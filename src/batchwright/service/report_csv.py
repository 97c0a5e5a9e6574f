"""The CSV report: a line per datapoint and instruction, with the answers (wire reference, section 7.3)."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from batchwright.base.database import Connection, Database
from batchwright.base.json_values import JsonObject
from batchwright.layout.item_types.registry import Instruction
from batchwright.layout.option_values import as_text
from batchwright.service.clock import timestamp
from batchwright.service.legacy_instructions import participant_layout
from batchwright.service.store import datasets, responses, tasks
from batchwright.service.store.batches import StoredBatch
from batchwright.service.store.ids import datapoint_id, group_id
from batchwright.service.store.responses import StoredResponse
from batchwright.service.store.tasks import Task
from batchwright.service.stored_layouts import layout_of


@dataclass(frozen=True)
class _Row:
    """One datapoint, its task if it has one, and the responses to it."""

    position: int
    record: JsonObject
    task: Task | None
    answers: Sequence[StoredResponse]


def report_lines(database: Database, batch: StoredBatch) -> Iterator[str]:
    """The lines of the report of a batch, header first, with line ends."""
    with database.read() as connection:
        yield from _Report(connection, batch).lines()


class _Report:
    """The report of one batch, read in one transaction."""

    def __init__(self, connection: Connection, batch: StoredBatch) -> None:
        self._connection = connection
        self._batch = batch
        number = tasks.dataset_of(connection, batch.row_id, batch.setup)
        number = batch.dataset if number is None else number
        self._dataset = None if number is None else datasets.get(connection, number)
        schema = self._dataset.schema if self._dataset else None
        self._columns = tuple(schema.fields) if schema else ()
        layout = layout_of(batch.live_items if batch.setup else participant_layout(connection, batch, schema))
        self._instructions = [item for _place, item in layout.instructions()]
        self._annotators = responses.most_annotators(connection, batch.row_id, batch.setup)

    def lines(self) -> Iterator[str]:
        """The header, then the lines of every datapoint."""
        buffer = io.StringIO(newline="")
        writer = csv.writer(buffer)
        writer.writerow(self._header())
        for row in self._rows():
            writer.writerows(self._cells(row))
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
        yield buffer.getvalue()

    def _header(self) -> list[str]:
        header = ["DataPoint_ID", "Task_Group_ID", "Task_Type", "Question", *self._columns]
        for number in range(1, self._annotators + 1):
            header += [f"Annotator{number}_{part}" for part in ("ID", "Response", "Timestamp")]
        return header

    def _rows(self) -> Iterator[_Row]:
        """Every datapoint in order; tasks and responses are read in the same order and merged."""
        if self._dataset is None:
            return
        records = datasets.records_of(self._connection, self._dataset.row_id, self._dataset.datapoint_count)
        pending = tasks.of_setup(self._connection, self._batch.row_id, self._batch.setup)
        answered = groupby(
            responses.by_task(self._connection, self._batch.row_id, self._batch.setup), key=_task_number
        )
        task = next(pending, None)
        number, answers = next(answered, _NO_ANSWERS)
        for position, record in enumerate(records):
            if task is None or task.position != position:
                yield _Row(position, record, None, ())
                continue
            responses_of_task: Sequence[StoredResponse] = ()
            if task.number == number:
                responses_of_task = list(answers)
                number, answers = next(answered, _NO_ANSWERS)
            yield _Row(position, record, task, responses_of_task)
            task = next(pending, None)

    def _cells(self, row: _Row) -> Iterator[list[str]]:
        """The cells of a datapoint's lines: one per instruction, or a single one without instructions."""
        fixed = [datapoint_id(self._dataset.id, row.position) if self._dataset else "", self._group(row.task)]
        record = [as_text(row.record[key]) if key in row.record else "" for key in self._columns]
        people = list(dict.fromkeys(answer.submission_id for answer in row.answers))
        for item in self._instructions:
            answer_of = {
                answer.submission_id: answer for answer in row.answers if answer.instruction_id == item.id
            }
            cells = [*fixed, item.kind or "", item.description, *record]
            for number in range(self._annotators):
                answer = answer_of.get(people[number]) if number < len(people) else None
                cells += _annotator_cells(item, answer)
            yield cells
        if not self._instructions:
            yield [*fixed, "", "", *record]

    def _group(self, task: Task | None) -> str:
        return "" if task is None else group_id(self._batch.id, self._batch.setup, task.group)


_NO_ANSWERS: tuple[int, Iterator[StoredResponse]] = (-1, iter(()))


def _task_number(response: StoredResponse) -> int:
    return response.task


def _annotator_cells(item: Instruction, answer: StoredResponse | None) -> list[str]:
    if answer is None:
        return ["", "", ""]
    return [answer.participant_id, item.format_answer(answer.answer), timestamp(answer.created_at)]
