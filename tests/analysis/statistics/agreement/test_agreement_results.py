"""Coefficients of agreement: published examples to the last printed digit, the library, and properties."""

import math
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.agreement.agreement_results import (
    AC2,
    ALPHA,
    WEIGHTED,
    agreement_rows,
    disagreement_rows,
)
from batchwright.analysis.statistics.agreement.coefficients import (
    alpha_of_units,
    fleiss_kappa,
    gwet_ac1,
    interval_alpha,
    krippendorff_alpha,
    percent_agreement,
    percent_agreement_of_units,
)
from batchwright.analysis.statistics.agreement.distances import (
    Metric,
    jaccard_distance,
    masi_distance,
    squared_distances,
)
from batchwright.analysis.statistics.agreement.intraclass import Form
from batchwright.analysis.statistics.agreement.jackknife import Coefficient, Samples, estimate
from batchwright.analysis.statistics.agreement.rater_pairs import cohen_estimate
from batchwright.analysis.statistics.agreement.ratings import (
    Patterns,
    Ratings,
    Value,
    different_rows,
    ratings_of,
)
from batchwright.analysis.statistics.intervals import mean_interval, t_quantile
from batchwright.analysis.statistics.roles.question_roles import QuestionRole
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.questions import MeasurementLevel
from tests.analysis.answers import questions, record, table_of
from tests.analysis.answers import ratings as rating_records
from tests.analysis.statistics.agreement.rating_matrices import alpha_estimate, create_ratings

FOUR_OBSERVERS = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
"""Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability, examples C and D."""
THREE_CODERS = """
. . . . . 3 4 1 2 1 1 3 3 . 3
1 . 2 1 3 3 4 3 . . . . . . .
. . 2 1 3 4 4 . 2 1 1 3 3 . 4
"""
"""The example of the article “Krippendorff's alpha” of Wikipedia, after Krippendorff."""
FIVE_OBSERVERS = """
1 1 2 . 0 0 1 1 2 2 . 0 1 3 1 1 2 1 1 0 0 0 2 0 1 0 0 1 1 1 1 2 2 3 2 2 2 2 2 1
1 1 3 0 0 0 0 . 2 1 1 0 2 3 1 1 1 2 1 0 0 0 3 0 2 1 0 2 1 1 1 1 2 2 2 2 2 2 2 1
2 0 3 0 0 0 2 2 2 1 0 0 2 2 1 1 2 3 0 0 1 . 3 0 . 1 0 1 2 2 0 2 . 2 2 3 2 . 2 1
. 1 3 . . . . 0 . 1 0 0 2 2 . . . 3 1 . 1 0 3 0 2 1 1 2 2 . . 1 2 2 . . . 1 2 .
2 . . 0 0 0 1 . 2 . . . . 3 1 1 2 . . 0 . 0 . . 2 . 0 . . 2 0 . 2 . 2 2 2 2 . 1
"""
"""Hayes, A. F., & Krippendorff, K. (2007). Answering the call for a standard reliability measure for coding
data: forty articles, rated from 0 to 3. Printed there: 239 pairs; alpha 0.4765, 0.7598 and 0.7574."""
PSYCHIATRISTS = """
444444 222555 233335 555555 222444 113333 333355 113334 114444 555555
144444 124444 222333 144444 224445 333335 111455 111112 224444 133555
555555 244444 224555 114444 144445 222224 111155 224444 133333 555555
"""
"""Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters, table 1: six diagnoses each."""


def numbers(text: str) -> Ratings:
    return create_ratings(
        [[None if cell == "." else float(cell) for cell in line.split()] for line in text.split("\n") if line]
    )


def letters(*rows: str) -> Ratings:
    return create_ratings([[None if value == " " else value for value in row] for row in rows])


def patterns(ratings: Ratings) -> Patterns:
    found = ratings.patterns
    assert found is not None
    return found


def single(coefficient: Callable[[np.ndarray], Coefficient], ratings: Ratings) -> float:
    found = patterns(ratings)
    return float(coefficient(found.rows)(Samples(found.weights))[0])


def alpha(ratings: Ratings, metric: Metric) -> float:
    return single(lambda rows: krippendorff_alpha(rows, metric, ratings.domain), ratings)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [(Metric.NOMINAL, 0.743), (Metric.ORDINAL, 0.815), (Metric.INTERVAL, 0.849), (Metric.RATIO, 0.797)],
)
def test_alpha_of_krippendorff_2011_for_any_number_of_observers(metric: Metric, expected: float) -> None:
    assert round(alpha(numbers(FOUR_OBSERVERS), metric), 3) == expected


