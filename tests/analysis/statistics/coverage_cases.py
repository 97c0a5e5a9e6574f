"""Intervals of simulated answers with the true value that they should contain, by method."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.agreement.agreement_results import (
    AC1,
    AC2,
    ALPHA,
    COHEN,
    FLEISS,
    PERCENT,
    WEIGHTED,
    AgreementRow,
    agreement_rows,
)
from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.agreement.intraclass import Form
from batchwright.analysis.statistics.agreement.ratings import ratings_of
from batchwright.analysis.statistics.best_worst.best_worst_results import best_worst_results
from batchwright.analysis.statistics.choices import option_shares
from batchwright.analysis.statistics.comparisons.strengths import StrengthModel
from batchwright.analysis.statistics.comparisons.system_results import (
    Comparisons,
    SystemFields,
    SystemResults,
    comparisons_of,
    position_row,
    system_results,
)
from batchwright.analysis.statistics.intervals import NO_INTERVAL, Interval, mean_interval
from batchwright.analysis.statistics.numbers import NumberSummary, number_summaries
from batchwright.analysis.statistics.participants.participant_hints import participant_rows
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.sampling import Clusters, Sampling
from batchwright.analysis.store.text_columns import TextColumn
from batchwright.prepare.designs.item_sets import item_sets
from batchwright.prepare.random_numbers import RandomNumbers
from batchwright.workflows.rehearsal import simulate as rehearsal
from tests.analysis.answers import record, rows_of_systems, table_of
from tests.analysis.statistics.agreement.rating_matrices import alpha_estimate
from tests.analysis.statistics.best_worst.sets import simulated
from tests.analysis.statistics.simulation import (
    Behaviour,
    rehearsed,
    simulate,
    simulate_ratings,
    simulate_scale,
)


@dataclass(frozen=True)
class Case:
    """Simulated answers: `interval` returns the interval of a seed, and the true value."""

    method: str
    """The name of the constant in `methods`."""
    text: str
    """What is simulated, for the help."""
    interval: Callable[[int], tuple[Interval, float]]
    least: int = 175
    """The smallest number of 200 intervals that contain it."""

    def __str__(self) -> str:
        return self.interval.__name__

    def is_covered(self, seed: int) -> bool:
        """Whether the interval of a seed contains the true value."""
        (low, high), truth = self.interval(seed)
        return low <= truth <= high


STRENGTHS = (0.8, 0.1, -0.9)
SIDES = SystemFields("left", "right")
PREVAILING = (0.85, 0.1, 0.05)
"""The frequencies of three options of which one prevails."""


@cache
def rows_of_agreement(seed: int, raters: int) -> list[AgreementRow]:
    return agreement_rows(simulate_ratings(150, raters, 0.8, seed))


def agreement_interval(seed: int, coefficient: str, raters: int) -> tuple[Interval, float]:
    """Both know the truth in 0.64 of the pairs; the others are equal by chance in a third."""
    rows = rows_of_agreement(seed, raters)
    (row,) = [row for row in rows if row.coefficient == coefficient and not row.option]
    return Interval(row.low, row.high), 0.64 + 0.36 / 3 if coefficient == PERCENT else 0.64


def alpha_interval(seed: int) -> tuple[Interval, float]:
    return agreement_interval(seed, ALPHA, 3)


def percent_interval(seed: int) -> tuple[Interval, float]:
    return agreement_interval(seed, PERCENT, 3)


def fleiss_interval(seed: int) -> tuple[Interval, float]:
    return agreement_interval(seed, FLEISS, 3)


def ac1_interval(seed: int) -> tuple[Interval, float]:
    return agreement_interval(seed, AC1, 3)


def cohen_interval(seed: int) -> tuple[Interval, float]:
    return agreement_interval(seed, COHEN, 2)


def alpha_of(table: AnswerTable) -> tuple[Interval, float]:
    found = alpha_estimate(ratings_of(table, 0), Metric.NOMINAL)
    return found.interval if found else NO_INTERVAL, 0.64


def alpha_of_five_records(seed: int) -> tuple[Interval, float]:
    """Ten answers each; bootstrap percentile intervals cover 79 %."""
    return alpha_of(simulate_ratings(5, 10, 0.8, seed))


def alpha_of_twelve_records(seed: int) -> tuple[Interval, float]:
    return alpha_of(simulate_ratings(12, 3, 0.8, seed))


def alpha_of_many_answers(seed: int) -> tuple[Interval, float]:
    """Thirty records with twenty answers each."""
    return alpha_of(simulate_ratings(30, 20, 0.8, seed))


def alpha_of_a_rare_option(seed: int) -> tuple[Interval, float]:
    """Of a hundred records, 15 have another true value than all others."""
    return alpha_of(simulate_ratings(100, 3, 0.8, seed, PREVAILING))


def alpha_of_a_rehearsal(seed: int) -> tuple[Interval, float]:
    """The participants of a rehearsal of 150 records, a quarter of whose answers are random."""
    table = rehearsed(150, 3, rehearsal.Behaviour(random_share=0.25), seed)
    found = alpha_estimate(ratings_of(table, 0), Metric.NOMINAL)
    return found.interval if found else NO_INTERVAL, 0.75**2


def scale_interval(seed: int, coefficient: str, metric: str) -> tuple[Interval, float]:
    """Two participants rate 60 records."""
    rows = agreement_rows(simulate_scale(60, 2, 0.8, seed))
    (row,) = [row for row in rows if row.coefficient == coefficient and row.metric == metric]
    return Interval(row.low, row.high), 0.64


def ac2_interval(seed: int) -> tuple[Interval, float]:
    return scale_interval(seed, AC2, "linear")


def weighted_kappa_interval(seed: int) -> tuple[Interval, float]:
    return scale_interval(seed, WEIGHTED, "quadratic")


def correlation_interval(seed: int, form: Form, spread: float) -> tuple[Interval, float]:
    """Four participants rate 30 records with a variance of 1; `spread` is the deviation of participants."""
    random = np.random.default_rng(seed)
    of_raters = random.normal(scale=spread, size=4)
    values = random.normal(size=(30, 1)) + of_raters + random.normal(size=(30, 4))
    cells = (
        record(f"p{p}", f"t{t}", "duration", {"value": f"{v:.9f}"}) for (t, p), v in np.ndenumerate(values)
    )
    (row,) = [row for row in agreement_rows(table_of(cells)) if row.coefficient == form]
    return Interval(row.low, row.high), 1 / (2 + spread**2)


def one_way_correlation_interval(seed: int) -> tuple[Interval, float]:
    return correlation_interval(seed, Form.ONE_WAY, 0)


def agreement_correlation_interval(seed: int) -> tuple[Interval, float]:
    return correlation_interval(seed, Form.AGREEMENT, 0.5)


def consistency_correlation_interval(seed: int) -> tuple[Interval, float]:
    interval, _with_raters = correlation_interval(seed, Form.CONSISTENCY, 0.5)
    return interval, 1 / 2


def accuracy_interval(seed: int) -> tuple[Interval, float]:
    """A participant is right about 40 known records with a probability of 0.8."""
    random = np.random.default_rng(seed)
    fields = {f"t{task}": {"gold": "a"} for task in range(40)}
    answers = (record("p", task, "better", "a" if random.random() < 0.8 else "b") for task in fields)
    (row,) = participant_rows(table_of(answers, fields), "gold")
    return Interval(row.gold_low, row.gold_high), 0.8


def option_interval(seed: int) -> tuple[Interval, float]:
    """Whether an option was selected: a third of the answers, so that chance agreement does not matter."""
    rows = rows_of_agreement(seed, 3)
    (row,) = [row for row in rows if row.coefficient == ALPHA and row.option == "A is better"]
    return Interval(row.low, row.high), 0.64


def share_interval(seed: int) -> tuple[Interval, float]:
    share = option_shares(simulate_ratings(150, 1, 0.5, seed), 0)[0]
    return Interval(share.low, share.high), 1 / 3


def share_of_records_interval(seed: int) -> tuple[Interval, float]:
    """Four answers about a record are equal in 0.76 of their pairs; as independent, they cover 70 %."""
    share = option_shares(simulate_ratings(60, 4, 0.8, seed), 0)[0]
    return Interval(share.low, share.high), 1 / 3


def share_of_few_records_interval(seed: int, records: int) -> tuple[Interval, float]:
    """Twenty answers about each record; for half of the records, most answers are the same one."""
    random = np.random.default_rng(seed)
    chances = random.beta(0.7, 1.4, records)
    answers = (
        record(f"p{person}", f"t{task}", "better", "a" if random.random() < chances[task] else "b")
        for task in range(records)
        for person in range(20)
    )
    share = option_shares(table_of(answers), 0)[0]
    return Interval(share.low, share.high), 1 / 3


def share_of_two_records_interval(seed: int) -> tuple[Interval, float]:
    return share_of_few_records_interval(seed, 2)


def share_of_three_records_interval(seed: int) -> tuple[Interval, float]:
    return share_of_few_records_interval(seed, 3)


def share_of_five_records_interval(seed: int) -> tuple[Interval, float]:
    return share_of_few_records_interval(seed, 5)


def mean_of_few_records_interval(seed: int) -> tuple[Interval, float]:
    """Twenty numbers about each of three records, with half of the variance between records."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(3, 1)) + random.normal(size=(3, 20))
    cells = (
        record(f"p{p}", f"t{t}", "duration", {"value": f"{v:.9f}"}) for (t, p), v in np.ndenumerate(values)
    )
    summary = number_summaries(table_of(cells), 3)[0]
    return Interval(summary.mean_low, summary.mean_high), 0


