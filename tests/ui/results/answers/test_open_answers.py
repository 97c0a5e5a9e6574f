"""Answers from a file in Results: opened, dropped, with a layout that is asked for, and left again."""

import csv
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QLabel

from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.questions import QuestionKind
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.activity import ActivityStatus
from batchwright.ui.results.actions import can_download_answers, can_save_results
from batchwright.ui.results.answers import answers_from_file as opening
from batchwright.ui.results.answers.answers_from_file import LayoutDialog, ProposalDialog
from batchwright.ui.results.save.save_dialog import SaveDialog
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.results.statistics.participants_page import ParticipantsPage
from batchwright.ui.results.statistics.section_titles import Section
from batchwright.ui.study import downloads
from batchwright.workflows.answers.open_answers import OpenedAnswers
from batchwright.workflows.answers.open_answers import open_answers as read_answers
from tests.analysis.answers import layout, ratings, record
from tests.ui.conftest import until
from tests.ui.results.conftest import has_text, settled, texts
from tests.ui.window_fixtures import FakeFileDialogs, press

pytestmark = pytest.mark.gui


RECORDS = ratings([["a", "b"], ["b", "b"], ["a", None]], "better")


@pytest.fixture
def participants() -> int:
    return 0


def export(
    folder: Path, name: str = "cats.zip", answers: int = 5, records: Sequence[Mapping[str, Any]] = RECORDS
) -> Path:
    """Write an archive with answers and their layout."""
    path = folder / name
    lines = [f"{json.dumps(record)}\n" for record in records[:answers]]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("responses.jsonl", "".join(lines))
        archive.writestr("batch.json", json.dumps({"batch_items": layout()}))
    return path


def titles(stage: ResultsStage) -> list[str]:
    return [question.title for question in stage.state.answers.overview.questions]


def open_answers(stage: ResultsStage) -> None:
    stage.context.window.actions.run(ActionId.RESULTS_OPEN)


def drop(stage: ResultsStage, path: Path) -> bool:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    stage.dropEvent(event)
    return event.isAccepted()


