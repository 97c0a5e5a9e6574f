"""Responses as JSON records, and as the CSV report (wire reference, sections 7.1, 7.3 and 10.3).

The report has a line per datapoint and instruction, with the answers, and then one per answered task of an
earlier setup and its instruction. JSON, for lists and archives, is concatenated from texts, because answers
are stored as JSON text and an archive contains each of them twice.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby

from batchwright.base.database import Connection, Database
from batchwright.base.json_values import JsonObject, to_json
from batchwright.data_files.spreadsheet_cells import CsvWriter
from batchwright.layout.ids import id_of
from batchwright.layout.item_types.registry import FreeText, Instruction
from batchwright.layout.model import Layout
from batchwright.layout.option_values import as_text
from batchwright.schema.model import FieldType
from batchwright.service.clock import timestamp
from batchwright.service.legacy_instructions import participant_layout
from batchwright.service.store import batches, datasets, responses, tasks
from batchwright.service.store.batches import BatchItems, StoredBatch
from batchwright.service.store.datasets import StoredDataset
from batchwright.service.store.ids import datapoint_id, group_id, task_id
from batchwright.service.store.responses import StoredResponse
from batchwright.service.stored_layouts import layout_of

RECORD_FORMAT = 2
"""`schema_version` of a response: the version of the format, which clients ignore."""

_REMEMBERED = 4096

rendered = lru_cache(_REMEMBERED)(to_json)
"""A text as JSON, cached for texts that are repeated."""


def json_array(elements: Iterable[str]) -> str:
    """A JSON array of elements that are JSON text."""
    return f"[{', '.join(elements)}]"


def collection_response(collection_id: str, response: StoredResponse) -> str:
    """One participant's answer to one instruction of a collection, as JSON text."""
    return (
        f'{{"id": "{response.id}", "created_at": "{timestamp(response.created_at)}",'
        f' "collection_id": "{collection_id}", "participant_id": {rendered(response.participant_id)},'
        f' "submission_id": "{response.submission_id}", "response": {_answer_json(response)}}}'
    )


class ResponseRecords:
    """Serializes the responses of one batch, with the hidden values of their datapoints."""

    def __init__(self, connection: Connection, batch_id: str) -> None:
        self._connection = connection
        self._batch_id = batch_id
        self._task_id = lru_cache(_REMEMBERED)(partial(task_id, batch_id))
        self._hidden_fields = lru_cache(_REMEMBERED)(self._find_hidden_fields)
        self._hidden_values = lru_cache(_REMEMBERED)(self._find_hidden_values)

    def record(self, response: StoredResponse) -> str:
        """One participant's answer to one instruction of one task, as JSON text."""
        task = self._task_id(response.setup, response.task)
        hidden = ""
        if response.dataset is not None and response.position is not None:
            hidden = f', "metadata": {self._hidden_values(response.dataset, response.position)}'
        return (
            f'{{"id": "{response.id}", "created_at": "{timestamp(response.created_at)}",'
            f' "batch_id": "{self._batch_id}", "participant_id": {rendered(response.participant_id)},'
            f' "submission_id": "{response.submission_id}", "task_id": "{task}",'
            f' "response": {_answer_json(response)}, "schema_version": {RECORD_FORMAT}{hidden}}}'
        )

    def _find_hidden_values(self, dataset: int, position: int) -> str:
        """The hidden values of a datapoint as JSON text; each value is a string."""
        fields = self._hidden_fields(dataset)
        if not fields:
            return "{}"
        record = datasets.record_at(self._connection, dataset, position)
        return to_json({key: as_text(record[key]) for key in fields if record.get(key) is not None})

    def _find_hidden_fields(self, dataset: int) -> tuple[str, ...]:
        """The fields that are in results but never shown; for V3 datasets, all `META_` columns."""
        dataset_row = datasets.get(self._connection, dataset)
        if dataset_row.schema is None:
            return ()
        hidden = {FieldType.METADATA} if dataset_row.is_v4 else {FieldType.METADATA, FieldType.TASK_GROUP_ID}
        return tuple(key for key, field in dataset_row.schema.fields.items() if field.type in hidden)


def _answer_json(response: StoredResponse) -> str:
    instruction, kind = rendered(response.instruction_id), rendered(response.type)
    return f'{{"instruction_id": {instruction}, "type": {kind}, "answer": {response.written_answer}}}'


