"""Rows that a preparation has put into every group: their answers are compared as those about one record."""

import math
from pathlib import Path

from batchwright.analysis.analyse import analyse
from batchwright.analysis.output.output_files import OutputChoices, output_files
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.pair_fields import PairFields
from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.agreement.agreement_results import agreement_rows, disagreement_rows
from batchwright.analysis.statistics.agreement.final_answers import FinalAnswer
from batchwright.analysis.statistics.choices import option_shares
from batchwright.analysis.statistics.participants.participant_hints import participant_rows
from batchwright.analysis.store.answer_table import AnswerTable
from tests.analysis.answers import label_rows, record, table_of

SETTINGS = AnalysisSettings()


def study(**fields: dict[str, str]) -> AnswerTable:
    """Three groups with the shared records 1 and 2 and a record of its own, each answered by one person.

    All agree about 1. The person of group 2 differs about 2.
    """
    answers, records = [], {}
    for group in "012":
        for number in "123":
            task = f"t{group}{number}"
            value = "b" if number == "2" and group == "2" else "a"
            answers.append(record(f"p{group}", task, "better", value))
            is_shared = number != "3"
            records[task] = {
                "prompt": f"Question {number if is_shared else task}",
                "left": "x",
                "right": "y",
                "META_RECORD_ID": number if is_shared else task,
                "META_TASK_GROUP_ID": group,
                **({"META_SHARED": "yes"} if is_shared else {}),
                **fields.get(task, {}),
            }
    return table_of(answers, records)


def test_answers_about_shared_records_are_compared() -> None:
    table = prepare(study(), SETTINGS).included
    alpha = next(row for row in agreement_rows(table) if not row.option)
    assert (alpha.records, alpha.differing, alpha.raters, alpha.ratings) == (2, 1, 3, 9)
    assert [(row.task, row.ratings) for row in disagreement_rows(table)] == [("t02", 3)]
    labels = {row.task: (row.label, row.ratings) for row in label_rows(table)}
    assert labels == {
        "t01": ("A is better", 3),
        "t02": ("A is better", 3),
        **{f"t{group}3": ("A is better", 1) for group in "012"},
    }
    share = option_shares(table, 0)[0]
    assert (share.count, share.answers) == (8, 9)
    people = participant_rows(table)
    assert [row.tasks for row in people] == [3, 3, 3]
    assert not any(math.isnan(row.agreement) for row in people)


def test_rows_that_differ_in_another_field_than_the_group_are_records_of_their_own() -> None:
    """As those of two preparations, which both count their rows from 1."""
    table = prepare(study(t11={"prompt": "Another question"}), SETTINGS).included
    alpha = next(row for row in agreement_rows(table) if not row.option)
    assert (alpha.records, alpha.ratings) == (2, 9)
    assert {row.task: row.ratings for row in label_rows(table)}["t11"] == 1


def test_a_copy_of_a_shared_record_is_not_the_record() -> None:
    table = prepare(study(t21={"META_COPY_OF": "1"}), SETTINGS)
    assert {row.task: row.ratings for row in label_rows(table.included)}["t01"] == 2
    assert len(table.given) == 9


def test_of_a_participant_with_several_groups_the_last_answer_about_a_shared_record_counts() -> None:
    fields = {f"t{n}": {"META_SHARED": "yes", "META_TASK_GROUP_ID": f"{n}"} for n in (1, 2)}
    answers = [record("p", "t1", "better", "a"), record("p", "t2", "better", "b")]
    prepared = prepare(table_of(answers, fields), SETTINGS)
    assert list(prepared.included.ids) == ["p-t2-better"]
    assert [(row.participant, row.task, row.omitted) for row in prepared.repeated] == [("p", "t1", 1)]


def test_files_have_the_answers_with_their_tasks_and_a_pair_and_a_label_for_each_record(
    tmp_path: Path,
) -> None:
    settings = AnalysisSettings(final_answers=(FinalAnswer("better", "t02", "b"),))
    kinds = {OutputKind.CSV, OutputKind.PAIRS, OutputKind.LABELS}
    files = output_files(
        analyse(study(), settings), OutputChoices(kinds, PairFields("prompt", "left", "right"))
    )
    for file in files:
        file.write(tmp_path / file.name)
    for name in ("preference-pairs.jsonl", "labels.jsonl"):
        assert len((tmp_path / name).read_text().splitlines()) == 5, name
    for path in tmp_path.glob("answers*.csv"):
        rows = path.read_text().splitlines()
        assert len(rows) == 10, path.name
        for task in ("t02", "t12", "t22"):
            assert sum(f",{task}," in row for row in rows) == 1, (path.name, task)
