"""Folders of media in the Data stage: their table, and the address where participants find the files."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit

from batchwright.base.json_values import Json, is_object
from batchwright.base.local_media import MediaFolder
from batchwright.schema.model import FieldType
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.file.base_address import BaseAddressDialog
from batchwright.ui.data.file.file_bar import FileBar
from batchwright.ui.data.file.replace_file import ReplaceDialog
from batchwright.ui.data.next_step import next_step
from batchwright.ui.data.stage import DataStage
from tests.data_files.sources.test_media_folder import PICTURE, add
from tests.ui.conftest import until
from tests.ui.data.conftest import LIVE, buttons, checked, drop, opened, shown, wait_for_dialog

pytestmark = pytest.mark.gui


async def test_a_hosted_service_is_sent_the_files_of_a_folder_only_with_their_address_on_the_web(
    stage: DataStage, session: ConnectionSession, tmp_path: Path
) -> None:
    session.set_connection(LIVE)
    await opened(stage, add(tmp_path / "pictures", "1.png", "2.png"))
    state = stage.state
    assert state.study.schema is not None
    assert state.study.schema.fields["picture"].type is FieldType.IMAGE_URL
    assert state.dataset.upload_source() is None
    buttons(stage)["Set the address"].click()
    dialog = await wait_for_dialog(stage, BaseAddressDialog)
    field = dialog.findChild(QLineEdit)
    assert field is not None
    field.setText("http://example.org/pictures")
    assert not dialog.accept_button.isEnabled() or dialog.accept_button.accessibleDescription()
    field.setText("https://example.org/pictures")
    dialog.accept_button.click()
    await until(lambda: next_step(state).button == "Upload 2 records", 30)
    await checked(state)
    assert state.study.data is not None
    assert state.study.data.conversion is not None
    assert state.study.data.conversion.options.base_address == "https://example.org/pictures/"
    assert [record.content["picture"] for record in state.file.first_records] == [  # type: ignore[index, call-overload]
        "https://example.org/pictures/1.png",
        "https://example.org/pictures/2.png",
    ]


async def test_the_address_of_the_files_can_be_changed_and_removed(stage: DataStage, tmp_path: Path) -> None:
    await opened(stage, add(tmp_path / "pictures", "1.png"))
    for address, text in (
        ("https://example.org/a", "example.org"),
        ("https://example.net/b/", "example.net"),
        ("", "On this computer"),
    ):
        shown(stage, FileBar).address_requested.emit()
        dialog = await wait_for_dialog(stage, BaseAddressDialog)
        field = dialog.findChild(QLineEdit)
        assert field is not None
        field.setText(address)
        dialog.accept_button.click()
        await until(partial(is_offered, stage, text))
        await checked(stage.state)
        record = stage.state.file.first_records[0].content
        base = f"{address.rstrip('/')}/" if address else MediaFolder(tmp_path / "pictures").base_address
        assert record == {**record, "picture": f"{base}1.png"}  # type: ignore[dict-item]
    await until(lambda: not stage.state.is_reading)


def is_offered(stage: DataStage, button: str) -> bool:
    return button in buttons(stage)


async def test_pictures_dropped_on_the_stage_are_a_table(stage: DataStage, tmp_path: Path) -> None:
    folder = add(tmp_path / "pictures", "1.png", "a/2.png", "3.png")
    drop(stage, folder / "a" / "2.png", folder / "1.png")
    await checked(stage.state)
    assert first_names(stage) == ["1.png", "a/2.png"]
    await until(lambda: not stage.state.is_reading)


async def test_one_picture_dropped_on_the_stage_is_a_table_of_one_row(
    stage: DataStage, tmp_path: Path
) -> None:
    drop(stage, add(tmp_path / "pictures", "1.png", "2.png") / "2.png")
    await checked(stage.state)
    assert first_names(stage) == ["2.png"]
    await until(lambda: not stage.state.is_reading)


async def test_changes_in_a_subfolder_are_noticed(stage: DataStage, tmp_path: Path) -> None:
    folder = add(tmp_path / "pictures", "a/b/1.png")
    await opened(stage, folder)
    add(folder, "a/b/2.png")
    stage.state.reload_if_changed()
    await until(lambda: first_names(stage) == ["a/b/1.png", "a/b/2.png"])
    (folder / "a" / "b" / "2.png").write_bytes(PICTURE[:40])
    stage.state.reload_if_changed()
    await until(lambda: sizes(stage) == [len(PICTURE), 40])
    await checked(stage.state)
    await until(lambda: not stage.state.is_reading)


def first_records(stage: DataStage) -> list[Mapping[str, Json]]:
    return [record.content for record in stage.state.file.first_records if is_object(record.content)]


def first_names(stage: DataStage) -> list[Json]:
    return [record["file_name"] for record in first_records(stage)]


def sizes(stage: DataStage) -> list[Json]:
    return [record["size"] for record in first_records(stage)]


async def test_the_question_about_other_pictures_says_how_many_there_are(
    stage: DataStage, tmp_path: Path
) -> None:
    folder = add(tmp_path / "pictures", "1.png", "2.png", "3.png")
    await opened(stage, folder)
    drop(stage, folder / "2.png", folder / "3.png")
    dialog = await wait_for_dialog(stage, ReplaceDialog)
    assert dialog.accessibleName() == "Replace “pictures” with 2 files of “pictures”?"
    dialog.reject()


@pytest.mark.usefixtures("context")
async def test_records_about_files_of_this_computer_are_not_sent_to_a_hosted_service(
    stage: DataStage, session: ConnectionSession, tmp_path: Path
) -> None:
    path = tmp_path / "saved.jsonl"
    path.write_text(f'{{"picture": "{MediaFolder(tmp_path).base_address}1.png"}}\n')
    session.set_connection(LIVE)
    await opened(stage, path)
    start_upload(stage.state.dataset)
    await until(lambda: stage.state.dataset.operations.current is None, 20)
    upload = stage.state.dataset.upload_operation
    assert upload is not None
    assert upload.error is not None
    assert "of this computer" in upload.error.what
    assert upload.dataset is None
