"""The dialogs of a review: how they are confirmed, what they say about answers, and how they scroll."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from batchwright.ui.review.conflict_dialog import ConflictDialog, ConflictTexts, Decision
from batchwright.ui.review.dialog import AffectedAnswers, ReviewDialog
from batchwright.ui.review.rows import ChangeRow, HeadingRow, NodeRow, ValueRow
from batchwright.ui.shell.window import Window
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import Dialog, WarningBanner
from batchwright.ui.widgets.rows.values import RowText
from tests.ui.conftest import until
from tests.ui.spoken_rows import spoken_rows

pytestmark = pytest.mark.gui

ROWS: tuple[ChangeRow, ...] = (
    HeadingRow("1 will change", "pencil-simple", "accent_text"),
    NodeRow("Free text, “Why?”", "Page 1", "", "w", counts_answers=True),
    ValueRow("Question", "Why?", "Why not?"),
)


def answers(total: int | None) -> AffectedAnswers:
    return AffectedAnswers("Cats", total, frozenset({"w"}), "They are kept.")


async def answer_with(window: Window, dialog: Dialog, key: Qt.Key) -> bool:
    """The result of a dialog in which a key is pressed at once."""
    task = asyncio.create_task(dialog.ask(window))
    await until(dialog.isVisible)
    focused = dialog.focusWidget()
    assert focused is not None
    results: list[int] = []
    dialog.finished.connect(results.append)
    QTest.keyClick(focused, key)
    if not results:
        dialog.reject()
    return await task


@pytest.mark.parametrize(
    ("total", "overwrites", "live", "accepts"),
    [
        (0, "", "", True),
        (3, "", "", False),
        (None, "", "", False),
        (0, "Theirs.", "", False),
        (0, "", "Lab", False),
    ],
)
async def test_enter_sends_only_what_cannot_do_harm(
    total: int | None,
    overwrites: str,
    live: str,
    accepts: bool,
    window: Window,
) -> None:
    dialog = ReviewDialog(
        "text", "Update batch", ROWS, answers=answers(total), overwrites=overwrites, live=live
    )
    assert (dialog.accept_button.kind is ButtonKind.LIVE) == bool(live)
    assert await answer_with(window, dialog, Qt.Key.Key_Return) is accepts


def banner(dialog: ReviewDialog) -> str:
    (found,) = dialog.findChildren(WarningBanner)
    return found.text


def test_the_answers_are_counted_while_the_dialog_is_open(window: Window) -> None:
    dialog = ReviewDialog("text", "Update batch", ROWS, answers=answers(3))

    def answers_text() -> RowText:
        return dialog.changes.area(1).row.texts[-1]

    assert dialog.counts_answers
    assert answers_text().text == "counting answers…"
    assert banner(dialog) == "“Cats” has 3 answers. Counting those to questions that change… They are kept."
    dialog.show_answers({"w": 1, "other": 2})
    assert (answers_text().text, answers_text().tone) == ("1 answer", "err")
    assert spoken_rows(dialog.changes)[1].endswith(", 1 answer")
    assert banner(dialog).startswith(
        "“Cats” has 3 answers. 1 of them is to a question that changes or is removed."
    )
    dialog.show_answers({"other": 3})
    assert "None of them is to a question that changes." in banner(dialog)
    dialog.show_answers(None)
    assert answers_text().text == "answers not counted"
    assert "could not be counted" in banner(dialog)
    dialog.deleteLater()


async def test_a_long_list_shrinks_in_a_small_window_and_the_warning_stays_visible(window: Window) -> None:
    window.resize(1024, 680)
    dialog = ReviewDialog("text", "Update batch", ROWS * 3000, answers=answers(3))
    task = asyncio.create_task(dialog.ask(window))
    await until(lambda: dialog.isVisible() and dialog.changes.height() < dialog.changes.preferred_height + 1)
    (warning,) = dialog.findChildren(WarningBanner)
    await until(lambda: not warning.visibleRegion().isEmpty())
    assert warning.visibleRegion().boundingRect().height() == warning.height()
    assert dialog.changes.verticalScrollBar().maximum() > 0
    dialog.reject()
    await task


def test_without_a_record_of_what_was_sent_nothing_can_be_combined(window: Window) -> None:
    texts = ConflictTexts("Changed elsewhere", "By someone.", "As a new batch", "Another one.")
    dialog = ConflictDialog(texts, None, None)
    shown = [button.text() for button in dialog._group.buttons()]
    assert shown == ["Use their version", "Keep my version", "As a new batch"]
    assert dialog.accept_button.toolTip() == "Choose a version first"
    dialog.choose(Decision.MINE)
    assert dialog.accept_button.isEnabled()
    assert dialog.decision is Decision.MINE
    dialog.deleteLater()
