"""The geometry of charts: for every kind of chart and every kind of data, on every width."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchwright.analysis.charts import (
    COUNT,
    DECIMAL,
    PERCENT,
    PRINT_WIDTH,
    Bin,
    Chart,
    Circle,
    Columns,
    Line,
    Mark,
    Rectangle,
    Role,
    Shape,
    Text,
    Weight,
    agreement_scale,
    bar_chart,
    exclusion_note,
    forest_plot,
    grouped_bar_chart,
    histogram,
    line_chart,
    matrix_chart,
    svg,
    with_caption,
)
from batchwright.analysis.charts.scales import Scale, scale_of
from batchwright.analysis.charts.texts import text_width, wrapped

NAN, INF = math.nan, math.inf
LONG = "A very long label: with many words, and a-hyphen, that nobody reads to its end "
WIDTHS = (280.0, PRINT_WIDTH, 1400.0)
COLUMNS = Columns("Label", "Value", "from", "to")

Layout = Callable[[Sequence[Mark], float], Chart]


def lines(marks: Sequence[Mark], width: float) -> Chart:
    places = [10.0 * 2 ** min(number, 900) for number in range(len(marks))]
    return line_chart("Lines", marks, places, width, form=DECIMAL, columns=COLUMNS, axis_title=LONG)


def bins(marks: Sequence[Mark], width: float) -> Chart:
    counted = [Bin(number, number + 1, mark.value) for number, mark in enumerate(marks)]
    centre = marks[0] if marks else None
    return histogram("Histogram", counted, width, centre=centre, unit=LONG)


SVG = "{http://www.w3.org/2000/svg}"
LAYOUTS: dict[str, Layout] = {
    "bars": lambda marks, width: bar_chart("Bars", marks, width),
    "numbers": lambda marks, width: bar_chart("Numbers", marks, width, form=DECIMAL),
    "groups": lambda marks, width: grouped_bar_chart("Groups", marks, width),
    "forest": lambda marks, width: forest_plot("Forest", marks, width, axis_title=LONG),
    "matrix": lambda marks, width: matrix_chart("Matrix", marks, width),
    "agreement": lambda marks, width: agreement_scale("Agreement", marks, width),
    "rows of agreement": lambda marks, width: agreement_scale("Agreement", marks, width, has_headline=False),
    "lines": lines,
    "histogram": bins,
}

DATA: dict[str, list[Mark]] = {
    "nothing": [],
    "one": [Mark("one", 0.5, 0.2, 0.8, detail="50")],
    "usual": [
        Mark("Answer A is better", 0.52, 0.49, 0.55, detail="612", group="English"),
        Mark("Answer B is better", 0.34, 0.31, 0.37, detail="400", group="English", series=1),
        Mark("Both are equally good", 0.14, 0.12, 0.16, detail="164", group="German", series=2),
    ],
    "all equal": [Mark(str(number), 0.25, 0.25, 0.25) for number in range(4)],
    "zero": [Mark("zero", 0.0, 0.0, 0.0), Mark("all", 1.0, 1.0, 1.0)],
    "missing": [Mark("none", NAN, NAN, NAN), Mark("half", 0.5, NAN, 0.7)],
    "infinite": [Mark("up", INF, 0.5, INF), Mark("down", -INF, -INF, 0.5), Mark("both", 0.5, -INF, INF)],
    "negative": [Mark("up", 3.5, 2.0, 5.0), Mark("down", -2.25, -4.0, -1.0)],
    "huge": [Mark("large", 1.7e308, -1.7e308, 1.7e308), Mark("small", 5e-324, 0.0, 1e-300)],
    "long": [Mark(LONG * 9, 0.7, 0.6, 0.8, detail="1,000,000", group=LONG * 9), Mark("x" * 999, 0.3)],
    "foreign": [Mark("<b>&\x00\ud800\u202e\nline", 0.5, 0.4, 0.6, group="日本語のとても長いラベル" * 9)],
    "a thousand": [Mark(f"Option {n}", n / 1000, detail=f"{n}", group=f"G {n // 3}") for n in range(1000)],
}


def box(shape: Shape) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a shape; those of a text are estimated."""
    match shape:
        case Rectangle():
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        case Line():
            xs, ys = sorted((shape.x1, shape.x2)), sorted((shape.y1, shape.y2))
            return xs[0], ys[0], xs[1], ys[1]
        case Circle():
            r = shape.radius
            return shape.x - r, shape.y - r, shape.x + r, shape.y + r
        case Text():
            width = text_width(shape.text, shape.size, is_bold=shape.weight is Weight.BOLD)
            return shape.left, shape.y - 0.75 * shape.size, shape.left + width, shape.y + 0.25 * shape.size


def overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] - 0.1 and b[0] < a[2] - 0.1 and a[1] < b[3] - 0.1 and b[1] < a[3] - 0.1


def check(chart: Chart) -> None:
    """Check that a chart is inside its page, its texts do not overlap, and its rows are in order."""
    edge = 8.0  # the margin of a page
    for shape in chart.shapes:
        left, top, right, bottom = box(shape)
        assert all(map(math.isfinite, (left, top, right, bottom))), shape
        assert left >= -edge, shape
        assert right <= chart.width + edge, (shape, chart.width)
        assert top >= -edge, shape
        assert bottom <= chart.height + edge, (shape, chart.height)
        assert shape.row is None or 0 <= shape.row < len(chart.marks)
    texts = [(text, box(text)) for text in chart.shapes if isinstance(text, Text)]
    for index, (text, place) in enumerate(texts):
        for other, there in texts[index + 1 :]:
            assert not overlap(place, there), (text, other)
    for index, area in enumerate(chart.areas):
        assert area.x >= 0
        assert area.x + area.width <= chart.width + 0.1
        assert area.y + area.height <= chart.height + 0.1
        later = chart.areas[index + 1 : index + 50]
        place = (area.x, area.y, area.x + area.width, area.y + area.height)
        assert not any(overlap(place, (b.x, b.y, b.x + b.width, b.y + b.height)) for b in later)
    assert all((a.y, a.x) <= (b.y, b.x) for a, b in pairwise(chart.areas))


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("kind", LAYOUTS)
def test_charts_fit_their_page_and_texts_do_not_overlap(kind: str, data: str) -> None:
    for width in WIDTHS:
        check(LAYOUTS[kind](DATA[data], width))
    page = with_caption(chart := LAYOUTS[kind](DATA[data], PRINT_WIDTH), exclusion_note(3))
    check(page)
    assert ElementTree.fromstring(svg(page)).tag.endswith("svg")
    assert len(chart.table()) == len(chart.numbers()) == len(chart.marks) == len(DATA[data])
    assert all(len(row) == len(chart.columns.titles()) for row in (*chart.table(), *chart.numbers()))


numbers = st.floats() | st.floats(-1, 1)
words = st.text(max_size=60)
marks = st.lists(st.builds(Mark, words, numbers, numbers, numbers, group=words), max_size=9)


@settings(max_examples=15)
@given(marks, st.floats(220, 1500))
@pytest.mark.parametrize("kind", LAYOUTS)
def test_charts_of_any_data_fit_their_page(kind: str, marks: list[Mark], width: float) -> None:
    check(chart := LAYOUTS[kind](marks, width))
    ElementTree.fromstring(svg(chart))


def texts(chart: Chart) -> list[str]:
    return [shape.text for shape in chart.shapes if isinstance(shape, Text)]


def rectangles(chart: Chart, row: int) -> list[Rectangle]:
    return [shape for shape in chart.shapes if isinstance(shape, Rectangle) and shape.row == row]