def test_alpha_of_krippendorff_2011_for_two_observers() -> None:
    """Examples A (binary data) and B (nominal data)."""
    assert round(alpha(letters("0100000010", "1110010000"), Metric.NOMINAL), 3) == 0.095
    assert round(alpha(letters("aabbdcccedda", "babbbccceddd"), Metric.NOMINAL), 3) == 0.692


@pytest.mark.parametrize(
    ("metric", "expected"), [(Metric.NOMINAL, 0.4765), (Metric.ORDINAL, 0.7598), (Metric.INTERVAL, 0.7574)]
)
def test_alpha_of_hayes_and_krippendorff_2007(metric: Metric, expected: float) -> None:
    observers = numbers(FIVE_OBSERVERS)
    assert (observers.sizes * (observers.sizes - 1) // 2).sum() == 239
    assert round(alpha(observers, metric), 4) == expected


@pytest.mark.parametrize(("metric", "expected"), [(Metric.NOMINAL, 0.691), (Metric.INTERVAL, 0.811)])
def test_alpha_of_the_three_coders_of_wikipedia(metric: Metric, expected: float) -> None:
    assert round(alpha(numbers(THREE_CODERS), metric), 3) == expected


def test_fleiss_1971_with_its_margins() -> None:
    diagnoses = letters(*("".join(rater) for rater in zip(*PSYCHIATRISTS.split(), strict=True)))
    assert [round(share, 3) for share in diagnoses.counts.mean(axis=0) / 6] == [
        0.144,
        0.144,
        0.167,
        0.306,
        0.239,
    ]
    assert round(single(fleiss_kappa, diagnoses), 3) == 0.430


def test_artstein_and_poesio_2008_table_1() -> None:
    """100 utterances, statements (s) or requests (r), by two coders: A_o = 0.7, pi = 0.341, kappa = 0.348."""
    acts = letters("s" * 20 + "s" * 20 + "r" * 10 + "r" * 50, "s" * 20 + "r" * 20 + "s" * 10 + "r" * 50)
    assert round(single(percent_agreement, acts), 3) == 0.7
    assert round(single(fleiss_kappa, acts), 3) == 0.341
    assert round(cohen_estimate(acts).value, 3) == 0.348


def crossed(*rows: tuple[int, ...]) -> Ratings:
    """Ratings of two raters from a table of counts: a row per value of the first."""
    pairs = [(a, b) for a, row in enumerate(rows) for b, count in enumerate(row) for _n in range(count)]
    return create_ratings([[str(pair[side]) for pair in pairs] for side in (0, 1)])


def test_artstein_and_poesio_2008_with_three_labels() -> None:
    """Statements, requests and checks, by two coders: A_o = 0.88, pi = 0.7995, kappa = 0.8013."""
    acts = crossed((46, 6, 0), (0, 32, 0), (0, 6, 10))
    assert round(single(percent_agreement, acts), 2) == 0.88
    assert round(single(fleiss_kappa, acts), 4) == 0.7995
    assert round(cohen_estimate(acts).value, 4) == 0.8013


def test_cohen_1968_and_fleiss_cohen_and_everitt_1969_without_weights() -> None:
    """Weighted kappa, table 1, and Large sample standard errors of kappa and weighted kappa, table 1."""
    assert round(cohen_estimate(crossed((88, 14, 18), (10, 40, 10), (2, 6, 12))).value, 3) == 0.492
    assert round(cohen_estimate(crossed((106, 10, 4), (22, 28, 10), (2, 12, 6))).value, 3) == 0.429


@pytest.mark.parametrize(
    ("coefficient", "expected"),
    [(percent_agreement, 0.81818), (gwet_ac1, 0.77544), (fleiss_kappa, 0.76117)],
)
def test_gwet_2014_with_missing_ratings(
    coefficient: Callable[[np.ndarray], Coefficient], expected: float
) -> None:
    """The four observers above in Gwet, K. L. (2014), Handbook of inter-rater reliability, and irrCAC."""
    observers = numbers(FOUR_OBSERVERS)
    assert round(single(coefficient, observers), 5) == expected


def test_distances_of_sets() -> None:
    """Passonneau (2006): equal, subset, overlap, disjoint."""
    one, two = frozenset({1}), frozenset({1, 2})
    assert masi_distance(two, two) == 0
    assert masi_distance(one, two) == pytest.approx(1 - 1 / 2 * 2 / 3)
    assert masi_distance(two, frozenset({2, 3})) == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert masi_distance(one, frozenset({3})) == masi_distance(one, frozenset()) == 1
    assert masi_distance(frozenset(), frozenset()) == jaccard_distance(frozenset(), frozenset()) == 0
    assert jaccard_distance(one, two) == 0.5


MATRICES = st.integers(2, 5).flatmap(
    lambda units: st.lists(
        st.lists(st.one_of(st.none(), st.integers(1, 4).map(float)), min_size=units, max_size=units),
        min_size=2,
        max_size=5,
    )
)


@given(MATRICES, st.sampled_from([Metric.NOMINAL, Metric.ORDINAL, Metric.INTERVAL, Metric.RATIO]))
@settings(max_examples=60, deadline=None)
def test_alpha_is_that_of_the_library(rows: list[list[Value | None]], metric: Metric) -> None:
    columns = [[value for value in column if value is not None] for column in zip(*rows, strict=True)]
    if len({value for column in columns if len(column) > 1 for value in column}) < 2:
        return
    ours = alpha(create_ratings(rows), metric)
    data = np.array([[np.nan if value is None else value for value in row] for row in rows])
    paired = data[:, (~np.isnan(data)).sum(axis=0) > 1]
    assert ours == pytest.approx(krippendorff.alpha(paired, level_of_measurement=str(metric)), abs=1e-9)


@pytest.mark.parametrize("factor", [1e-200, 1e-9, 1e200])
def test_alpha_does_not_depend_on_the_unit_of_numbers(factor: float) -> None:
    few = [[1.0, 2.0, 3.0, 5.0], [1.0, 3.0, 3.0, 4.0]]
    many = [[float(value) for value in range(60)], [float(value + value % 3) for value in range(60)]]
    for rows in (few, many):
        scaled = create_ratings([[value * factor for value in row] for row in rows])
        found, expected = (
            alpha_estimate(ratings, Metric.INTERVAL) for ratings in (scaled, create_ratings(rows))
        )
        assert found is not None
        assert expected is not None
        assert found.value == pytest.approx(expected.value)
        assert found.interval == pytest.approx(expected.interval)


@given(MATRICES)
@settings(max_examples=40, deadline=None)
def test_permuting_participants_changes_nothing(rows: list[list[Value | None]]) -> None:
    if all(value is None for row in rows for value in row):
        return
    first, second = create_ratings(rows), create_ratings(rows[::-1])
    for coefficient in (percent_agreement, fleiss_kappa, gwet_ac1):
        assert single(coefficient, first) == pytest.approx(single(coefficient, second), nan_ok=True)


@pytest.mark.parametrize("metric", [Metric.NOMINAL, Metric.ORDINAL, Metric.INTERVAL, Metric.RATIO])
def test_perfect_agreement_gives_one(metric: Metric) -> None:
    perfect = create_ratings([[1.0, 2.0, 3.0, 2.0]] * 3)
    assert alpha(perfect, metric) == 1
    result = alpha_estimate(perfect, metric)
    assert result is not None
    assert result.value == 1
    assert all(map(math.isnan, result.interval)), "agreement of all records does not tell that of others"


def test_agreement_is_undefined_if_all_ratings_are_the_same() -> None:
    assert math.isnan(alpha(letters("aaa", "aaa"), Metric.NOMINAL))


def test_alpha_of_ratios_of_large_numbers_with_a_small_spread_is_that_of_intervals() -> None:
    numbers = [[1.0, 3, 5, 2, 7], [2.0, 3, 4, 2, 9]]
    expected = alpha(create_ratings(numbers), Metric.INTERVAL)
    for offset in (1e6, 1e9, 1e12):
        ratings = create_ratings([[number + offset for number in row] for row in numbers])
        assert alpha(ratings, Metric.RATIO) == pytest.approx(expected, rel=1e-4)
    assert math.isnan(alpha(create_ratings([[1e9, 1e9]] * 2), Metric.RATIO))


def test_alpha_of_many_different_numbers_is_computed_from_sums() -> None:
    random = np.random.default_rng(1)
    ratings = create_ratings([[float(value) for value in random.normal(size=40)] for _rater in range(3)])
    result = alpha_estimate(ratings, Metric.INTERVAL)
    assert result is not None
    assert result.value == pytest.approx(alpha(ratings, Metric.INTERVAL))
    assert float(interval_alpha(*[np.array([1, 1])] * 3)(Samples(np.ones(2)))[0]) != result.value


@pytest.mark.parametrize("metric", [Metric.RATIO, Metric.ORDINAL, Metric.MASI])
def test_alpha_of_many_patterns_is_computed_from_pairs(metric: Metric) -> None:
    random = np.random.default_rng(2)
    draws = random.integers(1, 5, (3, 30)).tolist()
    sets = [frozenset[int](), frozenset({1}), frozenset({1, 2}), frozenset({2, 3}), frozenset({3})]
    rows: list[list[Value | None]] = [
        [sets[value] if metric is Metric.MASI else float(value) for value in row] for row in draws
    ]
    rows[0][0] = rows[1][0] = rows[2][1] = None
    ratings = create_ratings(rows)
    totals = np.bincount(ratings.values[ratings.sizes[ratings.units] > 1], minlength=len(ratings.domain))
    distances = squared_distances(metric, ratings.domain, totals)
    units = Samples(np.ones(ratings.unit_count))
    by_pairs = alpha_of_units(ratings.units, ratings.values, distances)(units)
    assert by_pairs[0] == pytest.approx(alpha(ratings, metric))
    percent = percent_agreement_of_units(ratings.units, ratings.values)(units)
    assert percent[0] == pytest.approx(single(percent_agreement, ratings))
    if metric is not Metric.ORDINAL:
        found = krippendorff_alpha(patterns(ratings).rows, metric, ratings.domain)
        samples = found(Samples(patterns(ratings).weights))[1:]
        assert by_pairs[1:] == pytest.approx(samples[patterns(ratings).of_units])


LAW_SCHOOLS = """
576,3.39 635,3.30 558,2.81 578,3.03 666,3.44 580,3.07 555,3.00 661,3.43
651,3.36 605,3.13 653,3.12 575,2.74 545,2.76 572,2.88 594,2.96
"""
"""Efron, B. (1982). The jackknife, the bootstrap and other resampling plans: mean LSAT score and grade of 15
law schools. Their correlation is 0.776; the R package bootstrap prints its standard error by the jackknife,
0.1425186."""


def test_the_jackknife_of_the_law_schools_of_efron_1982() -> None:
    scores, grades = np.array([row.split(",") for row in LAW_SCHOOLS.split()], dtype=np.float64).T

    def correlation(samples: Samples) -> np.ndarray:
        n, x, y = (samples.sums(column) for column in (np.ones(15), scores, grades))
        xx, yy, xy = (samples.sums(column) for column in (scores**2, grades**2, scores * grades))
        found: np.ndarray = (n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y))
        return found

    result = estimate(correlation, np.ones(15), 15)
    assert round(result.value, 3) == 0.776
    assert round((result.value - result.interval.low) / t_quantile(0.975, 14), 7) == 0.1425186
    assert result.interval.high == 1, "no coefficient is above 1"


