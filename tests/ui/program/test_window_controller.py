"""The window controller: new, open, save, close and recover a study."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.base.json_texts.yaml_values import parse_yaml
from batchwright.base.resources import resource
from batchwright.layout.collection_pages import to_collection_items
from batchwright.layout.editing.edits import Remove
from batchwright.layout.rules.problems import Severity
from batchwright.local.autosave import AutosaveStore
from batchwright.local.projects import Project, StudyKind
from batchwright.local.study_files.project_parser import read_project
from batchwright.local.study_files.study_file import StudyFile, read_study
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.formatting import day
from batchwright.ui.shell.rules_page import RulesPage
from batchwright.ui.study.file.recovery_dialog import RecoveryDialog
from batchwright.ui.study.file.study_dialogs import NewStudyDialog, UnsavedChangesDialog
from batchwright.ui.study.templates import TEMPLATES
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.notices import Notice
from batchwright.ui.widgets.rich_text_view import RichTextView
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui

RECORDS = resource("samples", "preference", "records.csv")


async def with_sample(at: OpenTestWindow) -> None:
    at.window.stage_context(at.tasks).actions.run(ActionId.TRY_SAMPLE)
    await at.settled()


def unsaved_changes_dialog_is_shown(at: OpenTestWindow) -> UnsavedChangesDialog:
    return next(iter(at.window.findChildren(UnsavedChangesDialog)))


async def test_the_sample_study_opens_with_schema_data_and_layout(at: OpenTestWindow) -> None:
    await with_sample(at)
    study = at.controller.study
    assert at.shell.stage == "layout"
    assert at.shell.document is not None
    assert not at.shell.document.is_saved
    assert study.schema is not None
    assert study.data is not None
    assert [problem for problem in study.problems if problem.rejection] == []
    assert [remark.text for remark in at.shell.status_messages] == ["Not saved yet", "No problems"]


async def test_a_study_is_saved_to_the_chosen_file_and_opened_again(
    tmp_path: Path, at: OpenTestWindow
) -> None:
    await with_sample(at)
    at.dialogs.path = path = tmp_path / "mine.batchwright"
    at.start(at.controller.files.save)
    await at.settled()
    assert at.dialogs.proposed is not None
    assert at.dialogs.proposed.name == "Sample study.batchwright"
    assert read_project(path.read_bytes()).name == "Sample study"
    at.start(at.controller.files.close)
    await at.settled()
    assert (at.shell.document, at.shell.stage) == (None, "home")
    at.controller.open_path(path)
    await at.settled()
    assert at.controller.study.is_saved
    assert [recent.path for recent in at.controller.files.recents] == [path]


async def test_saving_names_a_new_study_after_its_file(tmp_path: Path, at: OpenTestWindow) -> None:
    await at.create_study()
    at.dialogs.path = tmp_path / "Street signs.batchwright"
    at.start(at.controller.files.save)
    await at.settled()
    assert at.controller.study.project.name == "Street signs"
    assert at.controller.study.is_saved


async def test_opening_a_data_file_starts_a_study(at: OpenTestWindow) -> None:
    at.dialogs.path = RECORDS
    at.start(at.controller.files.choose_and_open_data)
    await at.settled()
    assert at.controller.study.data is not None
    assert at.controller.study.data.path == RECORDS
    assert at.shell.stage == "data"


async def test_an_invalid_study_file_is_reported(tmp_path: Path, at: OpenTestWindow) -> None:
    (tmp_path / "bad.json").write_text("[")
    at.controller.open_path(tmp_path / "bad.json")
    await at.settled()
    assert not at.controller.study.is_open
    assert len(at.failures) == 1


async def test_closing_an_unsaved_study_asks(at: OpenTestWindow) -> None:
    await with_sample(at)
    at.start(at.controller.files.close)
    await until(lambda: bool(at.window.findChildren(UnsavedChangesDialog)))
    press(at.window, "Cancel")
    await at.settled()
    assert at.controller.study.is_open
    at.start(at.controller.files.close)
    await until(
        lambda: any(
            unsaved_changes_dialog.isVisible()
            for unsaved_changes_dialog in at.window.findChildren(UnsavedChangesDialog)
        )
    )
    press(at.window, "Do not save")
    await at.settled()
    assert not at.controller.study.is_open


async def test_the_undo_action_names_the_edit(at: OpenTestWindow) -> None:
    await with_sample(at)
    actions = at.window.stage_context(at.tasks).actions
    assert not actions.qaction(ActionId.UNDO).isEnabled()
    pages = len(at.controller.study.layout.pages)
    at.controller.study.apply(Remove((at.controller.study.layout.pages[0].key,)))
    assert actions.qaction(ActionId.UNDO).text().startswith("Undo: ")
    actions.run(ActionId.UNDO)
    assert len(at.controller.study.layout.pages) == pages
    assert actions.qaction(ActionId.REDO).isEnabled()


async def test_the_layout_can_be_exported(tmp_path: Path) -> None:
    async with window_in(tmp_path) as at:
        await with_sample(at)
        at.dialogs.path = tmp_path / "layout.json"
        at.start(at.controller.files.export_layout)
        await at.settled()
    exported = json.loads((tmp_path / "layout.json").read_text())
    assert exported == json.loads(resource("samples", "preference", "layout.json").read_text())


@pytest.mark.parametrize("name", ["survey.json", "survey.yaml"])
async def test_a_collection_is_exported_as_json_or_yaml(tmp_path: Path, name: str) -> None:
    template = next(entry for entry in TEMPLATES if entry.folder[-1] == "survey")

    async with window_in(tmp_path) as at:
        at.controller.open_template(template)
        await at.settled()
        at.dialogs.path = tmp_path / name
        at.start(at.controller.files.export_layout)
        await at.settled()
        exported, _file = read_study(tmp_path / name)
        assert exported.kind is StudyKind.COLLECTION
        assert exported.details == at.controller.study.details
        assert to_collection_items(exported.layout, {}) == to_collection_items(at.controller.study.layout, {})


async def test_unsaved_changes_are_recovered_after_a_crash(tmp_path: Path) -> None:
    copies = AutosaveStore(tmp_path / "data")

    async with window_in(tmp_path) as at:
        await with_sample(at)
        await until(lambda: len(list(copies.copies())) == 1)
    async with window_in(tmp_path) as at:
        await at.controller.load(())
        await at.controller.start(is_first=True)
        press(at.window, "Open")
        await at.settled()
        assert at.controller.study.project.name == "Sample study"
        assert not at.controller.study.is_saved
        await until(lambda: len(list(copies.copies())) == 1)
        at.controller.study.close()
        assert await at.controller.may_close()
        assert list(copies.copies()) == []


def recovered(folder: Path, name: str, file: Path | None = None) -> None:
    """Store an autosave copy as a crash leaves it."""
    study_file = StudyFile(file) if file else None
    AutosaveStore(folder / "data").save(f"copy of {name}", Project(name), study_file)


def offers(at: OpenTestWindow) -> list[Notice]:
    return [card.notice for card in at.window.notices.cards]


async def test_one_notice_lists_every_autosave_copy_with_study_file_and_time(tmp_path: Path) -> None:
    recovered(tmp_path, "Cats", Path.home() / "cats.batchwright")
    recovered(tmp_path, "Dogs")

    async with window_in(tmp_path) as at:
        await at.controller.start(is_first=True)
        (offer,) = offers(at)
        assert (offer.title, offer.text) == ("2 studies were not saved when Batchwright closed", "Cats, Dogs")
        press(at.window, "Show…")
        await until(lambda: bool(at.window.findChildren(RecoveryDialog)))
        (dialog,) = at.window.findChildren(RecoveryDialog)
        texts = [label.text() for label in dialog.findChildren(QLabel)]
        today = day(datetime.now().astimezone(), with_year=False)
        cats, dogs = (texts[texts.index(name) + 1] for name in ("Cats", "Dogs"))
        assert cats.startswith(f"File: ~/cats.batchwright. Last change: {today}, ")
        assert dogs.startswith(f"It was never saved to a file. Last change: {today}, ")
        press(dialog, "Close")
        await at.settled()
        assert [notice.title for notice in offers(at)] == [offer.title]


async def use_from_list(at: OpenTestWindow, button: str) -> None:
    """Press a button in the list of autosave copies."""
    press(at.window, "Show…")
    await until(lambda: bool(at.window.findChildren(RecoveryDialog)))
    press(at.window.findChildren(RecoveryDialog)[-1], button)


async def test_a_recovered_study_replaces_an_unsaved_one_only_after_confirmation(tmp_path: Path) -> None:
    copies = AutosaveStore(tmp_path / "data")
    recovered(tmp_path, "Cats")
    recovered(tmp_path, "Dogs")

    async with window_in(tmp_path) as at:
        await at.controller.start(is_first=True)
        await use_from_list(at, "Open Cats")
        await at.settled()
        assert at.controller.study.project.name == "Cats"
        for answer in ("Cancel", "Save"):
            press(at.window, "Open")
            await until(
                lambda: any(dialog.isVisible() for dialog in at.window.findChildren(UnsavedChangesDialog))
            )
            assert {left.title for left in copies.copies()} == {"Cats", "Dogs"}
            at.dialogs.path = tmp_path / "cats.batchwright"
            press(at.window, answer)
            await at.settled()
            assert at.controller.study.project.name == ("Dogs" if answer == "Save" else "Cats")
        assert not offers(at)
        await until(lambda: [entry.title for entry in copies.copies()] == ["Dogs"])
    assert read_project((tmp_path / "cats.batchwright").read_bytes()).name == "Cats"


async def test_all_autosave_copies_are_discarded_at_once_after_confirmation(tmp_path: Path) -> None:
    copies = AutosaveStore(tmp_path / "data")
    for name in ("Cats", "Dogs", "Mice"):
        recovered(tmp_path, name)

    async with window_in(tmp_path) as at:
        await at.controller.start(is_first=True)
        for answer, left in (("Cancel", 3), ("Discard all", 0)):
            press(at.window, "Discard all…")
            await until(lambda: any(dialog.isVisible() for dialog in at.window.findChildren(Dialog)))
            press(at.window, answer)
            await at.settled()
            await until(lambda: not at.window.findChildren(Dialog))
            assert len(list(copies.copies())) == left
        assert not offers(at)


async def test_an_autosave_copy_that_cannot_be_read_is_named_and_saved_elsewhere(tmp_path: Path) -> None:
    copies, target = AutosaveStore(tmp_path / "data"), tmp_path / "rescued.batchwright"
    recovered(tmp_path, "Cats", tmp_path / "cats.batchwright")
    (copy,) = copies.copies()
    content = b'{"batchwright": 99, "name": "Cats of tomorrow"}'
    copy.copy.write_bytes(content)

    async with window_in(tmp_path) as at:
        await at.controller.start(is_first=True)
        (offer,) = offers(at)
        assert "“Cats of tomorrow”" in offer.title
        assert "newer Batchwright" in offer.text
        for path in (None, target):
            at.dialogs.path = path
            press(at.window, "Save elsewhere…")
            await at.settled()
            assert len(offers(at)) == len(list(copies.copies())) == (1 if path is None else 0)
    assert target.read_bytes() == content


async def test_an_error_of_opening_a_file_is_in_front_of_the_studies_to_recover(tmp_path: Path) -> None:
    recovered(tmp_path, "Cats")
    missing = [tmp_path / "one.batchwright", tmp_path / "two.batchwright"]

    async with window_in(tmp_path) as at:
        await at.controller.load(missing)
        await at.controller.start(is_first=True)
        recovery, error = offers(at)
        assert "“Cats”" in recovery.title
        assert error.title == "2 files were not opened"


async def test_an_autosave_copy_is_deleted_when_its_study_is_saved(tmp_path: Path) -> None:
    copies = AutosaveStore(tmp_path / "data")
    recovered(tmp_path, "Cats")

    async with window_in(tmp_path) as at:
        await at.controller.start(is_first=True)
        press(at.window, "Open")
        await at.settled()
        at.controller.study.set_name("Wild cats")
        await until(lambda: [entry.title for entry in copies.copies()] == ["Wild cats"])
        at.dialogs.path = tmp_path / "cats.batchwright"
        at.start(at.controller.files.save)
        await until(lambda: not list(copies.copies()))


async def test_unfilled_fields_of_a_recovered_study_are_not_errors(tmp_path: Path) -> None:
    async with window_in(tmp_path) as at:
        await at.create_study()
        before = [problem.severity for problem in at.controller.study.problems]
        assert before == [Severity.UNFILLED]
        await until(lambda: len(list(AutosaveStore(tmp_path / "data").copies())) == 1)
    async with window_in(tmp_path) as at:
        await at.controller.start(is_first=True)
        press(at.window, "Open")
        await at.settled()
        assert [problem.severity for problem in at.controller.study.problems] == [Severity.UNFILLED]


async def test_no_autosave_copy_is_written_after_the_window_was_closed(tmp_path: Path) -> None:
    """A study that the user discards when closing the window is not offered at the next start."""

    async with window_in(tmp_path) as at:
        await at.create_study()
        at.controller.study.set_name("Cats")
        at.controller.autosave._on_timeout()
        await at.controller.autosave.end()
        await at.settled()
    assert not list(AutosaveStore(tmp_path / "data").copies())


async def test_an_autosave_copy_is_discarded_only_after_confirmation(tmp_path: Path) -> None:
    copies = AutosaveStore(tmp_path / "data")
    recovered(tmp_path, "Cats")

    async with window_in(tmp_path) as at:
        await at.controller.start(is_first=True)
        for answer in ("Cancel", "Discard"):
            press(at.window, "Discard")
            await until(lambda: any(dialog.isVisible() for dialog in at.window.findChildren(Dialog)))
            (dialog,) = (dialog for dialog in at.window.findChildren(Dialog) if dialog.isVisible())
            press(dialog, answer)
            await at.settled()
            await until(lambda: not at.window.findChildren(Dialog))
            assert [entry.title for entry in copies.copies()] == (["Cats"] if answer == "Cancel" else [])
            assert len(offers(at)) == (1 if answer == "Cancel" else 0)


async def test_a_study_open_in_another_window_is_not_recovered(tmp_path: Path) -> None:
    file = tmp_path / "cats.batchwright"
    recovered(tmp_path, "Cats", file)

    async with window_in(tmp_path) as at:
        at.windows.elsewhere.add(file)
        await at.controller.start(is_first=True)
        press(at.window, "Open")
        await at.settled()
        assert not at.controller.study.is_open
        assert at.windows.shown == [file]
        assert "“Cats”" in offers(at)[-1].title


async def test_a_folder_with_a_layout_opens_as_a_new_study(at: OpenTestWindow) -> None:
    at.controller.open_path(RECORDS.parent)
    await at.settled()
    assert at.controller.study.project.name == "Sample study"
    assert at.controller.study.path is None
    assert at.shell.stage == "layout"


async def test_a_folder_without_a_layout_is_rejected(tmp_path: Path, at: OpenTestWindow) -> None:
    at.controller.open_path(tmp_path)
    await at.settled()
    assert not at.controller.study.is_open
    assert "contains no layout.json" in at.failures[0]


async def test_recent_studies_are_in_the_command_palette(tmp_path: Path, at: OpenTestWindow) -> None:
    await with_sample(at)
    at.dialogs.path = tmp_path / "cats.batchwright"
    at.start(at.controller.files.save)
    await at.settled()
    at.start(at.controller.files.close)
    await at.settled()
    (offer,) = at.controller.recent_studies()
    assert (offer.text, offer.menu) == ("Sample study", str(tmp_path / "cats.batchwright"))
    offer.run()
    await at.settled()
    assert at.controller.study.path == tmp_path / "cats.batchwright"


async def test_f1_opens_the_rules_page_at_the_current_rule(at: OpenTestWindow) -> None:
    at.shell.current_rule = lambda: "LY17"
    at.window.stage_context(at.tasks).actions.run(ActionId.RULES)
    (page,) = at.window.findChildren(RulesPage)
    assert "LY17" in page.findChildren(RichTextView)[0].toPlainText()


async def test_a_new_collection_has_no_data_and_starts_with_its_layout(
    tmp_path: Path, at: OpenTestWindow
) -> None:
    await at.create_study(StudyKind.COLLECTION)
    assert at.controller.study.is_collection
    assert at.shell.stage == "layout"
    at.dialogs.path = tmp_path / "Survey.batchwright"
    at.start(at.controller.files.save)
    await at.settled()
    assert read_study(at.dialogs.path)[0].kind is StudyKind.COLLECTION


async def test_no_study_is_created_if_the_dialog_is_cancelled(at: OpenTestWindow) -> None:
    at.start(at.controller.files.new)
    await until(lambda: bool(at.window.findChildren(NewStudyDialog)))
    press(at.window, "Cancel")
    await at.settled()
    assert not at.controller.study.is_open


async def test_a_collection_file_is_opened_and_saved_as_yaml(tmp_path: Path) -> None:
    path = tmp_path / "survey.yaml"
    path.write_text(
        "name: Survey\ncollection_items:\n- page_items:\n  - {type: free_text, description: Why?}\n"
    )

    async with window_in(tmp_path) as at:
        at.controller.open_dropped([path])
        await at.settled()
        assert at.controller.study.is_collection
        assert at.shell.stage == "layout"
        at.controller.study.set_name("Survey 2")
        at.start(at.controller.files.save)
        await at.settled()
        assert at.controller.study.is_saved
        assert parse_yaml(path.read_bytes()) == {
            "name": "Survey 2",
            "collection_items": [{"page_items": [{"type": "free_text", "description": "Why?"}]}],
        }


async def test_a_window_for_files_that_are_open_in_others_is_closed(tmp_path: Path) -> None:
    file, link = tmp_path / "cats.batchwright", tmp_path / "link.batchwright"
    file.write_text("{}")
    link.symlink_to(file)

    async with window_in(tmp_path) as at:
        at.windows.elsewhere.add(file)
        closed: list[None] = []
        at.window.close_requested.connect(lambda: closed.append(None))
        await at.controller.load((link,))
        assert at.windows.shown == [file]
        assert closed == [None]


async def test_a_window_that_shows_home_is_closed_if_the_chosen_study_is_open_in_another(
    tmp_path: Path, at: OpenTestWindow
) -> None:
    file = tmp_path / "cats.batchwright"
    file.write_text("{}")
    at.windows.elsewhere.add(file)
    closed: list[None] = []
    at.window.close_requested.connect(lambda: closed.append(None))
    at.shell.set_stage("home")
    at.controller.open_path(file)
    await at.settled()
    assert at.windows.shown == [file]
    assert closed == [None]


async def test_a_window_with_a_study_stays_if_another_study_is_open_in_another(
    tmp_path: Path, at: OpenTestWindow
) -> None:
    at.controller.open_path(RECORDS.parent)
    await at.settled()
    file = tmp_path / "cats.batchwright"
    file.write_text("{}")
    at.windows.elsewhere.add(file)
    closed: list[None] = []
    at.window.close_requested.connect(lambda: closed.append(None))
    at.controller.open_path(file)
    await at.settled()
    assert at.windows.shown == [file]
    assert not closed


async def test_a_study_whose_name_shows_nothing_has_a_name_in_the_title(at: OpenTestWindow) -> None:
    at.controller.study.open(Project(" \u200b"), None)
    await until(lambda: at.window.windowTitle() == "Untitled study[*] – Batchwright")
