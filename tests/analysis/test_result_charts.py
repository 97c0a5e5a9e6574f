"""Charts of result rows: their marks, numbers and colours."""

from dataclasses import fields, replace
from math import nan

import pytest

from batchwright.analysis.charts import (
    NEUTRAL,
    PRINT_WIDTH,
    Chart,
    Drawing,
    Text,
)
from batchwright.analysis.charts.chart import Rectangle, Role
from batchwright.analysis.result_charts import (
    agreement_chart,
    confusion_chart,
    field_number_chart,
    field_share_chart,
    number_chart,
    number_format,
    outcome_chart,
    pair_chart,
    position_chart,
    precision_chart,
    share_chart,
    strength_chart,
    win_rate_chart,
)
from batchwright.analysis.statistics.agreement.agreement_results import AgreementRow
from batchwright.analysis.statistics.agreement.rater_pairs import ConfusionRow
from batchwright.analysis.statistics.choices import OptionShare
from batchwright.analysis.statistics.comparisons.system_results import PairRow, PositionRow, SystemRow
from batchwright.analysis.statistics.numbers import HistogramBin, NumberSummary
from batchwright.analysis.statistics.planning.sample_size import PrecisionKind, PrecisionRow

EMPTY = NumberSummary("q", "", "", "cm", 0, 0, *[nan] * (len(fields(NumberSummary)) - 6))


def laid_out(drawing: Drawing) -> Chart:
    return drawing(PRINT_WIDTH)


def texts(chart: Chart) -> list[str]:
    return [shape.text for shape in chart.shapes if isinstance(shape, Text)]


def share(option: str, count: int, field_value: str = "") -> OptionShare:
    field = "language" if field_value else ""
    label = f"Label {option}"
    return OptionShare("q", field, field_value, option, label, "", count, 10, count / 10, 0.1, 0.9)


def test_options_have_colours_if_they_are_few() -> None:
    few = laid_out(share_chart("Q", [share("a", 6), share("b", 3), share("", 1)]))
    assert [mark.series for mark in few.marks] == [0, 1, NEUTRAL]
    assert few.table()[0] == ("Label a", "60.0 %", "10.0 %", "90.0 %", "6")
    many = laid_out(share_chart("Q", [share(str(n), n % 10) for n in range(30)]))
    assert {mark.series for mark in many.marks} == {0}
    assert [area.row for area in many.areas][:3] == [9, 19, 29]
    assert "… 10 others, in the table" in texts(many)


def test_shares_by_field_are_grouped_by_its_values() -> None:
    shares = [share("a", 6, "de"), share("b", 4, "de"), share("a", 2, "en"), share("b", 8, "en")]
    chart = laid_out(field_share_chart("Q", shares))
    assert [text for text in texts(chart) if text in ("de", "en")] == ["de", "en"]
    assert chart.table()[3][:3] == ("en", "Label b", "80.0 %")


def test_the_histogram_has_the_mean_with_its_interval_and_the_unit() -> None:
    bins = [HistogramBin("q", "cm", 0, 5, 3), HistogramBin("q", "cm", 5, 10, 7)]
    summary = replace(EMPTY, count=10, mean=6.125, mean_low=5.5, mean_high=6.75, deviation=1.5)
    chart = laid_out(number_chart("Q", bins, summary))
    assert chart.note == "Mean 6.1 (95 %: 5.5 to 6.8)"
    assert chart.note in texts(chart)
    assert "cm" in texts(chart)
    assert chart.table() == [("0 to 5", "3"), ("5 to 10", "7")]
    assert not laid_out(number_chart("Q", bins)).note


def test_means_by_field_are_points_and_those_of_ordinal_numbers_are_medians() -> None:
    row = replace(
        EMPTY, field="kind", field_value="rare", count=10, median=6.0, median_low=5.0, median_high=7.0
    )
    rare = replace(row, mean=6.125, mean_low=5.5, mean_high=6.75, deviation=1.5)
    chart = laid_out(field_number_chart("Q", [rare, replace(row, field_value="")]))
    assert [text for text in texts(chart) if text in ("rare", "No value", "Mean, in cm")] == [
        *("rare", "No value", "Mean, in cm")
    ]
    assert chart.table()[0] == ("rare", "6.12", "5.50", "6.75", "10 answers")
    (ordinal,) = laid_out(field_number_chart("Q", [row])).marks
    assert (ordinal.value, ordinal.low, ordinal.high) == (6.0, 5.0, 7.0)


def test_numbers_have_as_many_decimals_as_their_spread_deserves() -> None:
    written = [number_format(0, spread).short(1234.56789) for spread in (200, 20, 2, 0.2, 0, nan)]
    assert written == ["1,235", "1,235", "1,234.6", "1,234.57", "1,235", "1,235"]


