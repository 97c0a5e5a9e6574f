"""Roles of questions and options: level, order, missing answers, and sides."""

import csv
from pathlib import Path

import pyreadstat
import pytest

from batchwright.analysis.analyse import analyse
from batchwright.analysis.output.output_files import OutputChoices, output_files
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.report import report
from batchwright.analysis.output.write_files import write_files
from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.result_tables import Cell
from batchwright.analysis.sections import questions_result, role_choices
from batchwright.analysis.statistics.roles.question_roles import QuestionRole, Roles
from batchwright.analysis.statistics.roles.role_files import read_roles, roles_json
from batchwright.analysis.store.answer_files import read_saved_answers
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import MeasurementLevel, Outcome
from batchwright.prepare.columns import COPY_OF
from tests.analysis.answers import questions, record, table_of
from tests.flows.program import SHARED_DATA

CASES = SHARED_DATA / "statistics"
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="the shared data are not there")


def item(*options: tuple[object, str], limit: int = 1) -> dict[str, object]:
    listed = [{"value": value, "label": label} for value, label in options]
    return {
        "id": "q",
        "type": "multiple_choice",
        "description": "Q?",
        "answer_limit": limit,
        "options": listed,
    }


SCALE = item(*((str(number), f"{number} of 5") for number in range(1, 6)), ("99", "Don't know"))
WORDS = item(("g", "good"), ("p", "poor"), ("f", "fair"), ("x", "n/a"))


def table_about(item: dict[str, object], *answers: object) -> AnswerTable:
    """Two participants answer tasks in turn."""
    store = AnswerStore(questions(item))
    store.append(record(f"p{n % 2}", f"t{n // 2}", "q", answer) for n, answer in enumerate(answers))
    table = store.table()
    store.close()
    return table


def rows(table: AnswerTable, name: str, roles: Roles) -> list[dict[str, Cell]]:
    results = {of.name: of for of in analyse(table, AnalysisSettings(roles=roles)).results}
    if name not in results:
        return []
    return [dict(zip(results[name].columns, row, strict=True)) for row in results[name].rows]


@needs_cases
@pytest.mark.parametrize("has_layout", [True, False])
def test_dont_know_as_missing_has_the_published_values(*, has_layout: bool) -> None:
    """Mean 3.12, maximum 5, alpha 0.739 and 0.735: computed by the README of the data."""
    saved = read_saved_answers(CASES / "dont-know-99.csv")
    if has_layout:
        saved.store.set_questions(questions(SCALE))
    table = saved.store.table()
    saved.store.close()
    level = None if has_layout else MeasurementLevel.INTERVAL
    role = {"q": QuestionRole(level, missing=("99",))}
    (numbers,) = rows(table, "numbers", role)
    assert numbers["mean"] == pytest.approx(3.12, abs=0.005)
    assert numbers["maximum"] == 5
    alphas = {row["metric"]: row["value"] for row in rows(table, "agreement", role) if not row["option"]}
    assert alphas["interval"] == pytest.approx(0.735, abs=5e-4)
    (ordinal,) = [
        row["value"]
        for row in rows(table, "agreement", {"q": QuestionRole(MeasurementLevel.ORDINAL, missing=("99",))})
        if row["metric"] == "ordinal"
    ]
    assert ordinal == pytest.approx(0.739, abs=5e-4)


def test_missing_answers_are_in_no_share_and_are_counted() -> None:
    table = table_about(SCALE, "1", "99", "2", "2", "99", "1")
    role = {"q": QuestionRole(missing=("99",))}
    shares = rows(table, "choices", role)
    assert [(row["option"], row["count"], row["answers"]) for row in shares[:2]] == [("1", 2, 4), ("2", 2, 4)]
    assert "99" not in [row["option"] for row in shares]
    (question,) = rows(table, "questions", role)
    assert (question["answers"], question["missing"]) == (4, 2)
    assert [
        (row["role"], row["value"], row["label"], row["answers"]) for row in rows(table, "roles", role)
    ] == [("missing", "99", "Don't know", 2)]
    assert analyse(table, AnalysisSettings(roles=role)).included == 6, "missing answers are not excluded"


def test_answers_about_records_that_came_again_are_not_missing() -> None:
    records = [record("p", f"t{task}", "better", "a") for task in range(4)]
    table = table_of(records, {"t2": {COPY_OF: "1"}, "t3": {COPY_OF: ""}})
    question = rows(table, "questions", {})[0]
    assert (question["answers"], question["missing"]) == (3, 0)
    assert (
        questions_result(prepare(table, AnalysisSettings()), lambda _fraction: None).questions[0].missing == 0
    )


def test_several_options_with_one_that_means_missing_are_missing() -> None:
    faults = item(("a", "A"), ("b", "B"), ("x", "Cannot say"), limit=-1)
    store = AnswerStore(questions(faults))
    store.append([record("p0", "t0", "q", "a", "b"), record("p1", "t0", "q", "x"), record("p2", "t0", "q")])
    table = store.table()
    store.close()
    shares = rows(table, "choices", {"q": QuestionRole(missing=("x",))})
    assert [(row["option"], row["count"], row["answers"]) for row in shares] == [
        ("a", 1, 2),
        ("b", 1, 2),
        ("", 1, 2),
    ]