def mean_of_records_interval(seed: int) -> tuple[Interval, float]:
    summary = numbers_about_records(seed)
    return Interval(summary.mean_low, summary.mean_high), 0


def median_of_records_interval(seed: int) -> tuple[Interval, float]:
    summary = numbers_about_records(seed)
    return Interval(summary.median_low, summary.median_high), 0


def numbers_about_records(seed: int) -> NumberSummary:
    """Four numbers about each of 30 records, with half of the variance between records."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(30, 1)) + random.normal(size=(30, 4))
    cells = (
        record(f"p{p}", f"t{t}", "duration", {"value": f"{v:.9f}"}) for (t, p), v in np.ndenumerate(values)
    )
    return number_summaries(table_of(cells), 3)[0]


def strength_of_records_interval(seed: int) -> tuple[Interval, float]:
    comparisons = comparisons_of(simulate(STRENGTHS, 50, 4, Behaviour(), seed), 0, SIDES)
    row = next(row for row in rows_of_systems("better", comparisons) if row.system == "s0")
    return Interval(row.strength_low, row.strength_high), STRENGTHS[0]


def position_of_records_interval(seed: int) -> tuple[Interval, float]:
    """Answers about a record are alike, as one system is stronger."""
    row = position_row(simulate((3, 0, -3), 60, 4, Behaviour(left_bias=0.2), seed), 0)
    return Interval(row.low, row.high), 0.6


def strength_interval(seed: int) -> tuple[Interval, float]:
    comparisons = comparisons_of(simulate(STRENGTHS, 150, 1, Behaviour(), seed), 0, SIDES)
    row = next(row for row in rows_of_systems("better", comparisons) if row.system == "s0")
    return Interval(row.strength_low, row.strength_high), STRENGTHS[0]


def win_interval(seed: int) -> tuple[Interval, float]:
    """Random answers are worth half a win; the others are wins as often as the model says."""
    table = simulate(STRENGTHS, 150, 1, Behaviour(random_share=0.3), seed)
    row = next(row for row in rows_of_systems("x", comparisons_of(table, 0, SIDES)) if row.system == "s0")
    chances = [1 / (1 + np.exp(other - STRENGTHS[0])) for other in STRENGTHS[1:]]
    return Interval(row.win_low, row.win_high), 0.3 / 2 + 0.7 * float(np.mean(chances))


def position_interval(seed: int) -> tuple[Interval, float]:
    """A fifth of the answers choose left anyway, so that it wins 0.2 + 0.8 / 2."""
    row = position_row(simulate(STRENGTHS, 150, 1, Behaviour(left_bias=0.2), seed), 0)
    return Interval(row.low, row.high), 0.6


def numbers_of(seed: int) -> NumberSummary:
    """Statistics of numbers from an exponential distribution with mean 3."""
    values = np.random.default_rng(seed).exponential(3, 60).tolist()
    records = (record("p", f"t{n}", "duration", {"value": f"{v:.9f}"}) for n, v in enumerate(values))
    return number_summaries(table_of(records), 3)[0]


def mean_of_numbers(seed: int) -> tuple[Interval, float]:
    summary = numbers_of(seed)
    return Interval(summary.mean_low, summary.mean_high), 3


def median_of_numbers(seed: int) -> tuple[Interval, float]:
    summary = numbers_of(seed)
    return Interval(summary.median_low, summary.median_high), 3 * float(np.log(2))


def mean_of_few_normal_numbers(seed: int) -> tuple[Interval, float]:
    values = np.random.default_rng(seed).normal(5, 2, 12)
    return mean_interval(float(values.mean()), float(values.std(ddof=1)), 12), 5


def about(clusters: Clusters, table: AnswerTable) -> AnswerTable:
    """The table with intervals about something."""
    return prepare(table, AnalysisSettings(clusters=clusters)).included


def five_answers_about_forty_records() -> AnswerTable:
    fields = {f"t{task}": {"left": "xy"[task % 2], "right": "yx"[task % 2]} for task in range(40)}
    return table_of(
        (record(f"p{person}", f"t{task}", "better", "a") for task in range(40) for person in range(5)), fields
    )


def of_ten_participants(seed: int, largest: float) -> AnswerTable:
    """Answers of participants and about records that differ in their chances of left, half on average.

    The first of ten participants gave a share of all answers.
    """
    random, table = np.random.default_rng(seed), five_answers_about_forty_records()
    people = random.choice(10, size=len(table), p=[largest, *[(1 - largest) / 9] * 9])
    logits = random.normal(0, 1, 10)[people] + random.normal(0, 0.7, 40)[table.tasks.codes]
    is_left = random.random(len(table)) < 1 / (1 + np.exp(-logits))
    names = TextColumn(people, tuple(f"p{person}" for person in range(10)))
    return replace(table, participants=names, options=np.where(is_left, 0, 1))


def share_of_left(table: AnswerTable) -> tuple[Interval, float]:
    row = option_shares(table, 0)[0]
    return Interval(row.low, row.high), 1 / 2


def effect_of_left(table: AnswerTable) -> tuple[Interval, float]:
    comparisons = comparisons_of(table, 0, SystemFields("left", "right"))
    (row,) = system_results("better", comparisons, StrengthModel(has_order=True)).orders
    return Interval(row.low, row.high), 0


def share_about_participants(seed: int) -> tuple[Interval, float]:
    return share_of_left(about(Clusters.PARTICIPANTS, of_ten_participants(seed, 0.1)))


def share_about_a_dominating_participant(seed: int) -> tuple[Interval, float]:
    return share_of_left(about(Clusters.PARTICIPANTS, of_ten_participants(seed, 0.6)))


def share_about_records_and_participants(seed: int) -> tuple[Interval, float]:
    return share_of_left(about(Clusters.BOTH, of_ten_participants(seed, 0.1)))


def share_about_both_and_a_dominating_participant(seed: int) -> tuple[Interval, float]:
    return share_of_left(about(Clusters.BOTH, of_ten_participants(seed, 0.6)))


def effect_about_records_and_participants(seed: int) -> tuple[Interval, float]:
    return effect_of_left(about(Clusters.BOTH, of_ten_participants(seed, 0.1)))


def share_about_records_only(seed: int) -> tuple[Interval, float]:
    """Participants differ, which an interval about further records does not contain."""
    return share_of_left(of_ten_participants(seed, 0.1))


def compared(
    seed: int,
    truth: Sequence[float],
    left: np.ndarray,
    right: np.ndarray,
    model: StrengthModel,
    order: float = 0,
) -> SystemResults:
    """One answer about each record; the left side is favoured by `order`."""
    values, records = np.array(truth), np.arange(len(left))
    chances = 1 / (1 + np.exp(values[right] - values[left] - order))
    scores = (np.random.default_rng([seed, 1]).random(len(left)) < chances).astype(float)
    names = tuple(f"s{number}" for number in range(len(truth)))
    comparisons = Comparisons(names, records, left, right, scores, np.zeros_like(records), Sampling())
    return system_results("better", comparisons, model)


def difference_with_unbalanced_sides(seed: int) -> tuple[Interval, float]:
    """Two equal systems: one is on the left in 75 % of the records, and the left side is favoured."""
    left = (np.random.default_rng(seed).random(200) > 0.75).astype(int)
    (row,) = compared(seed, (0, 0), left, 1 - left, StrengthModel(has_order=True), order=1).differences
    return Interval(row.low, row.high), 0


def strength_in_a_part(seed: int) -> tuple[Interval, float]:
    """Two systems are compared with each other, and two others."""
    left = np.random.default_rng(seed).integers(0, 4, 160)
    found = compared(seed, (0.6, -0.6, 0.2, -0.2), left, left ^ 1, StrengthModel())
    row = next(row for row in found.systems if row.system == "s0")
    return Interval(row.strength_low, row.strength_high), 0.6


def difference_with_undefeated_systems(seed: int) -> tuple[Interval, float]:
    """With 24 records, the best of four systems often wins all its comparisons."""
    random = np.random.default_rng(seed)
    left = random.integers(0, 4, 24)
    right = (left + random.integers(1, 4, 24)) % 4
    found = compared(seed, (1.5, 0, -0.5, -1), left, right, StrengthModel(is_regularised=True))
    row = next(row for row in found.differences if {row.system, row.opponent} == {"s0", "s1"})
    return Interval(row.low, row.high), 1.5 if row.system == "s0" else -1.5


def strength_of_item(seed: int, repeats: int, answers: int) -> tuple[Interval, float]:
    """Twelve items in sets of four."""
    sets, strengths = item_sets(12, 4, repeats, RandomNumbers(1)), np.linspace(-1.4, 1.4, 12).tolist()
    rows = best_worst_results("best", simulated(sets, strengths, answers, seed)).items
    row = next(row for row in rows if float(row.item) == strengths[3])
    return Interval(row.strength_low, row.strength_high), strengths[3]


CASES = (
    Case("KRIPPENDORFF", "150 records with 3 answers each", alpha_interval),
    Case("KRIPPENDORFF", "5 records with 10 answers each", alpha_of_five_records),
    Case("KRIPPENDORFF", "12 records with 3 answers each", alpha_of_twelve_records),
    Case("KRIPPENDORFF", "30 records with 20 answers each", alpha_of_many_answers),
    Case(
        "KRIPPENDORFF",
        "100 records with 3 answers each; 85 % have the same true value",
        alpha_of_a_rare_option,
    ),
    Case(
        "KRIPPENDORFF",
        "a rehearsal of 150 records; a quarter of the answers are random",
        alpha_of_a_rehearsal,
    ),
    Case("PERCENT_AGREEMENT", "150 records with 3 answers each", percent_interval),
    Case("FLEISS", "150 records with 3 answers each", fleiss_interval),
    Case("GWET", "150 records with 3 answers each", ac1_interval),
    Case("COHEN", "150 records with 2 answers each", cohen_interval),
    Case("GWET_WEIGHTED", "a scale, 150 records with 3 answers each", ac2_interval),
    Case("WEIGHTED_KAPPA", "a scale, 150 records with 2 answers each", weighted_kappa_interval),
    Case("INTRACLASS", "ICC(1,1)", one_way_correlation_interval),
    Case("INTRACLASS", "ICC(2,1)", agreement_correlation_interval),
    Case("INTRACLASS", "ICC(3,1)", consistency_correlation_interval),
    Case("WILSON", "right answers of one participant", accuracy_interval),
    Case("KRIPPENDORFF", "whether an option was selected, 150 records with 3 answers each", option_interval),
    Case("WILSON", "150 records with 1 answer each", share_interval),
    Case("WILSON", "60 records with 4 answers each, which are often equal", share_of_records_interval),
    Case("WILSON", "2 records with 20 answers each", share_of_two_records_interval),
    Case("WILSON", "3 records with 20 answers each", share_of_three_records_interval),
    Case("WILSON", "5 records with 20 answers each", share_of_five_records_interval),
    Case("STUDENT", "3 records with 20 normal numbers each", mean_of_few_records_interval),
    Case("STUDENT", "30 records with 4 normal numbers each", mean_of_records_interval),
    Case("MEDIAN", "30 records with 4 normal numbers each", median_of_records_interval),
    Case("BRADLEY_TERRY", "3 systems, 150 records with 1 answer each", strength_interval),
    Case("BRADLEY_TERRY", "3 systems, 50 records with 4 answers each", strength_of_records_interval),
    Case("POSITION", "60 records with 4 answers each; systems differ much", position_of_records_interval),
    Case(
        "WIN_RATE", "3 systems, 150 records with 1 answer each; 30 % of the answers are random", win_interval
    ),
    Case("POSITION", "150 records with 1 answer each; a fifth prefer the left side", position_interval),
    Case("STUDENT", "60 numbers from an exponential distribution", mean_of_numbers),
    Case("MEDIAN", "60 numbers from an exponential distribution", median_of_numbers),
    Case("STUDENT", "12 normal numbers", mean_of_few_normal_numbers),
    Case("WILSON", "about participants: 10 who differ, 200 answers", share_about_participants),
    Case(
        "WILSON",
        "about participants: one of 10 gives 60 % of the answers",
        share_about_a_dominating_participant,
    ),
    Case("WILSON", "about records and participants: 10 who differ", share_about_records_and_participants),
    Case(
        "WILSON",
        "about both: one of 10 gives 60 % of the answers",
        share_about_both_and_a_dominating_participant,
    ),
    Case(
        "ORDER_EFFECT", "about records and participants: 10 who differ", effect_about_records_and_participants
    ),
    Case("WILSON", "about records, although 10 participants differ", share_about_records_only, least=0),
    Case(
        "ORDER_EFFECT",
        "one of 2 equal systems is on the left in 75 % of 200 records",
        difference_with_unbalanced_sides,
    ),
    Case("BRADLEY_TERRY", "4 systems in two parts, 160 records", strength_in_a_part),
    Case("REGULARISED", "4 systems, often one undefeated, 24 records", difference_with_undefeated_systems),
    Case(
        "MAXIMUM_DIFFERENCE",
        "12 items in 36 sets of 4, 1 answer each",
        lambda seed: strength_of_item(seed, repeats=12, answers=1),
    ),
    Case(
        "MAXIMUM_DIFFERENCE",
        "12 items in 12 sets of 4, 6 answers each",
        lambda seed: strength_of_item(seed, repeats=4, answers=6),
    ),
)
"""Cases with the same cached answers follow each other."""