def test_bars_are_as_long_as_their_shares_on_a_track_of_100_per_cent() -> None:
    chart = bar_chart("Shares", DATA["usual"], 500)
    assert [rectangles(chart, row)[0].width for row in range(3)] == pytest.approx([260, 170, 70])
    assert [rectangles(chart, row)[0].role for row in range(3)] == [
        Role.SERIES_1,
        Role.SERIES_2,
        Role.SERIES_3,
    ]
    tracks = [shape for shape in chart.shapes if isinstance(shape, Rectangle) and shape.role is Role.TRACK]
    assert {track.width for track in tracks} == {500}
    assert {"612", "52 %"} <= {*texts(chart)}


def test_the_interval_is_a_line_from_its_low_to_its_high_end() -> None:
    chart = bar_chart("Shares", DATA["one"], 1000)
    ends = [(s.x1, s.x2) for s in chart.shapes if isinstance(s, Line) and s.role is Role.INTERVAL]
    assert ends == [(200, 800), (200, 200), (800, 800)]
    assert not [s for s in bar_chart("", DATA["missing"], 1000).shapes if isinstance(s, Line)]


def test_negative_bars_start_at_zero_to_the_left() -> None:
    chart = bar_chart("Numbers", DATA["negative"], 900, form=DECIMAL)
    up, down = (rectangles(chart, row)[0] for row in range(2))
    assert down.x + down.width == pytest.approx(up.x) == pytest.approx(400)
    assert "−2.25" in texts(chart)


def test_a_long_label_has_two_lines_and_an_ellipsis() -> None:
    chart = bar_chart("Long", [Mark(LONG * 9, 0.5)], 300)
    label = [s for s in chart.shapes if isinstance(s, Text) and s.full]
    assert len(label) == 2
    assert label[1].text.endswith("…")
    assert {text.full for text in label} == {LONG * 9}
    assert LONG.strip() in chart.text(0)
    assert f"<title>{(LONG * 9).strip()}" in svg(chart)


def test_of_a_thousand_options_the_first_are_drawn_and_the_table_has_all() -> None:
    chart = bar_chart("Many", DATA["a thousand"], 400, max_bars=20)
    assert [area.row for area in chart.areas] == [*range(20)]
    assert "… 980 others, in the table" in texts(chart)
    assert chart.table()[999][:2] == ("Option 999", "99.9 %")
    by_value = bar_chart("Many", DATA["a thousand"], 400, order=[*reversed(range(1000))])
    assert [area.row for area in by_value.areas] == [*range(999, 979, -1)]
    assert "… 21 others" not in "".join(texts(bar_chart("", DATA["a thousand"][:20], 400)))


def test_shares_are_not_rounded_to_all_or_nothing() -> None:
    written = [PERCENT.short(share) for share in (0, 0.0004, 0.005, 0.5, 0.9951, 1, NAN, INF, -INF)]
    assert written == ["0 %", "<1 %", "<1 %", "50 %", ">99 %", "100 %", "–", "∞", "−∞"]
    assert [DECIMAL.exact(value) for value in (-0.0001, 1234567.8, 2.5e12)] == [
        "0.000",
        "1,234,568",
        "2.5×10¹²",
    ]
    assert COUNT.short(1_000_000) == "1,000,000"


def test_a_forest_plot_has_points_on_a_common_scale_and_a_reference_line() -> None:
    chart = forest_plot("Forest", DATA["negative"], 600, reference=1.0)
    points = {s.row: s.x for s in chart.shapes if isinstance(s, Circle) and s.role is Role.SERIES_1}
    (line,) = (s for s in chart.shapes if isinstance(s, Line) and s.role is Role.AXIS)
    assert points[1] < line.x1 < points[0]
    assert "2.00 to 5.00" in texts(chart)
    assert "2.00 to 5.00" not in texts(forest_plot("Narrow", DATA["negative"], 300))


