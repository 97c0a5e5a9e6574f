"""A project: one study as a file, `NAME.batchwright` (design.md D11, D16, D18).

The file is versioned JSON. Our own keys are written sorted, so that two versions compare well; layout and
schema are written in the order they came in, since the order of a schema's fields means something. Keys that
nobody here knows are kept.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path

from pydantic import ValidationError

from batchwright.layout.files import KEY, NotALayout, read_file
from batchwright.layout.model import Layout
from batchwright.layout.reading import fresh_keys, read, write
from batchwright.records.json_values import Json, JsonObject, NotJson, is_array, is_object, parse, render
from batchwright.records.schema import Schema
from batchwright.records.schema_reading import SchemaFaults, read_schema, write_schema
from batchwright.tables.formats import Format, Kind
from batchwright.wire.batches import TaskDetails
from batchwright.wire.bodies import payload
from batchwright.words import _

VERSION = 1
SUFFIX = ".batchwright"

_MARK = "batchwright"
"""The key that tells a project from other JSON; its value is the version."""


class NotAProject(ValueError):
    """A file holds no project that can be opened; the text says why in a sentence."""


@dataclass(frozen=True)
class DataFile:
    """The data of a study: a reference to a file, and how it is to be read."""

    path: Path
    size: int
    form: Format
    sha256: str | None = None


@dataclass(frozen=True)
class Remote:
    """What a study has at one connection; `ids` is what the batch calls the entries of the layout, by key."""

    workspace_id: str = ""
    dataset_id: str | None = None
    import_id: str | None = None
    batch_id: str | None = None
    ids: Mapping[str, str] = field(default_factory=dict)


def no_details() -> TaskDetails:
    """Task details that nobody has written yet."""
    return TaskDetails(task_name="", task_introduction="", task_steps="")


@dataclass(frozen=True)
class Project:
    """One study: its layout and all that belongs to it; `remotes` by the name of the connection."""

    name: str
    layout: Layout = field(default_factory=Layout)
    page_names: Mapping[str, str] = field(default_factory=dict)
    """What designers call a page, by its key; never sent (D18a)."""
    schema: Schema | None = None
    details: TaskDetails = field(default_factory=no_details)
    data: DataFile | None = None
    remotes: Mapping[str, Remote] = field(default_factory=dict)
    tasks_per_group: int = 1
    given: JsonObject = field(default_factory=dict, repr=False)
    """The keys of the file that nobody here knows."""


def read_project(content: bytes, folder: Path | None = None) -> Project:
    """The project in a file's content; a plain `batch_items` file is one with nothing but a layout (D12).

    Args:
        content: UTF-8 with or without a byte order mark.
        folder: where the file lies, which relative paths in it start from.

    Raises:
        NotAProject: it is no JSON, of a newer version, or damaged.
    """
    try:
        value = parse(content)
    except NotJson as fault:
        raise NotAProject(_("The file is no JSON: {reason}.").format(reason=fault)) from None
    if not is_object(value) or _MARK not in value:
        return _plain(content)
    version = value[_MARK]
    if not isinstance(version, int) or isinstance(version, bool):
        raise NotAProject(_("The version of the project must be a number."))
    if version > VERSION:
        raise NotAProject(_("A newer Batchwright wrote this project. Install the newest one to open it."))
    return _project(value, folder or Path())


def project_content(project: Project, folder: Path | None = None) -> bytes:
    """What a project's file holds; a data file below `folder` is named from there, so both can be moved."""
    data = None if project.data is None else _written_data(project.data, folder)
    known: dict[str, Json] = {
        _MARK: VERSION,
        KEY: write(project.layout),
        "data": data,
        "keys": [entry.key for entry in project.layout.walk_all()],
        "name": project.name,
        "page_names": _sorted(project.page_names),
        "remotes": {name: _written_remote(remote) for name, remote in sorted(project.remotes.items())},
        "schema": None if project.schema is None else write_schema(project.schema),
        "task_details": _sorted(payload(project.details)),
        "tasks_per_group": project.tasks_per_group,
    }
    return render(_sorted({**project.given, **known}), indent=2).encode() + b"\n"


def _plain(content: bytes) -> Project:
    try:
        file = read_file(content, fresh_keys())
    except NotALayout as fault:
        raise NotAProject(fault.reason) from None
    around = file.around or {}
    name = around.get("name")
    return Project(
        name if isinstance(name, str) else "", file.layout, details=_details(around.get("task_details"))
    )


