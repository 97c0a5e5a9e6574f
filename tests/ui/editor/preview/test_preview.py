"""The preview: the participant page with a record; answers are validated as by the service."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from batchwright.base.json_values import Json
from batchwright.base.text import is_right_to_left
from batchwright.layout import rich_text
from batchwright.layout.editing.edits import Remove, SetAttributes
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.translations import Translation
from batchwright.local.projects import Project
from batchwright.schema.parsing import read_schema
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.web_media import PreviewMedia
from batchwright.ui.editor.core.sample_records import SampleRecords
from batchwright.ui.editor.item_types.choice import CheckTile, Explanation, RadioTile
from batchwright.ui.editor.item_types.file_upload import FilesControl
from batchwright.ui.editor.preview import panel
from batchwright.ui.editor.preview.page import ErrorLink, PreviewPage
from batchwright.ui.editor.preview.panel import PreviewPanel, open_in_browser
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.study_model import Study
from batchwright.ui.theme import Theme
from batchwright.ui.widgets.fields import TextArea
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.rich_text_view import RichTextView
from batchwright.ui.widgets.text import Label
from batchwright.wire.batches import TaskDetails
from tests.samples.each_type import ALL, BETTER, DURATION, FIELD, IMAGE, INVALID_VALUES, RICH, UPLOAD, WHY
from tests.ui.accessibility import unnamed_controls
from tests.ui.window_fixtures import UnloadedImages, press

pytestmark = pytest.mark.gui

MEDIA = {
    "prompt": {"type": "text", "label": "Prompt"},
    "photo": {"type": "image_url"},
    "song": {"type": "audio_url"},
    "film": {"type": "video_url"},
    "far": {"type": "video_url"},
    "hidden": {"type": "metadata"},
}


def page(*items: Json) -> dict[str, Json]:
    return {"rows": [{"columns": [{"items": list(items)}]}]}


class PreviewHarness:
    """A study with pages and two records, and its preview."""

    def __init__(self, qtbot: QtBot, *pages: Json) -> None:
        self.study, self.records, self.opened = Study(), SampleRecords(), list[str]()
        self.media = PreviewMedia(UnloadedImages(), self.opened.append)
        schema = read_schema({"strict": False, "fields": MEDIA})
        self.study.open(Project("Study", read(list(pages), sequential_keys()), schema=schema), None)
        self.records.set_records(({"prompt": "Why is the sky blue?"}, {"prompt": "Why is it red?"}))
        self.preview = PreviewPanel(self.study, self.study.layout.pages[0].key, self.records, self.media)
        qtbot.addWidget(self.preview)
        self.preview.resize(1200, 900)
        self.preview.show()

    @property
    def sheet(self) -> PreviewPage:
        return self.preview.page

    def texts(self) -> list[str]:
        QApplication.processEvents()  # what is put into a layout is shown by an event
        found = [text.text() for text in self.preview.findChildren(Label) if text.isVisibleTo(self.preview)]
        texts = self.preview.findChildren(RichTextView)
        return [*found, *(text.toPlainText().strip() for text in texts if text.isVisibleTo(self.preview))]

    def press(self, text: str) -> None:
        buttons = self.sheet.findChildren(QAbstractButton)
        next(widget for widget in buttons if widget.text() == text).click()


@pytest.mark.spec("L-09")
def test_a_page_is_filled_with_the_current_record(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(FIELD))
    assert {"Prompt", "Why is the sky blue?"} <= set(harness.texts())
    harness.records.step(1)
    assert "Why is it red?" in harness.texts()
    assert "Page 1 of 1, filled with record 2 of the data. Answers are not saved." in harness.texts()


def test_without_data_it_explains_how_to_choose_data(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(FIELD))
    harness.records.clear()
    assert any("choose a file under Data" in words for words in harness.texts())
    assert "This field is empty for this record." in harness.texts()


def test_every_item_type_is_shown_and_every_control_has_a_name(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(*ALL))
    assert len(harness.sheet.questions) == 5
    assert unnamed_controls(harness.preview) == []


def test_fields_of_every_type_are_shown_as_on_the_participant_page(qtbot: QtBot) -> None:
    fields = [{"type": "dataset_field", "field": key} for key in MEDIA]
    harness = PreviewHarness(qtbot, page(*fields))
    https = "https://a.example/"
    harness.records.set_records(
        (
            {
                "photo": f"{https}a.png",
                "song": f"{https}a.mp3",
                "film": f"{https}a.mp4",
                "far": "http://a.example/a.mp4",
            },
        )
    )
    text = harness.texts()
    for name in ("Open song in browser", "Open film in browser", "Play the video in a new tab"):
        press(harness.preview, name)
    assert harness.opened == [f"{https}a.mp3", f"{https}a.mp4", "http://a.example/a.mp4"]
    assert "A field of this type is never shown to participants." in text


def test_answer_errors_are_those_of_the_participant_page(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(BETTER, WHY))
    harness.press("Finish")
    assert {"Please choose an option.", "Please answer this question."} <= set(harness.texts())
    tile = harness.sheet.findChildren(RadioTile)[1]
    tile.click()
    area = harness.sheet.findChild(TextArea)
    assert area is not None
    area.setPlainText("Because")
    harness.press("Finish")
    assert harness.preview.state.is_accepted
    assert "These answers would be accepted. A preview does not store them." in harness.texts()


def test_errors_are_listed_with_links_to_their_questions(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(BETTER, {**WHY, "description": "Why is that so? " * 12}))
    harness.preview.activateWindow()
    qtbot.waitUntil(harness.preview.isActiveWindow)
    harness.preview.width_choice.choose("narrow")
    harness.press("Finish")
    assert "2 answers need another look" in harness.texts()
    first, second = harness.sheet.findChildren(ErrorLink)
    assert first.text() == "Which is better? Please choose an option."
    qtbot.waitUntil(first.hasFocus)
    assert unnamed_controls(harness.preview) == []
    qtbot.waitUntil(lambda: harness.sheet.width() <= 400 and second.height() > 2 * first.height())
    QTest.keyClick(second, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is harness.sheet.findChild(TextArea))


def test_a_corrected_answer_is_validated_again_immediately(qtbot: QtBot) -> None:
    rule: dict[str, Json] = {"type": "string", "min": 3, "max": 5}
    harness = PreviewHarness(qtbot, page({**WHY, "validation": rule}))
    assert "0 of 5 characters" in harness.texts()
    area = harness.sheet.findChild(TextArea)
    assert area is not None
    area.setPlainText("ab")
    assert not any("at least 3" in words for words in harness.texts())
    harness.press("Finish")
    assert any("at least 3 characters; there are 2" in words for words in harness.texts())
    area.setPlainText("abcdef")
    assert any("at most 5 characters; there are 6" in words for words in harness.texts())
    assert "6 of 5 characters" in harness.texts()
    area.setPlainText("abc")
    question = harness.sheet.questions[0]
    assert not any("characters;" in text.text() for text in question.findChildren(Label) if text.isVisible())
    harness.press("Finish")
    assert harness.preview.state.is_accepted


def test_the_number_of_selected_options_is_shown(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page({**BETTER, "answer_limit": 2}))
    for tile in harness.sheet.findChildren(CheckTile):
        tile.click()
    assert "3 of 2 chosen" in harness.texts()
    harness.press("Finish")
    assert "Please choose at most 2 options." in harness.texts()


def test_answers_are_kept_when_going_forward_and_back(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(BETTER), page(WHY))
    harness.sheet.findChildren(RadioTile)[2].click()
    harness.press("Next page")
    assert "Page 2 of 2" in harness.texts()
    harness.press("Back")
    assert [tile.isChecked() for tile in harness.sheet.findChildren(RadioTile)] == [False, False, True]


def test_an_exclusive_option_excludes_all_others(qtbot: QtBot) -> None:
    options: list[Json] = [{"label": label, "value": label} for label in "ab"]
    alone: dict[str, Json] = {"label": "None", "value": "none", "exclusive": True}
    harness = PreviewHarness(qtbot, page({**BETTER, "answer_limit": -1, "options": [*options, alone]}))
    first, second, none = harness.sheet.findChildren(CheckTile)
    first.click()
    second.click()
    none.click()
    assert [tile.isChecked() for tile in (first, second, none)] == [False, False, True]
    assert harness.preview.state.fields == {"i0": ["2"]}
    first.click()
    assert not none.isChecked()


def test_a_selected_option_requires_its_explanation(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(INVALID_VALUES))
    explanations = harness.sheet.findChildren(Explanation)
    assert not any(widget.isVisible() for widget in explanations)
    harness.sheet.findChildren(CheckTile)[0].click()
    assert explanations[0].isVisible()
    harness.press("Finish")
    assert "Please explain your choice of “Facts”." in harness.texts()


def test_many_options_are_a_menu(qtbot: QtBot) -> None:
    options = [{"label": label, "value": label} for label in "abcde"]
    harness = PreviewHarness(qtbot, page({**BETTER, "options": options}))
    menu = harness.sheet.findChild(FormComboBox)
    assert menu is not None
    menu.setCurrentIndex(3)
    menu.activated.emit(3)
    assert harness.preview.state.fields == {"i0": ["2"]}


def test_a_value_with_its_unit_is_one_answer(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page({**DURATION, "default_unit": "h"}))
    line, menu = harness.sheet.findChild(QLineEdit), harness.sheet.findChild(FormComboBox)
    assert line is not None
    assert menu is not None
    QTest.keyClicks(line, "3")
    assert menu.currentText() == "hours"
    harness.press("Finish")
    assert harness.preview.state.is_accepted


def test_files_are_validated_by_name_and_size(qtbot: QtBot, tmp_path: Path) -> None:
    harness = PreviewHarness(qtbot, page(UPLOAD))
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "sky.png").write_bytes(b"x" * 3000)
    control = harness.sheet.findChild(FilesControl)
    assert control is not None
    control._on_files_chosen([tmp_path / "notes.txt"])
    harness.press("Finish")
    assert any("is not of an accepted type" in words for words in harness.texts())
    control = harness.sheet.findChildren(FilesControl)[-1]
    control._on_files_chosen([tmp_path / "sky.png"])
    harness.press("Finish")
    assert harness.preview.state.is_accepted


def test_the_file_dialog_offers_all_files_in_addition_to_the_accepted_ones(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(UPLOAD))
    harness.press("Choose files")
    (dialog,) = harness.preview.findChildren(QFileDialog)
    offered = [kind.partition(" (")[0] for kind in dialog.nameFilters()]
    dialog.reject()
    assert offered == ["Accepted files", "All files"]


def test_the_preview_shows_an_edit_of_the_layout_immediately(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(WHY))
    key = next(item.key for _path, item in harness.study.layout.walk())
    harness.study.apply(SetAttributes(key, {"description": "What for?"}))
    assert "What for?" in harness.texts()


def test_the_text_of_a_record_is_shown_verbatim(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(FIELD))
    harness.records.set_records(({"prompt": "if a < b & c:\n    print('<b>no</b>')"},))
    assert "if a < b & c:\n    print('<b>no</b>')" in harness.texts()


def test_the_focus_moves_to_the_next_page(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(BETTER), page(WHY))
    harness.preview.activateWindow()
    qtbot.waitUntil(harness.preview.isActiveWindow)
    tile = harness.sheet.findChildren(RadioTile)[0]
    tile.setFocus()
    tile.click()
    harness.preview.state.go_forward()
    area = harness.sheet.findChild(TextArea)
    assert area is not None
    qtbot.waitUntil(area.hasFocus)


def test_the_longest_records_come_first_on_request(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(FIELD, {"type": "dataset_field", "field": "photo"}), page(WHY))
    full = {"photo": "https://a.example/a.png"}
    harness.records.set_records(
        (
            {**full, "prompt": "a"},
            {**full, "prompt": "a" * 1500},
            {"prompt": ""},
            {**full, "prompt": "aa" * 20},
        )
    )
    steps = harness.preview.navigator
    steps.hardest.click()
    emitted = []
    for _record in range(4):
        emitted.append(harness.records.index)
        steps.next.click()
    assert emitted == [2, 1, 3, 0]
    assert steps.number.value() == 4
    steps.number.setValue(1)
    assert "Missing: prompt, photo" in harness.texts()
    assert any("filled with record 3 of" in words for words in harness.texts())
    steps.next.click()
    assert "prompt: 1,500 characters" in harness.texts()
    harness.preview.show_page(harness.study.layout.pages[1].key)
    assert "This page shows no field." in harness.texts()
    steps.hardest.click()
    assert harness.preview.state.record_position == harness.records.index


def test_pages_come_in_the_order_of_a_participant(qtbot: QtBot) -> None:
    outro, intro = {**page(RICH), "display_position": "outro"}, {**page(IMAGE), "display_position": "intro"}
    harness = PreviewHarness(qtbot, outro, page(FIELD), intro)
    harness.preview.show_page(harness.study.layout.pages[2].key)
    assert "Introduction, shown once, before all records. Answers are not saved." in harness.texts()
    assert not harness.preview.navigator.next.isEnabled()
    assert harness.preview.state.request().record is None
    harness.press("Next page")
    assert "Why is the sky blue?" in harness.texts()
    assert harness.preview.navigator.next.isEnabled()
    harness.press("Next page")
    assert "Closing, shown once, after all records. Answers are not saved." in harness.texts()
    harness.press("Finish")
    assert harness.preview.state.is_accepted
    harness.press("Back")
    assert "Why is the sky blue?" in harness.texts()


def test_the_preview_of_a_study_without_pages_says_so(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(WHY))
    harness.study.apply(Remove((harness.study.layout.pages[0].key,)))
    assert "This page is empty" in harness.texts()
    harness.press("Finish")


def test_a_narrow_window_hides_explanatory_labels(qtbot: QtBot, theme: Theme) -> None:
    theme.set_text_size(150)
    harness = PreviewHarness(qtbot, page(FIELD))
    harness.preview.resize(940, 700)
    qtbot.waitUntil(lambda: harness.preview.width() == 940)
    assert harness.preview.minimumSizeHint().width() <= 940
    assert "Record" not in harness.texts()
    harness.preview.resize(1500, 700)
    qtbot.waitUntil(lambda: "Record" in harness.texts())


def test_the_narrow_preview_has_the_width_of_a_phone(qtbot: QtBot) -> None:
    two: Json = {"rows": [{"columns": [{"items": [FIELD]}, {"items": [WHY]}]}]}
    harness = PreviewHarness(qtbot, two)
    qtbot.waitUntil(lambda: harness.sheet.width() > 900)
    harness.preview.width_choice.choose("narrow")
    qtbot.waitUntil(lambda: 0 < harness.sheet.width() <= 400)


def test_an_empty_page_shows_a_placeholder(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, {"rows": []})
    assert "This page is empty" in harness.texts()


def test_escape_returns_to_the_layout(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(WHY))
    with qtbot.waitSignal(harness.preview.closed):
        QTest.keyClick(harness.preview, Qt.Key.Key_Escape)


class _RecordedNotices:
    """Records notices."""

    def __init__(self) -> None:
        self.notices: list[Any] = []

    def show_notice(self, notice: object) -> None:
        self.notices.append(notice)


def _stage_context(tasks: Tasks, notices: _RecordedNotices) -> StageContext:
    return cast("StageContext", SimpleNamespace(tasks=tasks, notices=notices))


async def test_the_same_page_is_opened_in_the_browser(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    harness = PreviewHarness(qtbot, page(WHY), page(FIELD))
    harness.preview.show_page(harness.study.layout.pages[1].key)
    requests: list[Any] = []
    opened: list[str] = []
    monkeypatch.setattr(panel, "open_url", lambda _notices, address: opened.append(address))

    async def preview(request: object) -> object:
        requests.append(request)
        return SimpleNamespace(url="http://127.0.0.1:1/participate/preview/1")

    async def context() -> object:
        return SimpleNamespace(service=SimpleNamespace(local=SimpleNamespace(preview=preview)))

    session = cast("ConnectionSession", SimpleNamespace(is_live=False, context=context))
    tasks = Tasks(lambda error: pytest.fail(str(error)))

    harness.preview.browser_requested.connect(
        lambda request: open_in_browser(_stage_context(tasks, _RecordedNotices()), session, request)
    )
    harness.preview.header.primary.click()
    while tasks.running:  # noqa: ASYNC110 - Qt state sets no event
        await asyncio.sleep(0.005)
    assert opened == ["http://127.0.0.1:1/participate/preview/1"]
    assert requests[0].page == 1
    assert requests[0].record == {"prompt": "Why is the sky blue?"}
    assert requests[0].schema_["fields"]["prompt"] == {"type": "text", "label": "Prompt"}


def test_no_preview_is_requested_from_a_hosted_service(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(WHY))
    messages = _RecordedNotices()
    session = cast("ConnectionSession", SimpleNamespace(is_live=True))
    open_in_browser(
        _stage_context(Tasks(lambda error: pytest.fail(str(error))), messages),
        session,
        harness.preview.state.request(),
    )
    assert "This computer" in messages.notices[0].text


def test_a_wide_table_is_not_rendered_beyond_what_is_shown(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[int] = []
    render = rich_text.render

    def count(content: str, content_format: str) -> str:
        rendered.append(len(content))
        return render(content, content_format)

    monkeypatch.setattr(rich_text, "render", count)
    table = "\n".join(["|" + "a|" * 300, "|" + "-|" * 300, *["|" + "b|" * 300] * 100])
    harness = PreviewHarness(
        qtbot, page({"type": "rich_text", "content": table, "content_format": "markdown"})
    )
    assert any("The window shows only the beginning of this text." in entry for entry in harness.texts())
    assert max(rendered) <= 10_000


def test_a_study_is_shown_in_each_of_its_languages(qtbot: QtBot) -> None:
    harness = PreviewHarness(qtbot, page(WHY))
    choice = harness.preview.language_choice
    assert not choice.isVisible()
    study = harness.study
    study.set_details(TaskDetails(task_name="Sky", task_introduction="", task_steps=""), language="en")
    title, question = (text.address for text in study.project.participant_texts.texts()[:2])
    german = {title: Translation("Himmel", "Sky"), question: Translation("Warum?", "Why?")}
    study.set_translations({"de": german}, "Translate")
    assert choice.isVisible()
    choice.setCurrentIndex(choice.findData("de"))
    choice.activated.emit(choice.currentIndex())
    assert {"Himmel", "Warum?"} <= set(harness.texts())
    request = harness.preview.state.request()
    assert request.language == "de"
    assert "Warum?" in str(request.batch_items)
    study.undo()
    assert "Warum?" not in harness.texts()
    assert harness.preview.state.request().language == "en"
    study.set_details(study.details, language="ar")
    page_widget = harness.preview.page
    assert page_widget.layoutDirection() is Qt.LayoutDirection.RightToLeft
    right = Qt.AlignmentFlag.AlignRight
    assert all(
        label.alignment() & right for label in page_widget.findChildren(Label) if label.text() == "Why?"
    )
    arabic, key = "GPT-4 أم Claude؟", next(item.key for _path, item in study.layout.walk())
    study.apply(SetAttributes(key, {"description": arabic}))
    (label,) = [label for label in harness.sheet.findChildren(Label) if label.text() == arabic]
    assert is_right_to_left(QLabel.text(label)), "a mark that is not part of it is before it"
