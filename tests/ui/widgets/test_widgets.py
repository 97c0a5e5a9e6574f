"""The kit: each widget says what it shows, in words and in shape."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QPropertyAnimation,
    QRect,
    Qt,
)
from PySide6.QtGui import (
    QCursor,
    QEnterEvent,
    QFontMetrics,
    QGuiApplication,
    QImage,
    QMouseEvent,
    QPaintEvent,
    QTextCursor,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid
from typing_extensions import override

from batchwright.ui.core.settings import Settings
from batchwright.ui.theme import TextRole, Theme
from batchwright.ui.theme.tokens import Scheme, Tokens
from batchwright.ui.widgets.answer_previews import FieldPreview, OptionPreview, OptionsPreview
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind
from batchwright.ui.widgets.card_footer import CardFooter, FooterSeverity
from batchwright.ui.widgets.cards import Card, CardState
from batchwright.ui.widgets.dialogs import Dialog
from batchwright.ui.widgets.fields import InputField, SearchField, TextArea
from batchwright.ui.widgets.headings import StageHeader
from batchwright.ui.widgets.notices import Toast, ToastManager, ToastSeverity
from batchwright.ui.widgets.overlays import ModalOverlay, OverlayPanel
from batchwright.ui.widgets.placeholders import EmptyState, ErrorState, LoadingState
from batchwright.ui.widgets.progress import ProgressBar, ProgressRow, per_cent
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.splitters import Splitter
from batchwright.ui.widgets.statuses import BATCH, IMPORT, StatusBadge, status_of
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.tables import CellRole, IconCell, ProgressCell, Table, TextCell, accessible_text
from batchwright.ui.widgets.text import ElidedLabel, Label
from batchwright.ui.widgets.toggles import SegmentedControl, Switch
from tests.ui.conftest import activate_window, until

pytestmark = pytest.mark.gui


def picture(widget: QWidget) -> QImage:
    widget.ensurePolished()
    return widget.grab().toImage()


@pytest.fixture
def ground(qtbot: QtBot) -> Surface:
    ground = Surface()
    qtbot.addWidget(ground)
    ground.resize(900, 600)
    ground.show()
    activate_window(ground)
    return ground


def test_a_word_without_end_is_broken_and_read_as_it_is(ground: Surface) -> None:
    address = "https://example.org/" + 30 * "reviews"
    text = Label(address, wraps=True)
    assert text.minimumSizeHint().width() < 200
    assert text.text() == text.accessibleName() == address


def test_a_text_after_a_broken_one_is_read_as_it_is_then(ground: Surface) -> None:
    text = Label(30 * "reviews", wraps=True)
    text.setText("short")
    assert text.accessibleName() == ""
    text.setAccessibleName("a name of its own")
    text.setText("short again")
    assert text.accessibleName() == "a name of its own"


def test_a_text_that_can_be_copied_is_not_broken(qtbot: QtBot) -> None:
    text = Label(30 * "reviews", wraps=True)
    qtbot.addWidget(text)
    text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    text.setSelection(0, 210)
    assert text.selectedText() == 30 * "reviews"


@pytest.mark.parametrize("text_size", [100, 125, 150])
def test_a_field_of_several_lines_shows_them_all(qtbot: QtBot, theme: Theme, text_size: int) -> None:
    theme.set_text_size(text_size)
    area = TextArea(2)
    qtbot.addWidget(area)
    area.setPlainText("one\ntwo")
    area.show()
    area.resize(area.sizeHint())
    qtbot.waitUntil(lambda: not area.verticalScrollBar().isVisible(), timeout=30_000)


def test_a_line_that_wraps_is_never_hidden_by_a_bar_below_it(qtbot: QtBot, theme: Theme) -> None:
    area = TextArea(2)
    qtbot.addWidget(area)
    area.document().setDocumentMargin(0)
    area.setPlainText("words that wrap " * 6)
    area.resize(area.fontMetrics().horizontalAdvance("words that wrap " * 4), area.sizeHint().height())
    area.show()
    for width in range(area.width(), area.width() - 60, -1):
        area.resize(width, area.height())
        area.moveCursor(QTextCursor.MoveOperation.End)
        assert not area.horizontalScrollBar().isVisible()


def test_gaps_and_margins_follow_the_text_size(ground: Surface, theme: Theme) -> None:
    box = column(Label("one"), 12, Label("two"), gap=8, margins=16, parent=ground)
    theme.set_text_size(150)
    assert box.spacing() == 12
    assert box.contentsMargins().left() == 24
    clear(box)
    assert box.count() == 0


def test_a_text_that_is_cut_states_all_of_itself_in_its_tooltip(qtbot: QtBot) -> None:
    text = ElidedLabel("A very long name of a study that nobody can see whole")
    qtbot.addWidget(text)
    text.resize(60, 20)
    text.show()
    assert text.toolTip() == text.text()
    text.resize(900, 20)
    assert text.toolTip() == ""


@pytest.mark.parametrize("kind", list(ButtonKind))
def test_each_kind_of_button_looks_different_when_it_cannot_be_pressed(
    qtbot: QtBot, kind: ButtonKind
) -> None:
    button = Button("Create 398 tasks", kind)
    qtbot.addWidget(button)
    button.resize(button.sizeHint())
    able = picture(button)
    button.set_disabled_reason("The import still runs")
    assert picture(button) != able
    assert button.toolTip() == "The import still runs"


def test_a_glyph_and_keys_make_a_button_wider(qtbot: QtBot) -> None:
    plain, rich = Button("Preview"), Button("Preview", glyph="eye", keys="F5")
    qtbot.addWidget(plain)
    qtbot.addWidget(rich)
    assert rich.sizeHint().width() > plain.sizeHint().width()


def test_a_card_shows_its_states_by_shape(ground: Surface) -> None:
    card = Card("note-pencil", "question", "Free text")
    card.setParent(ground)
    card.resize(300, 80)
    card.show()
    results = [picture(card)]
    card.show_state(CardState.SELECTED)
    results.append(picture(card))
    card.show_footer(CardFooter(FooterSeverity.ERROR, "A question needs a text.", "Write it"))
    results.append(picture(card))
    card.show_state(CardState.DRAGGED)
    results.append(picture(card))
    assert all(first != second for first, second in pairwise(results))


def test_the_fix_of_a_card_is_pressed(qtbot: QtBot, ground: Surface) -> None:
    card = Card("note-pencil", "question", "Free text")
    card.setParent(ground)
    card.show_footer(CardFooter(FooterSeverity.ADVICE, "Two options share a label.", "Rename one"))
    card.resize(400, 120)
    card.show()
    fix = next(child for child in card.findChildren(QWidget) if getattr(child, "text", str)() == "Rename one")
    button = fix if hasattr(fix, "click") else fix.parentWidget()
    with qtbot.waitSignal(card.fix_clicked):
        button.click()  # type: ignore[union-attr]


def test_space_chooses_a_card_and_enter_opens_it(qtbot: QtBot, ground: Surface) -> None:
    card = Card("note-pencil", "question", "Free text")
    card.setParent(ground)
    card.show()
    with qtbot.waitSignal(card.chosen):
        QTest.keyClick(card, Qt.Key.Key_Space)
    with qtbot.waitSignal(card.opened):
        QTest.keyClick(card, Qt.Key.Key_Return)


def test_actions_of_a_card_are_shown_when_it_is_selected(ground: Surface) -> None:
    card = Card("note-pencil", "question", "Free text")
    card.setParent(ground)
    card.setGeometry(400, 400, 400, 120)  # away from the pointer
    card.show()
    pressed = []
    card.add_action("copy", "Duplicate", lambda: pressed.append("copy"))
    assert card.findChildren(Button) == []
    card.show_state(CardState.SELECTED)
    copy = card.findChildren(Button)[0]
    assert copy.accessibleName() == "Duplicate"
    copy.click()
    assert pressed == ["copy"]
    card.show_state(CardState.RESTING)
    assert not copy.isVisible()


def test_a_narrow_card_has_its_actions_in_one_menu(ground: Surface) -> None:
    card = Card("note-pencil", "question", "Free text")
    card.setParent(ground)
    card.setGeometry(400, 400, 240, 120)  # away from the pointer
    card.show()
    pressed = []
    card.add_action("copy", "Duplicate", lambda: pressed.append("copy"))
    card.add_action("trash", "Remove", lambda: pressed.append("trash"))
    card.show_state(CardState.SELECTED)
    (more,) = card.findChildren(Button)
    assert more.accessibleName() == "More actions"
    assert more in card.tab_stops
    more.click()
    (menu,) = more.findChildren(QMenu)
    assert [action.text() for action in menu.actions()] == ["Duplicate", "Remove"]
    menu.actions()[1].trigger()
    assert pressed == ["trash"]
    menu.close()
    card.resize(400, 120)
    shown = [button.accessibleName() for button in card.findChildren(Button) if button.isVisible()]
    assert shown == ["Duplicate", "Remove"]


@pytest.mark.parametrize(("width", "rows"), [(600, 1), (200, 3)])
def test_options_stand_side_by_side_where_all_have_room(ground: Surface, width: int, rows: int) -> None:
    options = [OptionPreview(label) for label in ("Answer A", "Answer B", "Both alike")]
    abreast = OptionsPreview(options, ground)
    abreast.setGeometry(0, 0, width, abreast.heightForWidth(width))
    abreast.show()
    assert len({option.y() for option in options}) == rows
    assert all(option.width() >= option.sizeHint().width() for option in options)
    assert all(abreast.rect().contains(option.geometry()) for option in options)


def test_a_folded_button_keeps_its_word_in_the_tooltip_but_for_the_reason_why_it_is_off() -> None:
    button = Button("Sync", glyph="arrows-clockwise")
    button.set_collapsed(is_collapsed=True)
    for reason, tooltip in (("", "Sync"), ("Set up tasks first", "Set up tasks first"), ("", "Sync")):
        button.set_disabled_reason(reason)
        assert button.toolTip() == tooltip
    button.set_collapsed(is_collapsed=False)
    assert button.toolTip() == ""


def test_a_button_folded_to_its_glyph_shows_no_shortcut_either(qtbot: QtBot) -> None:
    with_keys, without = Button("Preview", glyph="eye", keys="F5"), Button("Preview", glyph="eye")
    for button in (with_keys, without):
        qtbot.addWidget(button)
        button.set_collapsed(is_collapsed=True)
        button.resize(button.sizeHint())
    assert picture(with_keys) == picture(without)
    assert with_keys.full_width > without.full_width > with_keys.sizeHint().width()


def test_a_field_states_what_is_wrong_in_place_of_its_help(qtbot: QtBot) -> None:
    field = InputField("Address", QLineEdit(), hint="Begins with https.")
    qtbot.addWidget(field)
    before = picture(field.control)
    field.show_error("Use an https address.")
    assert field.control.accessibleDescription() == "Use an https address."
    assert picture(field.control) != before
    field.show_error("")
    assert field.control.accessibleDescription() == "Begins with https."


def test_escape_empties_a_search_field(qtbot: QtBot) -> None:
    search = SearchField("Search items")
    qtbot.addWidget(search)
    QTest.keyClicks(search, "resp")
    QTest.keyClick(search, Qt.Key.Key_Escape)
    assert search.text() == ""


def test_one_segment_is_chosen_at_a_time(qtbot: QtBot) -> None:
    segments = SegmentedControl("Width", [("wide", "Wide", "monitor"), ("narrow", "Narrow", "device-mobile")])
    qtbot.addWidget(segments)
    assert segments.current == "wide"
    with qtbot.waitSignal(segments.chosen) as chosen:
        segments.choose("narrow")
    assert chosen.args == ["narrow"]


def test_a_switch_is_pressed_on_its_words_too(qtbot: QtBot) -> None:
    switch = Switch("Every field must be filled")
    qtbot.addWidget(switch)
    switch.resize(switch.sizeHint())
    QTest.mouseClick(
        switch, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(switch.width() - 5, 10)
    )
    assert switch.isChecked()


@pytest.mark.parametrize(("part", "words"), [(0, "0 %"), (0.626, "63 %"), (0.999, "99 %"), (1, "100 %")])
def test_what_is_not_done_is_never_called_whole(part: float, words: str) -> None:
    assert per_cent(part) == words


def test_a_bar_of_zero_draws_nothing_but_its_track(qtbot: QtBot, theme: Theme) -> None:
    meter = ProgressBar("Import")
    qtbot.addWidget(meter)
    meter.resize(100, 6)
    meter.show_fraction(0)
    assert picture(meter).pixelColor(50, 3) == theme.tokens.track
    meter.show_fraction(0.9)
    assert picture(meter).pixelColor(50, 3) == theme.tokens.accent


def test_progress_of_unknown_length_reports_it_to_those_who_cannot_see(qtbot: QtBot) -> None:
    meter = ProgressBar("Import")
    qtbot.addWidget(meter)
    meter.show_indeterminate()
    assert (meter.minimum(), meter.maximum()) == (0, 0)
    meter.show_fraction(0.5)
    assert meter.value() == meter.maximum() // 2


def test_a_progress_row_states_its_number(qtbot: QtBot) -> None:
    line = ProgressRow("Upload")
    qtbot.addWidget(line)
    line.show_progress("1.5 of 2.4 GB", 0.63)
    assert {label.text() for label in line.findChildren(Label)} == {"1.5 of 2.4 GB", "63 %"}


def test_a_status_that_no_one_knows_is_shown_as_it_came(qtbot: QtBot) -> None:
    assert status_of(IMPORT, "partial").label == "Partial"
    pill = StatusBadge(status_of(BATCH, "HIBERNATING"))
    qtbot.addWidget(pill)
    assert pill.text() == "HIBERNATING"


def test_the_stage_header_has_one_primary_button_that_changes(qtbot: QtBot) -> None:
    header = StageHeader("Layout")
    qtbot.addWidget(header)
    header.show_subtitle("2 errors to fix before this layout can be sent.")
    header.show_primary("Go to next problem", keys="F8")
    assert header.primary.text() == "Go to next problem"
    header.show_primary("Continue to Run", disabled_reason="The import still runs")
    assert not header.primary.isEnabled()


def test_an_empty_state_offers_how_to_begin(qtbot: QtBot) -> None:
    state = EmptyState("layout", "This page is empty", "Drag a field here.", Button("Insert item"))
    qtbot.addWidget(state)
    assert state.accessibleName() == "This page is empty"
    assert [button.text() for button in state.findChildren(Button)] == ["Insert item"]


def test_an_error_state_can_be_tried_again(qtbot: QtBot) -> None:
    state = ErrorState("The service did not answer.", "Check the network.")
    qtbot.addWidget(state)
    with qtbot.waitSignal(state.retry_pressed):
        state.findChildren(Button)[0].click()


def test_loading_shows_itself_only_when_it_is_due(qtbot: QtBot) -> None:
    state = LoadingState()
    qtbot.addWidget(state)
    state.resize(300, 200)
    before = picture(state)
    state.show_now()
    assert picture(state) != before


def test_splitters_are_remembered(qtbot: QtBot) -> None:
    first, second = (
        Splitter(Qt.Orientation.Horizontal, QWidget(), QWidget(), name="panels") for _number in range(2)
    )
    for splitter in (first, second):
        qtbot.addWidget(splitter)
        splitter.resize(400, 100)
    first.setSizes([100, 295])
    second.restore_text(first.state_text())
    assert second.sizes() == first.sizes()
    second.restore_text("no state at all")
    assert second.sizes() == first.sizes()


class Jobs(QAbstractTableModel):
    """Two jobs in four kinds of cells."""

    CELLS = (
        (
            IconCell("cloud-arrow-up", "question", TextCell("Import", "reviews.csv", is_name=True)),
            IMPORT["queued"],
            ProgressCell(((0.63, "accent"),)),
            TextCell("empty", is_missing=True, has_error=True),
        ),
        (
            IconCell("archive", "question", TextCell("Export", is_name=True)),
            IMPORT["complete"],
            ProgressCell(((1.0, "ok"),), "6.3 MB of 6.3 MB"),
            TextCell("12,345", is_number=True),
        ),
    )

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:  # noqa: N802 - Qt's name
        return len(self.CELLS)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:  # noqa: N802 - Qt's name
        return len(self.CELLS[0])

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> object:
        cell = self.CELLS[index.row()][index.column()]
        if role == CellRole.CELL:
            return cell
        return accessible_text(cell) if role == Qt.ItemDataRole.DisplayRole else None


def test_a_table_paints_every_kind_of_cell_and_the_chosen_row(qtbot: QtBot, theme: Theme) -> None:
    table = Table("Jobs", Jobs(), row_height=54, radius=9)
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    before = picture(table)
    table.selectRow(0)
    after = picture(table)
    assert after != before
    y = table.horizontalHeader().height() + 27
    assert after.pixelColor(1, y) == theme.tokens.accent_text


def test_hovering_lights_the_whole_row(qtbot: QtBot, theme: Theme) -> None:
    table = Table("Jobs", Jobs())
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    point = QPointF(20, 10)
    in_screen = QPointF(table.viewport().mapToGlobal(point.toPoint()))
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        point,
        in_screen,
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(table.viewport(), move)
    assert table.hovered_row == 0
    assert table.viewport().grab().toImage().pixelColor(599, 4) == theme.tokens.row_hover


def test_cells_speak_for_themselves() -> None:
    text = [accessible_text(cell) for cell in Jobs.CELLS[0]]
    assert text == ["Import, reviews.csv", "Queued", "63 %", "empty"]


def panels(qtbot: QtBot, width: int) -> tuple[QWidget, Splitter, QWidget]:
    """Two panels beside each other, the second of which is shown where there is room."""
    host, second = QWidget(), QWidget()
    qtbot.addWidget(host)
    splitter = Splitter(Qt.Orientation.Horizontal, QWidget(), second, name="panels")
    column(splitter, parent=host)
    splitter.setSizes([500, 300])
    splitter.show_panel(second, is_shown=width > 500)
    host.resize(width, 200)
    host.show()
    return host, splitter, second


def test_a_panel_that_was_hidden_all_session_is_as_wide_as_before_in_the_next(
    qtbot: QtBot, tmp_path: Path
) -> None:
    before, wide, _second = panels(qtbot, 805)
    Settings(tmp_path).save_window(before)
    narrow, one_panel, _second = panels(qtbot, 300)
    one_panel.setSizes([300, 0])  # as the Run stage does with what is shown
    Settings(tmp_path).restore_splitters(narrow)
    Settings(tmp_path).save_window(narrow)
    after, wide_again, _second = panels(qtbot, 805)
    Settings(tmp_path).restore_splitters(after)
    assert wide_again.sizes() == wide.sizes() == [500, 300]


def test_panels_of_a_stage_that_was_not_shown_all_session_are_as_wide_as_before_in_the_next(
    qtbot: QtBot, tmp_path: Path
) -> None:
    before, wide, _second = panels(qtbot, 805)
    Settings(tmp_path).save_window(before)
    unseen = QWidget()
    qtbot.addWidget(unseen)
    Splitter(Qt.Orientation.Horizontal, QWidget(), QWidget(), name="panels", parent=unseen).setSizes([1, 2])
    Settings(tmp_path).save_window(unseen)
    after, wide_again, _second = panels(qtbot, 805)
    Settings(tmp_path).restore_splitters(after)
    assert wide_again.sizes() == wide.sizes() == [500, 300]


def test_panels_have_their_sizes_again_when_all_are_shown(qtbot: QtBot) -> None:
    host, splitter, second = panels(qtbot, 805)
    splitter.show_panel(second, is_shown=False)
    host.resize(300, 200)
    splitter.show_panel(second, is_shown=True)
    host.resize(805, 200)
    assert splitter.sizes() == [500, 300]


def below(ground: Surface) -> ToastManager:
    """Notices in their place, with nothing above them."""
    ground.resize(900, 720)
    notices = ToastManager()
    column(None, notices, gap=0, parent=ground)
    QApplication.processEvents()
    return notices


def shown(notices: ToastManager) -> list[str]:
    """The titles of the notices to be seen, from above."""
    return [card.toast.title for card in notices.cards if card.isVisible()]


def button_above(ground: Surface) -> Button:
    """What shows the earlier notices."""
    notices = ground.findChildren(ToastManager)[0]
    return next(
        button for button in notices.findChildren(Button, options=Qt.FindChildOption.FindDirectChildrenOnly)
    )


def show_eight_toasts(notices: ToastManager, mood: ToastSeverity = ToastSeverity.ERROR) -> None:
    for number in range(8):
        notices.show_toast(Toast(mood, f"Upload {number} stopped", "It broke at 61 %.", "Retry"))


def test_the_newest_notices_are_shown_and_the_earlier_ones_counted(ground: Surface) -> None:
    notices = below(ground)
    ground.show()
    show_eight_toasts(notices)
    assert shown(notices) == ["Upload 5 stopped", "Upload 6 stopped", "Upload 7 stopped"]
    assert button_above(ground).text() == "5 earlier notices"
    notices.cards[-1].dismissed.emit()
    assert shown(notices) == ["Upload 4 stopped", "Upload 5 stopped", "Upload 6 stopped"]


def test_the_earlier_notices_are_shown_in_a_list_that_scrolls(ground: Surface) -> None:
    notices = below(ground)
    ground.show()
    show_eight_toasts(notices)
    button_above(ground).click()
    assert len(shown(notices)) == 8
    notices.cards[0].findChildren(Button)[0].setFocus()
    area = ground.findChildren(VerticalScrollArea)[0]
    first = QRect(notices.cards[0].mapTo(area, QPoint()), notices.cards[0].size())
    assert area.rect().contains(first)
    QApplication.processEvents()
    notices_box = QRect(area.mapTo(ground, QPoint()), area.size())
    assert ground.rect().contains(notices_box)
    button_above(ground).click()
    assert len(shown(notices)) == 3


def test_a_notice_with_the_keyboard_is_not_put_away_by_newer_ones(ground: Surface) -> None:
    notices = below(ground)
    ground.show()
    ground.activateWindow()
    notices.show_toast(Toast(ToastSeverity.ERROR, "Upload stopped", "It broke at 61 %.", "Retry"))
    assert notices.focus_next()
    show_eight_toasts(notices)
    assert "Upload stopped" in shown(notices)


def test_notices_shown_at_once_do_not_overlap(
    qtbot: QtBot, ground: Surface, monkeypatch: pytest.MonkeyPatch, theme: Theme
) -> None:
    monkeypatch.setattr(theme, "ms", lambda milliseconds: milliseconds)
    notices = below(ground)
    ground.show()
    for title in ("“Survey” was not saved", "The service did not start", "No room on the disk"):
        notices.show_toast(Toast(ToastSeverity.ERROR, title, "What you did up to then was kept.", "Open"))
    cards = notices.cards
    stopped = QPropertyAnimation.State.Stopped
    qtbot.waitUntil(
        lambda: all(
            property_animation.state() is stopped
            for property_animation in ground.findChildren(QPropertyAnimation)
        )
    )
    boxes = [card.geometry() for card in cards]
    assert not any(above.intersects(below) for above, below in pairwise(boxes))


def test_the_button_of_a_notice_acts_and_closes_it(ground: Surface) -> None:
    pressed = []
    notices = below(ground)
    notices.show_toast(
        Toast(ToastSeverity.SUCCESS, "Setup finished", "398 tasks", "Open", lambda: pressed.append("open"))
    )
    notices.cards[0].findChildren(Button)[0].click()
    assert pressed == ["open"]
    assert notices.cards == ()


def test_a_newer_notice_replaces_the_earlier_one_about_its_topic_which_can_end(ground: Surface) -> None:
    notices = below(ground)
    ground.show()
    notices.show_toast(Toast(ToastSeverity.ERROR, "Upload stopped"))
    for name in ("a.xlsx", "b.xlsx"):
        notices.show_toast(Toast(ToastSeverity.ERROR, f"{name} is a spreadsheet", topic="open"))
    assert shown(notices) == ["Upload stopped", "b.xlsx is a spreadsheet"]
    notices.dismiss(("open",))
    assert shown(notices) == ["Upload stopped"]


def test_a_notice_that_slides_out_does_not_act_again(ground: Surface) -> None:
    opened: list[str] = []
    notices = below(ground)
    ground.show()
    notice = Toast(
        ToastSeverity.ERROR,
        "Study not saved",
        action_label="Open",
        action=lambda: opened.append("it"),
        second_label="Discard",
        second_action=lambda: opened.append("nothing"),
    )
    notices.show_toast(notice)
    first, other = notices.cards[0].findChildren(Button)[:2]
    for button in (first, first, other):
        button.click()
    assert opened == ["it"]


def test_notices_take_their_place_from_what_is_above_them(ground: Surface) -> None:
    notices = below(ground)
    assert notices.height() == 0
    notices.show_toast(Toast(ToastSeverity.ERROR, "Upload stopped"))
    QApplication.processEvents()
    assert notices.geometry().bottom() == ground.rect().bottom()
    assert 0 < notices.height() < ground.height() // 3
    assert notices.cards[0].mapTo(ground, QPoint()).y() > notices.y()


def show_dialog(kind: ButtonKind = ButtonKind.PRIMARY) -> Dialog:
    return Dialog("Set up tasks", "One task for each record.", "Create 398 tasks", kind)


@pytest.mark.parametrize(
    ("kind", "key", "answer"),
    [
        (ButtonKind.PRIMARY, Qt.Key.Key_Return, True),
        (ButtonKind.PRIMARY, Qt.Key.Key_Escape, False),
        (ButtonKind.LIVE, Qt.Key.Key_Escape, False),
    ],
)
def test_a_dialog_is_answered_by_key(
    qtbot: QtBot,
    loop: asyncio.AbstractEventLoop,
    ground: Surface,
    kind: ButtonKind,
    key: Qt.Key,
    answer: bool,
) -> None:
    async def scenario() -> None:
        dialog = show_dialog(kind)
        asking_task = asyncio.ensure_future(dialog.ask(ground))
        await until(dialog.isVisible)
        QTest.keyClick(dialog, key)
        assert await asking_task is answer

    loop.run_until_complete(scenario())


def test_enter_presses_the_button_that_has_the_keyboard(
    qtbot: QtBot, loop: asyncio.AbstractEventLoop, ground: Surface
) -> None:
    async def scenario() -> None:
        dialog, aside = show_dialog(), Button("Do not save")
        dialog.add_side_button(aside)
        dialog.cancel_button.clicked.connect(lambda: pressed.append("cancel"))
        asking_task = asyncio.ensure_future(dialog.ask(ground))
        await until(dialog.isVisible)
        assert dialog.focusWidget() is dialog.accept_button
        dialog.cancel_button.setFocus()
        QTest.keyClick(dialog.cancel_button, Qt.Key.Key_Return)
        assert not await asking_task
        assert pressed == ["cancel"]

    pressed: list[str] = []
    loop.run_until_complete(scenario())


def test_enter_alone_never_does_what_is_live(
    qtbot: QtBot, loop: asyncio.AbstractEventLoop, ground: Surface
) -> None:
    async def scenario() -> None:
        dialog = show_dialog(ButtonKind.LIVE)
        dialog.add_warning("This reaches the service. It cannot be undone.", is_live=True)
        asking_task = asyncio.ensure_future(dialog.ask(ground))
        await until(dialog.isVisible)
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        assert not asking_task.done()
        dialog.accept_button.click()
        assert await asking_task

    loop.run_until_complete(scenario())


def test_a_dialog_goes_when_its_task_is_cancelled(loop: asyncio.AbstractEventLoop, ground: Surface) -> None:
    async def scenario() -> None:
        dialog = show_dialog()
        asking_task = asyncio.ensure_future(dialog.ask(ground))
        await until(dialog.isVisible)
        asking_task.cancel()
        await asyncio.gather(asking_task, return_exceptions=True)
        assert ground.findChildren(Dialog) == []

    loop.run_until_complete(scenario())


def test_tab_stays_inside_a_dialog(qtbot: QtBot, loop: asyncio.AbstractEventLoop, ground: Surface) -> None:
    row(Button("Behind"), parent=ground)

    async def scenario() -> None:
        dialog = show_dialog()
        asking_task = asyncio.ensure_future(dialog.ask(ground))
        await until(dialog.isVisible)
        visited = set()
        for _step in range(4):
            dialog.focusNextPrevChild(True)
            focused = dialog.focusWidget()
            visited.add(focused.text() if isinstance(focused, Button) else "")
        assert visited == {"Cancel", "Create 398 tasks"}
        dialog.reject()
        await asking_task

    loop.run_until_complete(scenario())


def test_a_search_field_lives_on_when_something_lay_over_it(qtbot: QtBot) -> None:
    window = QWidget()
    field = SearchField("Search")
    column(field, parent=window)
    qtbot.addWidget(window)
    window.show()
    overlay = ModalOverlay(window, OverlayPanel("Question", 300))
    overlay.panel.reject()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not isValid(overlay)
    field.setText("still here")
    assert field.actions()[0].isVisible()


def test_a_dialog_with_more_than_fits_scrolls_and_keeps_its_buttons(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(700, 420)
    host.show()
    dialog = Dialog("Title", "What is asked.", "Do it")
    fields = [InputField(f"Field {number}", QLineEdit()) for number in range(12)]
    dialog.add(*fields)
    ModalOverlay(host, dialog)
    QApplication.processEvents()
    assert dialog.height() <= 420 - 32
    assert dialog.accept_button.mapTo(host, dialog.accept_button.rect().bottomLeft()).y() < 420
    assert all(field.control.height() >= 30 for field in fields)
    dialog.reveal(fields[-1])
    qtbot.waitUntil(lambda: not fields[-1].visibleRegion().isEmpty())
    dialog.reject()


def test_a_button_that_a_dialog_has_covered_is_not_hovered_any_more(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    button = Button("Encoding", parent=host)
    host.move(QCursor.pos() + QPoint(50, 50))
    host.resize(700, 420)
    host.show()
    QApplication.sendEvent(button, QEnterEvent(QPointF(1, 1), QPointF(1, 1), QPointF(1, 1)))
    assert button.underMouse()
    dialog = Dialog("Title", "What is asked.", "Do it")
    ModalOverlay(host, dialog)
    dialog.reject()
    assert not button.underMouse()


def test_a_dialog_whose_lines_just_fit_shows_them_without_a_scroll_bar(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(1400, 800)
    host.show()
    line = Label("", TextRole.SMALL, wraps=True)
    dialog = Dialog("Title", "What is asked.", "Do it")
    dialog.add(line)
    text = "The dataset that was uploaded is not changed. The new file"
    ModalOverlay(host, dialog)
    for letters in range(30):  # at some of them the line wraps with a scroll bar only
        line.setText(text + " i" * letters)
        QApplication.processEvents()
        scrolled = dialog.findChild(VerticalScrollArea)
        assert scrolled is not None
        assert not scrolled.verticalScrollBar().isVisible()
        assert not line.visibleRegion().isEmpty()
        assert line.visibleRegion().boundingRect() == line.rect()
    dialog.reject()


class Paints(QObject):
    """Takes note of what of a widget is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.rects: list[QRect] = []

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.rects.append(event.rect())
        return False


