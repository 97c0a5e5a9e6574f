"""Final answers about records on which participants disagree: set by the researchers, beside the answers.

They change no result; files have them in a column of their own.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np

from batchwright.analysis.statistics.agreement.labels import SEPARATOR
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.headings import Heading
from batchwright.analysis.store.questions import AnalysedQuestion
from batchwright.base.i18n import N_, _
from batchwright.base.local_formats import joined, quoted
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.spreadsheet_cells import original_cell

COLUMNS = ("question", "task", "final")
"""The columns that a file must have; `note` is optional."""


@dataclass(frozen=True)
class FinalAnswer:
    """The final answer to a question about a record."""

    question: str
    task: str
    final: str
    """The value of an option, several separated by semicolons, a number, or a text."""
    note: str = ""


@dataclass(frozen=True)
class FinalAnswerRow:
    """A final answer, and the answers that participants gave."""

    question: str
    task: Annotated[str, Heading(N_("Task"), N_("Record"))]
    datapoint: Annotated[str, Heading(N_("Datapoint"))]
    final: Annotated[str, Heading(N_("Final answer"))]
    label: Annotated[str, Heading(N_("Label"))]
    note: Annotated[str, Heading(N_("Note"))]
    given: Annotated[str, Heading(N_("Answers given"))]
    """Each different answer with its count, the most frequent first."""


class FinalAnswers:
    """The final answers by question and record."""

    def __init__(self, answers: Sequence[FinalAnswer]) -> None:
        self._by_key = {(one.question, one.task): one for one in answers}

    def find(self, question: AnalysedQuestion, task: str) -> FinalAnswer | None:
        """The final answer to a question, or to the one that it is a wording of; None if there is none."""
        return self._by_key.get((question.id, task)) or self._by_key.get((question.instruction_id, task))

    def of_question(self, question: AnalysedQuestion) -> dict[str, str]:
        """The final answers to a question by task."""
        ids = {question.id, question.instruction_id}
        return {task: one.final for (id, task), one in self._by_key.items() if id in ids}


def values_of(question: AnalysedQuestion, final: str) -> list[str]:
    """The values of the options that a final answer names, or the answer itself."""
    values = {option.value for option in question.options}
    parts = [part.strip() for part in final.split(SEPARATOR.strip())]
    return parts if final not in values and values.issuperset(parts) else [final]


def label_of_final(question: AnalysedQuestion, final: str) -> str:
    """The labels of the options that a final answer names, or the answer itself."""
    labels = {option.value: option.label for option in question.options}
    return SEPARATOR.join(labels.get(value, value) for value in values_of(question, final))


def final_answer_rows(table: AnswerTable, answers: Sequence[FinalAnswer]) -> list[FinalAnswerRow]:
    """List the final answers to the questions of a table, question by question, sorted by task."""
    finals, rows = FinalAnswers(answers), list[FinalAnswerRow]()
    code_of = {task: code for code, task in enumerate(table.tasks.values)}
    for index, question in enumerate(table.questions):
        found = {task: code_of[task] for task in finals.of_question(question) if task in code_of}
        given = _given(table, index, found)
        for task, code in sorted(found.items()):
            final = finals.find(question, task)
            if final is not None:
                label = label_of_final(question, final.final)
                datapoint = table.datapoints[code]
                texts = _given_text(given.get(code, ()))
                rows.append(
                    FinalAnswerRow(question.id, task, datapoint, final.final, label, final.note, texts)
                )
    return rows


@dataclass(frozen=True)
class GivenRow:
    """A record on which participants disagree, or that has a final answer, with the answers given."""

    question: str
    task: Annotated[str, Heading(N_("Task"), N_("Record"))]
    datapoint: Annotated[str, Heading(N_("Datapoint"))]
    given: Annotated[str, Heading(N_("Answers given"))]
    """Each different answer with its count, the most frequent first."""


def given_rows(
    table: AnswerTable, disagreements: Sequence[tuple[str, str]], answers: Sequence[FinalAnswer]
) -> list[GivenRow]:
    """List the records to decide, given question and task of disagreements, and those with a final answer."""
    finals, rows = FinalAnswers(answers), list[GivenRow]()
    code_of = {task: code for code, task in enumerate(table.tasks.values)}
    differing: dict[str, list[str]] = {}
    for id, task in disagreements:
        differing.setdefault(id, []).append(task)
    for index, question in enumerate(table.questions):
        tasks = dict.fromkeys((*differing.get(question.id, ()), *finals.of_question(question)))
        found = {task: code_of[task] for task in tasks if task in code_of}
        given = _given(table, index, found)
        rows += [
            GivenRow(question.id, task, table.datapoints[code], _given_text(given.get(code, ())))
            for task, code in found.items()
        ]
    return rows


def _given_text(counts: Sequence[tuple[str, int]]) -> str:
    return joined(f"{quoted(text)} ({count})" for text, count in counts)


def read_final_answers(path: Path) -> tuple[FinalAnswer, ...]:
    """Read a CSV file with the columns `question` (id), `task`, `final` and, if there are notes, `note`.

    Raises:
        UnreadableFile: it has no such columns, a row is not complete, or a record has two final answers.
        OSError: it cannot be opened.
    """
    remedy = _("Write one row per record and question: question, task, final, and a note if needed.")
    found: dict[tuple[str, str], FinalAnswer] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            for row in csv.DictReader(file):
                question, task, final, note = (
                    original_cell((row.get(name) or "").strip()) for name in (*COLUMNS, "note")
                )
                if not question or not task or not final:
                    raise UnreadableFile(_("A row lacks the question, the task or the final answer."), remedy)
                if (question, task) in found:
                    text = _("“{task}” has two final answers to “{question}”.")
                    raise UnreadableFile(text.format(task=task, question=question), remedy)
                found[question, task] = FinalAnswer(question, task, final, note)
        except (csv.Error, UnicodeDecodeError) as error:
            raise UnreadableFile(str(error), remedy) from None
    return tuple(found.values())


def _given(table: AnswerTable, index: int, tasks: Mapping[str, int]) -> dict[int, list[tuple[str, int]]]:
    """The answers to a question about some tasks, by the codes of the tasks."""
    if not tasks:
        return {}
    answers = table.answers_of(index)
    answers = answers[np.isin(table.tasks.codes[answers], list(tasks.values()))]
    texts = dict(zip(answers.tolist(), _texts(table, index, answers), strict=True))
    counts: dict[int, Counter[str]] = {}
    for answer, code in zip(answers.tolist(), table.tasks.codes[answers].tolist(), strict=True):
        counts.setdefault(code, Counter())[texts[answer]] += 1
    return {code: counter.most_common() for code, counter in counts.items()}


def _texts(table: AnswerTable, index: int, answers: np.ndarray) -> Iterator[str]:
    """Yield the text of each answer: labels of options, or values with their units."""
    options = table.questions[index].options
    entries = np.flatnonzero(np.isin(table.entry_answers, answers))
    parts: dict[int, list[str]] = {}
    for entry, answer in zip(entries.tolist(), table.entry_answers[entries].tolist(), strict=True):
        option = int(table.options[entry])
        text = options[option].label if 0 <= option < len(options) else table.values[entry]
        parts.setdefault(answer, []).append(" ".join(filter(None, (text, table.units[entry]))))
    return (SEPARATOR.join(parts.get(answer, ())) or "–" for answer in answers.tolist())
