"""The dialog about the languages of a study: texts are translated in a table, and each change is undone."""

import threading
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHeaderView

from batchwright.base.json_values import Json
from batchwright.data_files.translation_files.csv_file import csv_content
from batchwright.layout.editing.edits import SetAttributes
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.translations import (
    ParticipantText,
    TranslatedTexts,
    Translation,
    TranslationCounts,
    count_translations,
)
from batchwright.local.projects import Project
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.editor.inspector.form import NodeForm
from batchwright.ui.editor.inspector.options.model import OptionColumn, OptionModel
from batchwright.ui.editor.languages import state as languages_state
from batchwright.ui.editor.languages import translator_files
from batchwright.ui.editor.languages.dialog import LanguagesDialog
from batchwright.ui.editor.languages.state import LanguagesState
from batchwright.ui.editor.languages.table import FIRST_LANGUAGE
from batchwright.ui.study.details_dialog import DetailsDialog
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.study.study_model import Study
from batchwright.wire.batches import TaskDetails
from tests.ui.conftest import until
from tests.ui.window_fixtures import FakeFileDialogs

pytestmark = pytest.mark.gui

QUESTION: Json = {
    "type": "multiple_choice",
    "description": "Which?",
    "answer_limit": 1,
    "options": [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}],
}
PAGES: list[Json] = [{"rows": [{"columns": [{"items": [QUESTION]}]}]}]


@pytest.fixture
def study() -> Study:
    study = Study()
    details = TaskDetails(task_name="Cats", task_introduction="", task_steps="")
    study.open(Project("Study", read(PAGES, sequential_keys()), details=details, language="en"), None)
    return study


@pytest.fixture
def files() -> FakeFileDialogs:
    return FakeFileDialogs()


@pytest.fixture
async def dialog(study: Study, tasks: Tasks, files: FakeFileDialogs) -> AsyncIterator[LanguagesDialog]:
    dialog = LanguagesDialog(LanguagesState(study), tasks, files, SaveLocationMemory(study))
    yield dialog
    dialog.reject()
    dialog.deleteLater()


def column(dialog: LanguagesDialog, place: int) -> list[str]:
    return [str(dialog.model.index(row, place).data()) for row in range(dialog.model.row_count())]


def headings(dialog: LanguagesDialog) -> list[str]:
    return list(dialog.model.headings())


def add(dialog: LanguagesDialog, language: str) -> None:
    dialog.new_language.setCurrentIndex(dialog.new_language.findData(language))
    dialog.add_button.click()


async def test_a_study_is_translated_text_by_text_and_each_change_is_undone(
    dialog: LanguagesDialog, study: Study
) -> None:
    assert column(dialog, 1) == ["Cats", "Which?", "A", "B"]
    assert dialog.new_language.findData("en") == -1
    add(dialog, "de")
    assert headings(dialog)[FIRST_LANGUAGE] == "Deutsch (de): 4 missing"
    for text in ("Katzen", "Welche?", "Ja", "Ja"):
        QTest.keyClicks(dialog.area, text)
        dialog.next_button.click()
    assert headings(dialog)[FIRST_LANGUAGE] == "Deutsch (de): complete"
    assert not dialog.next_button.isEnabled()
    (texts,) = study.project.translations.values()
    assert [found.text for found in texts.values()] == ["Katzen", "Welche?", "Ja", "Ja"]
    await until(lambda: any("Ja" in str(problem) for problem in dialog.state.problems.get("de", ())))
    assert dialog.state.problem(3, "de") is not None
    for _step in range(4):
        study.undo()
    assert column(dialog, FIRST_LANGUAGE) == ["Missing"] * 4
    study.undo()
    assert len(headings(dialog)) == FIRST_LANGUAGE
    study.redo()
    dialog.remove_button.click()
    assert not study.project.translations


async def test_with_a_translation_the_texts_of_a_study_have_a_language_whatever_the_program_has(
    dialog: LanguagesDialog, study: Study
) -> None:
    study.set_details(study.details, language="")
    add(dialog, "de")
    project = study.project
    assert project.language == "en"
    details = DetailsDialog("Study", study.details, project.kind, project.language, project.translations)
    assert [details.language.findData(tag) for tag in ("", "de")] == [-1, -1]
    assert details.language.currentData() == "en"
    details.deleteLater()
    study.undo()
    assert study.project.language == ""


async def test_a_translation_of_a_changed_text_is_marked_until_it_is_confirmed(
    dialog: LanguagesDialog, study: Study
) -> None:
    add(dialog, "de")
    dialog.select(1, "de")
    QTest.keyClicks(dialog.area, "Welche?")
    question = study.project.participant_texts.texts()[1].address.key
    study.apply(SetAttributes(question, {"description": "Which one?"}))
    assert headings(dialog)[FIRST_LANGUAGE] == "Deutsch (de): 3 missing"
    assert "It was: Which?" in column(dialog, FIRST_LANGUAGE)[1]
    dialog.confirm_button.click()
    assert column(dialog, FIRST_LANGUAGE)[1] == "Welche?"
    QTest.keyClick(dialog.table, Qt.Key.Key_F2)
    dialog.area.clear()
    assert column(dialog, FIRST_LANGUAGE)[1] == "Missing"


