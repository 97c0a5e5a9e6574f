"""The chart widget: painting, pointer, keys, table, screen readers, and files."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from math import dist
from operator import mul
from pathlib import Path
from time import thread_time

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QColor, QGuiApplication, QHelpEvent, QImage, QMouseEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from batchwright.analysis.charts import (
    PRINT_WIDTH,
    SERIES,
    Chart,
    Mark,
    Role,
    agreement_scale,
    bar_chart,
    forest_plot,
    grouped_bar_chart,
    matrix_chart,
    svg,
    with_caption,
)
from batchwright.analysis.charts.svg import COLOURS
from batchwright.ui.content.charts.chart_painter import TOKENS, paint_chart
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.results.charts.chart_files import ChartFileContext
from batchwright.ui.results.charts.chart_view import ChartView
from batchwright.ui.shell.window import Window
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import ColorSchemePreference, Scheme, Theme, Tokens
from batchwright.workflows.messages import describe
from tests.ui.conftest import activate_window, focused, until
from tests.ui.window_fixtures import FakeFileDialogs

pytestmark = pytest.mark.gui

MARKS = [
    Mark("Answer A is better", 0.52, 0.49, 0.55, detail="612"),
    Mark("Answer B is better", 0.34, 0.31, 0.37, detail="400", series=1),
    Mark("<b>Both</b> are equally good", 0.14, 0.12, 0.16, detail="164", series=2),
]
TITLE = "Which answer is better: A/B?"


Matrix = tuple[tuple[float, float, float], ...]
COLOUR_VISIONS: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.0520)),
    "deuteranopia": ((0.3673, 0.8606, -0.2280), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
    "tritanopia": ((1.2555, -0.0767, -0.1788), (-0.0784, 0.9308, 0.1476), (0.0047, 0.6914, 0.3039)),
}
"""What linear RGB values look like to people without one kind of cones (Machado et al., 2009)."""


def bars(width: float) -> Chart:
    return bar_chart(TITLE, MARKS, width)


def pairs(width: float) -> Chart:
    names = ["large", "medium", "small"]
    marks = [Mark(b, 0.6, group=a) for a in names for b in names if a != b]
    return matrix_chart("Pairs", marks, width)


@pytest.fixture
def tasks() -> Tasks:
    return Tasks(describe)


@pytest.fixture
def files() -> FakeFileDialogs:
    return FakeFileDialogs()


@pytest.fixture
def view(window: Window, tasks: Tasks, files: FakeFileDialogs, qtbot: QtBot) -> Iterator[ChartView]:
    """A chart in a window of its own."""
    notices = window.stage_context(tasks).notices
    context = ChartFileContext(tasks, notices, files, SaveLocationMemory(Study()), lambda: 3)
    host = QWidget()
    layout = QVBoxLayout(host)
    view = ChartView(context)
    layout.addWidget(view)
    layout.addStretch(1)
    view.show_drawing(bars)
    view.set_clickable(is_clickable=True)
    host.resize(640, 480)
    host.show()
    activate_window(host)
    qtbot.waitUntil(lambda: chart(view).width == view.canvas.width() > 500)
    yield view
    host.close()
    host.deleteLater()


def chart(view: ChartView) -> Chart:
    assert view.chart is not None
    return view.chart


def place(view: ChartView, index: int) -> QPoint:
    """The middle of a mark."""
    return view.canvas.items[index].geometry().center()


def hover(view: ChartView, at: QPoint) -> None:
    button, at_global = Qt.MouseButton.NoButton, view.canvas.mapToGlobal(at)
    event = QMouseEvent(QEvent.Type.MouseMove, at, at_global, button, button, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view.canvas, event)


def colour_count(image: QImage, colour: QColor) -> int:
    return sum(
        image.pixelColor(x, y) == colour
        for x in range(0, image.width(), 3)
        for y in range(0, image.height(), 3)
    )


def test_the_chart_is_painted_in_the_colours_and_sizes_of_the_theme(
    view: ChartView, theme: Theme, qtbot: QtBot
) -> None:
    height = view.canvas.height()
    assert colour_count(view.grab().toImage(), theme.tokens.c1) > 100
    theme.set_color_scheme(ColorSchemePreference.DARK)
    image = view.grab().toImage()
    assert colour_count(image, Tokens.of(Scheme.DARK).c1) > 100
    assert not colour_count(image, Tokens.of(Scheme.LIGHT).c1)
    theme.set_text_size(150)
    qtbot.waitUntil(lambda: view.canvas.height() > 1.4 * height)
    assert chart(view).width == pytest.approx(view.canvas.width() / 1.5)


def test_the_chart_is_laid_out_for_the_width_of_the_window(view: ChartView, qtbot: QtBot) -> None:
    view.show_drawing(lambda width: bar_chart("", [Mark("many words " * 5, 0.5)], width))
    height = view.canvas.height()
    view.window().resize(320, 480)
    qtbot.waitUntil(lambda: chart(view).width == view.canvas.width() < 400)
    assert view.canvas.height() > height


def test_the_pointer_highlights_a_mark_and_a_tooltip_has_its_numbers(view: ChartView) -> None:
    before = view.grab().toImage()
    hover(view, place(view, 1))
    assert view.canvas.hovered_row == 1
    assert view.grab().toImage() != before
    at = place(view, 2)
    QApplication.sendEvent(view.canvas, QHelpEvent(QEvent.Type.ToolTip, at, view.canvas.mapToGlobal(at)))
    assert (
        QToolTip.text()
        == "<b>Both</b> are equally good: 14.0 %\n95 % interval: 12.0 % to 16.0 %\nAnswers: 164"
    )
    QApplication.sendEvent(view.canvas, QEvent(QEvent.Type.Leave))
    assert view.canvas.hovered_row is None


def test_a_heading_that_is_cut_has_its_whole_text_as_tooltip(view: ChartView) -> None:
    group = "A very long value of a field " * 9
    view.show_drawing(lambda width: grouped_bar_chart("", [Mark("yes", 0.5, group=group)], width))
    at = QPoint(20, 10)
    QApplication.sendEvent(view.canvas, QHelpEvent(QEvent.Type.ToolTip, at, view.canvas.mapToGlobal(at)))
    assert " ".join(QToolTip.text().split()) == group.strip()


def test_a_click_opens_the_answers_behind_a_mark(view: ChartView) -> None:
    opened: list[int] = []
    view.activated.connect(opened.append)
    QTest.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=place(view, 2))
    QTest.mouseClick(view.canvas, Qt.MouseButton.RightButton, pos=place(view, 1))
    assert opened == [2]
    view.set_clickable(is_clickable=False)
    QTest.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=place(view, 2))
    assert opened == [2]


def test_arrow_keys_move_between_marks_and_enter_opens_one(view: ChartView) -> None:
    opened: list[int] = []
    view.activated.connect(opened.append)
    view.window().setFocus()
    QTest.keyClick(view.window(), Qt.Key.Key_Tab)
    assert focused() is view.canvas.items[0]
    rows = []
    for key in (
        Qt.Key.Key_Down,
        Qt.Key.Key_Down,
        Qt.Key.Key_Down,
        Qt.Key.Key_Up,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
    ):
        QTest.keyClick(focused(), key)
        rows.append(view.canvas.items.index(focused()))
    assert rows == [1, 2, 2, 1, 0, 2]
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert opened == [2]
    tab_stops = [item for item in view.canvas.items if item.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert tab_stops == [focused()]


def test_arrow_keys_move_in_rows_and_columns_of_a_matrix(view: ChartView) -> None:
    view.show_drawing(pairs)
    items = view.canvas.items
    items[0].setFocus()
    names = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up):
        QTest.keyClick(focused(), key)
        names.append(focused().accessibleName().partition(":")[0])
    assert names == ["large, small", "medium, small", "medium, large", "large, small"]


def test_screen_readers_read_the_marks_as_a_list(view: ChartView) -> None:
    interface = QAccessible.queryAccessibleInterface(view.canvas)
    assert interface.role() is QAccessible.Role.List
    assert interface.text(QAccessible.Text.Name) == TITLE
    items = [interface.child(index) for index in range(interface.childCount())]
    assert [item.role() for item in items] == [QAccessible.Role.ListItem] * 3
    assert (
        items[0].text(QAccessible.Text.Name)
        == "Answer A is better: 52.0 %; 95 % interval: 49.0 % to 55.0 %; Answers: 612"
    )
    opened: list[int] = []
    view.activated.connect(opened.append)
    items[1].actionInterface().doAction("Show the answers")
    assert opened == [1]
    interface.actionInterface().doAction("Show as table")
    assert view.shows_table


def choose(view: ChartView, text: str) -> None:
    next(action for action in view.menu().actions() if action.text() == text).trigger()


def test_the_table_has_the_content_of_the_chart(view: ChartView) -> None:
    view.canvas.items[0].setFocus()
    choose(view, "Show as table")
    assert view.shows_table
    assert not view.canvas.isVisible()
    table = view.table
    assert table is not None
    assert focused() is table
    rows = table.model()
    heads = [rows.headerData(n, Qt.Orientation.Horizontal) for n in range(rows.columnCount())]
    assert heads == ["Option", "Share", "95 % from", "to", "Answers"]
    assert [rows.index(1, n).data() for n in range(5)] == [
        "Answer B is better",
        "34.0 %",
        "31.0 %",
        "37.0 %",
        "400",
    ]
    opened: list[int] = []
    view.activated.connect(opened.append)
    table.setCurrentIndex(rows.index(1, 0))
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert opened == [1]
    view.show_drawing(lambda width: agreement_scale("Agreement", [Mark("alpha", 0.6, 0.5, 0.7)], width))
    assert rows.rowCount() == 1
    choose(view, "Show as table")
    assert view.canvas.isVisible()
    assert focused() is view.canvas.items[0]


def test_a_click_on_the_number_of_others_shows_the_table(view: ChartView) -> None:
    many = [Mark(f"Option {number}", 0.5) for number in range(1000)]
    view.show_drawing(lambda width: bar_chart("Many", many, width, max_bars=3))
    QTest.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=QPoint(10, view.canvas.height() - 8))
    assert view.table is not None
    assert view.table.model().rowCount() == 1000


@pytest.mark.parametrize("shows_table", [False, True])
def test_the_menu_opens_with_the_keyboard(view: ChartView, qtbot: QtBot, *, shows_table: bool) -> None:
    view.canvas.items[0].setFocus()
    view.set_shows_table(shows_table=shows_table)
    QTest.keyClick(focused(), Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions() if action.text()] == [
        "Show as table",
        "Save as PNG…",
        "Save as SVG…",
        "Save table as CSV…",
        "Copy image",
        "Copy table",
    ]
    QTest.keyClick(menu, Qt.Key.Key_Escape)  # without Shift, which later clicks would otherwise have


async def save(view: ChartView, tasks: Tasks, files: FakeFileDialogs, entry: str, path: Path) -> bytes:
    files.path = path
    choose(view, entry)
    await until(lambda: not tasks.running)
    return path.read_bytes()


async def test_files_at_print_size(
    view: ChartView, tasks: Tasks, files: FakeFileDialogs, tmp_path: Path
) -> None:
    image = QImage.fromData(await save(view, tasks, files, "Save as PNG…", tmp_path / "chart.png"))
    assert image.width() == round((PRINT_WIDTH + 16) * 300 / 96)
    assert round(image.dotsPerMeterX() * 0.0254) == 300
    assert colour_count(image, Tokens.of(Scheme.LIGHT).c1) > 1000
    assert files.proposed is not None
    assert files.proposed.name == "Untitled study Which answer is better - A - B.png"
    text = (await save(view, tasks, files, "Save as SVG…", tmp_path / "chart.svg")).decode()
    assert text == svg(with_caption(bars(PRINT_WIDTH), "3 answers were excluded."))
    table = (await save(view, tasks, files, "Save table as CSV…", tmp_path / "chart.csv")).decode()
    assert table.splitlines()[:2] == [
        "label,value,low,high,detail,answers_excluded",
        "Answer A is better,0.52,0.49,0.55,612,3",
    ]


async def test_copies_for_other_programs(view: ChartView, tasks: Tasks) -> None:
    choose(view, "Copy table")
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[1] == "Answer A is better\t52.0 %\t49.0 %\t55.0 %\t612"
    choose(view, "Copy image")
    await until(lambda: not tasks.running)
    assert QGuiApplication.clipboard().image().width() == round((PRINT_WIDTH + 16) * 300 / 96)


def test_files_have_the_colours_of_the_light_scheme() -> None:
    tokens = Tokens.of(Scheme.LIGHT)
    assert {role: tokens.get(TOKENS[role]).name() for role in Role} == COLOURS


def as_seen_by(matrix: Matrix, colour: QColor) -> tuple[float, float, float]:
    """Lightness and two chromaticities (CIELAB) of a colour as seen with a colour vision."""
    channels = colour.redF(), colour.greenF(), colour.blueF()
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    r, g, b = (min(1.0, max(0.0, sum(map(mul, row, linear)))) for row in matrix)
    white = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0888,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in white)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("vision", COLOUR_VISIONS)
@pytest.mark.parametrize("scheme", Scheme)
def test_the_colours_of_series_differ_for_every_colour_vision(vision: str, scheme: Scheme) -> None:
    tokens = Tokens.of(scheme)
    seen = [as_seen_by(COLOUR_VISIONS[vision], tokens.get(TOKENS[role])) for role in SERIES]
    assert min(dist(first, second) for first, second in combinations(seen, 2)) > 20


def test_sixty_marks_are_painted_within_10_ms(theme: Theme) -> None:
    drawn = bar_chart(
        "Many", [Mark(f"Option {n}", n / 60, 0.1, 0.9, detail="9") for n in range(60)], 600, max_bars=60
    )
    image = QImage(600, round(drawn.height), QImage.Format.Format_ARGB32_Premultiplied)

    def seconds() -> float:
        painter, start = QPainter(image), thread_time()
        paint_chart(painter, drawn, theme.tokens)
        painter.end()
        return thread_time() - start

    assert min(seconds() for _run in range(9)) < 0.01


def test_a_chart_with_very_many_rows_scrolls_to_the_mark_that_has_the_focus(view: ChartView) -> None:
    """120 systems are about 3000 pixels high; a usual chart is as high as it is."""
    assert view.scroll_area.height() == view.canvas.height()
    marks = [Mark(f"System {number}", number / 120) for number in range(120)]
    view.show_drawing(partial(forest_plot, "Strength", marks, max_rows=200))
    assert len(view.canvas.items) == 120
    assert view.scroll_area.height() < view.canvas.height() / 2
    assert view.scroll_area.sizeHint().height() == view.scroll_area.height()
    view.canvas.items[0].setFocus()
    QTest.keyClick(view.canvas.items[0], Qt.Key.Key_End)
    bar = view.scroll_area.verticalScrollBar()
    assert bar.value() > bar.maximum() / 2
    view.show_drawing(bars)
    assert view.scroll_area.height() == view.canvas.height()
