"""The operations of the Data stage, with scripted workflows."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest.mock import AsyncMock

import pytest

from batchwright.data_files.formats import Format, FormatKind
from batchwright.local.projects import Project, RemoteBinding
from batchwright.schema.model import Field, FieldType, Schema
from batchwright.ui.core.operations import OperationState
from batchwright.ui.data.dataset import dataset_commands, upload
from batchwright.ui.data.dataset import further_imports as imports
from batchwright.ui.data.dataset.dataset_commands import start_append, start_schema_change
from batchwright.ui.data.dataset.dataset_controller import DatasetController
from batchwright.ui.data.dataset.dataset_operations import RecordsToAppend, UploadSource
from batchwright.ui.data.dataset.upload import start_upload, start_v3_upload
from batchwright.ui.data.file.data_file import DataFileModel
from batchwright.ui.data.file.validation_run import ValidationRun
from batchwright.ui.data.schema.schema_diff import SchemaDiff
from batchwright.ui.study.study_model import Study
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportJob, ImportStatus
from batchwright.workflows.data.upload_dataset import UploadObserver
from batchwright.workflows.messages import describe
from tests.ui.core.operation_fixtures import Command, Fixture, ScriptedWork

STAMP = (10, 0)
FORMAT = Format(FormatKind.CSV)
SCHEMA = Schema(strict=False, fields={"a": Field(FieldType.TEXT, "A")})
DATASET = Dataset(id="d", name="Cats", status="READY")
PATH = Path("cats.csv")


class Data:
    """The dataset of a study at a hosted service, without a window and without files."""

    def __init__(self, at: Fixture, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch, self.study = monkeypatch, Study()
        self.study.open(Project("Cats"), None)
        file, validation = (
            DataFileModel(at.tasks, describe, self.study.records_files),
            ValidationRun(at.tasks, describe),
        )
        self.controller = DatasetController(self.study, at.session, file, validation, at.tasks)
        for module in (dataset_commands, upload):
            for name, value in (("file_stamp", STAMP), ("file_sha256", "digest")):
                if hasattr(module, name):
                    monkeypatch.setattr(module, name, lambda _path, value=value: value)
        monkeypatch.setattr(dataset_commands, "replace", lambda context, **_changes: context)
        monkeypatch.setattr(upload, "require_web_addresses", AsyncMock())

    def command(
        self, module: ModuleType, workflow: str, result: object, start: Callable[[], object]
    ) -> Command:
        """A command whose result is applied when its operation is shown as succeeded."""
        work = ScriptedWork(result)
        self.monkeypatch.setattr(module, workflow, work)
        return self.command_of(work, start, self._has_succeeded)

    def command_of(
        self, work: ScriptedWork, start: Callable[[], object], has_result: Callable[[], bool]
    ) -> Command:
        return Command(
            self.controller.operations,
            work,
            start,
            has_result,
            lambda: self.study.open(Project("Dogs"), None),
            shows_error=True,
            keeps_connection=True,
        )

    def _has_succeeded(self) -> bool:
        operation = self.controller.operation
        return operation is not None and operation.state is OperationState.SUCCEEDED


def upload_data(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    data = Data(at, monkeypatch)
    source = UploadSource("Cats", PATH, STAMP, FORMAT, SCHEMA, 5, is_entire_file=True)
    work = ScriptedWork(ImportJob(import_id="i", status=ImportStatus.COMPLETE, accepted_count=5))

    async def upload_dataset(*arguments: object) -> SimpleNamespace:
        job = await work()
        observer = next(argument for argument in arguments if isinstance(argument, UploadObserver))
        observer.on_created(DATASET)
        observer.on_sent(job.import_id)
        return SimpleNamespace(job=job)

    monkeypatch.setattr(upload, "upload_dataset", upload_dataset)
    monkeypatch.setattr(upload.Upload, "_checkpoint", lambda *_arguments: nullcontext(AsyncMock()))
    monkeypatch.setattr(data.controller, "upload_source", lambda: source)
    return data.command_of(
        work, lambda: start_upload(data.controller), lambda: data.study.remote("Lab").import_id == "i"
    )


def append_records(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    data, source = Data(at, monkeypatch), RecordsToAppend(PATH, STAMP, FORMAT, 5)
    result = SimpleNamespace(rejections=())
    return data.command(
        dataset_commands, "append_file", result, lambda: start_append(data.controller, DATASET, source)
    )


def change_dataset_schema(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    data = Data(at, monkeypatch)
    monkeypatch.setattr(DatasetController, "schema_diff", SchemaDiff(None, SCHEMA, 1, 0))

    def start() -> None:
        data.study.set_remote("Lab", RemoteBinding("w1", dataset_id="d"))
        data.controller.remote.store(DATASET)
        start_schema_change(data.controller)

    return data.command(
        dataset_commands, "change_dataset_schema", SimpleNamespace(migration=None, released=()), start
    )


def upload_v3_file(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    data = Data(at, monkeypatch)
    return data.command(upload, "upload_v3_dataset", DATASET, lambda: start_v3_upload(data.controller, PATH))


def create_dataset(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    data = Data(at, monkeypatch)
    later = DATASET.model_copy(update={"id": "later"})
    work = ScriptedWork(later)
    monkeypatch.setattr(imports, "create_dataset_without_schema", work)
    return data.command_of(
        work,
        lambda: imports.start_create(data.controller, "Later"),
        lambda: data.study.remote("Lab").dataset_id == "later",
    )


def import_another_file(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    data = Data(at, monkeypatch)
    work = ScriptedWork(ImportJob(import_id="further", status=ImportStatus.COMPLETE, accepted_count=5))
    monkeypatch.setattr(imports, "import_file", work)

    def start() -> None:
        data.study.set_remote("Lab", RemoteBinding("w1", dataset_id="d"))
        imports.start_import(data.controller, "d", PATH)

    return data.command_of(work, start, lambda: data.study.remote("Lab").import_id == "further")


DATA_COMMANDS = (
    upload_data,
    append_records,
    change_dataset_schema,
    upload_v3_file,
    create_dataset,
    import_another_file,
)
"""Each makes a command, given the session and a monkeypatch."""
