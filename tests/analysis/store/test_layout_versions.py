"""Answers have the questions and options of the layout that their tasks had."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from batchwright.analysis.analyse import analyse
from batchwright.analysis.output.output_files import OutputChoices, output_files
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.report import methods_paragraph
from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.joined_wordings import joined_wordings
from batchwright.analysis.statistics.participants.participant_hints import participant_rows
from batchwright.analysis.store.answer_query import AnswerQuery
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.layout_versions import LayoutTimeline, LayoutVersions
from batchwright.analysis.store.questions import AnalysedQuestion
from tests.analysis.answers import COMPARISON, REASON, SCALE, questions, record

FIRST_SETUP, SECOND_SETUP = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 10, tzinfo=UTC)
BEFORE, AFTER = "2026-03-05T14:00:00.000Z", "2026-03-15T14:00:00.000Z"

OLD = {**COMPARISON, "description": "Which answer is worse?"}
NEW: dict[str, Any] = {
    **COMPARISON,
    "options": [
        {"label": "The left one", "value": "a"},
        *COMPARISON["options"][1:],
        {"label": "Both are bad", "value": "none"},
    ],
}


def versions_of(
    layouts: Iterable[tuple[datetime, Sequence[AnalysedQuestion]]], known_since: datetime
) -> LayoutVersions:
    return LayoutVersions((LayoutTimeline.of(layouts, known_since),))


VERSIONS = versions_of(
    [(FIRST_SETUP, questions(OLD, REASON)), (SECOND_SETUP, questions(NEW, SCALE))], FIRST_SETUP
)
RECORDS = [
    record("p1", "t1", "better", "a", created_at=BEFORE),
    record("p2", "t1", "better", "b", created_at=BEFORE),
    record("p1", "t1", "reason", "Because", created_at=BEFORE),
    record("p1", "t2", "better", "a", created_at=AFTER),
]


def store_of(records: Iterable[Mapping[str, Any]], layouts: LayoutVersions = VERSIONS) -> AnswerStore:
    store = AnswerStore()
    store.set_layouts(layouts)
    store.append(records)
    return store


def table_of(records: Iterable[Mapping[str, Any]], layouts: LayoutVersions = VERSIONS) -> AnswerTable:
    with closing(store_of(records, layouts)) as store:
        return store.table()


def test_an_answer_has_the_question_and_the_option_of_the_setup_before_it() -> None:
    with closing(store_of(RECORDS)) as store:
        rows = {row.id: row for row in store.query(AnswerQuery()).rows(0, 9)}
        store.set_layouts(LayoutVersions.single(questions(NEW)))
        present = store.query(AnswerQuery(tasks=("t1",), search="left")).rows(0, 9)
        store.set_layouts(VERSIONS)
        again = {row.id: row for row in store.query(AnswerQuery()).rows(0, 9)}

    old, new = rows["p1-t1-better"], rows["p1-t2-better"]
    assert (old.question.title, old.text) == ("Which answer is worse?", "A is better")
    assert (new.question.title, new.text) == ("Which answer is better?", "The left one")
    assert [row.text for row in present] == ["The left one"]
    assert again == rows


def test_a_removed_question_keeps_its_text_while_it_has_answers() -> None:
    with closing(store_of(RECORDS)) as store:
        titles = [question.title for question in store.questions]
    with closing(store_of(RECORDS[3:])) as store:
        without = [question.title for question in store.questions]

    assert titles == ["Which answer is better?", "Which answer is worse?", "How good is it?", "Why?"]
    assert without == ["Which answer is better?", "How good is it?"]


def test_wordings_are_counted_together_and_all_named() -> None:
    better = joined_wordings(table_of(RECORDS)).questions[0]

    assert better.id == "better"
    assert better.title == "Which answer is better? (version 2) / Which answer is worse? (version 1)"
    assert [option.label for option in better.options] == [
        "The left one (version 2) / A is better (version 1)",
        "B is better",
        "About the same",
        "Both are bad",
    ]
    assert better.wording_ids == ("better", "better@1")
    assert better.options_of_wordings(0) == (("better", 0), ("better@1", 0))
    assert better.options_of_wordings(3) == (("better", 3),)


def test_only_wordings_with_answers_count() -> None:
    before = joined_wordings(table_of(RECORDS[:3])).questions[0]

    assert (before.id, before.title, before.wordings) == ("better", "Which answer is worse?", ())
    assert "Both are bad" not in [option.label for option in before.options]


def test_wordings_that_ask_for_different_kinds_of_values_stay_apart() -> None:
    several = {**COMPARISON, "answer_limit": -1}
    layouts = versions_of([(FIRST_SETUP, questions(several)), (SECOND_SETUP, questions(NEW))], FIRST_SETUP)
    table = joined_wordings(table_of([RECORDS[0], RECORDS[3]], layouts))

    assert [(question.id, question.kind) for question in table.questions] == [
        ("better", "choice"),
        ("better@1", "choices"),
    ]


def test_a_layout_that_returns_is_the_same_version() -> None:
    third = datetime(2026, 3, 20, tzinfo=UTC)
    layouts = versions_of(
        [(FIRST_SETUP, questions(OLD)), (SECOND_SETUP, questions(NEW)), (third, questions(OLD))], FIRST_SETUP
    )
    late = record("p3", "t3", "better", "a", created_at="2026-03-25T14:00:00.000Z")
    table = table_of([*RECORDS[:1], *RECORDS[3:], late], layouts)

    assert layouts.numbers == ((1, 2, 1),)
    titles = [table.questions[code].title for code in table.question_codes.tolist()]
    assert titles == ["Which answer is worse?", "Which answer is better?", "Which answer is worse?"]


def files_of(settings: AnalysisSettings, folder: Path) -> dict[str, list[list[str]]]:
    """The tables that are written, as rows of cells."""
    analysis = analyse(table_of(RECORDS), settings)
    kinds = {OutputKind.CSV, OutputKind.CODEBOOK, OutputKind.TABLES}
    found = {}
    for file in output_files(analysis, OutputChoices(kinds)):
        file.write(folder / file.name)
        if file.name.endswith(".csv"):
            with (folder / file.name).open(encoding="utf-8-sig", newline="") as text:
                found[file.name] = list(csv.reader(text))
    return found


def test_files_name_the_version_of_each_answer(tmp_path: Path) -> None:
    files = files_of(AnalysisSettings(), tmp_path)

    header, *rows = files["answers-long.csv"]
    question, option, version = (header.index(name) for name in ("question_text", "option", "version"))
    assert [(row[question], row[option], row[version]) for row in rows] == [
        ("Which answer is worse?", "A is better", "1"),
        ("Which answer is worse?", "B is better", "1"),
        ("Why?", "", "1"),
        ("Which answer is better?", "The left one", "2"),
    ]
    assert [row[:4] for row in files["versions.csv"][1:]] == [
        ["1", "2026-03-01T00:00:00.000Z", "2", "3"],
        ["2", "2026-03-10T00:00:00.000Z", "2", "1"],
    ]
    assert any("(version 1)" in row[2] for row in files["codebook.csv"])


def test_results_can_be_split_by_version(tmp_path: Path) -> None:
    together = analyse(table_of(RECORDS), AnalysisSettings())
    split = analyse(table_of(RECORDS), AnalysisSettings(splits_versions=True))

    assert [row[0] for row in together.results[0].rows] == ["better", "scale", "reason"]
    assert [row[1] for row in split.results[0].rows][:2] == [
        "Which answer is better? (version 2)",
        "Which answer is worse? (version 1)",
    ]
    assert [row[0] for row in split.results[0].rows] == ["better", "better@1", "scale", "reason"]
    assert "were counted together" in methods_paragraph(together, {"batchwright": "1"})
    assert "are separate questions" in methods_paragraph(split, {"batchwright": "1"})


def test_the_question_with_right_answers_is_the_same_if_wordings_are_counted_apart() -> None:
    with closing(store_of(RECORDS)) as store:
        store.set_fields({"t1": {"gold": "a"}, "t2": {"gold": "a"}})
        table = store.table()
    for is_split in (False, True):
        settings = AnalysisSettings(gold_field="gold", gold_question="better", splits_versions=is_split)
        people = participant_rows(prepare(table, settings).given, *settings.gold)
        assert [(row.participant, row.gold_answers, row.gold_accuracy) for row in people] == [
            ("p1", 2, 1.0),
            ("p2", 1, 0.0),
        ]


def test_answers_before_the_first_known_setup_are_reported() -> None:
    early = record("p0", "t0", "better", "a", created_at="2026-02-01T14:00:00.000Z")
    with closing(store_of([early, *RECORDS])) as store:
        use = store.layout_use()
    present = LayoutVersions((LayoutTimeline.single(questions(NEW), is_known=False),))
    unknown = analyse(table_of(RECORDS, present), AnalysisSettings())

    assert (use.unknown, [version.answers for version in use.versions], use.differing) == (1, [4, 1], 1)
    assert unknown.layout_use.unknown == len(RECORDS)
    assert "It is not known which layout 4 answers were given to" in methods_paragraph(
        unknown, {"batchwright": "1"}
    )


def test_an_answer_in_another_language_has_the_version_of_the_setup_of_its_batch() -> None:
    own = LayoutTimeline.of([(FIRST_SETUP, questions(OLD)), (SECOND_SETUP, questions(NEW))], FIRST_SETUP)
    in_german = questions({**OLD, "description": "Welche Antwort ist schlechter?"})
    in_spanish = questions({**OLD, "options": OLD["options"][:2], "description": "¿Cuál es peor?"})
    german = LayoutTimeline.of([(FIRST_SETUP + timedelta(days=1), in_german)], FIRST_SETUP)
    spanish = LayoutTimeline.of([(SECOND_SETUP, in_spanish)], SECOND_SETUP)
    others = replace(german, instructions={"better": "de"}), replace(spanish, instructions={"better": "es"})
    records = [
        *(RECORDS[0], RECORDS[3]),
        record("p3", "t3", "de", "a", created_at=AFTER),
        record("p4", "t4", "es", "b", created_at=AFTER),
    ]
    with closing(store_of(records, LayoutVersions.joined([own, *others]))) as store:
        rows = store.query(AnswerQuery()).rows(0, 9)
        use, table = store.layout_use(), store.table()

    assert {row.task: row.question.title for row in rows} == {
        "t1": "Which answer is worse?",
        "t2": "Which answer is better?",
        "t3": "Which answer is worse?",
        "t4": "¿Cuál es peor?",
    }
    assert [(row.version, row.answers) for row in use.versions] == [(1, 2), (2, 1), (3, 1)]
    assert [one.wording_ids for one in joined_wordings(table).questions] == [
        ("better", "better@1", "better@3")
    ]
    assert use.unknown == 0
    one, several = (
        methods_paragraph(analyse(of, AnalysisSettings()), {"batchwright": "1"})
        for of in (table_of(RECORDS), table)
    )
    assert "A record counts once for each language" in several
    assert "A record counts once for each language" not in one


def test_a_question_removed_in_all_languages_leaves_the_wordings_of_the_others_alone() -> None:
    own = LayoutTimeline.of(
        [(FIRST_SETUP, questions(COMPARISON, REASON)), (SECOND_SETUP, questions(COMPARISON))], FIRST_SETUP
    )
    in_german, german_reason = {**COMPARISON, "description": "Welche?"}, {**REASON, "id": "de-reason"}
    german = LayoutTimeline.of(
        [(FIRST_SETUP, questions(in_german, german_reason)), (SECOND_SETUP, questions(in_german))],
        FIRST_SETUP,
    )
    layouts = LayoutVersions.joined([own, replace(german, instructions={"better": "de-better"})])

    assert [question.id for question in layouts.questions] == ["better", "reason", "de-reason"]