def coefficients_of(ratings: Ratings) -> list[Coefficient]:
    rows = patterns(ratings).rows
    metrics = (Metric.NOMINAL, Metric.ORDINAL, Metric.INTERVAL, Metric.RATIO)
    alphas = [krippendorff_alpha(rows, metric, ratings.domain) for metric in metrics]
    return [percent_agreement(rows), fleiss_kappa(rows), gwet_ac1(rows), *alphas]


@given(MATRICES)
@settings(max_examples=60, deadline=None)
def test_a_sample_is_the_coefficient_without_a_unit(rows: list[list[Value | None]]) -> None:
    if all(value is None for row in rows for value in row):
        return
    ratings = create_ratings(rows)
    weights = patterns(ratings).weights
    for coefficient in coefficients_of(ratings):
        samples = coefficient(Samples(weights))[1:]
        for pattern, sample in enumerate(samples.tolist()):
            fewer = weights - (np.arange(len(weights)) == pattern)
            assert sample == pytest.approx(float(coefficient(Samples(fewer))[0]), nan_ok=True, abs=1e-9)


def test_the_interval_of_percent_agreement_is_the_t_interval_of_its_units() -> None:
    half = letters("a" * 12, "a" * 6 + "b" * 6)
    result = estimate(percent_agreement(patterns(half).rows), patterns(half).weights, 12)
    assert result.value == 0.5
    assert result.interval == pytest.approx(mean_interval(0.5, math.sqrt(12 / 11) / 2, 12))


