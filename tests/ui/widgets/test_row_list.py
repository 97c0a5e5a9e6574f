"""Lists of rows: what is read out, clicks and keys, long lists, and rows that are cut off."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from batchwright.ui.theme import Theme, Tokens
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.rows.values import (
    ListRow,
    MarkedSpan,
    RowButton,
    RowIcon,
    RowLook,
    RowSide,
    RowSides,
    RowStyle,
    RowText,
    SideValue,
    TextMark,
)
from batchwright.ui.widgets.statuses import Status
from tests.ui.spoken_rows import spoken_rows

pytestmark = pytest.mark.gui

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier
STYLES = {look: RowStyle(look, left=10, right=10, gutter=26) for look in RowLook}


def plain(text: str) -> ListRow:
    return ListRow((RowText(text),))


def sides() -> RowSides:
    values = (SideValue("Question", "Why?", "How?"), SideValue("", "a", "b"))
    return RowSides(RowSide("Mine"), RowSide("Theirs"), values, is_choice=True)


CreateList = Callable[..., RowList[ListRow]]


@pytest.fixture
def create(qtbot: QtBot, theme: Theme) -> CreateList:
    def create(*rows: ListRow, look: RowLook = RowLook.RULED, width: int = 500) -> RowList[ListRow]:
        shown: RowList[ListRow] = RowList("Rows", lambda row: row, STYLES[look])
        qtbot.addWidget(shown)
        shown.resize(width, 300)
        shown.show_entries(rows)
        shown.show()
        qtbot.waitUntil(lambda: not shown.area(len(rows) - 1).box.isEmpty())
        return shown

    return create


def emitted(shown: RowList[ListRow], name: str) -> list[tuple[object, ...]]:
    """The arguments of a signal, each time it is emitted from now on."""
    arguments: list[tuple[object, ...]] = []
    getattr(shown, name).connect(lambda *values: arguments.append(values))
    return arguments


def test_everything_that_is_painted_is_read_out() -> None:
    row = ListRow(
        (RowText("Batch 1"),),
        Status("ok", "check", "Ready"),
        (RowText("5 tasks"),),
        icon=RowIcon("check", label="Error"),
        is_checked=False,
        state="not replaced",
        button=RowButton("Fix", "Ctrl+. fixes it"),
        keys="Ctrl+K",
        sides=sides(),
        description="Of this study",
    )
    assert row.spoken == (
        "Error, Batch 1, Ready, 5 tasks, Question, Mine: Why?, Theirs: How?, Mine: a, Theirs: b, not replaced"
    )
    assert row.spoken_description == "Ctrl+. fixes it, Ctrl+K, Of this study"


def test_a_match_is_read_out_before_its_text_and_its_replacement_after_it() -> None:
    found = RowText("a cat?", spans=(MarkedSpan(2, 5, TextMark.FOUND),))
    assert found.spoken == "“cat” in “a cat?”"
    spans = (MarkedSpan(2, 5, TextMark.REMOVED), MarkedSpan(5, 8, TextMark.ADDED))
    assert RowText("a catdog?", spans=spans).spoken == "“cat” in “a cat?”, replaced by “dog”"
    assert RowText("a cat?", spans=(MarkedSpan(0, 1, TextMark.STRONG),)).spoken == "a cat?"


def test_marks_that_overlap_are_painted_once() -> None:
    spans = (MarkedSpan(0, 3, TextMark.STRONG), MarkedSpan(2, 4, TextMark.STRONG))
    assert "".join(piece for piece, _mark in RowText("abcdef", spans=spans).pieces()) == "abcdef"


def test_a_click_chooses_a_row_and_a_second_one_chooses_it_again(create: CreateList) -> None:
    shown = create(plain("a"), plain("b"))
    chosen = emitted(shown, "entry_chosen")
    for _click in range(2):
        QTest.mouseClick(shown.viewport(), LEFT, pos=shown.area(1).box.center())
    assert chosen == [(plain("b"),), (plain("b"),)]
    shown.show_current(0)
    assert shown.current_entry == plain("a")
    assert len(chosen) == 2


def test_a_click_on_the_button_or_the_check_box_chooses_no_row(create: CreateList) -> None:
    row = replace(plain("a"), is_checked=True, button=RowButton("Fix", "fixes it"))
    shown = create(row)
    chosen, clicked, checked = (
        emitted(shown, name) for name in ("entry_chosen", "button_clicked", "check_clicked")
    )
    QTest.mouseClick(shown.viewport(), LEFT, pos=shown.area(0).button.center())
    assert (chosen, clicked, checked) == ([], [(row,)], [])
    QTest.mouseClick(shown.viewport(), LEFT, pos=shown.area(0).check.center())
    assert (chosen, clicked, checked) == ([], [(row,)], [(row,)])
    activated = emitted(shown, "entry_activated")
    QTest.mouseDClick(shown.viewport(), LEFT, pos=shown.area(0).button.center())
    assert activated == []


def test_a_pointer_that_moves_while_a_button_is_pressed_chooses_no_row(create: CreateList) -> None:
    shown = create(replace(plain("a"), button=RowButton("Fix", "fixes it")), plain("b"))
    chosen, viewport = emitted(shown, "entry_chosen"), shown.viewport()
    start = shown.area(0).button.center()
    QTest.mousePress(viewport, LEFT, pos=start)
    for point in (start + QPoint(1, 0), shown.area(1).box.center()):
        move = QMouseEvent(
            QEvent.Type.MouseMove, point, viewport.mapToGlobal(point), Qt.MouseButton.NoButton, LEFT, NO_KEYS
        )
        QApplication.sendEvent(viewport, move)
    QTest.mouseRelease(viewport, LEFT, pos=shown.area(1).box.center())
    assert chosen == []
    assert shown.current_entry is None


def test_keys_act_on_the_current_row(create: CreateList) -> None:
    shown = create(replace(plain("a"), is_checked=True), ListRow((RowText("b"),), sides=sides()))
    activated, checked, side = (
        emitted(shown, name) for name in ("entry_activated", "check_clicked", "side_chosen")
    )
    shown.show_current(0)
    QTest.keyClick(shown, Qt.Key.Key_Return)
    QTest.keyClick(shown, Qt.Key.Key_Space)
    QTest.keyClick(shown, Qt.Key.Key_Right)
    QTest.keyClick(shown, Qt.Key.Key_Down)
    QTest.keyClick(shown, Qt.Key.Key_Right)
    QTest.keyClick(shown, Qt.Key.Key_Left)
    assert activated == checked == [(shown.entries[0],)]
    assert [number for _row, number in side] == [1, 0]


def test_a_click_chooses_a_side(create: CreateList) -> None:
    shown = create(ListRow((RowText("a"),), sides=sides()), look=RowLook.PLAIN)
    side = emitted(shown, "side_chosen")
    for area in shown.area(0).sides:
        QTest.mouseClick(shown.viewport(), LEFT, pos=area.center())
    assert [number for _row, number in side] == [0, 1]


def test_a_heading_cannot_be_chosen(create: CreateList) -> None:
    shown = create(replace(plain("Heading"), is_heading=True), plain("a"), look=RowLook.TILES)
    chosen = emitted(shown, "entry_chosen")
    QTest.mouseClick(shown.viewport(), LEFT, pos=shown.area(0).box.center())
    assert chosen == []
    assert shown.model().flags(shown.model().index(0, 0)) == Qt.ItemFlag.NoItemFlags


def test_the_same_row_number_stays_current_when_entries_change(create: CreateList) -> None:
    shown = create(*(plain(str(number)) for number in range(5)))
    chosen = emitted(shown, "entry_chosen")
    shown.show_current(3)
    shown.show_entries([plain("x"), plain("y")])
    assert shown.current_entry == plain("y")
    assert chosen == []


def test_a_list_without_entries_has_no_current_one(create: CreateList) -> None:
    shown = create(plain("a"))
    shown.show_current(0)
    shown.show_entries([])
    assert shown.current_entry is None


def test_the_tooltip_of_a_row_is_its_whole_text_if_that_is_cut_off(create: CreateList, qtbot: QtBot) -> None:
    long = "word " * 60
    shown = create(plain("short"), plain(long), ListRow(sides=sides()))

    def hover(row: int) -> str:
        point = shown.area(row).box.center()
        event = QHelpEvent(QEvent.Type.ToolTip, point, shown.viewport().mapToGlobal(point))
        QApplication.sendEvent(shown.viewport(), event)
        return QToolTip.text()

    assert hover(1).split() == long.split()
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    assert [shown.area(row).is_cut for row in range(3)] == [False, True, False]


@pytest.mark.parametrize("size", [100, 200])
@pytest.mark.parametrize("look", RowLook)
def test_no_part_of_a_row_covers_another(create: CreateList, theme: Theme, look: RowLook, size: int) -> None:
    theme.set_text_size(size)
    long = "word " * 60
    texts = (RowText(long, width=100), RowText(long), RowText(long), RowText(long, is_right=True))
    row = ListRow(texts, icon=RowIcon("check"), button=RowButton("Fix", "fixes it"))
    for width in (260, 400, 900):
        area = create(row, look=look, width=width).area(0)
        boxes = [box for _text, box in area.texts if not box.isEmpty()]
        parts = sorted([area.icon, *boxes, area.button], key=lambda box: box.left())
        assert all(before.right() < after.left() for before, after in pairwise(parts))


@pytest.mark.parametrize("size", [100, 200])
def test_the_texts_of_the_second_line_start_after_the_badge(
    create: CreateList, theme: Theme, size: int
) -> None:
    theme.set_text_size(size)
    details = (RowText("word " * 60), RowText("5 tasks", is_right=True))
    row = ListRow((RowText("Batch 1"),), Status("ok", "check", "Ready"), details, height=66)
    area = create(row, look=RowLook.TILES, width=300 * size // 100).area(0)
    name, tasks, left = (box for _text, box in area.texts)
    assert name.bottom() < min(area.badge.top(), left.top())
    assert area.badge.right() < left.left() <= left.right() < tasks.left()
    assert area.box.contains(area.badge.united(tasks))


def test_both_sides_are_as_tall_as_their_longer_text(create: CreateList) -> None:
    long, short = "word " * 40, "word"
    both = [
        RowSides(
            RowSide("before", "check", "err"), RowSide("after", "check", "ok"), (SideValue("", *values),)
        )
        for values in ((long, short), (short, long), (short, short))
    ]
    shown = create(*(ListRow((), height=0, sides=value) for value in both), look=RowLook.PLAIN)
    heights = [shown.area(row).box.height() for row in range(3)]
    assert heights[0] == heights[1] > heights[2]


def test_a_list_of_ten_thousand_rows_creates_only_those_that_are_shown(qtbot: QtBot, theme: Theme) -> None:
    created: list[int] = []

    def row_of(number: int) -> ListRow:
        created.append(number)
        return plain(str(number))

    shown: RowList[int] = RowList("Rows", row_of, STYLES[RowLook.RULED], is_uniform=True)
    qtbot.addWidget(shown)
    shown.resize(300, 200)
    shown.show_entries(range(10_000))
    shown.show()
    shown.grab()
    assert 0 < len(set(created)) < 50


def test_a_long_list_stays_where_it_was_scrolled_to_when_it_is_resized(qtbot: QtBot, theme: Theme) -> None:
    shown: RowList[int] = RowList(
        "Rows", lambda number: plain(str(number)), STYLES[RowLook.RULED], is_uniform=True
    )
    qtbot.addWidget(shown)
    shown.resize(300, 200)
    shown.show_entries(range(10_000))
    shown.show()
    bar = shown.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 9_000 * 36)
    bar.setValue(8_000 * 36)
    shown.resize(400, 200)
    QApplication.processEvents()
    assert bar.value() == 8_000 * 36
    assert bar.maximum() > 9_000 * 36


def test_the_list_is_as_tall_as_its_rows_up_to_its_maximum(qtbot: QtBot, theme: Theme) -> None:
    shown: RowList[ListRow] = RowList(
        "Rows", lambda row: row, STYLES[RowLook.RULED], max_height=100, min_height=60
    )
    qtbot.addWidget(shown)
    shown.show_entries([plain("a")])
    assert (shown.minimumHeight(), shown.maximumHeight()) == (36, 36)
    shown.show_entries([plain("a")] * 9)
    assert (shown.minimumHeight(), shown.maximumHeight(), shown.sizeHint().height()) == (60, 100, 100)


def test_foreign_text_is_painted_and_read_out_as_plain_text(create: CreateList) -> None:
    shown = create(plain("<b>x</b>\u202eabc"))
    assert spoken_rows(shown) == ["<b>x</b>\N{REPLACEMENT CHARACTER}abc"]
    assert picture(shown) == picture(create(plain("<b>x</b>\N{REPLACEMENT CHARACTER}abc")))


def picture(shown: RowList[ListRow]) -> QImage:
    return shown.viewport().grab().toImage()


def test_the_row_under_the_pointer_is_highlighted_in_a_list_of_tiles(create: CreateList) -> None:
    shown = create(plain("a"), plain("b"), look=RowLook.TILES)
    before = picture(shown)
    QTest.mouseMove(shown.viewport(), QPoint(5, 5))
    QTest.mouseMove(shown.viewport(), shown.area(1).box.center())
    assert picture(shown) != before


@pytest.mark.parametrize("look", [RowLook.RULED, RowLook.TILES])
def test_the_selected_row_and_matches_are_seen_in_high_contrast(
    create: CreateList, theme: Theme, monkeypatch: pytest.MonkeyPatch, look: RowLook
) -> None:
    monkeypatch.setattr(theme, "tokens", Tokens.in_high_contrast(QApplication.palette()))
    found = ListRow((RowText("cat", spans=(MarkedSpan(0, 3, TextMark.FOUND),)),))
    shown = create(plain("cat"), found, look=look)
    first, second = (shown.viewport().grab(shown.area(row).box).toImage() for row in range(2))
    assert first != second
    shown.show_current(0)
    assert shown.viewport().grab(shown.area(0).box).toImage() != first


def test_a_screen_reader_can_tell_whether_a_row_is_checked(create: CreateList) -> None:
    shown = create(replace(plain("a"), is_checked=True), plain("b"))
    model: QAbstractItemModel = shown.model()
    states = [model.index(row, 0).data(Qt.ItemDataRole.CheckStateRole) for row in range(2)]
    assert states == [Qt.CheckState.Checked, None]
