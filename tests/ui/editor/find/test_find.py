"""Find and replace: every match is previewed, some are excluded, and all others replaced as one undo step."""

from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.searching.text_search import replace_matches
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import Project, StudyKind
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.editor.find import state as find_state
from batchwright.ui.editor.find.panel import FindPanel
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.widgets.text import Label
from tests.samples.each_type import BETTER
from tests.ui.conftest import focused, until
from tests.ui.editor.conftest import settle
from tests.ui.spoken_rows import spoken_rows

pytestmark = pytest.mark.gui

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


def question(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "free_text", "description": text, **more}


def page(*items: Any) -> Any:
    return {"rows": [{"columns": [{"items": list(items)}]}]}


PAGES = [
    page(question("Is it a cat?", helper_text="Cats purr.")),
    page({**BETTER, "options": [{"label": "cat", "value": "cat"}, {"label": "Dog", "value": "dog"}]}),
]
SCHEMA = Schema(strict=True, fields={"animal": Field(FieldType.TEXT, "The cat")})


def open_study(stage: EditorStage, pages: Any = PAGES) -> None:
    layout = read(pages, random_keys())
    project = Project("Cats", layout, page_names={layout.pages[0].key: "Cat page"}, schema=SCHEMA)
    details = project.details.model_copy(update={"task_steps": "<p>Look at the cat.</p>"})
    stage.state.study.open(replace(project, details=details), None)
    settle()


def open_panel(stage: EditorStage, keys: Qt.Key = Qt.Key.Key_H) -> FindPanel:
    """Open the panel with its shortcut."""
    stage.panels.canvas.setFocus()
    QTest.keyClick(focused(), keys, CONTROL)
    settle()
    panel = stage.findChild(FindPanel)
    assert panel is not None
    assert panel.isVisible()
    assert panel.search.hasFocus()
    return panel


async def search(panel: FindPanel, text: str) -> list[str]:
    """Type a search text; the accessible texts of the matches."""
    panel.search.selectAll()
    QTest.keyClicks(panel.search, text)
    return await found(panel)


async def found(panel: FindPanel) -> list[str]:
    await until(lambda: not panel.state.is_searching, 15)
    settle()
    return spoken_rows(panel.list)


async def press_replace(panel: FindPanel) -> None:
    """Click Replace, and wait until it has ended."""
    QTest.mouseClick(panel.replace_button, LEFT)
    await until(lambda: not panel.state.is_replacing)
    settle()


def texts(panel: FindPanel) -> list[str]:
    return [label.text() for label in panel.findChildren(Label) if label.isVisibleTo(panel)]


def descriptions(stage: EditorStage) -> list[str]:
    return [item.text("description") for _path, item in stage.state.layout.walk()]


async def test_every_match_of_the_study_is_listed_with_its_place(stage: EditorStage) -> None:
    open_study(stage)
    panel = open_panel(stage)
    assert await search(panel, "cat") == [
        "Study name, “Cat” in “Cats”",
        "Task details: steps, “cat” in “<p>Look at the cat.</p>”",
        "Field “animal”: label, “cat” in “The cat”",
        "Page 1: page name, “Cat” in “Cat page”",
        "Page 1, row 1, item 1: question, “cat” in “Is it a cat?”",
        "Page 1, row 1, item 1: helper text, “Cat” in “Cats purr.”",
        "Page 2, row 1, item 1: option 1, label, “cat” in “cat”",
    ]
    assert panel._summary.text() == "7 matches in 7 texts"
    panel.case.click()
    panel.word.click()
    assert len(await found(panel)) == 4
    panel.values.click()
    assert len(await found(panel)) == 5


async def test_matches_in_a_collection_are_in_items_of_pages(stage: EditorStage) -> None:
    pages = [page(question("A cat?"), question("Two cats?")), page(question("No cat?"))]
    layout = read(pages, random_keys())
    stage.state.study.open(Project("Survey", layout, kind=StudyKind.COLLECTION), None)
    settle()
    assert await search(open_panel(stage), "cat") == [
        "Page 1, item 1: question, “cat” in “A cat?”",
        "Page 1, item 2: question, “cat” in “Two cats?”",
        "Page 2, item 1: question, “cat” in “No cat?”",
    ]


