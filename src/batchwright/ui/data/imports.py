"""Commands for further files of the study's dataset, and for a dataset that gets its schema later."""

from pathlib import Path

from batchwright.base.i18n import _
from batchwright.client.context import WorkflowContext
from batchwright.client.job_monitoring.status import JobStatus
from batchwright.client.resilient_run import RecoveryHooks
from batchwright.ui.core.operations import OperationRun, Work
from batchwright.ui.data.context import DataContext
from batchwright.ui.data.dataset_commands import change_schema
from batchwright.ui.data.dataset_controller import DatasetController
from batchwright.ui.data.dataset_operations import DATASET, CreateOperation, ImportFileOperation
from batchwright.ui.data.file_commands import choose_data_file
from batchwright.ui.data.imports_dialog import CreateDatasetDialog, ImportsDialog, import_file_dialog
from batchwright.workflows.create_dataset import create_dataset_without_schema
from batchwright.workflows.upload_dataset import UploadObserver, import_file

_V4_FILES = "CSV, JSONL (*.csv *.jsonl)"


async def create_dataset(context: DataContext) -> None:
    """Ask for a name, and create a dataset without a schema for the study."""
    state = context.state
    dialog = CreateDatasetDialog(state.study.project.name, _live(context), replaces=_has_dataset(context))
    if await dialog.ask(context.window.window):
        start_create(state.dataset, dialog.name)


async def import_another_file(context: DataContext) -> None:
    """Ask for a file, and import it into the study's dataset."""
    controller = context.state.dataset
    path, dataset = await choose_data_file(context, _V4_FILES), controller.remote.dataset
    if path is None or dataset is None:
        return
    dialog = import_file_dialog(
        path, dataset, _live(context), has_schema=controller.remote.schema is not None
    )
    if await dialog.ask(context.window.window):
        start_import(controller, dataset.id, path)


async def show_imports(context: DataContext) -> None:
    """List the imports of the study's dataset; those that wait for a schema can be released."""
    controller = context.state.dataset
    await controller.remote.fetch_now(may_prompt=True)
    dataset = controller.remote.dataset
    if dataset is None:
        return
    dialog = ImportsDialog(dataset, can_set_schema=controller.schema_diff is not None)
    if await dialog.ask(context.window.window) and dialog.sets_schema:
        context.start(change_schema)


def start_create(controller: DatasetController, name: str) -> None:
    """Create a dataset without a schema, and attach it to the study."""
    connection = controller.session.connection

    async def work(context: WorkflowContext, _hooks: RecoveryHooks | None, run: OperationRun) -> None:
        run.update(is_connected=True)
        dataset = await create_dataset_without_schema(context, name)
        run.update(workspace_id=context.workspace_id, dataset=dataset)

    title = _("Creating a dataset")
    operation = CreateOperation(DATASET, title, connection.name, connection_title=connection.title, name=name)
    controller.start(operation, work)


def start_import(controller: DatasetController, dataset_id: str, path: Path) -> None:
    """Import a further file into a dataset; the import is monitored to its end."""
    connection, title = controller.session.connection, _("Importing {name}").format(name=path.name)
    operation = ImportFileOperation(
        DATASET,
        title,
        connection.name,
        connection_title=connection.title,
        path=path,
        dataset_id=dataset_id,
    )
    controller.start(operation, _import_work(dataset_id, path))


def _import_work(dataset_id: str, path: Path) -> Work[None]:
    async def work(context: WorkflowContext, hooks: RecoveryHooks | None, run: OperationRun) -> None:
        def on_progress(done: int, total: int | None) -> None:
            run.update(done=done, total=total or 0, fraction=done / total if total else None)

        def on_status(status: JobStatus) -> None:
            run.update(import_status=status.state, fraction=None)

        run.update(is_connected=True)
        observer = UploadObserver(on_progress=on_progress, on_status=on_status)
        run.update(job=await import_file(context, dataset_id, path, observer, hooks))

    return work


def _has_dataset(context: DataContext) -> bool:
    return context.state.dataset.remote.binding.dataset_id is not None


def _live(context: DataContext) -> str:
    """The name of the live service; empty for the service on this computer."""
    session = context.state.session
    return session.connection.title if session.is_live else ""
