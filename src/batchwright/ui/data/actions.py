"""The actions of the Data stage: text, shortcut, command and condition of each, in the order of the menus."""

from typing import TYPE_CHECKING

from batchwright.base.i18n import N_
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu, MenuSection, Submenu, condition
from batchwright.ui.core.lazy_imports import LazyFunctions

if TYPE_CHECKING:  # imported when the stage is opened
    import batchwright.ui.data.dataset.dataset_commands as dataset_commands
    import batchwright.ui.data.dataset.further_imports as imports
    import batchwright.ui.data.file.data_file_commands as file_commands
    import batchwright.ui.data.file.try_addresses as try_addresses
    import batchwright.ui.data.plan_command as plan_command
    import batchwright.ui.data.prepare.step_files as step_files
    import batchwright.ui.data.schema.schema_commands as schema_commands
    from batchwright.ui.data.context import DataContext
else:
    dataset_commands = LazyFunctions("batchwright.ui.data.dataset.dataset_commands")
    file_commands = LazyFunctions("batchwright.ui.data.file.data_file_commands")
    imports = LazyFunctions("batchwright.ui.data.dataset.further_imports")
    plan_command = LazyFunctions("batchwright.ui.data.plan_command")
    try_addresses = LazyFunctions("batchwright.ui.data.file.try_addresses")
    schema_commands = LazyFunctions("batchwright.ui.data.schema.schema_commands")
    step_files = LazyFunctions("batchwright.ui.data.prepare.step_files")


_FILE = MenuSection(Menu.FILE, 40, Submenu.DATA)
_FILE_TABLE = MenuSection(Menu.FILE, 41, Submenu.DATA)
_PLAN = MenuSection(Menu.RUN, 5)
_DATASET = MenuSection(Menu.RUN, 10, Submenu.DATASET)
_NO_STUDY = N_("Open or create a study first")
_NO_FILE = N_("Choose a data file first")


@condition(_NO_STUDY)
def _has_study(context: "DataContext") -> bool:
    return context.state.study.is_open


@condition(_NO_FILE)
def _has_file(context: "DataContext") -> bool:
    return context.state.file.summary is not None


def _is_idle(context: "DataContext") -> bool:
    return context.state.dataset.busy_reason is None


@condition(N_("Open a study first, and wait until the current dataset operation has finished"))
def _can_use_dataset(context: "DataContext") -> bool:
    return _has_study(context) and _is_idle(context)


@condition(N_("Check the data first"))
def _can_upload(context: "DataContext") -> bool:
    return context.state.dataset.upload_source() is not None and _is_idle(context)


@condition(N_("Upload the data first, as a dataset with a schema"))
def _can_append(context: "DataContext") -> bool:
    return context.state.dataset.remote.accepts_records and _is_idle(context)


@condition(N_("The study has no V4 dataset yet"))
def _has_imports(context: "DataContext") -> bool:
    dataset = context.state.dataset.remote.dataset
    return dataset is not None and dataset.is_v4


@condition(N_("The study needs a V4 dataset, and no running operation"))
def _can_import(context: "DataContext") -> bool:
    return _has_imports(context) and _is_idle(context)


@condition(N_("The dataset already has this schema, or there is no dataset"))
def _can_change_schema(context: "DataContext") -> bool:
    return context.state.dataset.schema_diff is not None and _is_idle(context)


@condition(N_("All column names are valid"))
def _can_rename(context: "DataContext") -> bool:
    return context.state.can_rename_columns and _is_idle(context)


@condition(N_("No record would be rejected"), in_stage_only=True)
def _has_rejections(context: "DataContext") -> bool:
    return bool(context.state.rejections)


@condition(N_("There is no schema yet"))
def _has_schema(context: "DataContext") -> bool:
    return context.state.study.schema is not None


@condition(N_("Add a step in Prepare first"))
def _has_steps(context: "DataContext") -> bool:
    return bool(context.state.steps)


@condition(N_("Search for something first"), in_stage_only=True)
def _has_hits(context: "DataContext") -> bool:
    view = context.state.views.view
    return view is not None and bool(view.hits)


@condition(N_("Choose a data file with a field for addresses of media first"))
def _has_addresses(context: "DataContext") -> bool:
    return bool(context.state.address_columns)