def test_agreement_has_its_first_coefficient_as_headline() -> None:
    rows = [
        AgreementRow("q", "", "", "", "", "percent agreement", "", 0.8, 0.7, 0.9, 1200, 400, 3, 3600),
        AgreementRow("q", "", "lang", "de", "", "Fleiss' kappa", "nominal", 0.6, nan, nan, 1, 0, 1, 2),
    ]
    chart = laid_out(agreement_chart("Q", rows))
    assert texts(chart)[:2] == ["0.80", "Percent agreement"]
    assert "1,200 records, 3 participants" in texts(chart)[2]
    assert "de · Fleiss' kappa (nominal)" in texts(chart)


def system(name: str, strength: float) -> SystemRow:
    return SystemRow("q", name, 10, 5, 2, 3, 0, 0.6, 0.4, 0.8, strength, strength - 1, strength + 1)


def test_systems_have_strengths_and_outcomes() -> None:
    rows = [system("large", 0.5), system("small", -0.5)]
    strengths = laid_out(strength_chart("Q", rows))
    assert [row[0] for row in strengths.table()] == ["large", "small"]
    assert strengths.text(0) == "large: 0.500; 95 % interval: −0.500 to 1.500; Based on: 10 comparisons"
    rates = laid_out(win_rate_chart("Q", rows))
    assert rates.text(0) == "large: 60.0 %; 95 % interval: 40.0 % to 80.0 %; Based on: 10 comparisons"
    outcomes = laid_out(outcome_chart("Q", rows))
    assert len(outcomes.marks) == 3 * len(rows)
    assert [row[:3] for row in outcomes.table()[:3]] == [
        ("large", "Won", "50.0 %"),
        ("large", "Tied", "20.0 %"),
        ("large", "Lost", "30.0 %"),
    ]


def test_pairs_are_a_matrix_and_the_position_is_compared_with_one_half() -> None:
    chart = laid_out(pair_chart("Q", [PairRow("q", "large", "small", 6, 1, 3, 0.65, 0.4, 0.9)]))
    assert chart.table() == [("large", "small", "65.0 %", "40.0 %", "90.0 %", "6 and 1 tie of 10")]
    position = laid_out(position_chart("Q", PositionRow("q", 55, 45, 0.55, 0.45, 0.64)))
    assert position.text(0) == "Left side chosen: 55.0 %; 95 % interval: 45.0 % to 64.0 %; Answers: 55 of 100"
    assert "100 %" in texts(position)


def test_a_confusion_matrix_has_shares_of_the_answers_of_the_first_participant() -> None:
    cells = {("yes", "yes"): 3, ("yes", "no"): 1, ("no", "yes"): 0, ("no", "no"): 0}
    rows = [ConfusionRow("q", "ann", "bob", *labels, count) for labels, count in cells.items()]
    chart = laid_out(confusion_chart("Q", rows))
    assert chart.table() == [
        ("yes", "yes", "75.0 %", "3"),
        ("yes", "no", "25.0 %", "1"),
        ("no", "yes", "–", "0"),
        ("no", "no", "–", "0"),
    ]
    colours = {shape.role for shape in chart.shapes if isinstance(shape, Rectangle)}
    assert Role.SERIES_2 not in colours, "no share is below the neutral one"


def precision(kind: PrecisionKind, more: int = 0, width: float = 0.52) -> PrecisionRow:
    return PrecisionRow("q", "", kind, "Yes", more, 100 + more, width)


def test_precision_now_and_with_more_answers() -> None:
    rows = [precision(PrecisionKind.SHARE, 0, 0.2), precision(PrecisionKind.SHARE, 1, 0.1)]
    chart = laid_out(precision_chart("Q", rows))
    assert chart.table() == [("100 answers (now)", "20.0 %"), ("101 answers", "10.0 %")]


@pytest.mark.parametrize(
    ("kind", "width"),
    [
        (PrecisionKind.MEAN, "0.520"),
        (PrecisionKind.AGREEMENT, "0.520"),
        (PrecisionKind.WIN_RATE, "52.0 %"),
    ],
)
def test_widths_are_written_like_what_they_are_about(kind: PrecisionKind, width: str) -> None:
    assert laid_out(precision_chart("Q", [precision(kind)])).table() == [("100 answers (now)", width)]


@pytest.mark.usefixtures("german")
def test_numbers_in_charts_have_the_separators_of_the_language_except_where_programs_read_them() -> None:
    rows = [system("large", -1234.5), system("small", 2.5e12)]
    chart = laid_out(strength_chart("Q", rows))
    assert chart.text(0).startswith("large: −1.234,500; 95-%-Intervall: −1.235,500 bis −1.233,500")
    assert chart.table()[1][1] == "2,5×10¹²"
    wins = replace(rows[0], comparisons=2400, wins=1200)
    outcomes = laid_out(outcome_chart("Q", [wins]))
    assert outcomes.table()[0] == ("large", "Gewonnen", "50,0 %", "1.200")
    assert outcomes.numbers()[0] == ("large", "Gewonnen", "0.5", "1200")