def test_an_order_makes_a_scale_of_words() -> None:
    table = table_about(WORDS, "p", "f", "f", "g", "g", "x")
    assert not rows(table, "numbers", {})
    role = QuestionRole(MeasurementLevel.ORDINAL, ("p", "f", "g"), ("x",))
    (numbers,) = rows(table, "numbers", {"q": role})
    assert (numbers["median"], numbers["minimum"], numbers["maximum"]) == (2, 1, 3)
    assert numbers["mean"] is None, "ordinal values have no mean"
    (interval,) = rows(
        table, "numbers", {"q": QuestionRole(MeasurementLevel.INTERVAL, role.order, role.missing)}
    )
    assert interval["mean"] == 2.2
    assert [row["option"] for row in rows(table, "choices", {"q": role})] == ["p", "f", "g"]
    metrics = [row["metric"] for row in rows(table, "agreement", {"q": role}) if not row["option"]]
    assert metrics[:2] == ["ordinal", "nominal"]


def test_a_nominal_question_has_no_mean() -> None:
    table = table_about(SCALE, "1", "2", "3")
    assert rows(table, "numbers", {})
    assert not rows(table, "numbers", {"q": QuestionRole(MeasurementLevel.NOMINAL)})


def test_options_1_2_3_that_are_named_after_sides_are_a_comparison() -> None:
    sides = item((1, "Response 1"), (2, "Response 2"), (3, "Equal"))
    table = table_about(sides, 1, 2, 3, 1)
    assert not rows(table, "numbers", {})
    assert [row["outcome"] for row in rows(table, "choices", {})] == ["left", "right", "tie"]
    (position,) = rows(table, "positions", {})
    assert position["left_share"] == pytest.approx(2 / 3)


def test_a_comparison_without_the_option_that_means_missing() -> None:
    sides = item(("a", "A"), ("b", "B"), ("x", "Seen before"))
    table = table_about(sides, "a", "b", "x", "a")
    assert not rows(table, "positions", {})
    assert rows(table, "positions", {"q": QuestionRole(missing=("x",))})
    chosen = {"a": Outcome.RIGHT, "b": Outcome.LEFT}
    shares = rows(table, "choices", {"q": QuestionRole(missing=("x",), outcomes=chosen)})
    assert [row["outcome"] for row in shares] == ["right", "left"]


def test_participants_are_described_with_their_missing_answers() -> None:
    table = table_about(SCALE, *["1", "99"] * 10)
    (first, second) = rows(table, "participants", {"q": QuestionRole(missing=("99",))})
    assert (first["answers"], second["answers"]) == (10, 10)
    assert (first["agreement"], second["agreement"]) == (None, None), "nobody answered the same task"


@pytest.mark.parametrize(
    ("item_", "answers", "proposed"),
    [
        (SCALE, ["1", "99"], ("99",)),
        (item(("1", "1"), ("2", "2"), ("3", "3"), ("98", "98"), ("99", "99")), ["1"], ("98", "99")),
        (item(*((str(n), str(n)) for n in range(101))), ["99"], ()),
        (WORDS, ["g"], ("x",)),
        (item(("a", "A"), ("b", "B"), ("same", "Not sure")), ["a"], ()),
        ({"id": "q", "type": "free_text_with_unit", "description": "Q"}, ["3", "4", "99"], ("99",)),
        ({"id": "q", "type": "free_text_with_unit", "description": "Q"}, ["60", "80", "99"], ()),
        ({"id": "q", "type": "free_text_with_unit", "description": "Q"}, ["0", "-9"], ("-9",)),
    ],
)
def test_what_is_proposed_as_missing_is_shown_and_not_applied(
    item_: dict[str, object], answers: list[str], proposed: tuple[str, ...]
) -> None:
    table, settings = table_about(item_, *answers), AnalysisSettings()
    assert role_choices(table, settings).proposals.get("q", ()) == proposed
    assert len(prepare(table, settings).included) == len(answers)
    text = report(analyse(table, settings), {"batchwright": "1"})
    assert ("Probably no answer" in text) == bool(proposed)


def test_the_report_and_the_codebook_have_the_roles(tmp_path: Path) -> None:
    table = table_about(SCALE, "1", "99", "2", "2", "99", "1")
    role = QuestionRole(MeasurementLevel.ORDINAL, missing=("99",))
    analysis = analyse(table, AnalysisSettings(roles={"q": role}))
    text = report(analysis, {"batchwright": "1"})
    assert "2 answers were left out as missing: “Don&#x27;t know”." in text
    assert "“Q?” (ordinal)" in text
    kinds = {OutputKind.CODEBOOK, OutputKind.SAV, OutputKind.TABLES}
    write_files(output_files(analysis, OutputChoices(kinds)), tmp_path)
    with (tmp_path / "codebook.csv").open(encoding="utf-8", newline="") as file:
        codebook = {row["value"]: row for row in csv.DictReader(file) if row["column"] == "q1"}
    assert (codebook[""]["role"], codebook["99"]["role"], codebook["1"]["role"]) == ("ordinal", "missing", "")
    assert codebook["99"]["count"] == "2", "raw answers stay in the files"
    _values, metadata = pyreadstat.read_sav(tmp_path / "answers.sav", user_missing=True)
    assert [(of["lo"], of["hi"]) for of in metadata.missing_ranges["q1"]] == [(99, 99)]
    assert read_roles(tmp_path / "roles.json") == {"q": role}


def test_a_file_of_roles_is_read_as_it_was_written(tmp_path: Path) -> None:
    roles = {
        "q": QuestionRole(MeasurementLevel.ORDINAL, ("poor", "good"), ("n/a", "99")),
        "better": QuestionRole(outcomes={"1": Outcome.LEFT, "2": Outcome.RIGHT, "3": Outcome.TIE}),
        "plain": QuestionRole(outcomes={}),
    }
    (tmp_path / "roles.json").write_text(roles_json(roles), encoding="utf-8")
    assert read_roles(tmp_path / "roles.json") == roles
