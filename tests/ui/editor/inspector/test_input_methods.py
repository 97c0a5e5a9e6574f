"""Text that an input method composes, such as Japanese, is not lost before it is committed."""

from collections.abc import Callable

import pytest
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from batchwright.ui.editor.inspector.options.model import OptionColumn
from tests.samples.each_type import BETTER
from tests.ui.editor.inspector.conftest import InspectorHarness, Opened
from tests.ui.editor.inspector.interaction import cell, find_named, option_list

pytestmark = pytest.mark.gui

FIELDS: dict[str, tuple[Callable[[InspectorHarness], QWidget], Callable[[InspectorHarness], str]]] = {
    "a line": (
        lambda harness: find_named(harness, "Helper text"),
        lambda harness: harness.item().get("helper_text", ""),
    ),
    "lines": (
        lambda harness: find_named(harness, "Question"),
        lambda harness: harness.item()["description"],
    ),
    "a cell": (
        lambda harness: cell(option_list(harness).table, 0, OptionColumn.LABEL),
        lambda harness: harness.item()["options"][0]["label"],
    ),
}


def compose(field: QWidget, preedit: str, commit: str = "") -> None:
    """Show what an input method proposes so far, or commit a text."""
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(field, event)


def shown(field: QWidget) -> str:
    """The text of a field, without what is composed."""
    assert isinstance(field, QLineEdit | QPlainTextEdit)
    return field.text() if isinstance(field, QLineEdit) else field.toPlainText()


@pytest.mark.parametrize("name", FIELDS)
def test_a_composed_text_survives_undo_and_checks(name: str, opened: Opened) -> None:
    harness = opened(BETTER)
    find, stored = FIELDS[name]
    field = find(harness)
    field.setFocus()
    QTest.keyClicks(field, "A")
    typed = stored(harness)
    assert "A" in typed
    compose(field, "に")
    compose(field, "にほ")
    assert stored(harness) == typed
    harness.study.undo()
    QApplication.processEvents()
    assert shown(field) == typed  # Qt would make the input method forget what is composed
    compose(field, "にほん")
    compose(field, "", "日本")
    QApplication.processEvents()
    assert "日本" in stored(harness)
    QTest.keyClicks(field, "B")
    assert "日本B" in stored(harness)


@pytest.mark.parametrize("name", FIELDS)
def test_a_composition_that_is_cancelled_leaves_the_text_of_the_study(name: str, opened: Opened) -> None:
    harness = opened(BETTER)
    find, stored = FIELDS[name]
    before = stored(harness)
    field = find(harness)
    field.setFocus()
    QTest.keyClicks(field, "A")
    compose(field, "に")
    harness.study.undo()
    compose(field, "")
    QApplication.processEvents()
    assert stored(harness) == before
    assert shown(field) == before


@pytest.mark.parametrize("name", FIELDS)
@pytest.mark.parametrize("text", ["é", "مرحبا", "日本語", "👍🏽"])
def test_every_script_is_stored_as_it_was_committed(name: str, text: str, opened: Opened) -> None:
    harness = opened(BETTER)
    find, stored = FIELDS[name]
    field = find(harness)
    field.setFocus()
    compose(field, "", text)
    assert text in stored(harness)
