"""The file commands of a window: files keep their format, and nothing is lost without confirmation."""

import asyncio
import errno
import json
import os
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QMenu

from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.sources.source import SourceOptions
from batchwright.layout.editing.edits import AddPage
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.serialization import random_keys, read, write
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry, RegisteredId, RemoteKind
from batchwright.local.projects import StudyContent
from batchwright.local.study_files.project_parser import read_project
from batchwright.schema.parsing import read_schema
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.shell.state import DocumentTitle
from batchwright.ui.versions.panel import VersionsPanel
from batchwright.ui.widgets.dialogs.choice_dialog import ChoiceDialog
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui

PAGE: Any = {"rows": [{"columns": [{"items": [{"type": "free_text", "description": "Why?", "new": 1.0}]}]}]}
DETAILS = {"task_name": "Judge", "task_introduction": "<p>Hi</p>", "task_steps": "1"}
BATCH = {"id": "b", "name": "Street signs", "task_details": DETAILS, "batch_items": [PAGE], "later": [None]}
SCHEMA = read_schema({"strict": True, "fields": {"a": {"type": "text"}}})


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


async def opened(at: OpenTestWindow, path: Path) -> None:
    at.controller.open_path(path)
    await at.settled()


def add_page(at: OpenTestWindow) -> None:
    at.controller.study.apply(AddPage(read([PAGE], random_keys()).pages, InsertionPoint(None, 9)))


async def answer_dialog(at: OpenTestWindow, answer: str) -> None:
    """Wait for the dialog, and press one of its buttons."""
    await until(
        lambda: any(choice_dialog.isVisible() for choice_dialog in at.window.findChildren(ChoiceDialog))
    )
    press(at.window, answer)
    await at.settled()


def pages(path: Path) -> Any:
    value = json.loads(path.read_text(encoding="utf-8"))
    return value if isinstance(value, list) else value["batch_items"]


@pytest.fixture
def study_file(tmp_path: Path) -> Path:
    project = {"batchwright": 1, "name": "Mine", "batch_items": [PAGE], "flows": {"kept": True}}
    return written(tmp_path / "study.batchwright", project)


async def test_a_plain_array_is_saved_as_a_plain_array(tmp_path: Path) -> None:
    path = written(tmp_path / "layout.json", [PAGE])

    async with window_in(tmp_path) as at:
        await opened(at, path)
        assert (at.controller.study.is_saved, at.controller.study.project.name) == (True, "layout")
        assert at.shell.document == DocumentTitle("layout", path=path)
        add_page(at)
        assert at.shell.status_messages[0].text == "Unsaved changes"
        at.start(at.controller.files.save)
        await at.settled()
        assert at.controller.study.is_saved
        assert at.shell.status_messages[0].text == "Saved"
    assert json.loads(path.read_text()) == [PAGE, PAGE]


async def test_an_object_around_a_layout_keeps_its_other_keys(tmp_path: Path) -> None:
    path = written(tmp_path / "batch.json", BATCH)

    async with window_in(tmp_path) as at:
        await opened(at, path)
        add_page(at)
        at.controller.study.set_name("Traffic signs")
        at.start(at.controller.files.save)
        await at.settled()
        assert at.controller.study.is_saved
    after = json.loads(path.read_text())
    assert after == {**BATCH, "name": "Traffic signs", "batch_items": [PAGE, PAGE]}
    assert list(after) == list(BATCH)


@pytest.mark.parametrize("answer", ["Save as a study…", "Save only the layout", "Cancel"])
async def test_saving_more_than_a_plain_layout_asks_for_a_study_file(tmp_path: Path, answer: str) -> None:
    path, study = written(tmp_path / "layout.json", [PAGE]), tmp_path / "mine.batchwright"

    async with window_in(tmp_path) as at:
        await opened(at, path)
        add_page(at)
        at.controller.study.set_schema(SCHEMA)
        at.dialogs.path = study
        at.start(at.controller.files.save)
        await answer_dialog(at, answer)
        assert at.controller.study.is_saved == study.exists() == (answer == "Save as a study…")
    assert len(pages(path)) == (2 if answer == "Save only the layout" else 1)
    if study.exists():
        assert read_project(study.read_bytes()).schema == SCHEMA


def change_meanwhile(path: Path) -> None:
    value = json.loads(path.read_text())
    written(path, {**value, "name": "Theirs"})