async def test_the_included_matches_are_replaced_as_one_step(stage: EditorStage) -> None:
    open_study(stage)
    study, panel = stage.state.study, open_panel(stage)
    before = study.content
    await search(panel, "cat")
    QTest.keyClicks(panel.template, "horse")
    list_ = panel.list
    QTest.mouseClick(list_.viewport(), LEFT, pos=list_.area(0).check.center())
    list_.setFocus()
    list_.show_current(5)
    QTest.keyClick(list_, Qt.Key.Key_Space)
    assert panel.replace_button.text() == "Replace 5 matches"
    assert panel.all_matches.checkState() is Qt.CheckState.PartiallyChecked
    assert spoken_rows(list_)[5].endswith("not replaced")
    assert spoken_rows(list_)[4].endswith("“cat” in “Is it a cat?”, replaced by “horse”")
    await press_replace(panel)
    assert study.project.name == "Cats"
    assert study.details.task_steps == "<p>Look at the horse.</p>"
    assert study.schema is not None
    assert study.schema.fields["animal"].label == "The horse"
    assert list(study.page_names.values()) == ["horse page"]
    first, second = (item.attributes for _path, item in study.layout.walk())
    assert (first["description"], first["helper_text"]) == ("Is it a horse?", "Cats purr.")
    assert second["options"] == [{"label": "horse", "value": "cat"}, {"label": "Dog", "value": "dog"}]
    assert study.history.undo_label == "Replace"
    assert len(study.history.past) == 1
    assert len(await found(panel)) == 2
    study.undo()
    assert study.content == before
    assert len(await found(panel)) == 7


