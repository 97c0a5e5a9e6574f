"""Sample size: records and answers per record for a wanted width, separately."""

import math

import numpy as np
import pytest

from batchwright.analysis.analyse import analyse
from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.sections import comparisons_result, questions_result
from batchwright.analysis.statistics.choices import option_shares
from batchwright.analysis.statistics.comparisons.system_results import SystemFields
from batchwright.analysis.statistics.planning.interval_widths import (
    Amount,
    Variation,
    interval_width,
    needed_records,
    variation_of,
)
from batchwright.analysis.statistics.planning.needed_records import (
    NeededRow,
    needed_rows,
    needed_sentences,
)
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.sampling import Clusters
from tests.analysis.answers import record, table_of

SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
"""Shrout, P. E., & Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater reliability.
Psychological Bulletin, 86, 420–428: six targets, four judges; ICC(1,1) is .17."""


def test_the_correlation_within_records_is_that_of_shrout_and_fleiss() -> None:
    values = np.array(SHROUT_FLEISS, dtype=float)
    found = variation_of(values.reshape(-1), np.repeat(np.arange(6), 4))
    assert round(found.correlation, 2) == 0.17
    assert found.records == 6
    alone = variation_of(values[:, 0], np.arange(6))
    assert math.isnan(alone.correlation)


def test_independent_answers_need_as_many_as_in_textbooks() -> None:
    """Wilson's interval of a share of half is z / sqrt(n + z²) wide: 380.3 for 0.1; Wald's needs 384.1.

    `samplesize_confint_proportion(0.5, 0.05)` of statsmodels is 384.146. A mean needs (2 z / width)²: 1536.6
    for a tenth of the standard deviation. Ten answers each would need 39 records, if it were as many as 390.
    """
    share, mean = Variation(0.5, 0.25, 0.0, 10), Variation(3.0, 4.0, 0.0, 10)
    assert needed_records(share, 0.1, 1, is_share=True) == 381
    assert needed_records(mean, 0.1 * 2, 1, is_share=False) == 1537
    assert needed_records(share, 0.1, 10, is_share=True) == 41


def test_more_answers_about_the_same_records_do_not_narrow_the_part_of_records() -> None:
    """With correlation 0.4, ten answers about each record have a design effect of 1 + 9 · 0.4 (Kish).

    Intervals of shares account for the uncertainty of the design effect, which is 1 to 2 % of the records.
    """
    alike = Variation(0.5, 0.25, 0.4, 50)
    one, ten, many = (needed_records(alike, 0.1, answers, is_share=True) for answers in (1, 10, 10**6))
    assert one == 381
    assert ten == pytest.approx(380.3 * (1 + 9 * 0.4) / 10, rel=0.02)
    assert many == pytest.approx(380.3 * 0.4, rel=0.02)
    least = interval_width(alike, Amount(50, math.inf), is_share=True)
    assert least == pytest.approx(interval_width(alike, Amount(50, 10**9), is_share=True), rel=1e-6)
    assert interval_width(alike, Amount(50, 10), is_share=True) > least
    same = Variation(0.5, 0.25, 1.0, 50)
    assert needed_records(same, 0.1, 10, is_share=True) == pytest.approx(381, rel=0.01)


def answers_about(records: int, answers: int, seed: int) -> AnswerTable:
    """Yes or no: for each record, the chance of yes is another one."""
    random = np.random.default_rng(seed)
    chances = random.beta(1, 1, records)
    return table_of(
        record(f"p{person}", f"t{task}", "better", "a" if random.random() < chances[task] else "b")
        for task in range(records)
        for person in range(answers)
    )


def test_the_planned_number_of_records_has_the_wanted_width() -> None:
    """The chances are uniform, so that the correlation is a third."""
    rows = needed_rows(answers_about(150, 4, 1), 20)
    assert {row.about for row in rows} <= {"A is better", "B is better"}
    assert rows[0].correlation == pytest.approx(1 / 3, abs=0.1)
    planned = next(row for row in rows if row.answers_per_record == 3)
    assert planned.answers == 3 * planned.records
    share = option_shares(answers_about(planned.records, 3, 2), 0)[0]
    assert share.high - share.low == pytest.approx(0.2, abs=0.03)


def test_a_sentence_names_records_by_answers_and_what_more_answers_cannot_do() -> None:
    prepared = prepare(answers_about(40, 4, 3), AnalysisSettings(wanted_width=10))
    rows = questions_result(prepared, lambda _fraction: None).questions[0].needed
    assert [row.answers_per_record for row in rows] == [1, 2, 3, 5, 10]
    (text,) = needed_sentences(rows)
    assert text.startswith("Records needed for an interval of “")
    assert f": {rows[0].records} with 1 answer each, {rows[1].records} with 2 answers each, " in text
    assert "even very many answers about each leave a width of" in text
    single = needed_rows(answers_about(40, 1, 3), 10)
    assert [row.answers_per_record for row in single] == [1]
    assert "very many" not in needed_sentences(single)[0]


def test_numbers_and_win_rates_are_planned_too() -> None:
    fields = {f"t{n}": {"left": "xy"[n % 2], "right": "yx"[n % 2]} for n in range(30)}
    random = np.random.default_rng(5)
    answers = [
        record(f"p{p}", f"t{n}", "better", "ab"[random.integers(2)]) for n in range(30) for p in range(3)
    ]
    answers += [record("p", f"t{n}", "duration", {"value": f"{n % 7}", "unit": "min"}) for n in range(30)]
    table = table_of(answers, fields)
    settings = AnalysisSettings(systems=SystemFields("left", "right"), wanted_width=30)
    result = comparisons_result(prepare(table, settings), lambda _fraction: None)
    assert {row.about for row in result.results.needed} <= {"x", "y"}
    (needed,) = [one for one in analyse(table, settings).results if one.name == "needed_records"]
    kinds = {row[needed.columns.index("kind")] for row in needed.rows}
    assert kinds == {"share", "mean", "win rate"}
    deviation = float(np.std([n % 7 for n in range(30)], ddof=1))
    widths = {row[needed.columns.index("width")] for row in needed.rows}
    assert widths == {0.3, round(0.3 * deviation, 6)}


def test_a_survey_needs_participants() -> None:
    """380.3 as for independent answers, times 40 / 39, since the variance is estimated."""
    survey = table_of({**record(f"p{n}", "", "better", "ab"[n % 2]), "task_id": ""} for n in range(40))
    settings = AnalysisSettings(wanted_width=10)
    prepared = prepare(survey, settings)
    rows = questions_result(prepared, lambda _fraction: None).questions[0].needed
    (text,) = needed_sentences(rows, is_survey=True)
    assert text == "Participants needed for an interval of “A is better” with a width of 10 %: 391."
    (needed,) = [one for one in analyse(survey, settings).results if one.name == "needed_records"]
    assert not {"records", "answers_per_record", "least_width"} & set(needed.columns)
    assert needed.notes["better"] == [text]


def test_nothing_is_planned_without_a_width_or_about_participants() -> None:
    table = answers_about(10, 2, 1)
    assert needed_rows(table, 0) == []
    about_people = prepare(table, AnalysisSettings(clusters=Clusters.BOTH)).included
    assert needed_rows(about_people, 10) == []
    assert needed_sentences(list[NeededRow]()) == []