def test_there_is_no_interval_if_only_one_unit_tells_answers_apart() -> None:
    """Without the unit that differs, agreement beyond chance is not defined."""
    result = alpha_estimate(letters("aaaaa", "aaaab"), Metric.NOMINAL)
    assert result is not None
    assert math.isfinite(result.value)
    assert all(map(math.isnan, result.interval))


def test_rows_name_the_coefficients_that_fit_each_question() -> None:
    fields = {f"t{n}": {"topic": "ab"[n % 2]} for n in range(6)}
    table = table_of(
        [
            *rating_records([[1, 2], [2, 2], [3, 4], [5, 5], [1, 1], [4, 4]]),
            *rating_records(
                [["a", "a"], ["b", "a"], ["a", "a"], ["b", "b"], ["same", "b"], ["a", "a"]], "better"
            ),
            *rating_records([[["wrong"], ["wrong", "short"]], [[], []], [["short"], ["short"]]], "faults"),
        ],
        fields,
    )
    rows = agreement_rows(table)
    total = {(row.question, row.coefficient, row.metric) for row in rows if not row.field and not row.option}
    kappas = {("percent agreement", ""), ("Fleiss' kappa", ""), ("Gwet's AC1", ""), ("Cohen's kappa", "")}
    assert total == {
        *(("scale", "Krippendorff's alpha", metric) for metric in ("ordinal", "interval", "nominal")),
        *((question, *kappa) for question in ("scale", "better") for kappa in kappas),
        *(("scale", name, metric) for name in (AC2, WEIGHTED) for metric in ("linear", "quadratic")),
        *(("scale", str(form), form.model) for form in Form),
        ("better", "Krippendorff's alpha", "nominal"),
        ("faults", "Krippendorff's alpha", "MASI"),
        ("faults", "Krippendorff's alpha", "Jaccard"),
        ("faults", "percent agreement", ""),
    }
    first = {"Krippendorff's alpha", "percent agreement", "Fleiss' kappa", "Gwet's AC1", "Cohen's kappa"}
    for rows_of in (
        [row for row in rows if row.question == "scale" and row.field_value == "b"],
        [row for row in rows if row.question == "better" and row.option == "A is better"],
        [row for row in rows if row.question == "faults" and row.option == "Short"],
    ):
        assert {row.coefficient for row in rows_of} == first
    assert {row.option for row in rows if row.question == "faults"} == {"", "Wrong", "Short", "Nothing"}


