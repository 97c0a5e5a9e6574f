"""Comparing the answers in a report with the answers of participants, cell by cell.

The questions are read from the layout that the service returns with the batch. Wire reference, sections 5.1,
7.1, 7.3.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array
from batchwright.base.text import truncate
from batchwright.layout.ids import id_of
from batchwright.layout.item_types.registry import Choice, FreeText, FreeTextWithUnit, Instruction
from batchwright.layout.option_values import as_text
from batchwright.layout.serialization import read, sequential_keys
from batchwright.wire.collections import AnswerRecord

_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]")


@dataclass(frozen=True)
class AnsweredQuestion:
    """An instruction of a batch; `id` is its id in answers."""

    id: str
    item: Instruction

    @property
    def title(self) -> str:
        """The text of the question."""
        return self.item.description

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the options; empty if there are none."""
        if not isinstance(self.item, Choice):
            return ()
        return tuple(as_text(option.get("label", option.get("value"))) for option in self.item.options)


def questions_of(batch_items: Json) -> Mapping[str, AnsweredQuestion]:
    """The questions of a batch by id, in reading order; empty for a legacy batch."""
    if not is_array(batch_items):
        return {}
    instructions = (item for _path, item in read(batch_items, sequential_keys()).instructions())
    return {id: AnsweredQuestion(id, item) for item in instructions if (id := id_of(item)) is not None}


@dataclass(frozen=True)
class ReportCell:
    """One answer in a report, with its question, datapoint, participant and time.

    In a damaged report some of participant, text and time may be empty.
    """

    type: str
    question: str
    record: str
    """The id of the datapoint."""
    participant: str
    text: str
    answered_at: str


@dataclass(frozen=True)
class AnswerComparison:
    """How many answers a report lacks, how many it has that nobody gave, and the first difference as text."""

    missing: int = 0
    added: int = 0
    first: str = ""

    @property
    def is_same(self) -> bool:
        """Whether the report has exactly the answers that were given."""
        return not (self.missing or self.added)


@dataclass(frozen=True)
class _ExpectedAnswer:
    """An answer as its cell should show it; `question` is None if the layout no longer has the question."""

    record: str
    participant: str
    question: str | None
    text: str
    wordings: frozenset[tuple[str | None, str]]
    """Question and text in the layout of each setup that may have asked for the answer."""
    entries: str
    is_label: bool
    """Whether the cell contains labels from the layout, which may have been changed since."""
    labels: tuple[str, ...] = ()
    """The current labels of the question. A cell that has another one of them shows a different choice."""

    def is_in(self, cell: ReportCell) -> bool:
        """Whether a cell shows the answer."""
        return any(
            text == cell.text and question in {None, cell.question} for question, text in self.wordings
        )

    def could_be_in(self, cell: ReportCell) -> bool:
        """Whether a cell shows it with a label that the layout no longer has."""
        is_asked = any(question in {None, cell.question} for question, _text in self.wordings)
        return is_asked and cell.text not in self.labels


_Key = tuple[str, str, str]
"""Type of the question, participant, time."""


def compare(
    responses: Iterable[AnswerRecord], cells: Iterable[ReportCell], layouts: Sequence[Json], *, is_exact: bool
) -> AnswerComparison:
    """Compare all answers with the cells of a report.

    Args:
        responses: the answers, iterated over once.
        cells: the cells of the report.
        layouts: the layouts of the tasks with their questions and labels, oldest first; none are known for a
            legacy batch.
        is_exact: whether the tasks were created from exactly these layouts. If not, a cell may have a label
            that they lack, as long as each such label stands for the same value everywhere.
    """
    cells_by_key: dict[_Key, list[ReportCell]] = defaultdict(list)
    times = ComparableTimes()
    for cell in cells:
        cells_by_key[cell.type, cell.participant, times.of_cell(cell.answered_at)].append(cell)
    questions: dict[str, list[AnsweredQuestion]] = defaultdict(list)
    for layout in layouts:
        for id, question in questions_of(layout).items():
            questions[id].append(question)
    expected: dict[_Key, list[_ExpectedAnswer]] = defaultdict(list)
    for record in responses:
        key = record.response.type, record.participant_id, times.of_answer(record.created_at)
        expected[key].append(_expected_answer(record, questions.get(record.response.instruction_id, ())))
    return _compare_grouped(expected, cells_by_key, is_exact=is_exact and any(map(is_array, layouts)))


def _compare_grouped(
    expected: Mapping[_Key, list[_ExpectedAnswer]],
    cells_by_key: Mapping[_Key, list[ReportCell]],
    *,
    is_exact: bool,
) -> AnswerComparison:
    missing: list[_ExpectedAnswer] = []
    added: list[ReportCell] = []
    labels = _LabelPairs()
    for key in yielding_gil({**expected, **cells_by_key}):
        unmatched_answers, unmatched_cells = _without_equal(expected.get(key, []), cells_by_key.get(key, []))
        if not is_exact:
            unmatched_answers, unmatched_cells = labels.without_pairs(unmatched_answers, unmatched_cells)
        missing += unmatched_answers
        added += unmatched_cells
    doubtful = labels.doubtful()
    missing += [answer for answer, _cell in doubtful]
    added += [cell for _answer, cell in doubtful]
    return AnswerComparison(len(missing), len(added), _first_difference(missing, added))


