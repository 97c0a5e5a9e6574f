"""Whatever a file holds for an attribute: its form opens, shows it, mends it, and changes nothing unasked."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot
from typing_extensions import override

from batchwright.base.json_values import Json, json_equal, to_json
from batchwright.layout.attributes import AttributeType
from batchwright.layout.item_types.registry import ITEM_TYPES, Item
from batchwright.layout.serialization import random_keys, read, write
from batchwright.local.projects import Project
from batchwright.ui.editor.inspector.fix_button import FixHint
from tests.samples.each_type import ALL, BETTER, DURATION, IMAGE, RICH, UPLOAD, WHY
from tests.ui.editor.inspector.conftest import Desk, Opened
from tests.ui.editor.inspector.interaction import button, entries, named, words
from tests.ui.test_accessibility import nameless

pytestmark = pytest.mark.gui

NASTY = ["", " ", "1", "true", "a = b", '"', "\ud800", "a\r\nb\u2028c", "\x00", "-1e400", "https://", "html"]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(NASTY)
)
KEYS = st.sampled_from(
    ["label", "value", "heading", "exclusive", "validation", "type", "min", "max", "colour"]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)


@st.composite
def items(draw: st.DrawFn) -> dict[str, Any]:
    """An item of any known type with any JSON at any of its attributes, and keys that nobody knows."""
    kind = draw(st.sampled_from(sorted(ITEM_TYPES.values(), key=lambda one: one.type)))
    given: dict[str, Any] = {"type": kind.type}
    for one in kind.known_attributes:
        if draw(st.booleans()):
            given[one.name] = draw(VALUES)
    return {**given, **draw(st.dictionaries(st.sampled_from(["order", "colour", "id"]), VALUES, max_size=2))}


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    """One desk for all examples: they are opened in it one after the other."""
    return Desk(qtbot, [WHY])


def reopened(desk: Desk, item: dict[str, Any]) -> str:
    """Show an item in the desk; gives the layout as it is written."""
    desk.open([item, RICH])
    desk.selection.select(desk.keys[:1], desk.page)
    return to_json(write(desk.study.layout))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(item=items())
def test_a_form_opens_for_any_values_and_changes_none(desk: Desk, item: dict[str, Any]) -> None:
    before = reopened(desk, item)
    assert desk.inspector.form is not None
    for field in desk.inspector.findChildren(QWidget):
        if field.focusPolicy() & Qt.FocusPolicy.TabFocus and field.isVisibleTo(desk.inspector):
            field.setFocus()
    desk.inspector.setFocus()
    assert nameless(desk.inspector) == []
    desk.selection.select(desk.keys[1:])
    assert to_json(write(desk.study.layout)) == before
    assert desk.study.history.past == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(item=items(), data=st.data())
def test_what_is_typed_changes_its_attribute_and_no_other(
    desk: Desk, item: dict[str, Any], data: st.DataObject
) -> None:
    before = reopened(desk, item)
    fields = [
        one
        for one in desk.inspector.findChildren(QWidget)
        if isinstance(one, (QLineEdit, QPlainTextEdit))
        and one.isVisibleTo(desk.inspector)
        and one.isEnabled()
    ]
    field = data.draw(st.sampled_from(fields)) if fields else None
    if field is None or field.accessibleName() == "Page name":
        return
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7")
    now = desk.item()
    changed = {name for name in {*item, *now} if not json_equal(item.get(name), now.get(name))}
    assert len(changed) <= 1
    desk.study.undo()
    assert to_json(write(desk.study.layout)) == before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(item=items())
def test_every_mend_that_is_offered_can_be_taken(desk: Desk, item: dict[str, Any]) -> None:
    reopened(desk, item)
    errors = len(desk.study.problems)
    for _time in range(40):
        mends = (one.fix for one in desk.inspector.findChildren(FixHint))
        offered = [fix for fix in mends if fix is not None and fix.isVisibleTo(desk.inspector)]
        if not offered:
            break
        offered[0].click()
        QApplication.processEvents()
        if desk.inspector.form is None or not desk.study.layout.find(desk.keys[0]):
            return
    else:
        pytest.fail("the mends never come to an end")
    assert len(desk.study.problems) <= errors


WRONG: dict[AttributeType, Json] = {
    AttributeType.TEXT: ["x"],
    AttributeType.INTEGER: "many",
    AttributeType.NUMBER: "large",
    AttributeType.BOOLEAN: "perhaps",
    AttributeType.TEXTS: {"a": 1},
    AttributeType.OBJECT: "none",
    AttributeType.OBJECTS: "yes / no",
}
EXAMPLES: dict[str, dict[str, Any]] = {one["type"]: one for one in ALL}
EACH = [(kind, one) for kind in ITEM_TYPES.values() for one in kind.known_attributes]


@pytest.mark.parametrize(("kind", "attribute"), EACH, ids=lambda one: getattr(one, "name", ""))
def test_a_value_of_the_wrong_kind_is_shown_and_can_be_mended(
    opened: Opened, kind: type[Item], attribute: Any
) -> None:
    wrong = WRONG[attribute.kind]
    desk = opened({**EXAMPLES[kind.type], attribute.name: wrong})
    shown = [
        *words(desk),
        *(one.text() for one in desk.inspector.findChildren(QLineEdit)),
        *(one.toPlainText() for one in desk.inspector.findChildren(QPlainTextEdit)),
        *(one.currentText() for one in desk.inspector.findChildren(QComboBox)),
    ]
    assert {to_json(wrong), wrong if isinstance(wrong, str) else to_json(wrong)} & set(shown)
    assert any(word.startswith("Wrong type of value") for word in words(desk))


def test_a_number_in_place_of_a_text_is_made_one(opened: Opened) -> None:
    desk = opened({**WHY, "description": 7})
    button(desk, "Make it text: 7").click()
    assert desk.item() == {**WHY, "description": "7"}


def test_a_place_of_the_unit_that_is_none_chooses_no_tile(opened: Opened) -> None:
    desk = opened({**DURATION, "unit_position": "left"})
    button(desk, "After").click()
    assert desk.item()["unit_position"] == "suffix"


def test_an_unknown_format_can_become_either(opened: Opened) -> None:
    desk = opened({**RICH, "content_format": "rtf"})
    button(desk, "HTML").click()
    assert desk.item() == {**RICH, "content_format": "html"}


def test_options_that_are_no_list_begin_anew_with_the_first_one(opened: Opened) -> None:
    desk = opened({**BETTER, "options": "yes / no"})
    button(desk, "Add option").click()
    QTest.keyClicks(entries(desk).table.findChildren(QLineEdit)[-1], "Yes")
    assert desk.item()["options"] == [{"label": "Yes", "value": "yes"}]


def test_a_rule_of_an_unknown_type_is_shown_as_it_came(opened: Opened) -> None:
    rule = {"type": "regex", "pattern": "a+"}
    desk = opened({**WHY, "validation": rule})
    assert to_json(rule) in words(desk)


def test_bounds_are_spelt_as_they_are_typed(opened: Opened) -> None:
    desk = opened({**WHY, "validation": {"type": "number"}})
    field = named(desk, "What may be typed, from")
    assert isinstance(field, QLineEdit)
    field.setFocus()
    QTest.keyClicks(field, "1.505")
    assert field.text() == "1.505"
    assert desk.item()["validation"] == {"type": "number", "min": 1.505}


def test_sizes_are_spelt_as_they_are_typed(opened: Opened) -> None:
    desk = opened(UPLOAD)
    field = named(desk, "Largest file in MB")
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "0.250")
    assert field.text() == "0.250"
    assert desk.item()["max_file_size_mb"] == 0.25


def test_keys_that_nobody_knows_are_named_wherever_they_stand(opened: Opened) -> None:
    options = [{**BETTER["options"][0], "colour": "red"}, BETTER["options"][1]]
    desk = opened({**BETTER, "options": options, "order": {"a": 1}})
    button(desk, "More").click()
    assert {"order", '{"a": 1}', "option 1, colour", '"red"'} <= set(words(desk))


def test_the_keys_of_an_item_of_a_newer_type_are_all_named(opened: Opened) -> None:
    desk = opened({"type": "video_narration", "speed": 2, "more": [1]})
    assert {"speed", "2", "more", "[1]"} <= set(words(desk))


def test_an_image_keeps_line_ends_that_no_field_can_show(opened: Opened) -> None:
    desk = opened({**IMAGE, "alt_text": "a\r\nb"})
    area = named(desk, "Text in place of the image")
    assert isinstance(area, QPlainTextEdit)
    area.moveCursor(area.textCursor().MoveOperation.End)
    position = area.textCursor().position()
    desk.study.set_page_name(desk.page, "Signs")
    assert area.textCursor().position() == position
    assert desk.item()["alt_text"] == "a\r\nb"


def test_a_problem_under_more_opens_it(opened: Opened) -> None:
    desk = opened({**IMAGE, "caption": 5}, IMAGE)
    assert named(desk, "Caption").isVisible()
    desk.selection.select(desk.keys[1:])
    assert not named(desk, "Caption").isVisible()


def test_what_is_no_item_at_all_is_shown_as_it_came(opened: Opened) -> None:
    desk = opened(WHY, ["not", {"an": "item"}])
    column = desk.study.layout.pages[0].children[0].children[0]
    desk.selection.select([column.children[1].key])
    assert '["not", {"an": "item"}]' in words(desk)


def test_keys_of_a_page_that_nobody_knows_are_named(qtbot: QtBot) -> None:
    desk = Desk(qtbot, [WHY])
    page: Json = {"rows": [{"columns": [{"items": [WHY]}]}], "colour": "red", "display_position": "middle"}
    desk.study.open(Project("Study", read([page], random_keys())), None)
    desk.selection.show_page(desk.study.layout.pages[0].key)
    assert {"colour", '"red"'} <= set(words(desk))
    button(desk, "First").click()
    assert getattr(desk.study.layout.pages[0], "attributes", {})["display_position"] == "intro"


class Windows(QObject):
    """Sees every window that is shown, for however short a time."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[QObject] = []

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_shown = event.type() is QEvent.Type.Show and isinstance(watched, QWidget)
        if is_shown and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(watched)
        return False


def test_no_part_of_a_form_is_ever_a_window_of_its_own(opened: Opened) -> None:
    wrong = [
        {**one, **{name: {"a": 1} for name in list(one)[1:]}, "colour": "red", "order": 1} for one in ALL
    ]
    desk = opened(*ALL, *wrong)
    windows, app = Windows(), QApplication.instance()
    assert app is not None
    app.installEventFilter(windows)
    try:
        for key in desk.keys:
            desk.selection.select([key])
            QApplication.processEvents()
    finally:
        app.removeEventFilter(windows)
    assert windows.seen == []
