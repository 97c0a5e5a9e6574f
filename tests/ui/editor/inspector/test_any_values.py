"""Any value of an attribute: the form shows it, offers a fix, and changes nothing by itself."""

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
from tests.ui.accessibility import unnamed_controls
from tests.ui.editor.inspector.conftest import InspectorHarness, Opened
from tests.ui.editor.inspector.interaction import button, find_named, label_texts, option_list

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
    """Generate an item of any type with any JSON values, and unknown keys."""
    kind = draw(st.sampled_from(sorted(ITEM_TYPES.values(), key=lambda entry: entry.type)))
    given: dict[str, Any] = {"type": kind.type}
    for attribute in kind.known_attributes:
        if draw(st.booleans()):
            given[attribute.name] = draw(VALUES)
    return {**given, **draw(st.dictionaries(st.sampled_from(["order", "colour", "id"]), VALUES, max_size=2))}


@pytest.fixture
def harness(qtbot: QtBot) -> InspectorHarness:
    """One harness in which all examples are opened, one at a time."""
    return InspectorHarness(qtbot, [WHY])


def reopened(harness: InspectorHarness, item: dict[str, Any]) -> str:
    """Show an item in the harness; return the serialized layout."""
    harness.open([item, RICH])
    harness.selection.select(harness.keys[:1], harness.page)
    return to_json(write(harness.study.layout))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(item=items())
def test_a_form_opens_for_any_values_and_changes_none(
    harness: InspectorHarness, item: dict[str, Any]
) -> None:
    before = reopened(harness, item)
    assert harness.inspector.form is not None
    for field in harness.inspector.findChildren(QWidget):
        if field.focusPolicy() & Qt.FocusPolicy.TabFocus and field.isVisibleTo(harness.inspector):
            field.setFocus()
    harness.inspector.setFocus()
    assert unnamed_controls(harness.inspector) == []
    harness.selection.select(harness.keys[1:])
    assert to_json(write(harness.study.layout)) == before
    assert harness.study.history.past == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(item=items(), data=st.data())
def test_typing_changes_only_its_attribute(
    harness: InspectorHarness, item: dict[str, Any], data: st.DataObject
) -> None:
    before = reopened(harness, item)
    fields = [
        widget
        for widget in harness.inspector.findChildren(QWidget)
        if isinstance(widget, (QLineEdit, QPlainTextEdit))
        and widget.isVisibleTo(harness.inspector)
        and widget.isEnabled()
    ]
    field = data.draw(st.sampled_from(fields)) if fields else None
    if field is None or field.accessibleName() == "Page name":
        return
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "7")
    now = harness.item()
    changed = {name for name in {*item, *now} if not json_equal(item.get(name), now.get(name))}
    assert len(changed) <= 1
    harness.study.undo()
    assert to_json(write(harness.study.layout)) == before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(item=items())
def test_every_offered_fix_can_be_applied(harness: InspectorHarness, item: dict[str, Any]) -> None:
    reopened(harness, item)
    errors = len(harness.study.problems)
    for _time in range(40):
        fix_buttons = (widget.fix for widget in harness.inspector.findChildren(FixHint))
        offered = [fix for fix in fix_buttons if fix is not None and fix.isVisibleTo(harness.inspector)]
        if not offered:
            break
        offered[0].click()
        QApplication.processEvents()
        if harness.inspector.form is None or not harness.study.layout.find(harness.keys[0]):
            return
    else:
        pytest.fail("the fixes never come to an end")
    assert len(harness.study.problems) <= errors


INVALID_VALUES: dict[AttributeType, Json] = {
    AttributeType.TEXT: ["x"],
    AttributeType.INTEGER: "many",
    AttributeType.NUMBER: "large",
    AttributeType.BOOLEAN: "perhaps",
    AttributeType.TEXTS: {"a": 1},
    AttributeType.OBJECT: "none",
    AttributeType.OBJECTS: "yes / no",
}
EXAMPLES: dict[str, dict[str, Any]] = {entry["type"]: entry for entry in ALL}
EACH = [(kind, attribute) for kind in ITEM_TYPES.values() for attribute in kind.known_attributes]


@pytest.mark.parametrize(("kind", "attribute"), EACH, ids=lambda entry: getattr(entry, "name", ""))
def test_a_value_of_the_wrong_type_is_shown_with_a_fix(
    opened: Opened, kind: type[Item], attribute: Any
) -> None:
    problems = INVALID_VALUES[attribute.kind]
    harness = opened({**EXAMPLES[kind.type], attribute.name: problems})
    shown = [
        *label_texts(harness),
        *(widget.text() for widget in harness.inspector.findChildren(QLineEdit)),
        *(widget.toPlainText() for widget in harness.inspector.findChildren(QPlainTextEdit)),
        *(widget.currentText() for widget in harness.inspector.findChildren(QComboBox)),
    ]
    assert {to_json(problems), problems if isinstance(problems, str) else to_json(problems)} & set(shown)
    assert any(word.startswith("Wrong type of value") for word in label_texts(harness))


def test_a_number_in_place_of_a_text_is_converted_by_its_fix(opened: Opened) -> None:
    harness = opened({**WHY, "description": 7})
    button(harness, "Make it text: 7").click()
    assert harness.item() == {**WHY, "description": "7"}