@dataclass(frozen=True)
class _Row:
    """One datapoint, its task group if it has a task, and the responses to it."""

    datapoint: str
    group: str
    record: JsonObject
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
        self._layouts = batches.setup_layouts(connection, batch.row_id)
        annotators = {
            setup: responses.most_annotators(connection, batch.row_id, setup)
            for setup in range(batch.setup, -1, -1)
        }
        self._annotators = max(annotators.values())
        self._earlier = [setup for setup, most in annotators.items() if most and setup < batch.setup]
        self._dataset = self._dataset_of(batch.setup, batch.dataset)
        shown = [self._dataset, *(self._dataset_of(setup, None) for setup in self._earlier)]
        schemas = [dataset.schema for dataset in shown if dataset and dataset.schema]
        self._columns = tuple(dict.fromkeys(key for schema in schemas for key in schema.fields))

    def _dataset_of(self, setup: int, otherwise: int | None) -> StoredDataset | None:
        """The dataset of the tasks of a setup; `otherwise` is its row id if there are none."""
        row_id = tasks.dataset_of(self._connection, self._batch.row_id, setup)
        row_id = otherwise if row_id is None else row_id
        return None if row_id is None else datasets.get(self._connection, row_id)

    def lines(self) -> Iterator[str]:
        """The header, the lines of every datapoint, and those of the answered tasks of earlier setups."""
        buffer = io.StringIO(newline="")
        writer = CsvWriter(buffer, is_spreadsheet_safe=False)
        writer.writerow(self._header())
        for setup, rows in self._rows_by_setup():
            instructions = self._instructions(setup)
            for row in rows:
                writer.writerows(self._cells(row, instructions))
                yield buffer.getvalue()
                buffer.seek(0)
                buffer.truncate()
        yield buffer.getvalue()

    def _header(self) -> list[str]:
        header = ["DataPoint_ID", "Task_Group_ID", "Task_Type", "Question", *self._columns]
        for number in range(1, self._annotators + 1):
            header += [f"Annotator{number}_{part}" for part in ("ID", "Response", "Timestamp")]
        return header

    def _rows_by_setup(self) -> Iterator[tuple[int, Iterator[_Row]]]:
        yield self._batch.setup, self._rows()
        for setup in self._earlier:
            yield setup, self._earlier_rows(setup)

    def _instructions(self, setup: int) -> list[tuple[str, Instruction]]:
        """The ids and items of the instructions of a setup."""
        if setup in self._layouts or setup == 0:
            return _with_ids(layout_of(self._layouts[setup] if setup else self._planned_layout()))
        known = dict(_with_ids(layout_of(self._batch.live_items)))
        return [
            (id, known.get(id) or FreeText(key="", attributes={"type": kind, "description": id}))
            for id, kind in responses.instructions_of(self._connection, self._batch.row_id, setup)
        ]

    def _planned_layout(self) -> BatchItems:
        schema = self._dataset.schema if self._dataset else None
        return participant_layout(self._connection, self._batch, schema)

    def _rows(self) -> Iterator[_Row]:
        """Every datapoint in order; tasks and responses are read in the same order and merged."""
        if self._dataset is None:
            return
        records = datasets.records_of(self._connection, self._dataset.row_id, self._dataset.datapoint_count)
        pending = tasks.of_setup(self._connection, self._batch.row_id, self._batch.setup)
        answered = self._answered(self._batch.setup)
        task = next(pending, None)
        number, answers = next(answered, _NO_ANSWERS)
        for position, record in enumerate(records):
            datapoint = datapoint_id(self._dataset.id, position)
            if task is None or task.position != position:
                yield _Row(datapoint, "", record, ())
                continue
            responses_of_task: Sequence[StoredResponse] = ()
            if task.number == number:
                responses_of_task = list(answers)
                number, answers = next(answered, _NO_ANSWERS)
            group = group_id(self._batch.id, self._batch.setup, task.group)
            yield _Row(datapoint, group, record, responses_of_task)
            task = next(pending, None)

    def _earlier_rows(self, setup: int) -> Iterator[_Row]:
        """The answered tasks of an earlier setup, in order."""
        dataset = self._dataset_of(setup, None)
        for _task, answers in self._answered(setup):
            responses_of_task = list(answers)
            position = responses_of_task[0].position
            group = group_id(self._batch.id, setup, responses_of_task[0].group)
            if dataset is None or position is None:
                yield _Row("", group, {}, responses_of_task)
            else:
                record = datasets.record_at(self._connection, dataset.row_id, position)
                yield _Row(datapoint_id(dataset.id, position), group, record, responses_of_task)

    def _answered(self, setup: int) -> Iterator[tuple[int, Iterator[StoredResponse]]]:
        return groupby(responses.by_task(self._connection, self._batch.row_id, setup), key=_task_number)

    def _cells(self, row: _Row, instructions: Sequence[tuple[str, Instruction]]) -> Iterator[list[str]]:
        """The cells of a datapoint's lines: one per instruction, or a single one without instructions."""
        fixed = [row.datapoint, row.group]
        record = [as_text(row.record[key]) if key in row.record else "" for key in self._columns]
        people = list(dict.fromkeys(answer.submission_id for answer in row.answers))
        for id, item in instructions:
            answer_of = {
                answer.submission_id: answer for answer in row.answers if answer.instruction_id == id
            }
            cells = [*fixed, item.kind or "", item.description, *record]
            for number in range(self._annotators):
                answer = answer_of.get(people[number]) if number < len(people) else None
                cells += _annotator_cells(item, answer)
            yield cells
        if not instructions:
            yield [*fixed, "", "", *record, *[""] * (3 * self._annotators)]


_NO_ANSWERS: tuple[int, Iterator[StoredResponse]] = (-1, iter(()))


def _with_ids(layout: Layout) -> list[tuple[str, Instruction]]:
    return [(id_of(item) or "", item) for _place, item in layout.instructions()]


def _task_number(response: StoredResponse) -> int:
    return response.task


def _annotator_cells(item: Instruction, answer: StoredResponse | None) -> list[str]:
    if answer is None:
        return ["", "", ""]
    return [answer.participant_id, item.format_answer(answer.answer), timestamp(answer.created_at)]