_KNOWN = frozenset(
    {
        _MARK,
        KEY,
        "data",
        "keys",
        "name",
        "page_names",
        "remotes",
        "schema",
        "task_details",
        "tasks_per_group",
    }
)


def _project(value: JsonObject, folder: Path) -> Project:
    layout, has_its_keys = _layout(value)
    project = Project(
        name=_text(value, "name"),
        layout=layout,
        schema=_schema(value.get("schema")),
        details=_details(value.get("task_details")),
        data=_data(value.get("data"), folder),
        remotes=_remotes(value.get("remotes")),
        tasks_per_group=_count(value, "tasks_per_group", 1),
        given={key: inner for key, inner in value.items() if key not in _KNOWN},
    )
    if has_its_keys:
        return replace(project, page_names=_texts(value, "page_names"))
    # Someone has put pages in or taken some out by hand: what hung on the keys cannot be told any more.
    return replace(
        project, remotes={name: replace(one, ids={}) for name, one in project.remotes.items()}, page_names={}
    )


def _layout(value: JsonObject) -> tuple[Layout, bool]:
    """The layout, and whether the keys kept with it are still its own."""
    pages = value.get(KEY, [])
    if not is_array(pages):
        raise _damaged(KEY)
    given = value.get("keys")
    keys = [key for key in given if isinstance(key, str)] if is_array(given) else []
    layout = read(pages, chain(keys, fresh_keys()))
    count = sum(1 for _entry in layout.walk_all())
    if count == len(keys) == len(set(keys)):
        return layout, True
    return read(pages, fresh_keys()), False


def _schema(value: Json) -> Schema | None:
    try:
        return None if value is None else read_schema(value)
    except SchemaFaults as faults:
        raise NotAProject(_("The schema of the project: {faults}").format(faults=faults)) from None


def _details(value: Json) -> TaskDetails:
    if value is None:
        return no_details()
    try:
        return TaskDetails.model_validate(value)
    except ValidationError:
        raise _damaged("task_details") from None


def _data(value: Json, folder: Path) -> DataFile | None:
    if value is None:
        return None
    if not is_object(value):
        raise _damaged("data")
    digest = value.get("sha256")
    return DataFile(
        path=folder / _text(value, "path"),
        size=_count(value, "size", 0),
        form=_form(value.get("format")),
        sha256=digest if isinstance(digest, str) else None,
    )


def _form(value: Json) -> Format:
    if not is_object(value) or value.get("kind") not in tuple(Kind):
        raise _damaged("data")
    kind = Kind(str(value["kind"]))
    texts = {
        name: text for name in ("encoding", "delimiter", "quote") if isinstance(text := value.get(name), str)
    }
    return Format(kind, **texts, header=value.get("header") is not False)


def _remotes(value: Json) -> dict[str, Remote]:
    if value is None:
        return {}
    if not is_object(value):
        raise _damaged("remotes")
    return {name: _remote(one) for name, one in value.items()}


def _remote(value: Json) -> Remote:
    if not is_object(value):
        raise _damaged("remotes")
    known = {
        name: text
        for name in ("workspace_id", "dataset_id", "import_id", "batch_id")
        if isinstance(text := value.get(name), str)
    }
    return Remote(**known, ids=_texts(value, "ids"))


def _written_data(data: DataFile, folder: Path | None) -> Json:
    path = data.path
    if folder is not None and path.is_relative_to(folder):
        path = path.relative_to(folder)
    return {
        "format": _sorted(asdict(data.form)),
        "path": path.as_posix(),
        "sha256": data.sha256,
        "size": data.size,
    }


def _written_remote(remote: Remote) -> Json:
    return _sorted({**vars(remote), "ids": _sorted(remote.ids)})


def _text(value: JsonObject, name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str):
        raise _damaged(name)
    return text


def _texts(value: JsonObject, name: str) -> dict[str, str]:
    texts = value.get(name, {})
    if not is_object(texts):
        raise _damaged(name)
    return {key: text for key, text in texts.items() if isinstance(text, str)}


def _count(value: JsonObject, name: str, least: int) -> int:
    count = value.get(name, least)
    if not isinstance(count, int) or isinstance(count, bool) or count < least:
        raise _damaged(name)
    return count


def _sorted(value: Mapping[str, Json]) -> dict[str, Json]:
    return dict(sorted(value.items()))


def _damaged(name: str) -> NotAProject:
    return NotAProject(_("“{name}” in the project file is missing or damaged.").format(name=name))