async def test_a_table_of_answers_is_shown_with_the_questions_that_it_names(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    files.path = tmp_path / "answers-long.csv"
    files.path.write_text(
        "answer,participant,task,question,question_text,kind,option,value,excluded\n"
        "1,ann,1,q,Which is better?,choice,A is better,a,\n"
        "2,ben,1,q,Which is better?,choice,B is better,b,Too fast\n",
        encoding="utf-8",
    )
    press(stage, "Open answers from a file…")
    await until(lambda: stage.state.answers.has_answers, 30)
    await settled(stage.context.window.tasks)
    assert titles(stage) == ["Which is better?"]
    rows = stage.state.grid.rows
    assert rows is not None
    found = {row.text: row.exclusion for row in rows.rows(0, 2)}
    assert found == {"A is better": "", "B is better": "Too fast"}
    assert stage.header.subtitle.text() == "2 answers in this file.", "no time is known"


@pytest.mark.parametrize(
    ("button", "kind"), [("Use as options", QuestionKind.CHOICE), ("Use as texts", QuestionKind.TEXT)]
)
async def test_values_that_repeat_become_options_after_a_question(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path, button: str, kind: QuestionKind
) -> None:
    window = stage.context.window.window
    files.path = tmp_path / "answers.csv"
    lines = [f"p{number},t{number},better,{'ab'[number % 2]}" for number in range(10)]
    files.path.write_text("\n".join(["participant,task,question,value", *lines]), encoding="utf-8")
    press(stage, "Open answers from a file…")
    await until(lambda: any(dialog.isVisible() for dialog in window.findChildren(ProposalDialog)), 30)
    (dialog,) = window.findChildren(ProposalDialog)
    assert any("“better” (one of a, b)" in label.text() for label in dialog.findChildren(QLabel))
    press(dialog, button)
    await until(lambda: stage.state.answers.has_answers, 30)
    await settled(stage.context.window.tasks)
    assert [question.kind for question in stage.state.answers.overview.questions] == [kind]
    assert stage.state.answers.overview.summary.answers == 10


async def test_values_that_statistics_leave_out_are_named_until_another_file_is_opened(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    window = stage.context.window
    for value, titles in (("7,5", ["Some values cannot be used"]), ("7.5", [])):
        files.path = tmp_path / f"{value}.csv"
        files.path.write_text(
            f'participant,task,question,kind,value\np1,t1,q,number,"{value}"\np2,t1,q,number,8\n',
            encoding="utf-8",
        )
        open_answers(stage)
        await until(
            lambda: stage.state.source.file is not None and stage.state.source.file.path == files.path
        )
        await settled(window.tasks)
        assert [card.notice.title for card in window.notices.cards] == titles


async def test_empty_participants_and_values_can_be_filtered_by(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    records = [
        record("", "t1", "better", "a", metadata={"topic": ""}),
        record("ann", "t1", "better", "b"),
        record("ann", "t2", "better", "a", metadata={"topic": "law"}),
    ]
    files.path = export(tmp_path, records=records)
    open_answers(stage)
    await until(lambda: stage.state.answers.has_answers, 30)
    filters = stage.answers.filters
    assert filters.participant.currentText() == "All participants"
    filters.participant.setCurrentIndex(filters.participant.findText("(empty)"))
    await until(lambda: texts(stage, "Participant") == ["–"])
    filters.participant.setCurrentIndex(0)
    await until(lambda: len(texts(stage, "Participant")) == 3)
    filters.field.setCurrentIndex(filters.field.findText("topic"))
    await until(lambda: filters.value.count() == 3)
    assert filters.value.currentText() == "All values"
    filters.value.setCurrentIndex(filters.value.findText("(empty)"))
    await until(lambda: sorted(texts(stage, "Participant")) == ["ann", "–"])
    assert filters.value.currentText() == "(empty)"


async def test_copied_answers_that_start_with_a_quotation_mark_stay_in_their_rows(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    given = ['"Yes", she said', '"', "no"]
    records = [record(f"p{number}", "t1", "reason", text) for number, text in enumerate(given)]
    files.path = export(tmp_path, records=records)
    open_answers(stage)
    await until(lambda: stage.state.answers.has_answers, 30)
    await settled(stage.context.window.tasks)
    stage.answers.table.selectAll()
    stage.answers.copy(with_headings=True)
    await settled(stage.context.window.tasks)
    heading, *rows = csv.reader(QGuiApplication.clipboard().text().splitlines(), delimiter="\t")
    assert sorted(row[heading.index("Answer")] for row in rows) == sorted(given)


async def test_of_repeated_answers_the_last_one_counts_and_the_others_are_listed(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    files.path = tmp_path / "answers.csv"
    files.path.write_text(
        "participant,task,question,kind,value\np1,t1,q,choice,a\np2,t1,q,choice,a\np1,t1,q,choice,b\n",
        encoding="utf-8",
    )
    press(stage, "Open answers from a file…")
    await until(lambda: stage.state.answers.has_answers, 30)

    def exclusions() -> list[str]:
        rows = stage.state.grid.rows
        return [] if rows is None else [row.exclusion for row in rows.rows(0, rows.count)]

    await until(lambda: sorted(exclusions()) == ["", "", "Answered again later"], 30)
    await settled(stage.context.window.tasks)  # the rows are not replaced any more
    stage.answers.table.selectRow(exclusions().index("Answered again later"))
    await until(lambda: stage.answers.detail.include_button.isVisible())
    stage.answers.detail.include_button.click()
    window = stage.context.window
    await until(lambda: any("answered again" in card.notice.title for card in window.notices.cards))
    stage.show_section(Section.PARTICIPANTS)
    await settled(window.tasks)
    page = stage.sections.page(Section.PARTICIPANTS)
    assert isinstance(page, ParticipantsPage)
    table = page.exclusions.table.rows
    await until(lambda: table.row_count() > 0)
    assert [table.cell(0, column).text for column in range(4)] == [
        *("Answer", "row 1", "Answered again later", "1"),
    ]
    page.exclusions.table.selectRow(0)
    assert not page.exclusions.include_button.isEnabled()


async def test_nothing_is_opened_if_the_question_about_options_is_cancelled(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    window = stage.context.window.window
    files.path = tmp_path / "answers.csv"
    files.path.write_text("participant,task,question,value\np,1,q,a\np,2,q,a\n", encoding="utf-8")
    press(stage, "Open answers from a file…")
    await until(lambda: any(dialog.isVisible() for dialog in window.findChildren(ProposalDialog)), 30)
    press(window.findChildren(ProposalDialog)[0], "Cancel")
    await settled(stage.context.window.tasks)
    assert stage.state.source.file is None


async def test_an_export_is_shown_without_a_batch_and_left_again(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    window = stage.context.window.window
    assert has_text(stage, "No answers yet")
    files.path = export(tmp_path)
    press(stage, "Open answers from a file…")
    await until(lambda: stage.state.answers.has_answers, 30)
    await settled(stage.context.window.tasks)
    assert stage.header.title.text() == "cats.zip"
    assert stage.state.answers.overview.summary.answers == 5
    assert titles(stage)[0] == "Which answer is better?"
    assert stage.state.grid.new_answers == 0
    assert not can_download_answers(stage.context)
    assert not has_text(stage, "Refresh")
    press(stage, "Save results…")
    await until(lambda: bool(window.findChildren(SaveDialog)), 30)
    (dialog,) = window.findChildren(SaveDialog)
    assert Path(dialog.options.folder).name == "cats results"
    press(dialog, "Cancel")
    await settled(stage.context.window.tasks)
    press(stage, "Close the file")
    await settled(stage.context.window.tasks)
    assert stage.header.title.text() == "Results"
    assert not stage.state.answers.has_answers


@pytest.mark.parametrize("participants", [1])
async def test_a_file_replaces_the_answers_of_the_study_until_the_way_back(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    tasks, own = stage.context.window.tasks, stage.state.answers.overview.summary.answers
    files.path = export(tmp_path)
    open_answers(stage)
    await until(lambda: stage.state.answers.overview.summary.answers == 5, 30)
    await settled(tasks)
    press(stage, "Back to the study")
    await until(lambda: stage.state.answers.overview.summary.answers == own, 30)
    await settled(tasks)
    assert stage.state.source.file is None


@pytest.mark.parametrize("participants", [1])
async def test_an_uploaded_file_is_saved_from_an_export_and_can_be_opened(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(downloads, "open_file", lambda _notices, path: opened.append(path))
    window = stage.context.window
    files.path = tmp_path / "export.zip"
    window.actions.run(ActionId.RESULTS_EXPORT)
    await settled(window.tasks)
    open_answers(stage)
    await until(lambda: stage.state.source.file is not None and stage.state.answers.has_answers, 30)
    await settled(window.tasks)
    stage.answers.table.selectRow(texts(stage, "Question").index("Proof"))
    await until(lambda: stage.state.grid.selected is not None)
    files.path = tmp_path / "saved.txt"
    press(stage.answers.detail, "Save “file-1.txt”…")
    await settled(window.tasks)
    (card,) = [card for card in window.notices.cards if card.notice.title == "File saved"]
    press(card, "Open")
    assert opened == [tmp_path / "saved.txt"]
    assert (tmp_path / "saved.txt").stat().st_size


@pytest.fixture
def second_page(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Every answer is a page, and the second one is stored when the event is set."""
    is_allowed, append_lines = Event(), AnswerStore.append_lines

    def append(store: AnswerStore, lines: Iterable[str], on_page: Callable[[], object]) -> int:
        count = 0
        for line in lines:
            if len(store):
                assert is_allowed.wait(30)
            count += append_lines(store, [line], on_page)
        return count

    monkeypatch.setattr(AnswerStore, "append_lines", append)
    return is_allowed


async def test_the_first_answers_are_shown_while_the_others_are_read(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path, second_page: Event
) -> None:
    files.path = export(tmp_path)
    open_answers(stage)
    await until(lambda: stage.state.grid.rows is not None and stage.state.grid.rows.count == 1, 30)
    assert titles(stage)[0] == "Which answer is better?"
    assert not can_save_results(stage.context)
    second_page.set()
    await until(lambda: stage.state.grid.rows is not None and stage.state.grid.rows.count == 5, 30)
    await settled(stage.context.window.tasks)
    assert can_save_results(stage.context)
    assert stage.state.grid.new_answers == 0


async def test_a_file_can_be_closed_while_it_is_read(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path, second_page: Event
) -> None:
    files.path = export(tmp_path)
    open_answers(stage)
    await until(lambda: stage.state.answers.has_answers, 30)
    press(stage, "Close the file")
    await settled(stage.context.window.tasks)
    assert not stage.state.answers.has_answers
    second_page.set()


async def test_a_table_without_rows_is_reported(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    failed: list[str] = []
    tasks = stage.context.window.tasks
    tasks.failed.connect(lambda _name, message, _error: failed.append(message.what))
    files.path = tmp_path / "answers.csv"
    files.path.write_text("participant,task,question,value\n", encoding="utf-8")
    open_answers(stage)
    await until(lambda: bool(failed), 30)
    await settled(tasks)
    assert failed == ["The file contains no answers."]
    assert not stage.state.answers.has_answers


async def test_a_damaged_file_is_closed_and_reported(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path, second_page: Event
) -> None:
    failed: list[str] = []
    tasks = stage.context.window.tasks
    tasks.failed.connect(lambda _name, message, _error: failed.append(message.what))
    files.path = tmp_path / "cats.jsonl"
    files.path.write_text("".join(f"{json.dumps(record)}\n" for record in RECORDS) + "{")
    open_answers(stage)
    await until(lambda: any(dialog.isVisible() for dialog in stage.window().findChildren(LayoutDialog)), 30)
    press(stage.context.window.window, "Continue without")
    await until(lambda: stage.state.answers.has_answers, 30)
    second_page.set()
    await until(lambda: bool(failed), 30)
    await settled(tasks)
    assert stage.state.source.file is None
    assert not stage.state.answers.has_answers


async def test_the_layout_is_asked_for_if_nothing_has_it(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    answers, pages = tmp_path / "answers.json", tmp_path / "layout.json"
    answers.write_text(json.dumps(RECORDS), encoding="utf-8")
    pages.write_text(json.dumps(layout()), encoding="utf-8")
    window, tasks = stage.context.window.window, stage.context.window.tasks
    files.path = answers
    open_answers(stage)
    await until(lambda: bool(window.findChildren(LayoutDialog)), 30)
    press(window, "Continue without")
    await until(lambda: stage.state.answers.has_answers, 30)
    assert titles(stage) == ["better"]
    await settled(tasks)
    open_answers(stage)
    await until(lambda: any(dialog.isVisible() for dialog in window.findChildren(LayoutDialog)), 30)
    files.path = pages
    press(window, "Choose a file…")
    await until(lambda: titles(stage)[:1] == ["Which answer is better?"], 30)
    await settled(tasks)


async def test_a_dropped_file_is_opened_and_one_without_answers_is_reported(
    stage: ResultsStage, tmp_path: Path
) -> None:
    tasks = stage.context.window.tasks
    failed: list[str] = []
    tasks.failed.connect(lambda _name, message, _error: failed.append(message.what))
    assert not drop(stage, tmp_path / "cats.csv")
    empty = tmp_path / "empty.json"
    empty.write_text("[]")
    assert drop(stage, empty)
    await until(lambda: bool(failed), 30)
    assert "contains no answers" in failed[0]
    assert drop(stage, export(tmp_path))
    await until(lambda: stage.state.answers.has_answers, 30)
    await settled(tasks)


async def test_a_file_that_is_dropped_while_another_is_read_replaces_it(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path, second_page: Event
) -> None:
    shell = stage.context.window.shell
    files.path = export(tmp_path)
    open_answers(stage)
    await until(lambda: stage.state.answers.has_answers, 30)
    first = stage.state.source.file
    assert first is not None
    assert not first.reading.done()
    assert drop(stage, export(tmp_path, "dogs.zip", 3))
    await until(lambda: stage.header.title.text() == "dogs.zip", 30)
    await until(lambda: shell.activity == ActivityStatus("Reading dogs.zip", None), 30)
    assert first.reading.cancelled()
    second_page.set()
    await until(lambda: stage.state.answers.is_complete, 30)
    await settled(stage.context.window.tasks)
    assert stage.state.answers.overview.summary.answers == 3
    assert shell.activity is None


async def test_of_two_files_dropped_one_after_the_other_the_second_is_shown(
    stage: ResultsStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_allowed = Event()

    def wait_for_cats(path: Path, *more: Any) -> OpenedAnswers:
        if path.name == "cats.zip":
            assert is_allowed.wait(30)
        return read_answers(path, *more)

    monkeypatch.setattr(opening, "open_answers", wait_for_cats)
    assert drop(stage, export(tmp_path))
    await until(lambda: stage.context.window.shell.activity is not None, 30)
    assert drop(stage, export(tmp_path, "dogs.zip", 3))
    await until(lambda: stage.state.answers.is_complete, 30)
    is_allowed.set()
    await settled(stage.context.window.tasks)
    assert stage.header.title.text() == "dogs.zip"
    assert stage.state.answers.overview.summary.answers == 3
    assert stage.context.window.shell.activity is None


async def test_a_file_is_read_on_if_another_one_has_no_answers(
    stage: ResultsStage, tmp_path: Path, second_page: Event
) -> None:
    failed: list[str] = []
    tasks = stage.context.window.tasks
    tasks.failed.connect(lambda _name, message, _error: failed.append(message.what))
    assert drop(stage, export(tmp_path))
    await until(lambda: stage.state.answers.has_answers, 30)
    empty = tmp_path / "empty.json"
    empty.write_text("[]")
    assert drop(stage, empty)
    await until(lambda: bool(failed), 30)
    second_page.set()
    await settled(tasks)
    assert stage.state.answers.is_complete
    assert stage.state.answers.overview.summary.answers == 5


async def test_exclusions_belong_to_the_content_of_a_file_that_is_written_again(
    stage: ResultsStage, files: FakeFileDialogs, tmp_path: Path
) -> None:
    """Without ids, answers are numbered; with them, the file may state other exclusions."""
    files.path = tmp_path / "answers.csv"

    async def excluded(text: str) -> dict[str, str]:
        """Show a table, and return the participants and reasons of the excluded answers."""
        (tmp_path / "answers.csv").write_text(text, encoding="utf-8")
        before = stage.state.source.file
        open_answers(stage)
        await until(lambda: stage.state.source.file is not before and stage.state.answers.is_complete)
        await settled(stage.context.window.tasks)
        rows = stage.state.grid.rows
        assert rows is not None
        shown = rows.rows(0, rows.count)
        return {row.participant: row.exclusion for row in shown if row.exclusion}

    columns = "participant,task,question,question_text,kind,option,value"
    ann, ben, zoe = (f"{name},1,q,Which?,choice,A,a\n" for name in ("ann", "ben", "zoe"))
    assert await excluded(f"{columns}\n{ann}{ben}") == {}
    rows = stage.state.grid.rows
    assert rows is not None
    (answer,) = (row.id for row in rows.rows(0, 2) if row.participant == "ben")
    stage.analysis.exclude_answers({answer: "A mistake"})
    await settled(stage.context.window.tasks)
    assert await excluded(f"{columns}\n{zoe}{ann}{ben}") == {}
    assert await excluded(f"{columns}\n{ann}{ben}") == {"ben": "A mistake"}
    saved = f"answer,excluded,{columns}\n1,,{ann}2,Too fast,{ben}"
    assert await excluded(saved) == {"ben": "Too fast"}
