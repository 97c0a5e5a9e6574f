"""Saving a study with its data, and opening it where its table does not exist."""

import zipfile
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QLabel, QRadioButton, QSpinBox

from batchwright.base.json_values import is_object, parse
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.sources.source import SourceOptions
from batchwright.local.library import Library, template_of
from batchwright.local.projects import DataFile, Project
from batchwright.local.study_files.study_archive import read_archive
from batchwright.local.study_files.study_file import StudyFile, StudyFormat, read_study, write_study
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.study.file.save_with_data import SaveWithDataDialog
from batchwright.ui.study.file.study_dialogs import SaveFailedDialog
from batchwright.ui.widgets.dialogs.dialog import WarningBanner
from tests.data_files.conversion.test_convert import workbook
from tests.data_files.sources.test_media_folder import add
from tests.ui.conftest import until
from tests.ui.window_fixtures import OpenTestWindow, press, window_in

pytestmark = pytest.mark.gui

ROWS = [["prompt", "secret"], ["Which?", "a"], ["Why?", "b"]]
SCHEMA = Schema(strict=False, fields={"prompt": Field(FieldType.TEXT, "Prompt")})


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study about a spreadsheet."""
    source = workbook(tmp_path / "pilot.xlsx", ROWS)
    conversion = Conversion(SourceOptions("Sheet1", 1))
    data = DataFile(source, source.stat().st_size, Format(FormatKind.JSONL), conversion=conversion)
    file = StudyFile(tmp_path / "study.batchwright")
    return write_study(Project("Pilot", schema=SCHEMA, data=data), file).path


async def saved_with_data(at: OpenTestWindow, study: Path, target: Path, *choices: str) -> None:
    """Open a study and save it with its data, with these choices of the dialog."""
    at.controller.open_path(study)
    await at.settled()
    at.dialogs.path = target
    at.controller.run_action(ActionId.SAVE_WITH_DATA)
    await until(lambda: any(dialog.isVisible() for dialog in at.window.findChildren(SaveWithDataDialog)))
    (dialog,) = at.window.findChildren(SaveWithDataDialog)
    for button in (*dialog.findChildren(QRadioButton), *dialog.findChildren(QCheckBox)):
        if button.text() in choices:
            button.click()
    press(at.window, "Save")
    await until(target.exists)
    await at.settled()


async def test_a_study_with_a_spreadsheet_opens_on_another_computer(tmp_path: Path, study: Path) -> None:
    target = tmp_path / "pilot.batchwright"
    async with window_in(tmp_path / "here") as at:
        await saved_with_data(at, study, target)
        assert at.controller.study.path == study
    (tmp_path / "pilot.xlsx").unlink()
    async with window_in(tmp_path / "there") as at:
        at.controller.open_path(target)
        await at.settled()
        opened = at.controller.study
        assert opened.data is not None
        assert opened.data.path.name == "pilot.xlsx"
        assert opened.data.conversion == Conversion(SourceOptions("Sheet1", 1))
        file = await opened.records_files.of(opened.data)
        records = [parse(line) for line in file.path.read_bytes().splitlines()]
        assert records == [{"prompt": "Which?", "secret": "a"}, {"prompt": "Why?", "secret": "b"}]
        opened.set_name("Renamed")
        at.start(at.controller.files.save)
        await until(lambda: opened.is_saved)
        assert opened.file is not None
        assert opened.file.format is StudyFormat.ARCHIVE
    assert read_archive(target, tmp_path / "tables").project.name == "Renamed"


async def test_changes_are_saved_without_the_data_if_those_are_lost(tmp_path: Path, study: Path) -> None:
    target, elsewhere = tmp_path / "pilot.batchwright", tmp_path / "elsewhere.batchwright"
    async with window_in(tmp_path / "here") as at:
        await saved_with_data(at, study, target)
    async with window_in(tmp_path / "there") as at:
        at.controller.open_path(target)
        await at.settled()
        opened = at.controller.study
        assert opened.data is not None
        opened.set_name("Renamed")
        opened.data.path.unlink()
        target.unlink()
        at.dialogs.path = elsewhere
        at.start(at.controller.files.save)
        await until(lambda: bool(at.window.findChildren(SaveFailedDialog)))
        press(at.window, "Save elsewhere…")
        await until(lambda: opened.is_saved)
    project, file = read_study(elsewhere)
    assert (project.name, file.format) == ("Renamed", StudyFormat.STUDY)


async def test_only_the_fields_of_the_schema_are_saved_if_the_user_wants_that(
    tmp_path: Path, study: Path
) -> None:
    target = tmp_path / "pilot.batchwright"
    async with window_in(tmp_path) as at:
        await saved_with_data(at, study, target, "Used columns only")
    with zipfile.ZipFile(target) as archive:
        records = [parse(line) for line in archive.read("data/pilot.jsonl").splitlines()]
    assert records == [{"prompt": "Which?"}, {"prompt": "Why?"}]


async def test_templates_travel_with_the_study_and_are_added_on_request(tmp_path: Path, study: Path) -> None:
    target = tmp_path / "pilot.batchwright"
    async with window_in(tmp_path / "here") as at:
        Library(tmp_path / "here" / "data").save(template_of(Project("Mine"), "Mine", ""))
        await saved_with_data(at, study, target, "Also my templates and blocks")
    async with window_in(tmp_path / "there") as at:
        at.controller.open_path(target)
        await at.settled()
        press(at.window, "Add")
        await until(lambda: [entry.name for entry in at.controller.library.templates] == ["Mine"])


async def test_an_error_is_shown_in_the_dialog_and_another_file_can_be_chosen(
    tmp_path: Path, study: Path
) -> None:
    target = tmp_path / "pilot.batchwright"
    async with window_in(tmp_path) as at:
        at.controller.open_path(study)
        await at.settled()
        at.dialogs.path = study
        at.controller.run_action(ActionId.SAVE_WITH_DATA)
        await until(lambda: bool(at.window.findChildren(SaveWithDataDialog)))
        (banner,) = at.window.findChildren(WarningBanner)
        press(at.window, "Save")
        await until(lambda: "the file of the study itself" in banner.text)
        at.dialogs.path = tmp_path / "missing" / "pilot.batchwright"
        press(at.window, "Save")
        await until(lambda: "missing" in banner.text)
        at.dialogs.path = target
        press(at.window, "Save")
        await until(target.exists)
        await at.settled()


async def test_another_open_study_is_not_replaced(tmp_path: Path, study: Path) -> None:
    target = tmp_path / "open.batchwright"
    target.touch()
    async with window_in(tmp_path) as at:
        at.windows.elsewhere.add(target)
        dialog = await saving_dialog(at, study)
        at.dialogs.path = target
        press(at.window, "Save")
        (banner,) = dialog.findChildren(WarningBanner)
        await until(lambda: "“open.batchwright” is open in another window" in banner.text)
        assert not target.read_bytes()
        dialog.reject()
        await at.settled()


async def test_the_file_of_the_study_is_known_by_another_name(tmp_path: Path, study: Path) -> None:
    link = tmp_path / "link.batchwright"
    link.symlink_to(study)
    content = study.read_bytes()
    async with window_in(tmp_path) as at:
        dialog = await saving_dialog(at, study)
        at.dialogs.path = link
        press(at.window, "Save")
        (banner,) = dialog.findChildren(WarningBanner)
        await until(lambda: "the file of the study itself" in banner.text)
        assert study.read_bytes() == content
        dialog.reject()
        await at.settled()


async def saving_dialog(at: OpenTestWindow, study: Path) -> SaveWithDataDialog:
    """Open a study, and the dialog."""
    at.controller.open_path(study)
    await at.settled()
    at.controller.run_action(ActionId.SAVE_WITH_DATA)
    await until(lambda: any(dialog.isVisible() for dialog in at.window.findChildren(SaveWithDataDialog)))
    (dialog,) = at.window.findChildren(SaveWithDataDialog)
    return dialog


def media_study(folder: Path, base_address: str = "") -> Path:
    """The file of a study about the pictures in a folder."""
    options = SourceOptions(medium="picture", base_address=base_address)
    data = DataFile(folder, 0, Format(FormatKind.JSONL), conversion=Conversion(options))
    schema = Schema(strict=False, fields={"picture": Field(FieldType.IMAGE_URL)})
    return write_study(
        Project("Cats", schema=schema, data=data), StudyFile(folder.parent / "study.batchwright")
    ).path


async def test_the_files_of_a_folder_are_saved_up_to_a_limit(tmp_path: Path) -> None:
    folder, target = add(tmp_path / "cats", "1.png", "2.png"), tmp_path / "cats.batchwright"
    add(folder, "3.png", content=bytes(2_000_000))
    async with window_in(tmp_path / "here") as at:
        at.dialogs.path = target
        dialog = await saving_dialog(at, media_study(folder))
        await until(dialog.accept_button.isEnabled)
        assert any(
            label.text().startswith("3 files are saved with the table: 2")
            for label in dialog.findChildren(QLabel)
        )
        (limit,) = dialog.findChildren(QSpinBox)
        limit.setValue(1)
        assert not dialog.accept_button.isEnabled()
        limit.setValue(3)
        press(at.window, "Save")
        await until(target.exists)
        await at.settled()
    with zipfile.ZipFile(target) as archive:
        names = archive.namelist()
    assert {"data/cats/1.png", "data/cats/2.png", "data/cats/3.png"} <= set(names)


async def test_the_table_of_a_folder_that_is_on_the_web_is_saved_without_its_files(tmp_path: Path) -> None:
    folder, target = add(tmp_path / "cats", "1.png"), tmp_path / "cats.batchwright"
    async with window_in(tmp_path / "here") as at:
        at.dialogs.path = target
        dialog = await saving_dialog(at, media_study(folder, "https://example.org/cats/"))
        next(each for each in dialog.findChildren(QRadioButton) if each.text() == "The table only").click()
        press(at.window, "Save")
        await until(target.exists)
        await at.settled()
    with zipfile.ZipFile(target) as archive:
        (record,) = [parse(line) for line in archive.read("data/cats.jsonl").splitlines()]
    assert is_object(record)
    assert record["picture"] == "https://example.org/cats/1.png"