def test_an_invalid_unit_position_selects_no_tile(opened: Opened) -> None:
    harness = opened({**DURATION, "unit_position": "left"})
    button(harness, "After").click()
    assert harness.item()["unit_position"] == "suffix"


def test_an_unknown_format_can_be_changed_to_either_format(opened: Opened) -> None:
    harness = opened({**RICH, "content_format": "rtf"})
    button(harness, "HTML").click()
    assert harness.item() == {**RICH, "content_format": "html"}


def test_adding_an_option_replaces_a_value_that_is_not_a_list(opened: Opened) -> None:
    harness = opened({**BETTER, "options": "yes / no"})
    button(harness, "Add option").click()
    QTest.keyClicks(option_list(harness).table.findChildren(QLineEdit)[-1], "Yes")
    assert harness.item()["options"] == [{"label": "Yes", "value": "yes"}]


def test_a_validation_of_an_unknown_type_is_shown_verbatim(opened: Opened) -> None:
    rule = {"type": "regex", "pattern": "a+"}
    harness = opened({**WHY, "validation": rule})
    assert to_json(rule) in label_texts(harness)


def test_bounds_are_stored_as_typed(opened: Opened) -> None:
    harness = opened({**WHY, "validation": {"type": "number"}})
    field = find_named(harness, "Accepted input, from")
    assert isinstance(field, QLineEdit)
    field.setFocus()
    QTest.keyClicks(field, "1.505")
    assert field.text() == "1.505"
    assert harness.item()["validation"] == {"type": "number", "min": 1.505}


def test_sizes_are_stored_as_typed(opened: Opened) -> None:
    harness = opened(UPLOAD)
    field = find_named(harness, "Largest file in MB")
    assert isinstance(field, QLineEdit)
    QTest.keyClicks(field, "0.250")
    assert field.text() == "0.250"
    assert harness.item()["max_file_size_mb"] == 0.25


def test_unknown_keys_are_listed_with_their_path(opened: Opened) -> None:
    options = [{**BETTER["options"][0], "colour": "red"}, BETTER["options"][1]]
    harness = opened({**BETTER, "options": options, "order": {"a": 1}})
    button(harness, "More").click()
    assert {"order", '{"a": 1}', "option 1, colour", '"red"'} <= set(label_texts(harness))


def test_all_keys_of_an_item_of_an_unknown_type_are_listed(opened: Opened) -> None:
    harness = opened({"type": "video_narration", "speed": 2, "more": [1]})
    assert {"speed", "2", "more", "[1]"} <= set(label_texts(harness))


def test_line_endings_that_fields_cannot_show_are_preserved(opened: Opened) -> None:
    harness = opened({**IMAGE, "alt_text": "a\r\nb"})
    area = find_named(harness, "Text in place of the image")
    assert isinstance(area, QPlainTextEdit)
    area.moveCursor(area.textCursor().MoveOperation.End)
    position = area.textCursor().position()
    harness.study.set_page_name(harness.page, "Signs")
    assert area.textCursor().position() == position
    assert harness.item()["alt_text"] == "a\r\nb"


def test_a_problem_of_a_collapsed_attribute_expands_its_section(opened: Opened) -> None:
    harness = opened({**IMAGE, "caption": 5}, IMAGE)
    assert find_named(harness, "Caption").isVisible()
    harness.selection.select(harness.keys[1:])
    assert not find_named(harness, "Caption").isVisible()


def test_a_node_that_is_not_an_item_is_shown_verbatim(opened: Opened) -> None:
    harness = opened(WHY, ["not", {"an": "item"}])
    column = harness.study.layout.pages[0].children[0].children[0]
    harness.selection.select([column.children[1].key])
    assert '["not", {"an": "item"}]' in label_texts(harness)


def test_unknown_keys_of_a_page_are_listed(qtbot: QtBot) -> None:
    harness = InspectorHarness(qtbot, [WHY])
    page: Json = {"rows": [{"columns": [{"items": [WHY]}]}], "colour": "red", "display_position": "middle"}
    harness.study.open(Project("Study", read([page], random_keys())), None)
    harness.selection.show_page(harness.study.layout.pages[0].key)
    assert {"colour", '"red"'} <= set(label_texts(harness))
    button(harness, "First").click()
    assert getattr(harness.study.layout.pages[0], "attributes", {})["display_position"] == "intro"


class WindowRecorder(QObject):
    """Records every window that is shown, even briefly."""

    def __init__(self) -> None:
        super().__init__()
        self.windows: list[QObject] = []

    @override
    def eventFilter(self, widget: QObject, event: QEvent) -> bool:
        is_shown = event.type() is QEvent.Type.Show and isinstance(widget, QWidget)
        if is_shown and isinstance(widget, QWidget) and widget.isWindow():
            self.windows.append(widget)
        return False


def test_no_widget_of_a_form_is_a_window(opened: Opened) -> None:
    problems = [
        {**entry, **{name: {"a": 1} for name in list(entry)[1:]}, "colour": "red", "order": 1}
        for entry in ALL
    ]
    harness = opened(*ALL, *problems)
    recorder, app = WindowRecorder(), QApplication.instance()
    assert app is not None
    app.installEventFilter(recorder)
    try:
        for key in harness.keys:
            harness.selection.select([key])
            QApplication.processEvents()
    finally:
        app.removeEventFilter(recorder)
    assert recorder.windows == []
