"""Home: the first run, later runs, and the templates."""

import csv
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from batchwright.base.i18n import SOURCE_LANGUAGE, languages, use_language
from batchwright.base.resources import sample_medium
from batchwright.local.connections import THIS_COMPUTER, Connection, Connections
from batchwright.local.projects import Project, RemoteBinding, StudyKind
from batchwright.local.recent_studies import Recent, Recents
from batchwright.schema.model import FieldType
from batchwright.schema.record_validator import RecordError, RecordValidator
from batchwright.ui.connections.sign_in import RemoveConnectionDialog, SignInDialog
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.home.connection_cards import ConnectionList, HostedCard, LocalCard
from batchwright.ui.home.first_run import ServiceErrorBanner, WelcomePanel
from batchwright.ui.home.stage import RecentModel, RecentTable
from batchwright.ui.home.state import HomeState
from batchwright.ui.home.template_cards import _MIN_CARD_WIDTH, _TEXT_LEFT, _TEXT_RIGHT, TemplateCard
from batchwright.ui.study.checks import checker_for
from batchwright.ui.study.templates import TEMPLATES, Template, study_from_template, texts_of_study
from batchwright.ui.theme import TextRole, Theme
from tests.ui.conftest import until
from tests.ui.window_fixtures import FakeServiceProcess, OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui

NOW = datetime(2026, 11, 20, 14, 0).astimezone()


async def test_the_first_run_offers_the_sample_study(at: OpenTestWindow) -> None:
    stage = at.show_home()
    assert stage.findChildren(WelcomePanel)[0].isVisible()
    press(at.window, "Try the sample study")
    await at.settled()
    assert at.controller.study.is_open


async def test_clicking_a_template_card_creates_a_study(at: OpenTestWindow) -> None:
    at.show_home()
    press(at.window, "Single rating")
    await at.settled()
    assert at.controller.study.project.name == "Single rating"


async def test_a_template_with_media_notifies_that_they_are_samples(at: OpenTestWindow) -> None:
    at.show_home()
    press(at.window, "Image quality")
    await at.settled()
    (card,) = at.window.notices.cards
    assert "samples" in card.notice.title
    assert "https" in card.notice.text


async def test_recent_studies_are_opened_and_removed_by_keyboard(tmp_path: Path, at: OpenTestWindow) -> None:
    at.controller.run_action(ActionId.TRY_SAMPLE)
    await at.settled()
    at.dialogs.path = tmp_path / "mine.batchwright"
    at.start(at.controller.files.save)
    await at.settled()
    at.start(at.controller.files.close)
    await at.settled()
    stage = at.show_home()
    (table,) = stage.findChildren(RecentTable)
    assert table.isVisible()
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Return)
    await at.settled()
    assert at.controller.study.path == at.dialogs.path
    at.shell.set_stage("home")
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    await at.settled()
    assert not table.isVisible()


def test_the_table_of_recent_studies_is_as_tall_as_its_rows_at_any_text_size(theme: Theme) -> None:
    model = HomeState(lambda: NOW)
    model.show((Recent(Path("/data/a.batchwright"), "A", NOW),), (THIS_COMPUTER,))
    table = RecentTable()
    table.show_rows(model.rows)
    for size in (100, 150):
        theme.set_text_size(size)
        assert table.height() >= table.horizontalHeader().minimumHeight() + table.row_height


def test_collapsing_the_list_updates_its_rows_in_place() -> None:
    home, rows, updates = HomeState(lambda: NOW), RecentModel(), list[str]()
    home.show((Recent(Path("/data/a.batchwright"), "A", NOW),), (THIS_COMPUTER,))
    rows.set_rows(home.rows)
    rows.dataChanged.connect(lambda first, last: updates.append(f"{first.row()} to {last.row()}"))
    rows.layoutChanged.connect(lambda: updates.append("everything"))
    rows.set_collapsed(is_collapsed=True)
    assert updates == ["0 to 0"]


def recent_study(folder: Path) -> None:
    """Record a recent study, so that Home is not shown as on the first run."""
    path = folder / "mine.batchwright"
    path.touch()
    (folder / "data").mkdir()
    Recents(folder / "data").save(Recent(path, "Mine", NOW))


