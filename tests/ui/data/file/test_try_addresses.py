"""Trying the addresses of a column: asked first, with a result that leads to the records."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel

from batchwright.base.network_settings import NetworkSettings
from batchwright.data_files.views.record_query import ConditionKind, RecordQuery
from batchwright.local.connections import Connection
from batchwright.schema.model import FieldType
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.data.file.try_addresses import TryAddressesDialog
from batchwright.ui.data.records.column_counts_dialog import ColumnCountsDialog
from batchwright.ui.data.records.record_commands import count_values
from batchwright.ui.data.stage import DataStage
from tests.data_files.sources.test_media_folder import PICTURE, add
from tests.fakes.image_server import SLOW, ImageServer
from tests.ui.conftest import until
from tests.ui.data.conftest import checked, opened, wait_for_dialog
from tests.ui.fake_connection_pool import FakeConnectionPool

pytestmark = pytest.mark.gui


@pytest.fixture
def server(tmp_path: Path, session: ConnectionSession, pool: FakeConnectionPool) -> Iterator[ImageServer]:
    """A server that is also that of the service: others in a private network are not asked."""
    with ImageServer(tmp_path) as server:
        pool.network_settings = NetworkSettings(certificates=str(server.certificate))
        session.set_connection(Connection("Lab", server.url, "w1"))
        yield server


def button(dialog: TryAddressesDialog, name: str) -> QAbstractButton:
    return next(each for each in dialog.findChildren(QAbstractButton) if each.accessibleName() == name)


def names(dialog: TryAddressesDialog) -> list[str]:
    return [each.accessibleName() for each in dialog.findChildren(QAbstractButton) if each.isVisible()]


def table(folder: Path, *addresses: str) -> Path:
    path = folder / "table.csv"
    lines = [f"{number},{address}" for number, address in enumerate(addresses)]
    path.write_text("\n".join(["number,picture", *lines, ""]))
    return path


async def test_addresses_without_a_picture_lead_to_their_records(
    stage: DataStage, server: ImageServer, tmp_path: Path
) -> None:
    good, page = server.serve("/a.png", PICTURE), server.serve("/b.png", b"<html>")
    missing = f"{server.url}/c.png"
    await opened(stage, table(tmp_path, good, page, good, missing, missing))
    assert server.requests == [], "nothing is requested before the user agrees"
    stage.context.window.actions.run(ActionId.DATA_TRY_ADDRESSES)
    dialog = await wait_for_dialog(stage, TryAddressesDialog)
    await until(dialog.accept_button.isEnabled)
    dialog.accept_button.click()
    await until(lambda: "Not found: 1 record" in names(dialog), 20)
    assert "Something else than the field says: 1 record" in names(dialog)
    button(dialog, "Not found: 1 record").click()
    views = stage.state.views
    await until(lambda: views.view is not None and views.view.is_complete, 20)
    (condition,) = views.query.conditions
    assert (condition.kind, condition.column) == (ConditionKind.ONE_OF, 1)
    assert views.view is not None
    assert views.view.order is not None
    assert list(views.view.order) == [3, 4]


async def test_the_counts_of_a_column_with_addresses_offer_to_try_them(
    stage: DataStage, server: ImageServer, tmp_path: Path
) -> None:
    await opened(stage, table(tmp_path, server.serve("/a.png", PICTURE)))
    stage.context.start(count_values, 1)
    counts = await wait_for_dialog(stage, ColumnCountsDialog)
    await until(
        lambda: any(
            each.text() == "Try the addresses…" and each.isVisible()
            for each in counts.findChildren(QAbstractButton)
        ),
        20,
    )
    next(each for each in counts.findChildren(QAbstractButton) if each.text() == "Try the addresses…").click()
    dialog = await wait_for_dialog(stage, TryAddressesDialog)
    dialog.reject()


async def test_files_of_this_computer_are_not_tried(
    stage: DataStage, server: ImageServer, tmp_path: Path
) -> None:
    await opened(stage, add(tmp_path / "pictures", "1.png"))
    assert stage.state.address_columns == [(1, FieldType.IMAGE_URL)]
    stage.context.window.actions.run(ActionId.DATA_TRY_ADDRESSES)
    dialog = await wait_for_dialog(stage, TryAddressesDialog)
    await until(lambda: any("on this computer; there" in each.text() for each in dialog.findChildren(QLabel)))
    assert not dialog.accept_button.isEnabled()
    dialog.reject()
    await checked(stage.state)


async def test_closing_the_dialog_ends_the_requests(
    stage: DataStage, server: ImageServer, tmp_path: Path
) -> None:
    pictures = [server.serve(f"/{number}.png", PICTURE) for number in range(9)]
    await opened(stage, table(tmp_path, *pictures, f"{server.url}{SLOW}"))
    stage.context.window.actions.run(ActionId.DATA_TRY_ADDRESSES)
    dialog = await wait_for_dialog(stage, TryAddressesDialog)
    await until(dialog.accept_button.isEnabled)
    dialog.accept_button.click()
    await until(lambda: SLOW in server.paths, 20)
    dialog.reject()
    await until(lambda: server.abandoned == 1, 20)
    assert stage.state.views.query == RecordQuery()