VOTES = st.lists(st.lists(st.sampled_from("ab "), min_size=3, max_size=3), min_size=4, max_size=9)


@given(VOTES)
@settings(max_examples=5, deadline=None)
def test_agreement_by_field_and_option_is_that_of_the_answers_concerned(votes: list[list[str]]) -> None:
    """Of the tasks with this value only; and of answers that are replaced by yes and no."""
    values = [[None if value == " " else value for value in unit] for unit in votes]
    fields = {f"t{n}": {"topic": "xy"[n % 2]} for n in range(len(values))}
    rows = agreement_rows(table_of(rating_records(values, "better"), fields))
    table = table_of(rating_records([unit if n % 2 else [] for n, unit in enumerate(values)], "better"))
    expected = [row for row in agreement_rows(table) if not row.option]
    found = [replace(row, field="", field_value="") for row in rows if row.field_value == "y"]
    assert str(found) == str(expected)
    yes = letters(
        *(
            "".join("y" if value == "a" else "n" if value == "b" else " " for value in rater)
            for rater in zip(*votes, strict=True)
        )
    )
    if (yes.sizes > 1).any():
        (option,) = [row.value for row in rows if row.option == "A is better" and row.coefficient == ALPHA]
        assert option == pytest.approx(alpha(yes, Metric.NOMINAL), nan_ok=True)