@pytest.mark.parametrize("answer", ["Keep mine", "Load theirs", "Keep both", "Cancel"])
async def test_saving_over_a_changed_file_asks_first(tmp_path: Path, study_file: Path, answer: str) -> None:
    async with window_in(tmp_path) as at:
        await opened(at, study_file)
        add_page(at)
        change_meanwhile(study_file)
        at.start(at.controller.files.save)
        await answer_dialog(at, answer)
        study = at.controller.study
        assert study.is_saved == (answer != "Cancel")
        assert study.project.name == ("Theirs" if answer == "Load theirs" else "Mine")
        assert len(study.layout.pages) == (1 if answer == "Load theirs" else 2)
        if answer != "Cancel":
            at.controller.study.set_name("Later")
            at.start(at.controller.files.save)  # the answer was given; it is not asked again
            await at.settled()
            assert study.is_saved
    names = {
        "Keep mine": "Later",
        "Load theirs": "Later",
        "Keep both": "Theirs",
        "Cancel": "Theirs",
    }
    assert json.loads(study_file.read_text())["name"] == names[answer]
    mine = study_file.with_name("study (mine).batchwright")
    assert mine.exists() == (answer == "Keep both")
    if mine.exists():
        assert json.loads(mine.read_text())["name"] == "Later"
        assert json.loads(mine.read_text())["flows"] == {"kept": True}


async def test_a_changed_file_is_reported_when_the_program_becomes_active(
    study_file: Path, at: OpenTestWindow
) -> None:
    await opened(at, study_file)
    change_meanwhile(study_file)
    application = QGuiApplication.instance()
    assert isinstance(application, QGuiApplication)
    application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    await until(lambda: "check the study file" not in at.tasks.running)
    assert at.controller.study.project.name == "Mine"
    press(at.window, "Reload")
    await at.settled()
    assert (at.controller.study.project.name, at.controller.study.is_saved) == ("Theirs", True)


def replace_file(path: Path) -> None:
    """Write a file as many editors do: another file takes its place."""
    other = path.with_name("other")
    change_meanwhile(path)
    path.rename(other)
    other.rename(path)


@pytest.mark.parametrize("change", [change_meanwhile, replace_file])
async def test_a_changed_file_is_noticed_when_it_happens_until_it_is_saved(
    study_file: Path, change: Callable[[Path], None], at: OpenTestWindow
) -> None:
    await opened(at, study_file)
    add_page(at)
    at.start(at.controller.files.save)
    await at.settled()
    change(study_file)
    await until(lambda: bool(at.window.notices.cards))
    (card,) = at.window.notices.cards
    assert card.notice.title == "“study.batchwright” has changed on the disk"
    at.start(at.controller.files.save)
    await answer_dialog(at, "Keep mine")
    await until(lambda: not at.window.notices.cards)


async def versions(at: OpenTestWindow) -> list[StudyContent]:
    """The versions of the study, newest first."""
    store, study_id = await at.pool.version_store(), at.controller.study.project.study_id
    await at.controller.versions.store_waiting()
    return [store.content(version) for version in store.versions(study_id)]


