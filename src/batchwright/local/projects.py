"""A project: one study as a file, `NAME.batchwright` (design.md D11, D16, D18).

The file is versioned JSON. Our own keys are written sorted, so that two versions compare well; layout and
schema are written in the order they came in, since the order of a schema's fields means something. Keys that
nobody here knows are kept.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.base.json_values import Json, JsonObject, to_json
from batchwright.data_files.file_types import STUDY_KEY
from batchwright.data_files.formats import Format
from batchwright.layout.file_format import KEY
from batchwright.layout.model import Layout
from batchwright.layout.serialization import write
from batchwright.local.project_migrations import current_version
from batchwright.schema.model import Schema
from batchwright.schema.parsing import write_schema

if TYPE_CHECKING:  # the models of the wire are not needed before a study is open
    from batchwright.wire.batches import TaskDetails

SUFFIX = ".batchwright"


@dataclass(frozen=True)
class DataFile:
    """The data of a study: a reference to a file, and how it is to be read."""

    path: Path
    size: int
    form: Format
    sha256: str | None = None
    columns: tuple[str, ...] = ()
    """The columns when the file was last read, kept only while some of them could not be fields."""
    left_out: tuple[str, ...] = ()
    """The columns that could not be fields then, so that they are included once the file is corrected."""


@dataclass(frozen=True)
class LastSent:
    """What the batch of a study was sent last, and what the service returned, as digests of its content.

    See `workflows.batch_content`. It tells whether the study, or the batch, has changed since.
    """

    sent: str
    returned: str
    at: str
    """When, as ISO 8601 in UTC."""


@dataclass(frozen=True)
class RemoteBinding:
    """What a study has at one connection; `ids` is what the batch calls the entries of the layout, by key."""

    workspace_id: str = ""
    dataset_id: str | None = None
    import_id: str | None = None
    batch_id: str | None = None
    ids: Mapping[str, str] = field(default_factory=dict)
    is_filled: bool = False
    """Whether the dataset has its records without an import for the study: V3, or taken as it was."""
    delivered: str | None = ""
    """What tells the data that the dataset was made of; None where that was not kept, in older files."""
    lacks_schema: bool = False
    """Whether the dataset has no schema that a layout could refer to: V3, or V4 without one."""
    last_sent: LastSent | None = None
    """None where the batch was never sent from this study, or only by an older Batchwright."""

    def with_dataset(
        self, workspace_id: str, dataset_id: str, import_id: str | None = None, *, is_filled: bool = False
    ) -> "RemoteBinding":
        """The same with another dataset, which has a schema; the batch stays."""
        return replace(
            self,
            workspace_id=workspace_id,
            dataset_id=dataset_id,
            import_id=import_id,
            is_filled=is_filled,
            delivered="",
            lacks_schema=False,
        )

    @property
    def has_data(self) -> bool:
        """Whether there is a dataset with records."""
        return self.dataset_id is not None and (self.is_filled or self.import_id is not None)


def empty_task_details() -> "TaskDetails":
    """Task details that nobody has written yet."""
    from batchwright.wire.batches import TaskDetails

    return TaskDetails(task_name="", task_introduction="", task_steps="")


@dataclass(frozen=True)
class Project:
    """One study: its layout and all that belongs to it; `remotes` by the name of the connection."""

    name: str
    layout: Layout = field(default_factory=Layout)
    page_names: Mapping[str, str] = field(default_factory=dict)
    """What designers call a page, by its key; never sent (D18a)."""
    schema: Schema | None = None
    details: "TaskDetails" = field(default_factory=empty_task_details)
    data: DataFile | None = None
    remotes: Mapping[str, RemoteBinding] = field(default_factory=dict)
    tasks_per_group: int = 1
    given: JsonObject = field(default_factory=dict, repr=False)
    """The keys of the file that nobody here knows."""


def project_content(project: Project, folder: Path | None = None) -> bytes:
    """What a project's file holds; a data file below `folder` is named from there, so both can be moved."""
    from batchwright.wire.base import to_payload

    data = None if project.data is None else _written_data(project.data, folder)
    known: dict[str, Json] = {
        STUDY_KEY: current_version(),
        KEY: write(project.layout),
        "data": data,
        "keys": [entry.key for entry in project.layout.walk_all()],
        "name": project.name,
        "page_names": _sorted(project.page_names),
        "remotes": {name: _written_remote(remote) for name, remote in sorted(project.remotes.items())},
        "schema": None if project.schema is None else write_schema(project.schema),
        "task_details": _sorted(to_payload(project.details)),
        "tasks_per_group": project.tasks_per_group,
    }
    return to_json(_sorted({**project.given, **known}), indent=2).encode() + b"\n"


def _written_data(data: DataFile, folder: Path | None) -> Json:
    path = data.path
    if folder is not None and path.is_relative_to(folder):
        path = path.relative_to(folder)
    return {
        "columns": list(data.columns),
        "format": _sorted(asdict(data.form)),
        "left_out": list(data.left_out),
        "path": path.as_posix(),
        "sha256": data.sha256,
        "size": data.size,
    }


def _written_remote(remote: RemoteBinding) -> Json:
    last_sent = None if remote.last_sent is None else _sorted(vars(remote.last_sent))
    return _sorted({**vars(remote), "ids": _sorted(remote.ids), "last_sent": last_sent})


def _sorted(value: Mapping[str, Json]) -> dict[str, Json]:
    return dict(sorted(value.items()))
