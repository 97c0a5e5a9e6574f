"""The actions of the Data stage: text, shortcut, command and condition of each, in the order of the menus."""

from typing import TYPE_CHECKING

from batchwright.base.i18n import N_
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.core.lazy_imports import LazyFunctions

if TYPE_CHECKING:  # imported when the stage is opened
    import batchwright.ui.data.dataset.dataset_commands as dataset_commands
    import batchwright.ui.data.dataset.further_imports as imports
    import batchwright.ui.data.file.data_file_commands as file_commands
    import batchwright.ui.data.schema.schema_commands as schema_commands
    from batchwright.ui.data.context import DataContext
else:
    dataset_commands = LazyFunctions("batchwright.ui.data.dataset.dataset_commands")
    file_commands = LazyFunctions("batchwright.ui.data.file.data_file_commands")
    imports = LazyFunctions("batchwright.ui.data.dataset.further_imports")
    schema_commands = LazyFunctions("batchwright.ui.data.schema.schema_commands")


def _has_study(context: "DataContext") -> bool:
    return context.state.study.is_open


def _has_file(context: "DataContext") -> bool:
    return context.state.file.summary is not None


def _is_idle(context: "DataContext") -> bool:
    return context.state.dataset.busy_reason is None


def _can_use_dataset(context: "DataContext") -> bool:
    return _has_study(context) and _is_idle(context)


def _can_upload(context: "DataContext") -> bool:
    return context.state.dataset.upload_source() is not None and _is_idle(context)


def _can_append(context: "DataContext") -> bool:
    return context.state.dataset.remote.accepts_records and _is_idle(context)


def _has_imports(context: "DataContext") -> bool:
    dataset = context.state.dataset.remote.dataset
    return dataset is not None and dataset.is_v4


def _can_import(context: "DataContext") -> bool:
    return _has_imports(context) and _is_idle(context)


def _can_change_schema(context: "DataContext") -> bool:
    return context.state.dataset.schema_diff is not None and _is_idle(context)


def _can_rename(context: "DataContext") -> bool:
    return context.state.can_rename_columns and _is_idle(context)


def _has_rejections(context: "DataContext") -> bool:
    return bool(context.state.rejections)


def _has_schema(context: "DataContext") -> bool:
    return context.state.study.schema is not None


_NO_STUDY = N_("Open or create a study first")
_NO_FILE = N_("Choose a data file first")

