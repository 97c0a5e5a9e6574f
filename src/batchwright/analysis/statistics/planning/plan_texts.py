"""A plan in words, for people who know no statistics: what is assumed, what is wanted, and its table."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from batchwright.analysis.charts import DECIMAL, PERCENT, NumberFormat
from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.planning.assumptions import Assumptions, StudyMeasure, Target
from batchwright.analysis.statistics.planning.pilot import Pilot
from batchwright.analysis.statistics.planning.plans import PlanRow
from batchwright.analysis.store.sampling import Clusters
from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.local_formats import count_text
from batchwright.layout.working_time import WorkingTime

_HOUR_S = 3600
_TENTHS = NumberFormat(1, 1)

TITLES = {
    StudyMeasure.SHARE: N_("Share of an option"),
    StudyMeasure.MEAN: N_("Mean of a number or rating"),
    StudyMeasure.WIN_RATE: N_("Win rate of one system against another"),
    StudyMeasure.AGREEMENT: N_("Agreement of participants"),
    StudyMeasure.ORDER: N_("Order of several systems"),
}
ABOUT = {
    StudyMeasure.SHARE: N_("How many of all answers choose an option, such as “helpful”."),
    StudyMeasure.MEAN: N_("The average of typed numbers, or of ratings on a scale."),
    StudyMeasure.WIN_RATE: N_(
        "How often a system is preferred when both stand side by side. A tie is half a win."
    ),
    StudyMeasure.AGREEMENT: N_(
        "Krippendorff's alpha: 1 if all participants give the same answers, 0 if they agree as by chance."
    ),
    StudyMeasure.ORDER: N_(
        "Which of several systems is best, which is second, and so on: all are compared in pairs."
    ),
}
"""One sentence about each measure."""


def measure_sentence(measure: StudyMeasure) -> str:
    """What a measure is."""
    return _("{title}: {about}").format(title=_(TITLES[measure]), about=_(ABOUT[measure]))


def value_format(assumptions: Assumptions) -> NumberFormat:
    """How values of a measure are written."""
    return NumberFormat(1, 1, is_share=True) if assumptions.measure.is_share else DECIMAL


def half_width_text(assumptions: Assumptions, half_width: float) -> str:
    """A half width; that of a share in percentage points."""
    return _TENTHS.exact(100 * half_width) if assumptions.measure.is_share else DECIMAL.exact(half_width)


@dataclass(frozen=True)
class PayRate:
    """What an hour of work costs."""

    per_hour: float = 0.0
    """What participants get, in any currency; 0: nothing is known."""
    fee: float = 0.0
    """What the platform charges, as a part of the pay."""

    @property
    def per_hour_with_fee(self) -> float:
        """What an hour costs altogether."""
        return self.per_hour * (1 + self.fee)


NO_PAY = PayRate()


@dataclass(frozen=True)
class PlanColumn:
    """A column of the table of a plan, with a text for each row."""

    title: str
    texts: Sequence[str]


def plan_columns(
    assumptions: Assumptions,
    rows: Sequence[PlanRow],
    time: WorkingTime | None = None,
    pay: PayRate = NO_PAY,
) -> list[PlanColumn]:
    """The table of a plan; hours only if the time is known, and pay only if that of an hour is."""
    exact = _("Exact to ± points") if assumptions.measure.is_share else _("Exact to ±")
    columns: list[tuple[str, Callable[[PlanRow], str]]] = [
        (_("Answers per record"), lambda row: count_text(row.answers_per_record)),
        (_("Records"), lambda row: count_text(row.records) if row.is_possible else "–"),
        (_("Answers"), lambda row: count_text(row.answers) if row.is_possible else "–"),
        (_("Participants"), lambda row: count_text(row.participants) if row.is_possible else "–"),
        (exact, lambda row: half_width_text(assumptions, row.half_width)),
    ]
    if assumptions.pairs > 1:
        columns.insert(2, (_("Prompts"), lambda row: _prompts(assumptions, row)))
    if any(not math.isnan(row.power) for row in rows):
        title = _("Order found") if assumptions.measure is StudyMeasure.ORDER else _("Difference found")
        columns.append((title, lambda row: PERCENT.short(row.power)))
    if time is not None:
        columns.append((_("Hours of work"), lambda row: _hours(row, time)))
        if pay.per_hour:
            columns.append((_("Pay"), lambda row: _price(row, time, pay.per_hour)))
        if pay.per_hour and pay.fee:
            columns.append((_("Pay and fee"), lambda row: _price(row, time, pay.per_hour_with_fee)))
    return [PlanColumn(title, [text_of(row) for row in rows]) for title, text_of in columns]


def plan_note(assumptions: Assumptions) -> str:
    """What the columns with a sign or a short heading are."""
    if assumptions.measure is StudyMeasure.ORDER:
        return _(
            "Exact to: how exact differences of strengths are, in logarithms of odds. Found: how many of "
            "such studies tell all neighbouring systems apart."
        )
    text = _("Exact to: in 95 of 100 such studies, the true value is at most so far from the result.")
    if assumptions.reference is None:
        return text
    form = value_format(assumptions)
    found = _("Found: how many of such studies tell the result apart from {reference}.")
    return f"{text} {found.format(reference=form.exact(assumptions.reference))}"


def _prompts(assumptions: Assumptions, row: PlanRow) -> str:
    return count_text(assumptions.prompts(row.records)) if row.is_possible else "–"


def _hours(row: PlanRow, time: WorkingTime) -> str:
    return _TENTHS.exact(row.seconds(time) / _HOUR_S) if row.is_possible else "–"


def _price(row: PlanRow, time: WorkingTime, per_hour: float) -> str:
    return DECIMAL.short(row.seconds(time) / _HOUR_S * per_hour) if row.is_possible else "–"


def target_sentence(assumptions: Assumptions, target: Target) -> str:
    """What is wanted."""
    texts = []
    if math.isfinite(target.half_width):
        text = _("Wanted: the true value is at most {half} away from the result, in 95 of 100 such studies.")
        if assumptions.measure.is_share:
            text = _(
                "Wanted: the true value is at most {half} percentage points away, in 95 of 100 such studies."
            )
        if assumptions.measure is StudyMeasure.ORDER:
            text = _("Wanted: differences of strengths (logarithms of odds) that are exact to ±{half}.")
        texts.append(text.format(half=half_width_text(assumptions, target.half_width)))
    if target.power and assumptions.measure is StudyMeasure.ORDER:
        text = _("Wanted: all neighbouring systems differ beyond chance, in {power} of such studies.")
        texts.append(text.format(power=PERCENT.short(target.power)))
    elif target.power and assumptions.reference is not None:
        text = _("Wanted: the interval of the result excludes {reference}, in {power} of such studies.")
        form = value_format(assumptions)
        texts.append(
            text.format(reference=form.exact(assumptions.reference), power=PERCENT.short(target.power))
        )
    return " ".join(texts)


def pilot_sentence(pilot: Pilot) -> str:
    """From what the values were estimated."""
    text = ngettext(
        "Estimated from {count} answer to {about}.",
        "Estimated from {count} answers to {about}.",
        pilot.answers,
    )
    return text.format(count=count_text(pilot.answers), about=pilot.about)


def assumption_texts(assumptions: Assumptions) -> list[str]:
    """What is assumed, a sentence for each value that the measure uses."""
    measure = assumptions.measure
    values = {"expected": value_format(assumptions).exact(assumptions.expected)}
    first = {
        StudyMeasure.SHARE: _("The share is about {expected}."),
        StudyMeasure.MEAN: _("Numbers have a standard deviation of {deviation}."),
        StudyMeasure.WIN_RATE: _("The win rate is about {expected}."),
        StudyMeasure.AGREEMENT: _("Alpha is about {expected}."),
        StudyMeasure.ORDER: _("Each system wins {expected} of its comparisons with the next one.")
        if not assumptions.gaps
        else _("Systems win {expected} of their comparisons with the next one on average."),
    }[measure]
    if measure is StudyMeasure.ORDER:
        values["expected"] = PERCENT.short(assumptions.expected)
    texts = [first.format(**values, deviation=DECIMAL.exact(assumptions.deviation))]
    if measure is StudyMeasure.AGREEMENT and assumptions.metric is Metric.INTERVAL:
        return [*texts, _("Answers are numbers, which are compared by their differences.")]
    if measure is StudyMeasure.AGREEMENT and assumptions.metric is Metric.RATIO:
        text = _(
            "Answers are numbers, which are compared by their ratios; their standard deviation is {share} of "
            "their mean."
        )
        return [*texts, text.format(share=PERCENT.short(assumptions.relative_deviation))]
    if measure is StudyMeasure.AGREEMENT:
        text = ngettext("There is {count} option.", "There are {count} options.", assumptions.options)
        texts.append(text.format(count=count_text(assumptions.options)))
        return texts
    text = _("Answers about the same record are alike to {value} (0: like any others, 1: always the same).")
    texts.append(text.format(value=DECIMAL.short(assumptions.correlation)))
    if assumptions.clusters is not Clusters.RECORDS and measure is not StudyMeasure.ORDER:
        text = _("Answers of the same participant are alike to {value}.")
        texts.append(text.format(value=DECIMAL.short(assumptions.of_participants)))
    if assumptions.ties:
        texts.append(_("Ties: {share}.").format(share=PERCENT.short(assumptions.ties)))
    if assumptions.pairs > 1:
        text = ngettext(
            "Each of {count} pair of systems has an equal part of the records.",
            "Each of {count} pairs of systems has an equal part of the records.",
            assumptions.pairs,
        )
        texts.append(text.format(count=count_text(assumptions.pairs)))
    return texts