async def test_the_local_card_shows_the_state_of_the_local_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recent_study(tmp_path)

    async with window_in(tmp_path) as at:
        await at.controller.files.refresh_recents()
        (card,) = at.show_home().findChildren(LocalCard)
        assert card.accessibleDescription() == "Starts when needed"
        at.controller.restart_service()
        await until(lambda: "the data folder is in use" in card.accessibleDescription())
        await until(lambda: bool(at.failures))
        assert at.failures == [card.accessibleDescription()]
        monkeypatch.setattr(FakeServiceProcess, "reason", "")
        press(card, "Start again")
        await until(lambda: card.accessibleDescription() == "Running")
        assert card.hasFocus()
        at.pool.own_service._on_process_ended(at.pool.own_service._host)  # type: ignore[arg-type]
        assert "stopped unexpectedly" in card.accessibleDescription()


async def test_the_first_run_shows_an_error_if_the_local_service_does_not_start(
    monkeypatch: pytest.MonkeyPatch, at: OpenTestWindow
) -> None:
    (banner,) = at.show_home().findChildren(ServiceErrorBanner)
    assert not banner.isVisible()
    at.controller.restart_service()
    await until(banner.isVisible)
    monkeypatch.setattr(FakeServiceProcess, "reason", "")
    await until(lambda: bool(at.failures))
    press(banner, "Start again")
    await until(lambda: not banner.isVisible())


@pytest.mark.parametrize(("width", "min_columns"), [(640, 1), (1024, 2), (1440, 3)])
async def test_names_on_home_are_readable_in_a_narrow_window(
    tmp_path: Path, width: int, min_columns: int
) -> None:
    recent_study(tmp_path)

    async with window_in(tmp_path) as at:
        await at.controller.files.refresh_recents()
        stage = at.show_home()
        at.window.setMinimumSize(600, 400)
        at.window.resize(width, 700)
        QApplication.processEvents()
        (table,) = stage.findChildren(RecentTable)
        assert table.columnWidth(0) >= 200
        cards = [card for card in stage.findChildren(TemplateCard) if card.isVisible()]
        assert len({card.x() for card in cards}) >= min_columns
        assert min(card.width() for card in cards) >= 236
        (list_,) = stage.findChildren(ConnectionList)
        assert list_.mapTo(stage, list_.rect().topRight()).x() <= stage.width()


async def test_selecting_a_connection_card_keeps_the_focus_on_it(tmp_path: Path) -> None:
    recent_study(tmp_path)
    Connections(tmp_path / "data").add(Connection("Lab", "https://api.example.org", "w1"))

    async with window_in(tmp_path) as at:
        await at.controller.files.refresh_recents()
        await at.controller.connections.refresh()
        stage = at.show_home()
        (card,) = stage.findChildren(HostedCard)
        QTest.mouseClick(card, Qt.MouseButton.LeftButton)
        await until(lambda: at.controller.session.connection.name == "Lab")
        await at.settled()
        assert at.window.focusWidget() is card
        assert card.accessibleDescription() == "Requests go here"


async def test_a_hosted_card_shows_the_owner_of_the_token_and_opens_its_dialogs(tmp_path: Path) -> None:
    recent_study(tmp_path)
    lab = Connection("Lab", "https://api.example.org", "w1", owner="Ada Lovelace", email="ada@example.org")
    Connections(tmp_path / "data").add(lab)

    async with window_in(tmp_path) as at:
        await at.controller.files.refresh_recents()
        await at.controller.connections.refresh()
        (card,) = at.show_home().findChildren(HostedCard)
        messages = {label.text() for label in card.findChildren(QLabel)}
        assert {"Signed in as Ada Lovelace", "ada@example.org", "https://api.example.org"} <= messages
        press(card, "Copy the workspace id")
        assert QGuiApplication.clipboard().text() == "w1"
        press(card, "Change Lab")
        await until(
            lambda: any(sign_in_dialog.isVisible() for sign_in_dialog in at.window.findChildren(SignInDialog))
        )
        press(at.window, "Cancel")
        await at.settled()
        press(card, "Remove Lab")
        await until(
            lambda: any(
                remove_connection_dialog.isVisible()
                for remove_connection_dialog in at.window.findChildren(RemoveConnectionDialog)
            )
        )
        press(at.window, "Cancel")
        await at.settled()
        card.click()
        await at.settled()
        assert at.shell.connection.is_live


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_the_texts_of_a_template_fit_on_the_narrowest_card(template: Template, theme: Theme) -> None:
    available = theme.px(_MIN_CARD_WIDTH - _TEXT_LEFT - _TEXT_RIGHT)
    for text, role in ((template.name, TextRole.NAME), (template.description, TextRole.SMALL)):
        assert QFontMetrics(theme.font(role)).horizontalAdvance(text) <= available


