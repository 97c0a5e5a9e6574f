"""What can be done in the Data stage, for menus, keys and the command finder (style.md 8)."""

from typing import Protocol

from batchwright.base.i18n import N_
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.data.dataset_commands import DatasetCommands
from batchwright.ui.data.file_commands import FileCommands
from batchwright.ui.data.schema_commands import SchemaCommands
from batchwright.ui.data.state import DataState


class Subject(Protocol):
    """The stage, as far as actions need it."""

    model: DataState
    files: FileCommands
    dataset: DatasetCommands
    fields: SchemaCommands

    def upload(self) -> None:
        """Upload the good records."""

    def step_rejection(self, by: int) -> None:
        """Go so many rejected records further."""


def _is_open(stage: Subject) -> bool:
    return stage.model.study.is_open


def _has_file(stage: Subject) -> bool:
    return stage.model.file.summary is not None


def _can_upload(stage: Subject) -> bool:
    return stage.model.dataset.upload_source() is not None and stage.model.dataset.busy_reason is None


def _can_append(stage: Subject) -> bool:
    return stage.model.dataset.remote.accepts_records and stage.model.dataset.busy_reason is None


def _can_send(stage: Subject) -> bool:
    return stage.model.study.is_open and stage.model.dataset.busy_reason is None


def _can_change_schema(stage: Subject) -> bool:
    return stage.model.dataset.schema_diff is not None and stage.model.dataset.busy_reason is None


def _can_rename(stage: Subject) -> bool:
    return stage.model.can_rename_columns and stage.model.dataset.busy_reason is None


def _has_rejections(stage: Subject) -> bool:
    return bool(stage.model.rejections)


def _has_schema(stage: Subject) -> bool:
    return stage.model.study.schema is not None


_NO_STUDY = N_("Open or make a study first")
_NO_FILE = N_("Choose a data file first")

ACTIONS: tuple[Action[Subject], ...] = (
    Action(
        "data.choose",
        N_("Choose data file…"),
        "Ctrl+Shift+D",
        lambda stage: stage.files.choose(),
        Menu.FILE,
        submenu=Submenu.DATA,
        when=_is_open,
        why_not=_NO_STUDY,
        glyph="table",
        group=40,
    ),
    Action(
        "data.rename",
        N_("Rename columns…"),
        "",
        lambda stage: stage.files.rename_columns(),
        Menu.FILE,
        submenu=Submenu.DATA,
        when=_can_rename,
        why_not=N_("Every column has a name of its own"),
        glyph="pencil-simple",
        group=40,
    ),
    Action(
        "data.open_schema",
        N_("Open schema…"),
        "",
        lambda stage: stage.files.open_schema(),
        Menu.FILE,
        submenu=Submenu.DATA,
        when=_is_open,
        why_not=_NO_STUDY,
        glyph="tree-structure",
        group=40,
    ),
    Action(
        "data.add_field",
        N_("Add field to schema…"),
        "",
        lambda stage: stage.fields.add_field(),
        Menu.FILE,
        submenu=Submenu.DATA,
        when=_is_open,
        why_not=_NO_STUDY,
        glyph="plus",
        group=40,
    ),
    Action(
        "data.save_schema",
        N_("Save schema…"),
        "",
        lambda stage: stage.files.save_schema(),
        Menu.FILE,
        submenu=Submenu.DATA,
        when=_has_schema,
        why_not=N_("There is no schema yet"),
        glyph="floppy-disk",
        group=40,
    ),
    Action(
        "data.check",
        N_("Check data"),
        "Ctrl+Shift+K",
        lambda stage: stage.model.validate(),
        Menu.RUN,
        submenu=Submenu.DATASET,
        when=_has_file,
        why_not=_NO_FILE,
        glyph="arrow-clockwise",
        group=10,
    ),
    Action(
        "data.next_rejection",
        N_("Next rejected record"),
        "Ctrl+Shift+J",
        lambda stage: stage.step_rejection(1),
        Menu.RUN,
        submenu=Submenu.DATASET,
        when=_has_rejections,
        why_not=N_("No record would be rejected"),
        glyph="warning-circle-fill",
        group=10,
    ),
    Action(
        "data.previous_rejection",
        N_("Previous rejected record"),
        "Ctrl+Shift+H",
        lambda stage: stage.step_rejection(-1),
        Menu.RUN,
        submenu=Submenu.DATASET,
        when=_has_rejections,
        why_not=N_("No record would be rejected"),
        group=10,
    ),
    Action(
        "data.upload",
        N_("Upload data"),
        "Ctrl+Shift+U",
        lambda stage: stage.upload(),
        Menu.RUN,
        submenu=Submenu.DATASET,
        when=_can_upload,
        why_not=N_("Check the data first"),
        glyph="upload-simple",
        group=10,
    ),
    Action(
        "data.take",
        N_("Use a dataset that is there…"),
        "Ctrl+Shift+Q",
        lambda stage: stage.dataset.take(),
        Menu.RUN,
        submenu=Submenu.DATASET,
        when=_can_send,
        why_not=N_("Open a study first, and wait until its dataset is not worked on"),
        glyph="stack",
        group=10,
    ),
    Action(
        "data.send_v3",
        N_("Send as a V3 dataset…"),
        "",
        lambda stage: stage.dataset.send_v3(),
        Menu.RUN,
        submenu=Submenu.DATASET,
        when=_can_send,
        why_not=N_("Open a study first, and wait until its dataset is not worked on"),
        glyph="upload-simple",
        group=10,
    ),
    Action(
        "data.change_schema",
        N_("Change the dataset's schema…"),
        "Ctrl+Shift+Y",
        lambda stage: stage.dataset.change_schema(),
        Menu.RUN,
        submenu=Submenu.DATASET,
        when=_can_change_schema,
        why_not=N_("The dataset has this schema, or there is none"),
        glyph="tree-structure",
        group=10,
    ),
    Action(
        "data.append",
        N_("Append records…"),
        "Ctrl+Shift+I",
        lambda stage: stage.dataset.append(),
        Menu.RUN,
        submenu=Submenu.DATASET,
        when=_can_append,
        why_not=N_("Upload the data first, as a dataset with a schema"),
        glyph="list-plus",
        group=10,
    ),
)
"""The actions of the stage."""
