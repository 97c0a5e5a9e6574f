"""Which tasks of a batch are listed as created by an auto-sync of the service."""

from pathlib import Path

from batchwright.client.job_monitoring.status import JobKind
from batchwright.local.connections import THIS_COMPUTER
from batchwright.ui.run.commands import start_sync, switch_auto_sync
from batchwright.ui.run.state import RunState
from batchwright.workflows.data.upload_dataset import send_file
from tests.ui.conftest import until
from tests.ui.fake_connection_pool import LAB
from tests.ui.run.conftest import append, quiet, syncs


async def test_tasks_of_a_manual_sync_are_not_listed_as_auto_sync(state: RunState) -> None:
    await append(state, "Third")
    assert not state.sync.is_awaited
    switch_auto_sync(state, is_on=True)
    await quiet(state)
    await state.remote_list.fetch_now()
    assert not state.sync.is_awaited
    assert state.sync.unsynced == 1
    start_sync(state)
    await quiet(state)
    assert syncs(state) == ["1 task created"]


async def switched_on(state: RunState) -> None:
    """Turn auto-sync on, append records, and poll once."""
    switch_auto_sync(state, is_on=True)
    await quiet(state)
    await state.remote_list.fetch_now()
    await append(state, "Third")


async def test_no_auto_sync_is_awaited_for_imported_records(state: RunState, tmp_path: Path) -> None:
    await switched_on(state)
    await until(lambda: not state.sync.unsynced, 30)
    await quiet(state)
    await import_file(state, tmp_path)
    assert state.sync.unsynced == 1
    assert not state.sync.is_awaited


async def test_an_auto_sync_is_not_listed_at_another_connection(state: RunState) -> None:
    self_syncs = state.sync.detector
    came: list[int] = []

    def leave() -> None:
        if self_syncs._unlisted:
            came.append(len(self_syncs._unlisted))
            state.session.set_connection(LAB)

    state.remote_list.fetched.connect(leave)
    await switched_on(state)
    await until(lambda: bool(came), 30)
    await quiet(state)
    state.session.set_connection(THIS_COMPUTER)
    await state.remote_list.fetch_now()
    assert not syncs(state)


async def import_file(state: RunState, folder: Path) -> None:
    """Import a file into the dataset, and poll."""
    context, dataset = await state.session.context(), state.remote.dataset_id
    assert dataset is not None
    file = folder / "more.csv"
    file.write_text("prompt\nFourth\n", encoding="utf-8")
    import_id, _sent = await send_file(context, context.checkpoint("more"), dataset, file)
    subject = {"dataset_id": dataset, "import_id": import_id}
    async for _status in context.jobs.statuses(JobKind.IMPORT, subject, file.name):
        pass
    await state.remote_list.fetch_now()
