"""Charts of results: each function takes rows of one question and returns a chart that can be laid out.

Unless a function says otherwise, its marks are the given rows, in the same order.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from math import floor, isfinite, log10, nan

from batchwright.analysis.charts import (
    COUNT,
    DECIMAL,
    MAX_BARS,
    NEUTRAL,
    PERCENT,
    Bin,
    Columns,
    Drawing,
    Mark,
    NumberFormat,
    agreement_scale,
    bar_chart,
    forest_plot,
    grouped_bar_chart,
    histogram,
    line_chart,
    matrix_chart,
)
from batchwright.analysis.statistics.agreement.agreement_results import AgreementRow
from batchwright.analysis.statistics.agreement.rater_pairs import ConfusionRow
from batchwright.analysis.statistics.best_worst.best_worst_results import MAX_ITEMS, ItemRow
from batchwright.analysis.statistics.choices import OptionShare
from batchwright.analysis.statistics.comparisons.system_results import (
    MAX_SYSTEMS,
    PairRow,
    PositionRow,
    SystemRow,
)
from batchwright.analysis.statistics.groups import MAX_GROUPS
from batchwright.analysis.statistics.numbers import HistogramBin, NumberSummary
from batchwright.analysis.statistics.planning.plan_texts import half_width_text, value_format
from batchwright.analysis.statistics.planning.plans import Aim, PlanRequest, PlanRow
from batchwright.analysis.statistics.planning.sample_size import PrecisionKind, PrecisionRow
from batchwright.base.i18n import _, ngettext, pgettext
from batchwright.base.local_formats import count_text

_MAX_COLOURS = 4
_DIGITS = 2


def share_chart(title: str, shares: Sequence[OptionShare]) -> Drawing:
    """The shares of the options, over all answers. If they are too many, the most frequent ones are drawn."""
    marks = _share_marks(shares)
    order = sorted(range(len(shares)), key=lambda row: -shares[row].count) if len(shares) > MAX_BARS else None
    return partial(bar_chart, title, marks, order=order)


def field_share_chart(title: str, shares: Sequence[OptionShare]) -> Drawing:
    """The shares of the options for each value of a field."""
    return partial(grouped_bar_chart, title, _share_marks(shares), columns=_grouped_share_columns())


def number_chart(title: str, bins: Sequence[HistogramBin], summary: NumberSummary | None = None) -> Drawing:
    """The histogram of the numbers in one unit, with their mean above it."""
    unit = bins[0].unit if bins else ""
    centre, form = None, DECIMAL
    if summary is not None and isfinite(summary.mean):
        centre = Mark(_("Mean"), summary.mean, summary.mean_low, summary.mean_high)
        form = number_format(summary.mean, summary.deviation)
    rows = [Bin(row.low, row.high, row.count) for row in bins]
    return partial(histogram, title, rows, centre=centre, unit=unit, form=form)


def field_number_chart(title: str, rows: Sequence[NumberSummary]) -> Drawing:
    """The means of the numbers in one unit for each value of a field; medians of ordinal numbers."""
    has_mean = any(isfinite(row.mean) for row in rows)
    marks = [
        Mark(
            row.field_value or _("No value"),
            row.mean if has_mean else row.median,
            row.mean_low if has_mean else row.median_low,
            row.mean_high if has_mean else row.median_high,
            detail=_answers_about(row.count),
            raw_detail=str(row.count),
        )
        for row in rows
    ]
    name = _("Mean") if has_mean else _("Median")
    unit = rows[0].unit if rows else ""
    spreads = [row.deviation for row in rows if isfinite(row.deviation) and row.deviation > 0]
    return partial(
        forest_plot,
        title,
        marks,
        reference=None,
        axis_title=_("{name}, in {unit}").format(name=name, unit=unit) if unit else name,
        form=number_format(marks[0].value if marks else nan, min(spreads, default=nan)),
        columns=Columns.with_interval(_("Value"), name, _("Based on")),
        max_rows=MAX_GROUPS,
    )


def number_format(value: float, spread: float) -> NumberFormat:
    """A format with as many decimal places as a number with this spread deserves."""
    size = spread if isfinite(spread) and spread > 0 else abs(value)
    decimals = _DIGITS - floor(log10(size)) - 1 if isfinite(size) and size > 0 else 0
    decimals = max(0, min(6, decimals))
    return NumberFormat(decimals, decimals + 1)


def agreement_chart(title: str, rows: Sequence[AgreementRow], *, has_headline: bool = True) -> Drawing:
    """Coefficients of agreement; with a headline, the first one is written large."""
    marks = [
        Mark(_coefficient(row), row.value, row.low, row.high, detail=_basis(row.records, row.raters))
        for row in rows
    ]
    return partial(agreement_scale, title, marks, has_headline=has_headline)


def strength_chart(title: str, rows: Sequence[SystemRow]) -> Drawing:
    """The Bradley–Terry strengths of the systems as a forest plot."""
    marks = [
        Mark(
            row.system,
            row.strength,
            row.strength_low,
            row.strength_high,
            detail=_comparisons(row.comparisons),
        )
        for row in rows
    ]
    columns = Columns.with_interval(_("System"), _("Strength"), _("Based on"))
    axis = _("Bradley–Terry strength (logarithm); 0 is the mean of all systems")
    return partial(forest_plot, title, marks, axis_title=axis, columns=columns, max_rows=MAX_SYSTEMS)


def item_strength_chart(title: str, rows: Sequence[ItemRow]) -> Drawing:
    """The strengths of items as a forest plot."""
    marks = [
        Mark(row.item, row.strength, row.strength_low, row.strength_high, detail=_answers_about(row.shown))
        for row in rows
    ]
    columns = Columns.with_interval(pgettext("what is compared", "Item"), _("Strength"), _("Based on"))
    axis = _("Strength (logarithm); 0 is the mean of all items")
    return partial(forest_plot, title, marks, axis_title=axis, columns=columns, max_rows=MAX_ITEMS)


def score_chart(title: str, rows: Sequence[ItemRow]) -> Drawing:
    """The best–worst scores of items as a forest plot; 0 is as often the best as the worst."""
    marks = [
        Mark(row.item, row.score, row.score_low, row.score_high, detail=_answers_about(row.shown))
        for row in rows
    ]
    columns = Columns.with_interval(pgettext("what is compared", "Item"), _("Score"), _("Based on"))
    axis = _("1: always the best, −1: always the worst")
    limits = (-1.0, 1.0)
    return partial(
        forest_plot,
        title,
        marks,
        reference=0.0,
        axis_title=axis,
        columns=columns,
        limits=limits,
        max_rows=MAX_ITEMS,
    )


def win_rate_chart(title: str, rows: Sequence[SystemRow]) -> Drawing:
    """The win rates of the systems as a forest plot; half is as often as the others."""
    marks = [
        Mark(row.system, row.win_rate, row.win_low, row.win_high, detail=_comparisons(row.comparisons))
        for row in rows
    ]
    columns = Columns.with_interval(_("System"), _("Win rate"), _("Based on"))
    axis = _("Wins and half the ties among all comparisons")
    limits = (0.0, 1.0)
    return partial(
        forest_plot,
        title,
        marks,
        reference=1 / 2,
        axis_title=axis,
        form=PERCENT,
        columns=columns,
        limits=limits,
        max_rows=MAX_SYSTEMS,
    )


def outcome_chart(title: str, rows: Sequence[SystemRow]) -> Drawing:
    """Wins, ties and losses of the systems: three marks for each row."""
    marks = [
        Mark(
            label,
            count / row.comparisons if row.comparisons else nan,
            detail=count_text(count),
            raw_detail=str(count),
            group=row.system,
            series=series,
        )
        for row in rows
        for label, count, series in (
            (_("Won"), row.wins, 0),
            (_("Tied"), row.ties, 2),
            (_("Lost"), row.losses, 1),
        )
    ]
    columns = Columns(_("Outcome"), _("Share"), detail=_("Comparisons"), group=_("System"))
    return partial(grouped_bar_chart, title, marks, columns=columns)


def pair_chart(title: str, rows: Sequence[PairRow]) -> Drawing:
    """The matrix of the win rates of each system against each other one."""
    marks = [
        Mark(row.opponent, row.win_rate, row.low, row.high, detail=_won(row), group=row.system)
        for row in rows
    ]
    columns = Columns.with_interval(_("Against"), _("Win rate"), _("Won"), group=_("System"))
    return partial(matrix_chart, title, marks, columns=columns)


def confusion_chart(title: str, rows: Sequence[ConfusionRow]) -> Drawing:
    """The confusion matrix of a pair of participants.

    A cell is the share of an answer of the second among the records with an answer of the first.
    """
    totals = Counter[str]()
    for row in rows:
        totals[row.first_label] += row.records
    marks = [
        Mark(
            row.second_label,
            row.records / totals[row.first_label] if totals[row.first_label] else nan,
            detail=count_text(row.records),
            raw_detail=str(row.records),
            group=row.first_label,
        )
        for row in rows
    ]
    first, second = (rows[0].first, rows[0].second) if rows else ("", "")
    columns = Columns(second, _("Share"), detail=_("Records"), group=first)
    return partial(matrix_chart, title, marks, columns=columns, neutral=0.0)


def confusion_title(first: str, second: str) -> str:
    """The title of the confusion matrix of a pair of participants."""
    return _("Answers of {first} (rows) and {second} (columns)").format(first=first, second=second)


def position_chart(title: str, row: PositionRow) -> Drawing:
    """The share of the left side among the answers for a side; half is without bias."""
    detail = _("{count} of {total}").format(
        count=count_text(row.left), total=count_text(row.left + row.right)
    )
    mark = Mark(_("Left side chosen"), row.left_share, row.low, row.high, detail=detail)
    columns = Columns.with_interval(_("Side"), _("Share"), _("Answers"))
    axis = _("50 %: no preference for a side")
    return partial(
        forest_plot,
        title,
        [mark],
        reference=1 / 2,
        axis_title=axis,
        form=PERCENT,
        columns=columns,
        limits=(0.0, 1.0),
    )


def precision_chart(title: str, rows: Sequence[PrecisionRow]) -> Drawing:
    """The width of an interval now, and with more answers."""
    widths = [row.width for row in rows if isfinite(row.width)]
    form = number_format(0.0, min(widths, default=0.0))
    if rows and rows[0].kind is not PrecisionKind.MEAN:
        form = DECIMAL if rows[0].kind is PrecisionKind.AGREEMENT else PERCENT
    marks = [Mark(_answers(row), row.width) for row in rows]
    columns = Columns(_("Answers"), _("Width of the 95 % interval"))
    places = [float(row.answers) for row in rows]
    return partial(
        line_chart, title, marks, places, form=form, columns=columns, axis_title=_("Number of answers")
    )


def precision_title(row: PrecisionRow) -> str:
    """The title of a chart of the width of an interval."""
    match row.kind:
        case PrecisionKind.SHARE:
            title = _("Width of the interval of “{name}”, now and with more answers")
        case PrecisionKind.AGREEMENT:
            title = _("Width of the interval of Krippendorff's alpha, now and with more answers")
        case PrecisionKind.WIN_RATE:
            title = _("Width of the interval of the win rate of “{name}”, now and with more answers")
        case PrecisionKind.MEAN if row.unit:
            title = _("Width of the interval of the mean in {unit}, now and with more answers")
        case _other:
            title = _("Width of the interval of the mean, now and with more answers")
    return title.format(name=row.about, unit=row.unit)


def plan_chart(request: PlanRequest, rows: Sequence[PlanRow]) -> Drawing:
    """Of a plan, how exact the result is with each number of answers about a record, or how many it needs."""
    possible, assumptions = [row for row in rows if row.is_possible], request.assumptions
    places = [float(row.answers_per_record) for row in possible]
    if request.aim is Aim.BUDGET:
        marks = [
            Mark(_per_record(row), row.half_width, text=half_width_text(assumptions, row.half_width))
            for row in possible
        ]
        title, form = _("How exact the result is (±)"), value_format(assumptions)
    else:
        marks = [Mark(_per_record(row), float(row.answers)) for row in possible]
        title, form = _("Answers needed in total"), COUNT
    columns = Columns(_("Answers per record"), title)
    axis = _("Answers per record")
    return partial(line_chart, title, marks, places, form=form, columns=columns, axis_title=axis)


def _per_record(row: PlanRow) -> str:
    number = row.answers_per_record
    text = ngettext("{count} answer per record", "{count} answers per record", number)
    return text.format(count=count_text(number))


def _options(shares: Sequence[OptionShare]) -> list[str]:
    return list(dict.fromkeys(share.option for share in shares if share.option))


def _share_marks(shares: Sequence[OptionShare]) -> list[Mark]:
    options = _options(shares)
    series = {option: index if len(options) <= _MAX_COLOURS else 0 for index, option in enumerate(options)}
    return [
        Mark(
            share.label if share.option else _(share.label),
            share.share,
            share.low,
            share.high,
            detail=count_text(share.count),
            raw_detail=str(share.count),
            group=share.field_value or (_("No value") if share.field else ""),
            series=series.get(share.option, NEUTRAL),
        )
        for share in shares
    ]


def _grouped_share_columns() -> Columns:
    return Columns.with_interval(_("Option"), _("Share"), _("Answers"), group=_("Value"))


def _coefficient(row: AgreementRow) -> str:
    name = _(row.coefficient)
    name = name[:1].upper() + name[1:]
    name = f"{name} ({_(row.metric)})" if row.metric else name
    parts = (row.field_value, row.option, name, row.unit)
    return " · ".join(filter(None, parts))


def _basis(records: int, raters: int) -> str:
    text = ngettext("{count} record", "{count} records", records).format(count=count_text(records))
    people = ngettext("{count} participant", "{count} participants", raters).format(count=count_text(raters))
    return f"{text}, {people}"


def _comparisons(count: int) -> str:
    return ngettext("{count} comparison", "{count} comparisons", count).format(count=count_text(count))


def _answers_about(count: int) -> str:
    return ngettext("{count} answer", "{count} answers", count).format(count=count_text(count))


def _answers(row: PrecisionRow) -> str:
    text = _answers_about(row.answers)
    return text if row.more else _("{answers} (now)").format(answers=text)


def _won(row: PairRow) -> str:
    total = count_text(row.wins + row.ties + row.losses)
    if not row.ties:
        return _("{count} of {total}").format(count=count_text(row.wins), total=total)
    template = ngettext("{count} and {ties} tie of {total}", "{count} and {ties} ties of {total}", row.ties)
    return template.format(count=count_text(row.wins), ties=count_text(row.ties), total=total)