def test_the_agreement_scale_starts_below_zero_only_if_values_do() -> None:
    assert texts(agreement_scale("", DATA["one"], 400))[-5:] == ["0", "0.25", "0.5", "0.75", "1"]
    below = agreement_scale("", [Mark("alpha", -0.3, -0.4, 0.1)], 400)
    assert texts(below)[-7:][0] == "−0.5"


def test_histogram_columns_have_the_place_and_height_of_their_bins() -> None:
    chart = histogram("", [Bin(0, 2, 4), Bin(2, 4, 0), Bin(4, 6, 2)], 500)
    first, last = rectangles(chart, 0)[0], rectangles(chart, 2)[0]
    assert first.height == pytest.approx(2 * last.height)
    assert first.width == pytest.approx(last.width)
    assert not rectangles(chart, 1)
    assert [row[0] for row in chart.table()] == ["0 to 2", "2 to 4", "4 to 6"]
    assert not histogram("", [Bin(-INF, 0, 3)], 500).areas


def test_cells_of_a_matrix_are_tinted_by_their_distance_from_one_half() -> None:
    pairs = [Mark("b", 0.9, group="a"), Mark("a", 0.1, group="b"), Mark("c", 0.5, group="b")]
    chart = matrix_chart("", pairs, 500)
    cells = [rectangles(chart, row)[-1] for row in range(3)]
    assert [cell.role for cell in cells[:2]] == [Role.SERIES_1, Role.SERIES_2]
    assert cells[0].opacity == pytest.approx(cells[1].opacity)
    assert cells[2].opacity == 0
    assert chart.text(0) == "a, b: 90.0 %"


def test_many_names_have_numbers_above_the_columns_of_a_matrix() -> None:
    names = [f"A system with a long name {number}" for number in range(9)]
    chart = matrix_chart("", [Mark(b, 0.5, group=a) for a in names for b in names if a != b], 600)
    assert texts(chart)[0] == "1"
    assert texts(chart)[1].startswith("1 A system")


def test_the_same_chart_gives_the_same_bytes() -> None:
    for layout in LAYOUTS.values():
        assert svg(layout(DATA["usual"], 500)) == svg(layout(DATA["usual"], 500))


def test_svg_has_a_title_and_the_data_for_screen_readers() -> None:
    root = ElementTree.fromstring(svg(bar_chart("A & B", DATA["usual"], 500)))
    assert root.findtext(f"{SVG}title") == "A & B"
    assert "English, Answer A is better: 52.0 %; 95 % interval: 49.0 % to 55.0 %; Answers: 612" in str(
        root.findtext(f"{SVG}desc")
    )


def test_the_title_of_a_mark_stands_once_however_many_shapes_it_has() -> None:
    chart = forest_plot("Forest", DATA["usual"], 500)
    titles = [title.text for title in ElementTree.fromstring(svg(chart)).iter(f"{SVG}title")]
    assert titles == ["Forest", *(chart.text(row) for row in range(len(chart.marks)))]


def test_ticks_are_round_numbers_within_the_scale() -> None:
    assert Scale(-1.2, 1.05, 0, 1).ticks(3) == [-1, 0, 1]
    assert Scale(0, 0.3, 0, 1).ticks(5) == [0, 0.1, 0.2, 0.3]
    assert scale_of([], 0, 1) == Scale(0, 1, 0, 1)
    assert scale_of([5, 5, NAN, INF], 0, 1).ticks(6) == [3, 4, 5, 6, 7]


@given(st.text(max_size=300), st.floats(30, 300))
def test_wrapped_lines_are_as_narrow_as_asked(text: str, width: float) -> None:
    broken = wrapped(text, width, 13)
    assert len(broken.lines) <= 2
    assert all(text_width(line, 13) <= width for line in broken.lines)
    if not broken.is_cut:
        assert "".join(broken.lines).replace(" ", "") == "".join(wrapped(text, 1e9, 13).lines).replace(
            " ", ""
        )
