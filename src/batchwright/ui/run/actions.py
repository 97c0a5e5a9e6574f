"""The actions of the Run stage, for menus, shortcuts and the command palette: one row for each command."""

from typing import TYPE_CHECKING

from batchwright.base.i18n import N_, _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu, MenuSection, Submenu, condition
from batchwright.ui.core.lazy_imports import LazyFunctions
from batchwright.wire.batches import BatchStatus

if TYPE_CHECKING:  # imported when the stage is opened
    import batchwright.ui.publishing.commands as publishing
    import batchwright.ui.run.commands as commands
    import batchwright.ui.run.edit_batch as edit_batch
    import batchwright.ui.run.instructions as instructions
    import batchwright.ui.run.legacy_batch as legacy_batch
    import batchwright.ui.run.places as places
    import batchwright.ui.run.publish as publish
    import batchwright.ui.run.remote_batches as remote_batches
    from batchwright.ui.run.context import RunContext
else:
    commands = LazyFunctions("batchwright.ui.run.commands")
    publishing = LazyFunctions("batchwright.ui.publishing.commands")
    edit_batch = LazyFunctions("batchwright.ui.run.edit_batch")
    instructions = LazyFunctions("batchwright.ui.run.instructions")
    legacy_batch = LazyFunctions("batchwright.ui.run.legacy_batch")
    places = LazyFunctions("batchwright.ui.run.places")
    publish = LazyFunctions("batchwright.ui.run.publish")
    remote_batches = LazyFunctions("batchwright.ui.run.remote_batches")


_BATCH = MenuSection(Menu.RUN, 20)
_PARTICIPANTS = MenuSection(Menu.RUN, 30)
_FURTHER = MenuSection(Menu.RUN, 40, Submenu.BATCH)


@condition(N_("Open or create a study first, other than a collection"))
def _has_own(context: "RunContext") -> bool:
    return context.state.has_own


@condition(N_("Needs a title, a layout without problems, and the dataset whose fields it shows"))
def can_publish(context: "RunContext") -> bool:
    """Whether the batch can be created or updated: a title, layout without errors, data with the same schema.

    The dataset need not be imported yet. A layout that shows no fields needs no data.
    """
    state = context.state
    has_layout = bool(state.study.layout.pages) and not state.problem_counts
    has_data = not state.schema_differs if state.remote.dataset_id is not None else not state.needs_data
    is_complete = has_layout and has_data and not state.is_untitled
    return state.has_own and is_complete and state.operation is None


@condition(N_("Select or create a batch first"))
def can_set_up(context: "RunContext") -> bool:
    """Whether tasks can be created now. A setup that is still running at the service would be replaced."""
    return context.state.chosen is not None and context.state.operation is None


@condition(N_("Set up tasks on this computer first"))
def can_participate(context: "RunContext") -> bool:
    """Whether the participant page of the batch shown can be opened."""
    state = context.state
    is_ready = state.chosen is not None and state.chosen.status == BatchStatus.READY
    return is_ready and not state.session.is_live


@condition(N_("Set up tasks on this computer first"))
def can_simulate(context: "RunContext") -> bool:
    """Whether simulated participants can answer the tasks of the batch shown."""
    return can_participate(context) and context.state.operation is None


@condition(N_("No participant on this computer has started and not answered"))
def _can_release(context: "RunContext") -> bool:
    return can_participate(context) and places.unanswered_count(context.state.progress) > 0


@condition(N_("Needs a batch that is set up, and no running operation"))
def _can_sync(context: "RunContext") -> bool:
    return not context.state.sync.disabled_reason


@condition(N_("Select or create a batch first"))
def _shows_batch(context: "RunContext") -> bool:
    return context.state.chosen is not None


def _is_auto(context: "RunContext") -> bool:
    return context.state.sync.is_auto


@condition(N_("Select or create a batch first, and wait for the running operation"))
def _can_duplicate(context: "RunContext") -> bool:
    return context.state.chosen is not None and context.state.operation is None


def _edit_disabled_reason(context: "RunContext") -> str:
    if context.state.chosen is not None and context.state.shows_own:
        return _("Change the study in Task details, Data and Layout, then update its batch")
    return _("Select a batch first, and wait for the running operation")


@condition(_edit_disabled_reason)
def _can_edit(context: "RunContext") -> bool:
    return can_set_up(context) and not context.state.shows_own


@condition(N_("Questions are in the layout; only a batch without one has instructions"))
def _has_instructions(context: "RunContext") -> bool:
    return context.state.chosen is not None and remote_batches.is_legacy(context.state.chosen)


@condition(N_("Send the study's data first, and wait for the running operation"))
def _can_create_legacy(context: "RunContext") -> bool:
    state = context.state
    return state.has_own and state.remote.dataset_id is not None and state.operation is None