def test_the_row_of_a_recent_study_describes_its_state() -> None:
    recents = (
        Recent(Path.home() / "studies" / "a.batchwright", "A", NOW, errors=2),
        Recent(Path("/data/b.batchwright"), "B", NOW - timedelta(days=1), batch_at="Lab"),
        Recent(Path("/data/c.batchwright"), "C", NOW - timedelta(days=16)),
        Recent(Path("/data/d.batchwright"), "D", NOW - timedelta(days=16), collection_at="Lab"),
    )
    model = HomeState(lambda: NOW)
    lab = Connection("Lab", "https://api.example.org", "w1")
    model.show(recents, (THIS_COMPUTER, lab))
    assert [line.file for line in model.rows] == [f"{name}.batchwright" for name in "abcd"]
    assert [line.folder for line in model.rows] == ["~/studies", *[str(Path("/data"))] * 3]
    notes = ["Layout has 2 errors", "Batch at Lab", "No problems", "Collection at Lab"]
    assert [line.note for line in model.rows] == notes
    states = ["Draft", "Batch created", "Draft", "Created"]
    assert [line.state.label for line in model.rows] == states
    assert model.rows[0].opened.startswith("Today, ")
    assert [line.opened for line in model.rows[1:]] == ["Yesterday", "Nov 4", "Nov 4"]
    assert model.greeting.endswith("2 studies are drafts.")
    model.show(recents, (THIS_COMPUTER, replace(lab, label="Laboratory")))
    assert model.rows[1].note == "Batch at Laboratory"


async def test_a_recent_study_has_the_latest_fetched_status_of_its_batch(
    tmp_path: Path, at: OpenTestWindow
) -> None:
    at.controller.run_action(ActionId.TRY_SAMPLE)
    await at.settled()
    study = at.controller.study
    study.set_remote(THIS_COMPUTER.name, RemoteBinding("w", batch_id="b"))
    at.dialogs.path = tmp_path / "mine.batchwright"
    at.start(at.controller.files.save)
    await at.settled()
    model = at.show_home().state

    def row_texts() -> tuple[str, str]:
        (line,) = model.rows
        return line.state.label, line.note

    assert row_texts() == ("Batch created", "Batch on this computer")
    study.batch_status_fetched.emit(THIS_COMPUTER.name, "UNINITIALISED")
    await at.settled()
    assert row_texts()[0] == "Uninitialised"
    assert row_texts()[1].startswith("This computer, as of ")
    at.start(at.controller.files.close)
    await at.settled()
    at.controller.open_path(at.dialogs.path)
    await at.settled()
    assert row_texts()[0] == "Uninitialised"
    study.batch_status_fetched.emit(THIS_COMPUTER.name, "READY")
    await at.settled()
    assert row_texts()[0] == "Ready"