async def test_a_language_without_a_catalogue_says_so_and_several_are_columns(
    dialog: LanguagesDialog, study: Study
) -> None:
    add(dialog, "sw")
    assert "will be in English" in dialog.notes.text()
    dialog.show()
    header = dialog.table.horizontalHeader()
    assert header.length() == dialog.table.viewport().width()
    assert header.sectionResizeMode(0) is QHeaderView.ResizeMode.Interactive
    add(dialog, "ar")
    assert study.project.translations.keys() == {"sw", "ar"}
    assert len(headings(dialog)) == FIRST_LANGUAGE + 2
    dialog.select(0, "ar")
    QTest.keyClicks(dialog.area, "x")
    assert column(dialog, FIRST_LANGUAGE + 1)[0] == "x"


async def test_texts_go_to_translators_and_come_back_as_one_step(
    dialog: LanguagesDialog, study: Study, files: FakeFileDialogs, tmp_path: Path
) -> None:
    add(dialog, "de")
    add(dialog, "fr")
    dialog.export_menu.aboutToShow.emit()
    as_csv, _german, as_xliff = dialog.export_menu.actions()
    files.path = tmp_path / "texts.csv"
    as_csv.trigger()
    await until(lambda: str(files.path) in dialog.outcome.text())
    assert files.proposed is not None
    assert files.proposed.name == "Study de fr.csv"
    content = files.path.read_text("utf-8-sig").replace("Which?,,", "Which?,Welche?,")
    files.path.write_text(f"{content}gone/label,,Gone,Weg,\n", "utf-8")
    dialog.import_button.click()
    await until(lambda: "1 text imported" in dialog.outcome.text())
    assert "line 6" in dialog.outcome.text()
    assert column(dialog, FIRST_LANGUAGE)[1] == "Welche?"
    files.path = tmp_path / "french.xlf"
    as_xliff.trigger()
    await until(lambda: str(files.path) in dialog.outcome.text())
    source = "<source>Cats</source>"
    assert files.proposed == tmp_path / "Study fr.xlf", "the folder of the last file is proposed"
    french = files.path.read_text("utf-8").replace(source, f"{source}<target>Chats</target>")
    files.path.write_text(french, "utf-8")
    dialog.import_button.click()
    await until(lambda: column(dialog, FIRST_LANGUAGE + 1)[0] == "Chats")
    files.path.write_text(french[:-20], "utf-8")
    dialog.import_button.click()
    await until(lambda: "Nothing was imported" in dialog.outcome.text())
    assert dialog.outcome.text().startswith("Line ")
    translated = f"{source}<target>Chats</target>"
    segments = f"<segment>{translated}</segment><segment><source>!</source></segment>"
    half = french.replace("trans-unit", "unit").replace(translated, segments)
    files.path.write_text(half, "utf-8")
    dialog.import_button.click()
    await until(lambda: "0 texts imported" in dialog.outcome.text())
    assert "The translation of line 5 is incomplete and was not imported." in dialog.outcome.text()
    study.undo()
    study.undo()
    assert column(dialog, FIRST_LANGUAGE)[1] == column(dialog, FIRST_LANGUAGE + 1)[0] == "Missing"


async def test_files_for_translators_are_written_beside_the_window(
    dialog: LanguagesDialog, files: FakeFileDialogs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []

    def content(*arguments: Any) -> bytes:
        threads.append(threading.current_thread())
        return csv_content(*arguments)

    monkeypatch.setattr(translator_files, "csv_content", content)
    files.path = tmp_path / "texts.csv"
    dialog.export_menu.aboutToShow.emit()
    dialog.export_menu.actions()[0].trigger()
    await until(lambda: str(files.path) in dialog.outcome.text())
    assert threading.main_thread() not in threads
    assert files.path.read_text("utf-8-sig").splitlines()[1].endswith(",Cats")


def test_a_change_in_one_language_counts_the_texts_of_no_other_again(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = LanguagesState(study)
    state.add_language("de")
    state.add_language("fr")
    counted = []

    def count(texts: Sequence[ParticipantText], translated: TranslatedTexts) -> TranslationCounts:
        counted.append(translated)
        return count_translations(texts, translated)

    monkeypatch.setattr(languages_state, "count_translations", count)
    assert state.counts("de") == state.counts("fr") == TranslationCounts(missing=4, outdated=0)
    counted.clear()
    for row in range(4):
        assert state.has_open("de")
        state.translate(row, "de", "x")
    assert not state.has_open("de")
    assert state.has_open("fr")
    assert all(counted), "only the texts in German, of which some are translated"
    state.add_language("es")
    assert (state.has_open("de"), state.counts("fr").missing) == (False, 4)
    assert len(counted) == 4


@pytest.mark.parametrize("is_typed", [True, False])
def test_a_scale_that_is_reversed_keeps_its_translations_and_undo_restores_them(
    study: Study, is_typed: bool
) -> None:
    layout, project = study.layout, study.project
    translated = {
        of.address: Translation(f"{of.text.text} (de)", of.text.text)
        for of in project.participant_texts.texts()
    }
    study.open(replace(project, translations={"de": translated}), None)
    ((_path, item),) = layout.walk()
    form = NodeForm(study, item.key)
    study.changed.connect(lambda: form.show_node(item.key))
    model = OptionModel(form, next(each for each in item.known_attributes if each.name == "options"))
    if is_typed:
        for row, value in ((0, "b"), (1, "a")):
            model.start_typing(row)
            model.set_value(row, OptionColumn.VALUE, value)
            model.end_typing()
    else:
        model.set_lines("A = b\nB = a")
    ((_path, german),) = study.project.in_language("de").layout.walk()
    assert german.attributes["options"] == [
        {"label": "A (de)", "value": "b"},
        {"label": "B (de)", "value": "a"},
    ]
    while study.undo_label:
        study.undo()
    assert (study.layout, study.project.translations) == (layout, {"de": translated})