ACTIONS: tuple["Action[DataContext]", ...] = (
    Action(
        ActionId.DATA_CHOOSE,
        N_("Choose data file…"),
        lambda context: context.start(file_commands.choose_file),
        _FILE,
        "table",
        _has_study,
        "Ctrl+Shift+D",
    ),
    Action(
        ActionId.DATA_RENAME,
        N_("Rename columns…"),
        lambda context: context.start(file_commands.rename_columns),
        _FILE,
        "pencil-simple",
        _can_rename,
    ),
    Action(
        ActionId.DATA_OPEN_SCHEMA,
        N_("Open schema…"),
        lambda context: context.start(file_commands.open_schema),
        _FILE,
        "tree-structure",
        _has_study,
    ),
    Action(
        ActionId.DATA_ADD_FIELD,
        N_("Add field to schema…"),
        lambda context: context.start(schema_commands.add_field),
        _FILE,
        "plus",
        _has_study,
    ),
    Action(
        ActionId.DATA_SAVE_SCHEMA,
        N_("Save schema…"),
        lambda context: context.start(file_commands.save_schema),
        _FILE,
        "floppy-disk",
        _has_schema,
    ),
    Action(
        ActionId.DATA_SEARCH,
        N_("Search records"),
        lambda context: context.state.search_requested.emit(),
        _FILE_TABLE,
        "magnifying-glass",
        _has_file,
    ),
    Action(
        ActionId.DATA_NEXT_HIT,
        N_("Next hit"),
        lambda context: context.state.hit_step_requested.emit(1),
        _FILE_TABLE,
        "caret-down",
        _has_hits,
        "F3",
    ),
    Action(
        ActionId.DATA_PREVIOUS_HIT,
        N_("Previous hit"),
        lambda context: context.state.hit_step_requested.emit(-1),
        _FILE_TABLE,
        "caret-up",
        _has_hits,
        "Shift+F3",
    ),
    Action(
        ActionId.DATA_GO_TO_ROW,
        N_("Go to row…"),
        lambda context: context.state.row_number_requested.emit(),
        _FILE_TABLE,
        "list-numbers",
        _has_file,
        "Ctrl+G",
    ),
    Action(
        ActionId.DATA_TRY_ADDRESSES,
        N_("Try the addresses…"),
        lambda context: context.start(try_addresses.try_addresses),
        _FILE_TABLE,
        "link",
        _has_addresses,
    ),
    Action(
        ActionId.DATA_PREPARE,
        N_("Show the steps in Prepare"),
        lambda context: context.state.prepare_requested.emit(),
        _FILE_TABLE,
        "list-numbers",
        _has_study,
    ),
    Action(
        ActionId.DATA_OPEN_STEPS,
        N_("Open the steps of a preparation…"),
        lambda context: context.start(step_files.open_steps),
        _FILE_TABLE,
        "folder-open",
        _has_file,
    ),
    Action(
        ActionId.DATA_SAVE_STEPS,
        N_("Save the steps of the preparation…"),
        lambda context: context.start(step_files.save_steps),
        _FILE_TABLE,
        "floppy-disk",
        _has_steps,
    ),
    Action(
        ActionId.DATA_PLAN,
        N_("How many records and answers…"),
        lambda context: context.start(plan_command.how_many),
        _PLAN,
        "ruler",
    ),
    Action(
        ActionId.DATA_CHECK,
        N_("Check data"),
        lambda context: context.state.validate(),
        _DATASET,
        "arrow-clockwise",
        _has_file,
        "Ctrl+Shift+K",
    ),
    Action(
        ActionId.DATA_NEXT_REJECTION,
        N_("Next rejected record"),
        lambda context: context.state.rejection_step_requested.emit(1),
        _DATASET,
        "warning-circle-fill",
        _has_rejections,
        "Ctrl+Shift+J",
    ),
    Action(
        ActionId.DATA_PREVIOUS_REJECTION,
        N_("Previous rejected record"),
        lambda context: context.state.rejection_step_requested.emit(-1),
        _DATASET,
        condition=_has_rejections,
        shortcut="Ctrl+Shift+H",
    ),
    Action(
        ActionId.DATA_UPLOAD,
        N_("Upload data"),
        dataset_commands.upload_data,
        _DATASET,
        "upload-simple",
        _can_upload,
        "Ctrl+Shift+U",
    ),
    Action(
        ActionId.DATA_TAKE,
        N_("Use an existing dataset…"),
        lambda context: context.start(dataset_commands.use_existing_dataset),
        _DATASET,
        "stack",
        _can_use_dataset,
        "Ctrl+Shift+Q",
    ),
    Action(
        ActionId.DATA_SEND_V3,
        N_("Send as a V3 dataset…"),
        lambda context: context.start(dataset_commands.upload_v3),
        _DATASET,
        "upload-simple",
        _can_use_dataset,
    ),
    Action(
        ActionId.DATA_CHANGE_SCHEMA,
        N_("Change the dataset's schema…"),
        lambda context: context.start(dataset_commands.change_schema),
        _DATASET,
        "tree-structure",
        _can_change_schema,
        "Ctrl+Shift+Y",
    ),
    Action(
        ActionId.DATA_CREATE,
        N_("Create a dataset without a schema…"),
        lambda context: context.start(imports.create_dataset),
        _DATASET,
        "plus",
        _can_use_dataset,
    ),
    Action(
        ActionId.DATA_IMPORT_FILE,
        N_("Import another file into the dataset…"),
        lambda context: context.start(imports.import_another_file),
        _DATASET,
        "upload-simple",
        _can_import,
    ),
    Action(
        ActionId.DATA_IMPORTS,
        N_("Imports of the dataset…"),
        lambda context: context.start(imports.show_imports),
        _DATASET,
        "list-bullets",
        _has_imports,
    ),
    Action(
        ActionId.DATA_APPEND,
        N_("Append records…"),
        lambda context: context.start(dataset_commands.append_records),
        _DATASET,
        "list-plus",
        _can_append,
        "Ctrl+Shift+I",
    ),
)