def _without_equal(
    expected: list[_ExpectedAnswer], cells_by_key: list[ReportCell]
) -> tuple[list[_ExpectedAnswer], list[ReportCell]]:
    """Both sides without the answers and cells that match."""
    unmatched_answers, unmatched_cells = [], list(cells_by_key)
    for answer in expected:
        equal = next((cell for cell in unmatched_cells if answer.is_in(cell)), None)
        if equal is None:
            unmatched_answers.append(answer)
        else:
            unmatched_cells.remove(equal)
    return unmatched_answers, unmatched_cells


class _LabelPairs:
    """Answers whose cells have labels that the layout no longer has, each with the only cell it fits."""

    def __init__(self) -> None:
        self._pairs: list[tuple[_ExpectedAnswer, ReportCell]] = []

    def without_pairs(
        self, expected: list[_ExpectedAnswer], cells_by_key: list[ReportCell]
    ) -> tuple[list[_ExpectedAnswer], list[ReportCell]]:
        """Both sides without the labelled answers that fit exactly one cell; store these pairs."""
        unmatched_answers, unmatched_cells = [], list(cells_by_key)
        for answer in expected:
            candidates = [cell for cell in unmatched_cells if answer.could_be_in(cell)]
            if answer.is_label and len(candidates) == 1:
                self._pairs.append((answer, candidates[0]))
                unmatched_cells.remove(candidates[0])
            else:
                unmatched_answers.append(answer)
        return unmatched_answers, unmatched_cells

    def doubtful(self) -> list[tuple[_ExpectedAnswer, ReportCell]]:
        """The pairs whose label stands for several values, or whose value has several labels."""
        by_value, by_text = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        for question, entries, text in {
            (cell.question, answer.entries, cell.text) for answer, cell in self._pairs
        }:
            by_value[question, entries] += 1
            by_text[question, text] += 1
        return [
            (answer, cell)
            for answer, cell in self._pairs
            if by_value[cell.question, answer.entries] > 1 or by_text[cell.question, cell.text] > 1
        ]


class ComparableTimes:
    """Converts times of answers to text that can be compared, at the precision that the report uses."""

    def __init__(self) -> None:
        self._is_exact = False
        self._has_zone: bool | None = None

    def of_cell(self, text: str) -> str:
        """The time of a cell in milliseconds since the epoch.

        The text itself is returned if it is no time, or if it has a time zone and earlier cells had none, or
        vice versa.
        """
        if not _TIME.match(text):  # `fromisoformat` accepts any separator
            return text
        try:
            time = datetime.fromisoformat(text)
        except ValueError:
            return text
        has_zone = time.tzinfo is not None
        self._has_zone = has_zone if self._has_zone is None else self._has_zone
        if has_zone is not self._has_zone:
            return text
        self._is_exact = self._is_exact or time.microsecond != 0
        return str(round(_aware(time).timestamp() * 1000))

    def of_answer(self, time: datetime | None) -> str:
        """The time of an answer, as `of_cell` does; call it once all cells have been converted."""
        if time is None:
            return ""
        milliseconds = round(time.timestamp() * 1000)
        return str(milliseconds if self._is_exact else milliseconds // 1000 * 1000)


def _aware(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _expected_answer(record: AnswerRecord, questions: Sequence[AnsweredQuestion]) -> _ExpectedAnswer:
    """An answer, given its question in each layout that has it, oldest first."""
    entries = list(record.response.answer)
    unknown: Instruction = FreeText(key="", attributes={})
    wordings = [(question.title, question.item.format_answer(entries)) for question in questions]
    question, text = wordings[-1] if wordings else (None, unknown.format_answer(entries))
    is_choice = record.response.type.startswith("multiple_choice") or record.response.type.endswith("unit")
    return _ExpectedAnswer(
        record.task_id or "",
        record.participant_id,
        question,
        text,
        frozenset([*wordings, (question, text)]),
        json.dumps(entries, sort_keys=True),
        is_label=is_choice or any(isinstance(known.item, Choice | FreeTextWithUnit) for known in questions),
        labels=questions[-1].labels if questions else (),
    )


def _first_difference(missing: list[_ExpectedAnswer], added: list[ReportCell]) -> str:
    """Describe the first difference: participant, question, the expected answer, and the one found."""
    if missing:
        answer = missing[0]
        same_participant = [cell for cell in added if cell.participant == answer.participant]
        same_question = [cell for cell in same_participant if answer.question in {None, cell.question}]
        message = _("participant {person}, task {record}, “{question}”: “{answer}” is missing").format(
            person=answer.participant,
            record=answer.record,
            question=truncate(answer.question or _("a question that is no longer asked")),
            answer=truncate(answer.text),
        )
        if same_question:
            location = _("“{text}” is at {record}").format(
                text=truncate(same_question[0].text), record=same_question[0].record
            )
            return f"{message}, {location}"
        return message
    if added:
        if added[0].participant:
            template = _("participant {person}, record {record}, “{question}”: no one answered “{answer}”")
        else:
            template = _("no participant, record {record}, “{question}”: no one answered “{answer}”")
        return template.format(
            person=added[0].participant,
            record=added[0].record,
            question=truncate(added[0].question),
            answer=truncate(added[0].text),
        )
    return ""