ACTIONS: tuple["Action[DataContext]", ...] = (
    Action(
        ActionId.DATA_CHOOSE,
        N_("Choose data file…"),
        "Ctrl+Shift+D",
        lambda context: context.start(file_commands.choose_file),
        Menu.FILE,
        submenu=Submenu.DATA,
        enabled=_has_study,
        disabled_reason=_NO_STUDY,
        glyph="table",
        group=40,
    ),
    Action(
        ActionId.DATA_RENAME,
        N_("Rename columns…"),
        "",
        lambda context: context.start(file_commands.rename_columns),
        Menu.FILE,
        submenu=Submenu.DATA,
        enabled=_can_rename,
        disabled_reason=N_("All column names are valid"),
        glyph="pencil-simple",
        group=40,
    ),
    Action(
        ActionId.DATA_OPEN_SCHEMA,
        N_("Open schema…"),
        "",
        lambda context: context.start(file_commands.open_schema),
        Menu.FILE,
        submenu=Submenu.DATA,
        enabled=_has_study,
        disabled_reason=_NO_STUDY,
        glyph="tree-structure",
        group=40,
    ),
    Action(
        ActionId.DATA_ADD_FIELD,
        N_("Add field to schema…"),
        "",
        lambda context: context.start(schema_commands.add_field),
        Menu.FILE,
        submenu=Submenu.DATA,
        enabled=_has_study,
        disabled_reason=_NO_STUDY,
        glyph="plus",
        group=40,
    ),
    Action(
        ActionId.DATA_SAVE_SCHEMA,
        N_("Save schema…"),
        "",
        lambda context: context.start(file_commands.save_schema),
        Menu.FILE,
        submenu=Submenu.DATA,
        enabled=_has_schema,
        disabled_reason=N_("There is no schema yet"),
        glyph="floppy-disk",
        group=40,
    ),
    Action(
        ActionId.DATA_CHECK,
        N_("Check data"),
        "Ctrl+Shift+K",
        lambda context: context.state.validate(),
        Menu.RUN,
        submenu=Submenu.DATASET,
        enabled=_has_file,
        disabled_reason=_NO_FILE,
        glyph="arrow-clockwise",
        group=10,
    ),
    Action(
        ActionId.DATA_NEXT_REJECTION,
        N_("Next rejected record"),
        "Ctrl+Shift+J",
        lambda context: context.state.rejection_step_requested.emit(1),
        Menu.RUN,
        submenu=Submenu.DATASET,
        in_stage_only=True,
        enabled=_has_rejections,
        disabled_reason=N_("No record would be rejected"),
        glyph="warning-circle-fill",
        group=10,
    ),
    Action(
        ActionId.DATA_PREVIOUS_REJECTION,
        N_("Previous rejected record"),
        "Ctrl+Shift+H",
        lambda context: context.state.rejection_step_requested.emit(-1),
        Menu.RUN,
        submenu=Submenu.DATASET,
        in_stage_only=True,
        enabled=_has_rejections,
        disabled_reason=N_("No record would be rejected"),
        group=10,
    ),
    Action(
        ActionId.DATA_UPLOAD,
        N_("Upload data"),
        "Ctrl+Shift+U",
        dataset_commands.upload_data,
        Menu.RUN,
        submenu=Submenu.DATASET,
        enabled=_can_upload,
        disabled_reason=N_("Check the data first"),
        glyph="upload-simple",
        group=10,
    ),
    Action(
        ActionId.DATA_TAKE,
        N_("Use an existing dataset…"),
        "Ctrl+Shift+Q",
        lambda context: context.start(dataset_commands.use_existing_dataset),
        Menu.RUN,
        submenu=Submenu.DATASET,
        enabled=_can_use_dataset,
        disabled_reason=N_("Open a study first, and wait until the current dataset operation has finished"),
        glyph="stack",
        group=10,
    ),
    Action(
        ActionId.DATA_SEND_V3,
        N_("Send as a V3 dataset…"),
        "",
        lambda context: context.start(dataset_commands.upload_v3),
        Menu.RUN,
        submenu=Submenu.DATASET,
        enabled=_can_use_dataset,
        disabled_reason=N_("Open a study first, and wait until the current dataset operation has finished"),
        glyph="upload-simple",
        group=10,
    ),
    Action(
        ActionId.DATA_CHANGE_SCHEMA,
        N_("Change the dataset's schema…"),
        "Ctrl+Shift+Y",
        lambda context: context.start(dataset_commands.change_schema),
        Menu.RUN,
        submenu=Submenu.DATASET,
        enabled=_can_change_schema,
        disabled_reason=N_("The dataset already has this schema, or there is no dataset"),
        glyph="tree-structure",
        group=10,
    ),
    Action(
        ActionId.DATA_CREATE,
        N_("Create a dataset without a schema…"),
        "",
        lambda context: context.start(imports.create_dataset),
        Menu.RUN,
        submenu=Submenu.DATASET,
        enabled=_can_use_dataset,
        disabled_reason=N_("Open a study first, and wait until the current dataset operation has finished"),
        glyph="plus",
        group=10,
    ),
    Action(
        ActionId.DATA_IMPORT_FILE,
        N_("Import another file into the dataset…"),
        "",
        lambda context: context.start(imports.import_another_file),
        Menu.RUN,
        submenu=Submenu.DATASET,
        enabled=_can_import,
        disabled_reason=N_("The study needs a V4 dataset, and no running operation"),
        glyph="upload-simple",
        group=10,
    ),
    Action(
        ActionId.DATA_IMPORTS,
        N_("Imports of the dataset…"),
        "",
        lambda context: context.start(imports.show_imports),
        Menu.RUN,
        submenu=Submenu.DATASET,
        enabled=_has_imports,
        disabled_reason=N_("The study has no V4 dataset yet"),
        glyph="list-bullets",
        group=10,
    ),
    Action(
        ActionId.DATA_APPEND,
        N_("Append records…"),
        "Ctrl+Shift+I",
        lambda context: context.start(dataset_commands.append_records),
        Menu.RUN,
        submenu=Submenu.DATASET,
        enabled=_can_append,
        disabled_reason=N_("Upload the data first, as a dataset with a schema"),
        glyph="list-plus",
        group=10,
    ),
)