@condition(N_("Select a batch without a layout first, and wait for the running operation"))
def _can_convert(context: "RunContext") -> bool:
    return _has_instructions(context) and context.state.operation is None


@condition(N_("Select another batch first, one with a layout"), in_stage_only=True)
def _shows_another(context: "RunContext") -> bool:
    state = context.state
    return state.chosen is not None and not state.shows_own and not remote_batches.is_legacy(state.chosen)


def _publish_text(context: "RunContext | None") -> str:
    if context is None:
        return _("Create or update batch")
    return _("Create batch") if context.state.own is None else _("Update batch")


ACTIONS: tuple["Action[RunContext]", ...] = (
    Action(
        ActionId.RUN_DETAILS, N_("Task details…"), publishing.edit_details, _BATCH, "pencil-simple", _has_own
    ),
    Action(
        ActionId.RUN_PUBLISH,
        _publish_text,
        publish.publish_batch,
        _BATCH,
        "upload-simple",
        can_publish,
        "Ctrl+Shift+B",
    ),
    Action(
        ActionId.RUN_SET_UP,
        N_("Set up tasks…"),
        commands.set_up_tasks,
        _BATCH,
        "stack",
        can_set_up,
        "Ctrl+Shift+T",
    ),
    Action(
        ActionId.RUN_SYNC,
        N_("Sync: create tasks for new records"),
        commands.sync_batch,
        _BATCH,
        "arrows-clockwise",
        _can_sync,
        "Ctrl+Shift+X",
    ),
    Action(
        ActionId.RUN_AUTO_SYNC,
        N_("Auto-sync"),
        commands.toggle_auto_sync,
        _BATCH,
        "arrows-clockwise",
        _shows_batch,
        checked=_is_auto,
    ),
    Action(
        ActionId.RUN_PARTICIPATE,
        N_("Open as participant"),
        publishing.participate,
        _PARTICIPANTS,
        "arrow-square-out",
        can_participate,
        "Ctrl+Shift+P",
    ),
    Action(
        ActionId.RUN_SIMULATE,
        N_("Let simulated participants answer…"),
        commands.simulate,
        _PARTICIPANTS,
        "users",
        can_simulate,
        "Ctrl+Shift+M",
    ),
    Action(
        ActionId.RUN_RELEASE_PLACES,
        N_("Free places without an answer"),
        commands.release_places,
        _PARTICIPANTS,
        "arrow-u-up-left",
        _can_release,
    ),
    Action(
        ActionId.RUN_PLACE_TIMEOUT,
        N_("Time until a place is free…"),
        commands.set_place_timeout,
        _PARTICIPANTS,
        "clock",
        can_participate,
    ),
    Action(
        ActionId.RUN_TESTER,
        N_("Create a test participant…"),
        commands.create_participant,
        _PARTICIPANTS,
        "user-plus",
        shortcut="Ctrl+Shift+G",
    ),
    Action(
        ActionId.RUN_OPEN_BATCH,
        N_("Open the batch as a study"),
        publishing.open_as_study,
        _FURTHER,
        "pencil-simple",
        _shows_another,
    ),
    Action(
        ActionId.RUN_ANSWERS,
        N_("See the answers of the batch"),
        publishing.show_answers,
        _FURTHER,
        "chart-bar",
        _shows_batch,
    ),
    Action(
        ActionId.RUN_EDIT,
        N_("Edit name, details and dataset of the batch…"),
        edit_batch.edit_shown_batch,
        _FURTHER,
        "pencil-simple",
        _can_edit,
    ),
    Action(
        ActionId.RUN_SET_UP_WITH,
        N_("Set up tasks with another dataset…"),
        commands.set_up_with_dataset,
        _FURTHER,
        "stack",
        _can_edit,
    ),
    Action(
        ActionId.RUN_DUPLICATE,
        N_("Duplicate the batch…"),
        commands.duplicate_batch,
        _FURTHER,
        "copy",
        _can_duplicate,
    ),
    Action(
        ActionId.RUN_NEW_LEGACY,
        N_("New batch with instructions, for V3 data…"),
        legacy_batch.new_legacy_batch,
        _FURTHER,
        "plus",
        _can_create_legacy,
    ),
    Action(
        ActionId.RUN_INSTRUCTIONS,
        N_("Edit the instructions of a legacy batch…"),
        instructions.edit_instructions,
        _FURTHER,
        "list-bullets",
        _has_instructions,
    ),
    Action(
        ActionId.RUN_CONVERT,
        N_("Convert a legacy batch to a layout…"),
        commands.convert_to_layout,
        _FURTHER,
        "layout",
        _can_convert,
    ),
    Action(ActionId.RUN_REFRESH, N_("Refresh batches"), publishing.refresh, _FURTHER, "arrow-clockwise"),
)
"""The actions of the stage."""