async def test_recording_a_batch_status_keeps_the_order_and_reports_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_self: Recents, *_seen: object) -> None:
        raise OSError(28, "No space left on device")

    async with window_in(tmp_path) as at:
        failed, study = list[str](), at.controller.study
        at.tasks.failed.connect(lambda _name, text, _error: failed.append(text.what))
        at.controller.run_action(ActionId.TRY_SAMPLE)
        await at.settled()
        study.set_remote(THIS_COMPUTER.name, RemoteBinding("w", batch_id="b"))
        at.dialogs.path = tmp_path / "second.batchwright"
        at.start(at.controller.files.save)
        await at.settled()
        first = tmp_path / "first.batchwright"
        first.touch()
        Recents(tmp_path / "data").save(Recent(first, "First", NOW))
        study.batch_status_fetched.emit(THIS_COMPUTER.name, "READY")
        await at.settled()
        listed = at.show_home().state.rows
        assert [line.recent.path.stem for line in listed] == ["first", "second"]
        assert [line.state.label for line in listed] == ["Draft", "Ready"]
        monkeypatch.setattr(Recents, "record", full)
        study.batch_status_fetched.emit(THIS_COMPUTER.name, "PROCESSING")
        await at.settled()
        assert not failed


def test_studies_with_deleted_files_are_not_listed(tmp_path: Path) -> None:
    here, deleted = tmp_path / "here.batchwright", tmp_path / "gone.batchwright"
    here.touch()
    recents = Recents(tmp_path)
    for path in (deleted, here):
        recents.save(Recent(path, path.stem, NOW))
    assert [recent.path for recent in recents.all()] == [here]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
async def test_every_template_is_a_valid_study_with_its_own_media(template: Template) -> None:
    project = await study_from_template(template)
    assert project.language == SOURCE_LANGUAGE
    assert checker_for(project).check(project.layout) == []
    if project.kind is StudyKind.COLLECTION:
        return
    _header, rows = checked_records(project)
    assert len(rows) >= 6
    media = [cell for row in rows for cell in row if cell.startswith("http")]
    assert all(sample_medium(address) for address in media), "no other server is contacted"
    assert template.has_media == bool(media)


def checked_records(project: Project) -> tuple[list[str], list[list[str]]]:
    """The header and the rows of a study's data, all of which fit its schema."""
    assert project.schema is not None
    assert project.data is not None
    with project.data.path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    check = RecordValidator(project.schema).row_check(header)
    assert not any(isinstance(check(row), RecordError) for row in rows)
    return header, rows


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
async def test_a_study_from_a_template_is_in_the_language_of_the_program(
    template: Template, catalogues: None
) -> None:
    english = await study_from_template(template)
    for tag in {*languages()} - {SOURCE_LANGUAGE}:
        project = await study_in(tag, template)
        assert project.language == tag
        assert project.details.task_introduction != english.details.task_introduction
        assert checker_for(project).check(project.layout) == []
        texts, originals = (list(texts_of_study(study).texts()) for study in (project, english))
        assert [text.location.attribute for text in texts] == [text.location.attribute for text in originals]
        same = sum(text.text == original.text for text, original in zip(texts, originals, strict=True))
        assert same < len(texts) / 2, "some words are the same in both languages"
        assert_records_are_translated(project, english)


async def study_in(tag: str, template: Template) -> Project:
    use_language(tag)
    try:
        return await study_from_template(template)
    finally:
        use_language(None)


def assert_records_are_translated(project: Project, english: Project) -> None:
    if english.schema is None:
        return
    fields = english.schema.fields
    (header, rows), (names, originals) = checked_records(project), checked_records(english)
    assert header == names
    texts = {number for number, name in enumerate(names) if fields[name].type is FieldType.TEXT}
    is_recorded = any(field.type is FieldType.AUDIO_URL for field in fields.values())
    for row, original in zip(rows, originals, strict=True):
        cells = list(enumerate(zip(row, original, strict=True)))
        assert all(cell == other for number, (cell, other) in cells if number not in texts)
        changed = any(cell != other for number, (cell, other) in cells if number in texts)
        assert changed != is_recorded, "what is said in recordings is English"


async def test_the_first_run_asks_for_an_account_until_a_connection_exists(
    tmp_path: Path, at: OpenTestWindow
) -> None:
    stage = at.show_home()

    def texts() -> set[str]:
        return {label.text() for label in stage.findChildren(QLabel)}

    assert "Have an account?" in texts()
    Connections(tmp_path / "data").add(Connection("Lab", "https://api.prolific.com", "w"))
    await at.controller.connections.refresh()
    assert "Have an account?" not in texts()
    assert "Connected to Lab" in texts()