@given(st.lists(st.lists(st.integers(0, 40), max_size=4), min_size=1, max_size=12), st.integers(0, 2**40))
@settings(max_examples=40, deadline=None)
def test_patterns_are_the_different_rows_of_the_counts(units: list[list[int]], more: int) -> None:
    """Also if the numbers of a row are combined in several steps."""
    if not any(units):
        return
    ratings = create_ratings(
        [[unit[rater] if rater < len(unit) else None for unit in units] for rater in range(4)]
    )
    assert (patterns(ratings).rows[patterns(ratings).of_units] == ratings.counts).all()
    assert len(np.unique(ratings.counts, axis=0)) == len(patterns(ratings).rows)
    wide = replace(ratings, values=ratings.values * more, domain=())
    examples, codes = different_rows(wide.values[:, None] + np.array([0, 1, 0]), 2**46)
    assert (wide.values[examples][codes] == wide.values).all()


def test_agreement_on_numbers_is_separate_for_each_unit() -> None:
    table = table_of(
        record(f"p{person}", f"t{task}", "duration", {"value": str(task + person), "unit": unit})
        for person, unit in enumerate(["h", "h", "min"])
        for task in range(4)
    )
    assert {(row.unit, row.metric) for row in agreement_rows(table)} == {
        ("h", "interval"),
        ("h", "ratio"),
        ("h", ""),
        *(("h", form.model) for form in Form),
    }


def test_sets_of_more_options_than_fit_into_a_number() -> None:
    options = [{"label": str(n), "value": f"o{n}"} for n in range(70)]
    asked = questions({"id": "many", "type": "multiple_choice", "answer_limit": -1, "options": options})
    sets = [{0, 31, 32, 69}, {31}, set[int](), {0, 31, 32, 69}, {32}]
    with closing(AnswerStore(asked)) as store:
        store.append([record(f"p{n}", "t", "many", *(f"o{m}" for m in one)) for n, one in enumerate(sets)])
        store.append([record("p9", "t", "many", "gone", "o2", "o2")])
        found = ratings_of(store.table(), 0)
    assert [found.domain[value] for value in found.values] == [*sets, {-1, 2}]
    assert found.domain[:3] == (frozenset(), frozenset({-1, 2}), frozenset({0, 31, 32, 69}))


def test_records_whose_answers_differ_are_counted_in_total_by_field_and_by_option() -> None:
    """The last record has one answer only. Whether an option was chosen differs where it was one of two."""
    units = [["a", "b"], ["a", "a"], ["b", "same"], ["a", "a", "b"], ["b"]]
    fields = {f"t{n}": {"topic": "xy"[n % 2]} for n in range(5)}
    rows = agreement_rows(table_of(rating_records(units, "better"), fields))
    differing = {(row.field_value, row.option): row.differing for row in rows}
    total = {("", ""): 3, ("x", ""): 2, ("y", ""): 1}
    options = {("", "A is better"): 2, ("", "B is better"): 3, ("", "About the same"): 1}
    assert differing == total | options


def test_records_whose_answers_differ_are_counted_also_with_too_many_values_for_patterns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("batchwright.analysis.statistics.agreement.ratings._MAX_PATTERN_CELLS", 0)
    observers = numbers(FOUR_OBSERVERS)
    assert observers.patterns is None
    assert observers.differing_units == 3


def test_records_with_most_disagreement_come_first() -> None:
    table = table_of(rating_records([[1, 1], [1, 5], [2, 3], [4]]))
    assert [(row.task, row.disagreement) for row in disagreement_rows(table)] == [("t1", 16), ("t2", 1)]


def test_disagreement_on_an_ordinal_scale_has_the_distances_of_krippendorff() -> None:
    """The squared number of ratings between two values, half of those of both included; a single 3 is not
    among them: 1 and 2 are (4 + 3) / 2 apart, 1 and 5 are 4 / 2 + 3 + 1 + 2 / 2, 4 and 5 are (1 + 2) / 2."""
    units = [[1, 2, 1, 2], [1, 2], [1, 5], [4, 5], [3]]
    roles = {"scale": QuestionRole(level=MeasurementLevel.ORDINAL)}
    table = prepare(table_of(rating_records(units)), AnalysisSettings(roles=roles)).included
    found = {row.task: row.disagreement for row in disagreement_rows(table)}
    assert found == pytest.approx({"t0": 4 / 6 * 3.5**2, "t1": 3.5**2, "t2": 7**2, "t3": 1.5**2})


def test_single_ratings_have_no_agreement() -> None:
    assert agreement_rows(table_of(rating_records([[1], [2]]))) == []