async def test_all_matches_are_excluded_and_included_at_once(stage: EditorStage) -> None:
    open_study(stage)
    panel = open_panel(stage)
    await search(panel, "cat")
    assert panel.all_matches.checkState() is Qt.CheckState.Checked
    QTest.mouseClick(panel.all_matches, LEFT, pos=QPoint(8, panel.all_matches.height() // 2))
    assert panel.all_matches.checkState() is Qt.CheckState.Unchecked
    assert not panel.replace_button.isEnabled()
    QTest.mouseClick(panel.all_matches, LEFT, pos=QPoint(8, panel.all_matches.height() // 2))
    assert panel.replace_button.text() == "Remove 7 matches"
    QTest.keyClicks(panel.template, "dog")
    assert panel.replace_button.text() == "Replace 7 matches"


async def test_a_click_shows_the_item_and_enter_edits_its_field(stage: EditorStage) -> None:
    open_study(stage)
    panel = open_panel(stage)
    await search(panel, "cat")
    list_ = panel.list
    list_.scrollTo(list_.model().index(6, 0))
    QTest.mouseClick(list_.viewport(), LEFT, pos=list_.area(6).box.center())
    settle()
    (_first, second) = [item.key for _path, item in stage.state.layout.walk()]
    assert stage.state.keys == (second,)
    assert stage.state.page_index == 1
    assert list_.hasFocus()
    QTest.keyClick(list_, Qt.Key.Key_Up)
    settle()
    assert stage.state.page_index == 0
    QTest.keyClick(list_, Qt.Key.Key_Return)
    settle()
    assert stage.panels.is_in_inspector()
    assert focused().accessibleName() == "Helper text"
    list_.show_current(3)
    list_.setFocus()
    QTest.keyClick(list_, Qt.Key.Key_Return)
    settle()
    assert focused().accessibleName() == "Page name"


async def test_a_label_is_edited_on_the_data_stage(stage: EditorStage) -> None:
    open_study(stage)
    panel = open_panel(stage)
    panel.case.click()
    assert len(await search(panel, "The cat")) == 1
    QTest.keyClick(panel.search, Qt.Key.Key_Return)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert stage.context.shell.stage == "data"
    stage.context.shell.set_stage("layout")


async def test_an_invalid_regular_expression_is_explained_at_its_field(stage: EditorStage) -> None:
    open_study(stage)
    panel = open_panel(stage)
    panel.regex.click()
    assert await search(panel, "(cat") == []
    assert any("not valid at character 1" in text for text in texts(panel))
    assert "not valid" in panel.search.accessibleDescription()
    assert not panel.replace_button.isEnabled()
    assert len(await search(panel, "[Cc]at(s?)")) == 7
    QTest.keyClicks(panel.template, "\\2")
    assert any("no group “2”" in text for text in texts(panel))
    assert not panel.replace_button.isEnabled()
    panel.template.clear()
    QTest.keyClicks(panel.template, "dog\\1")
    await press_replace(panel)
    assert stage.state.study.project.name == "dogs"
    assert descriptions(stage)[0] == "Is it a dog?"
    await found(panel)


async def test_a_regular_expression_that_takes_too_long_is_stopped(
    stage: EditorStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_state, "_TIME_LIMIT_S", 3.0)
    open_study(stage, [page(question("a" * 60 + "!"))])
    panel = open_panel(stage)
    panel.regex.click()
    assert await search(panel, "(a+)+$") == []
    assert any("takes too long" in text for text in texts(panel))
    assert not panel.replace_button.isEnabled()
    assert len(await search(panel, "a{10,}")) == 1
    assert not any("takes too long" in text for text in texts(panel))


async def test_thousands_of_matches_are_listed_and_replaced(stage: EditorStage) -> None:
    open_study(stage, [page(*(question(f"cat {number} cat") for number in range(10))) for _ in range(300)])
    stage.state.study.set_name("")
    panel = open_panel(stage)
    await search(panel, "cat ")
    assert len(panel.list.entries) == 3001  # and the page name
    panel.list.scrollToBottom()
    settle()
    QTest.keyClicks(panel.template, "dog ")
    await press_replace(panel)
    assert descriptions(stage)[-1] == "dog 9 cat"
    assert len(stage.state.study.history.past) == 2
    assert stage.state.study.project.name == "", "the name that is shown for none is not stored"
    await found(panel)


async def test_nothing_is_replaced_in_a_study_that_changes_meanwhile(
    stage: EditorStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_started, may_continue = Event(), Event()

    def replace_later(*arguments: Any) -> Any:
        has_started.set()
        may_continue.wait(10)
        return replace_matches(*arguments)

    monkeypatch.setattr(find_state, "replace_matches", replace_later)

    open_study(stage)
    panel, messages = open_panel(stage), list[str]()
    panel.message.connect(messages.append)
    await search(panel, "cat")
    QTest.keyClicks(panel.template, "dog")
    QTest.mouseClick(panel.replace_button, LEFT)
    assert not panel.replace_button.isEnabled()
    await until(has_started.is_set)
    stage.state.study.set_page_name(stage.state.layout.pages[1].key, "Options")
    may_continue.set()
    await until(lambda: not panel.state.is_replacing)
    assert messages == ["Nothing was replaced, because the study has changed meanwhile."]
    assert descriptions(stage)[0] == "Is it a cat?"
    assert len(await found(panel)) == 7


async def test_the_list_follows_the_study(stage: EditorStage) -> None:
    open_study(stage)
    panel = open_panel(stage)
    assert len(await search(panel, "purr")) == 1
    key = next(item.key for _path, item in stage.state.layout.walk())
    stage.state.apply(SetAttributes(key, {"description": "purr?"}))
    assert len(await found(panel)) == 2


async def test_escape_closes_the_panel_and_keys_in_it_are_not_for_the_layout(stage: EditorStage) -> None:
    open_study(stage)
    stage.state.select([next(item.key for _path, item in stage.state.layout.walk())])
    settle()
    panel = open_panel(stage, Qt.Key.Key_F)
    await search(panel, "cat")
    QTest.keyClick(panel.search, Qt.Key.Key_Return)
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    QTest.keyClick(panel.list, Qt.Key.Key_D, CONTROL)
    settle()
    assert len(descriptions(stage)) == 2
    QTest.keyClick(panel.list, Qt.Key.Key_Escape)
    settle()
    assert not panel.isVisible()
    assert stage.panels.canvas.isAncestorOf(focused())
    assert not panel.state.is_active
    assert open_panel(stage) is panel
    assert len(await found(panel)) == 7


async def test_all_controls_have_accessible_names(stage: EditorStage) -> None:
    open_study(stage)
    panel = open_panel(stage)
    names = [
        panel.search.accessibleName(),
        panel.template.accessibleName(),
        panel.list.accessibleName(),
        panel.close_button.accessibleName(),
        panel.all_matches.accessibleName(),
    ]
    assert names == ["Find", "Replace with", "Matches", "Close find and replace", "Replace all matches"]
    QApplication.processEvents()