def test_the_shadow_of_a_panel_goes_where_the_panel_goes(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(700, 420)
    host.show()
    overlay = ModalOverlay(host, OverlayPanel("Question", 300))
    QApplication.processEvents()
    paints = Paints()
    overlay.installEventFilter(paints)
    overlay.panel.panel_width = 200
    QApplication.postEvent(overlay, QEvent(QEvent.Type.LayoutRequest))
    qtbot.waitUntil(lambda: overlay.rect() in paints.rects)
    overlay.panel.reject()


def ink(shown: QWidget, within: QRect) -> tuple[int, int]:
    """The first and the last line of a part of a widget on which anything is drawn."""
    image = shown.grab().toImage()
    ground = image.pixelColor(within.right(), within.bottom())
    lines = [
        y
        for y in range(within.top(), within.bottom())
        if any(image.pixelColor(x, y) != ground for x in range(within.left(), within.right()))
    ]
    return lines[0], lines[-1]


def test_the_sign_of_an_error_is_level_with_its_words_where_there_is_room_for_more(qtbot: QtBot) -> None:
    host = QWidget()
    field = InputField("Number", QLineEdit())
    column(field, None, parent=host)
    qtbot.addWidget(host)
    host.resize(200, 220)
    host.show()
    activate_window(host)
    field.control.setFocus()
    field.show_error("What is wrong takes several lines in a field that is as narrow as this one is.")
    QApplication.processEvents()
    field.show_error("Too long.")  # the room for it stays while the field is typed into
    QApplication.processEvents()
    parts = [QRect(entry.mapTo(field, QPoint()), entry.size()) for entry in (field._icon, field._message)]
    (top, end), (words_top, words_end) = (ink(field, part) for part in parts)
    assert abs((top + end) - (words_top + words_end)) <= 4


def test_the_segment_chosen_stands_out_in_both_schemes() -> None:
    for scheme in Scheme:
        tokens = Tokens.of(scheme)
        assert abs(tokens.chosen_segment.lightness() - tokens.hover.lightness()) >= 15


def test_a_menu_that_cannot_be_translucent_has_its_corners_cut_off(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "xcb")
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction("One")
    menu.ensurePolished()
    menu.resize(120, 80)
    menu.show()
    assert not menu.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    assert not menu.mask().contains(QPoint(0, 0))
    assert menu.mask().contains(QPoint(60, 40))


def test_the_unit_of_a_specimen_leaves_room_for_its_caret(qtbot: QtBot) -> None:
    def ink_at_caret(text: str) -> int:
        shown = FieldPreview(text, width=90, is_menu=True, is_value=True)
        qtbot.addWidget(shown)
        shown.resize(90, 32)
        image = shown.grab().toImage()
        ground = image.pixelColor(5, 16)
        return sum(image.pixelColor(x, y) != ground for x in range(62, 88) for y in range(3, 29))

    assert ink_at_caret("kilometres an hour") == ink_at_caret("h")


def test_a_sentence_of_a_stage_is_not_cut_while_buttons_could_make_room(qtbot: QtBot) -> None:
    header = StageHeader("Data")
    qtbot.addWidget(header)
    header.add_buttons(
        Button("Choose another file", glyph="file-text"), Button("Refresh", glyph="arrow-clockwise")
    )
    header.show_primary("Lay out the pages")
    sentence = "The study uses “cats and dogs” with 1,200 records on this computer. Next: lay out the pages."
    header.show_subtitle(sentence)
    header.show()
    for width in range(1300, 860, -20):
        header.resize(width, 64)
        QApplication.processEvents()
        assert header._subtitle.width() >= header._subtitle.sizeHint().width(), width


def test_a_menu_of_the_canvas_is_as_wide_as_its_text(ground: Surface, theme: Theme) -> None:
    words = "(no label)"
    plain = FieldPreview(words, width=90, parent=ground)
    menu = FieldPreview(words, width=90, is_menu=True, parent=ground)
    text = QFontMetrics(theme.font(TextRole.BODY)).horizontalAdvance(words)
    caret_and_margins = 41
    assert menu.sizeHint().width() >= text + caret_and_margins
    assert plain.sizeHint().width() == 90