@pytest.mark.parametrize("name", ["study.batchwright", "layout.json", "batch.json", "survey.yaml"])
async def test_keeping_mine_puts_theirs_into_the_versions(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    item = {"type": "free_text", "description": "Why?"}
    contents: dict[str, Any] = {
        "study.batchwright": {"batchwright": 1, "name": "Mine", "batch_items": [PAGE]},
        "layout.json": [PAGE],
        "batch.json": BATCH,
        "survey.yaml": {"name": "S", "task_details": DETAILS, "collection_items": [{"page_items": [item]}]},
    }
    written(path, contents[name])

    async with window_in(tmp_path) as at:
        await opened(at, path)
        study = at.controller.study
        before = study.layout
        study.apply(AddPage(read([PAGE], random_keys()).pages, InsertionPoint(None, 9)))
        path.write_text(path.read_text().replace("Why?", "Why not?"))
        at.start(at.controller.files.save)
        await answer_dialog(at, "Keep mine")
        mine, theirs = await versions(at)
        assert write(mine.layout) == write(study.layout)
        assert "Why not?" in json.dumps(write(theirs.layout))
        assert {node.key for node in theirs.layout.walk_all()} == {node.key for node in before.walk_all()}
        assert (theirs.name, theirs.details, theirs.schema) == (mine.name, mine.details, mine.schema)


async def test_the_difference_to_a_changed_file_is_shown_with_the_versions(
    study_file: Path, at: OpenTestWindow
) -> None:
    await opened(at, study_file)
    change_meanwhile(study_file)
    await until(lambda: bool(at.window.notices.cards))
    press(at.window, "Show the difference")
    await until(lambda: bool(at.window.findChildren(VersionsPanel)))
    (panel,) = at.window.findChildren(VersionsPanel)
    await until(lambda: "Name changed." in [label.text() for label in panel.findChildren(QLabel)])
    assert [content.name for content in await versions(at)] == ["Theirs"]


def remove(path: Path) -> None:
    path.unlink()


def lock(path: Path) -> None:
    path.chmod(0o444)


async def test_saving_writes_a_deleted_file_again(tmp_path: Path, study_file: Path) -> None:
    async with window_in(tmp_path) as at:
        await opened(at, study_file)
        add_page(at)
        remove(study_file)
        at.start(at.controller.files.save)
        await at.settled()
        assert at.controller.study.is_saved
    assert len(pages(study_file)) == 2


async def test_saving_twice_at_once_asks_nothing(tmp_path: Path, study_file: Path) -> None:
    async with window_in(tmp_path) as at:
        await opened(at, study_file)
        add_page(at)
        assert all(await asyncio.gather(at.controller.files.save(), at.controller.files.save()))
        assert at.window.findChildren(ChoiceDialog) == []
    assert len(pages(study_file)) == 2


async def test_a_read_only_file_is_not_replaced(tmp_path: Path, study_file: Path) -> None:
    before = study_file.read_bytes()
    lock(study_file)

    async with window_in(tmp_path) as at:
        await opened(at, study_file)
        add_page(at)
        at.start(at.controller.files.save)
        await answer_dialog(at, "Cancel")
        assert not at.controller.study.is_saved
        at.dialogs.path = tmp_path / "copy.batchwright"
        at.start(at.controller.files.save)
        await answer_dialog(at, "Save elsewhere…")
        assert (at.controller.study.is_saved, at.controller.study.path) == (
            True,
            tmp_path / "copy.batchwright",
        )
        assert at.failures == []
    assert study_file.read_bytes() == before
    assert len(pages(tmp_path / "copy.batchwright")) == 2


async def test_saving_on_a_full_disk_keeps_the_file_and_can_be_retried(
    tmp_path: Path, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, flush, disk = pages(study_file), os.fsync, {"full": True}

    def fsync(handle: int) -> None:
        """Fail while the simulated disk is full."""
        if disk["full"]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        flush(handle)

    async with window_in(tmp_path) as at:
        await opened(at, study_file)
        monkeypatch.setattr(os, "fsync", fsync)
        add_page(at)
        at.start(at.controller.files.save)
        await until(lambda: bool(visible(at, "Try again")))
        (first,) = visible(at, "Try again")
        assert "study.batchwright: the disk is full." in first.accessibleDescription()
        press(at.window, "Try again")
        await until(lambda: visible(at, "Try again") not in ([], [first]))
        assert pages(study_file) == before
        disk["full"] = False
        await answer_dialog(at, "Try again")
        assert at.controller.study.is_saved
    assert len(pages(study_file)) == 2
    assert not list(tmp_path.glob(".*.part"))


async def test_if_saving_fails_the_window_stays_open(study_file: Path, at: OpenTestWindow) -> None:
    await opened(at, study_file)
    add_page(at)
    lock(study_file)
    closing = asyncio.ensure_future(at.controller.may_close())
    await until(
        lambda: any(choice_dialog.isVisible() for choice_dialog in at.window.findChildren(ChoiceDialog))
    )
    press(at.window, "Save")
    await until(lambda: bool(visible(at, "Try again")))
    press(at.window, "Cancel")
    assert await closing is False
    assert at.controller.study.is_open


def visible(at: OpenTestWindow, text: str) -> list[ChoiceDialog[Any]]:
    """The visible dialogs that have this button."""
    return [
        choice_dialog
        for choice_dialog in at.window.findChildren(ChoiceDialog)
        if choice_dialog.isVisible()
        and any(
            button.text() == text for button in choice_dialog.findChildren(type(choice_dialog.accept_button))
        )
    ]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b'{"batchwright": 99, "name": "x"}', "This study was written by a newer Batchwright (version 99"),
        (b'[{"rows": [}]', "(line 1, column 12)"),
        (b'[\n  {"rows": [NaN]}]', "NaN is not a JSON number (line 2, column 13)"),
        (b'[{"rows": [], "rows": []}]', "the key “rows” occurs twice in one object (line 1, column 15)"),
        (b'{"name": "x"}', "The object has no `batch_items`"),
        (b'\n "pages"', "(line 2, column 2)"),
        (b"\xff\xfe[\x00", "a value is missing (line 1, column 2)"),
        (b"", "” is empty"),
    ],
)
@pytest.mark.parametrize("name", ["some.json", "some.batchwright"])
async def test_an_unreadable_file_is_reported_and_unchanged(
    tmp_path: Path, study_file: Path, name: str, content: bytes, text: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    async with window_in(tmp_path) as at:
        await opened(at, study_file)
        add_page(at)
        before = at.controller.study.project
        await opened(at, path)
        (failure,) = at.failures
        assert text in failure
        assert at.controller.study.project is before
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("words.docx", b"PK\x03\x04" + bytes(range(256)), "an office document"),
        ("table.db", b"SQLite format 3\0" + bytes(range(256)), "a database"),
        ("schema.json", b'{"strict": true, "fields": {}}', "a schema"),
        ("notes", b"words", "its name does not indicate a table"),
    ],
)
async def test_a_file_of_another_type_is_reported_and_not_opened(
    tmp_path: Path, name: str, content: bytes, text: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    async with window_in(tmp_path) as at:
        for open_it in (at.controller.open_path, lambda path: at.controller.open_dropped((path,))):
            open_it(path)
            await at.settled()
        assert [text in failure for failure in at.failures] == [True, True]
        assert not at.controller.study.is_open


@pytest.mark.parametrize(
    ("name", "content", "delimiter"),
    [
        ("table.tsv", "a\tb\n1\t2\n", "\t"),
        ("table.txt", "a;b\n1;2\n", ";"),
        ("lines.json", '{"a": 1}\n{"a": 2}\n', ","),
    ],
)
async def test_a_table_with_any_file_extension_starts_a_study(
    tmp_path: Path, name: str, content: str, delimiter: str
) -> None:
    path = tmp_path / name
    path.write_text(content)

    async with window_in(tmp_path) as at:
        at.controller.open_dropped((path,))
        await at.settled()
        data = at.controller.study.data
        assert data is not None
        assert (data.path, data.format.delimiter) == (path, delimiter)
        assert at.shell.stage == "data"


@pytest.mark.parametrize("stage", ["home", "data", "layout", "run", "results", "jobs"])
async def test_a_table_dropped_on_a_stage_of_the_study_is_offered_as_its_data(
    tmp_path: Path, study_file: Path, stage: str
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("a,b\n1,2\n")
    offered: list[object] = []

    async with window_in(tmp_path) as at:
        await opened(at, study_file)
        study = at.controller.study
        study.data_file_offered.connect(lambda: offered.append(study.take_offered_file()))
        at.shell.set_stage(stage)
        at.shell.files_dropped.emit((table,))
        await at.settled()
        assert at.shell.stage == "data"
        is_outside_study = stage in ("home", "jobs")
        assert offered == ([] if is_outside_study else [(table, None)])
        assert at.controller.study.project.name == ("table" if is_outside_study else "Mine")


async def test_dropping_several_files_opens_nothing_and_shows_a_notice(
    tmp_path: Path, study_file: Path, at: OpenTestWindow
) -> None:
    at.shell.files_dropped.emit((study_file, tmp_path))
    await at.settled()
    assert not at.controller.study.is_open
    assert [card.notice.title for card in at.window.notices.cards] == ["2 files were dropped"]


async def test_a_file_open_in_another_window_is_shown_there(tmp_path: Path, study_file: Path) -> None:
    link = tmp_path / "link.batchwright"
    link.symlink_to(study_file)

    async with window_in(tmp_path) as at:
        at.windows.elsewhere.add(study_file)
        for path in (study_file, link):
            await opened(at, path)
        assert not at.controller.study.is_open
        assert at.windows.shown == [study_file, study_file]
        await at.create_study()
        at.dialogs.path = study_file
        at.start(at.controller.files.save_as)
        await at.settled()
        assert not at.controller.study.is_saved
        (notice,) = [card.notice for card in at.window.notices.cards]
        assert notice.title == "“study.batchwright” is open in another window"
    assert json.loads(study_file.read_text())["name"] == "Mine"


async def test_an_open_study_that_is_opened_again_keeps_its_changes_and_its_history(
    study_file: Path, at: OpenTestWindow
) -> None:
    await opened(at, study_file)
    add_page(at)
    at.controller.open_path(study_file)
    await answer_dialog(at, "Save")
    study = at.controller.study
    for _again in range(2):
        assert (len(study.layout.pages), len(pages(study_file)), study.is_saved) == (2, 2, True)
        assert study.undo_label == "Add page"
        at.shell.set_stage("home")
        await opened(at, study_file)
        assert at.shell.stage == "layout"


async def test_an_open_study_that_is_opened_again_is_read_again_if_its_file_differs(
    study_file: Path, at: OpenTestWindow
) -> None:
    await opened(at, study_file)
    change_meanwhile(study_file)
    await opened(at, study_file)
    assert at.controller.study.project.name == "Theirs"
    add_page(at)
    at.controller.open_path(study_file)
    await answer_dialog(at, "Do not save")
    assert (len(at.controller.study.layout.pages), at.controller.study.is_saved) == (1, True)


async def test_a_list_of_recent_studies_that_cannot_be_written_stops_nothing(
    tmp_path: Path, study_file: Path, at: OpenTestWindow
) -> None:
    other = written(
        tmp_path / "other.batchwright", {"batchwright": 1, "name": "Other", "batch_items": [PAGE]}
    )
    await opened(at, other)
    recents = tmp_path / "data" / "recent.json"
    recents.unlink()
    recents.mkdir()
    await opened(at, study_file)
    add_page(at)
    at.controller.open_path(other)
    await answer_dialog(at, "Save")
    assert (at.controller.study.project.name, len(pages(study_file))) == ("Other", 2)
    assert not at.window.notices.cards


async def test_the_file_menu_lists_the_recent_studies_with_their_files(
    study_file: Path, at: OpenTestWindow
) -> None:
    await opened(at, study_file)
    at.start(at.controller.files.close)
    await at.settled()
    menu = at.window.stage_context(at.tasks).actions.qaction(ActionId.OPEN_RECENT).menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    (entry,) = menu.actions()
    assert entry.text() == f"Mine\t{study_file}"
    entry.trigger()
    await at.settled()
    assert at.controller.study.path == study_file


async def test_a_stage_chosen_while_a_study_opens_stays(tmp_path: Path, study_file: Path) -> None:
    async with window_in(tmp_path) as at:
        choose_data = partial(asyncio.get_running_loop().call_soon, at.shell.set_stage, "data")
        at.controller.study.changed.connect(choose_data, Qt.ConnectionType.SingleShotConnection)
        await opened(at, study_file)
        assert at.shell.stage == "data"


async def test_quit_applies_to_all_windows(at: OpenTestWindow) -> None:
    at.window.stage_context(at.tasks).actions.run(ActionId.QUIT)
    assert at.windows.has_quit


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16"])
async def test_a_layout_opens_in_any_unicode_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "layout.json"
    mark = "\ufeff" if encoding == "utf-16-le" else ""
    path.write_bytes((mark + json.dumps([PAGE])).encode(encoding))

    async with window_in(tmp_path) as at:
        await opened(at, path)
        assert write(at.controller.study.layout) == [PAGE]


async def test_an_invalid_layout_opens_with_all_its_problems(tmp_path: Path) -> None:
    nonsense = [
        7,
        {"rows": [{"columns": []}, None]},
        {"rows": [{"columns": [{"items": ["x", {"type": 1}]}]}]},
    ]
    path = written(tmp_path / "layout.json", nonsense)

    async with window_in(tmp_path) as at:
        await opened(at, path)
        matches = [
            (problem.code, problem.path.indices)
            for problem in at.controller.study.problems
            if problem.rejection
        ]
        assert matches == [
            ("LY03", (0,)),
            ("LY04", (1, 0)),
            ("LY04", (1, 1)),
            ("LY06", (2, 0, 0, 0)),
            ("LY06", (2, 0, 0, 1)),
        ]
        at.controller.study.set_name("layout")
        add_page(at)
        at.controller.study.undo()
        at.start(at.controller.files.save)
        await at.settled()
    assert json.loads(path.read_text()) == nonsense


async def test_a_failed_autosave_is_reported_once(tmp_path: Path, study_file: Path) -> None:
    folder = tmp_path / "data" / "recovery"

    async with window_in(tmp_path) as at:
        folder.write_text("a file where the folder belongs")
        await opened(at, study_file)
        started: list[str] = []
        at.tasks.changed.connect(lambda: started.extend(at.tasks.running))
        for number in (1, 2):
            started.clear()
            at.controller.study.set_name(f"Name {number}")
            await until(lambda: "keep a copy for recovery" in started)
            await at.settled()
        assert len(at.failures) == 1


async def test_exporting_a_layout_over_a_read_only_file_fails(tmp_path: Path, study_file: Path) -> None:
    path = written(tmp_path / "layout.json", ["old"])
    lock(path)

    async with window_in(tmp_path) as at:
        await opened(at, study_file)
        at.dialogs.path = path
        at.start(at.controller.files.export_layout)
        await at.settled()
        (failure,) = at.failures
        assert "layout.json: the file is read-only" in failure
    assert pages(path) == ["old"]


async def test_a_plain_layout_recovered_after_a_crash_is_saved_as_a_plain_layout(tmp_path: Path) -> None:
    path = written(tmp_path / "batch.json", BATCH)

    async with window_in(tmp_path) as at:
        await opened(at, path)
        add_page(at)
        await until(lambda: bool(list((tmp_path / "data" / "recovery").glob("*.batchwright"))))
    async with window_in(tmp_path) as at:
        await at.controller.load(())
        await at.controller.start(is_first=True)
        press(at.window, "Open")
        await at.settled()
        at.start(at.controller.files.save)
        await at.settled()
        assert at.controller.study.is_saved
    assert json.loads(path.read_text()) == {**BATCH, "batch_items": [PAGE, PAGE]}


async def test_the_id_registry_is_exported_with_every_id(tmp_path: Path, at: OpenTestWindow) -> None:
    with closing(open_database(tmp_path)) as database:
        at.pool.ids = register = IdRegistry(database)
        register.save(RegisteredId("Lab", RemoteKind.DATASET, "d1", "Prompts", was_made=True))
        register.save(RegisteredId("This computer", RemoteKind.BATCH, "b1"))
        at.controller.run_action(ActionId.EXPORT_REGISTER)
        await at.settled()
        assert not (tmp_path / "ids.json").exists()
        at.dialogs.path = tmp_path / "ids.json"
        at.controller.run_action(ActionId.EXPORT_REGISTER)
        await at.settled()
    assert at.failures == []
    ids = json.loads((tmp_path / "ids.json").read_text(encoding="utf-8"))
    assert [(id_["connection"], id_["kind"], id_["id"], id_["was_made"]) for id_ in ids] == [
        ("Lab", "dataset", "d1", True),
        ("This computer", "batch", "b1", False),
    ]


async def test_several_pictures_dropped_at_once_are_a_new_study_with_a_row_for_each(tmp_path: Path) -> None:
    paths = [tmp_path / "pictures" / name for name in ("2.png", "1.png")]
    for path in (*paths, tmp_path / "pictures" / "3.png"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"\x89PNG")
    async with window_in(tmp_path) as at:
        at.controller.open_dropped(paths)
        await at.settled()
        data = at.controller.study.data
        assert data is not None
        assert data.path == tmp_path / "pictures"
        assert data.conversion is not None
        assert data.conversion.options.files == "1.png\n2.png"


async def test_pictures_dropped_on_a_stage_of_the_study_are_offered_as_its_data(
    tmp_path: Path, study_file: Path
) -> None:
    paths = [tmp_path / name for name in ("2.png", "1.png")]
    for path in paths:
        path.write_bytes(b"\x89PNG")
    offered: list[object] = []
    async with window_in(tmp_path) as at:
        await opened(at, study_file)
        study = at.controller.study
        study.data_file_offered.connect(lambda: offered.append(study.take_offered_file()))
        at.shell.set_stage("layout")
        at.shell.files_dropped.emit(tuple(paths))
        await at.settled()
        assert offered == [(tmp_path, Conversion(SourceOptions(files="1.png\n2.png")))]
        assert study.project.name == "Mine"


async def test_one_picture_is_a_table_if_it_is_dropped_at_home_but_not_on_the_layout(
    tmp_path: Path, study_file: Path
) -> None:
    path = tmp_path / "1.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    async with window_in(tmp_path) as at:
        await opened(at, study_file)
        at.shell.set_stage("layout")
        at.shell.files_dropped.emit((path,))
        await at.settled()
        assert at.controller.study.project.name == "Mine"
        assert at.controller.study.project.data is None
        at.shell.set_stage("home")
        at.shell.files_dropped.emit((path,))
        await at.settled()
        data = at.controller.study.data
        assert data is not None
        assert data.conversion is not None
        assert data.conversion.options.files == "1.png"
