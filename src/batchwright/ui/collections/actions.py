"""The actions of the Collections stage: one row for each command."""

from typing import TYPE_CHECKING

from batchwright.base.i18n import N_, _
from batchwright.base.policy import computer_policy
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Condition, Menu, MenuSection, Submenu, condition
from batchwright.ui.core.lazy_imports import LazyFunctions

if TYPE_CHECKING:  # imported when the stage is opened
    import batchwright.ui.collections.commands as commands
    import batchwright.ui.publishing.commands as publishing
    from batchwright.ui.collections.commands import CollectionsContext
else:
    commands = LazyFunctions("batchwright.ui.collections.commands")
    publishing = LazyFunctions("batchwright.ui.publishing.commands")


_COLLECTION = MenuSection(Menu.RUN, 45, Submenu.COLLECTION)
_ANSWERING = MenuSection(Menu.RUN, 46, Submenu.COLLECTION)
_ALL = MenuSection(Menu.RUN, 47, Submenu.COLLECTION)
_SELECT = N_("Select a collection in Collections first")
_ON_THIS_COMPUTER = N_("Select a collection on this computer first, and wait for the running operation")


@condition(N_("Open a study that is a collection, with a title and pages without problems"))
def can_publish(context: "CollectionsContext") -> bool:
    """Whether the collection of the study can be created or replaced: a title, and pages without errors."""
    state = context.state
    has_pages = state.has_own and bool(state.study.layout.pages)
    is_complete = has_pages and not state.problem_counts and not state.is_untitled
    return is_complete and state.operation is None


@condition(_SELECT)
def has_shown(context: "CollectionsContext") -> bool:
    """Whether a collection is shown."""
    return context.state.chosen is not None


@condition(_SELECT, in_stage_only=True)
def can_open(context: "CollectionsContext") -> bool:
    """Whether a collection is shown that is not that of the study."""
    return has_shown(context) and not context.state.shows_own


@condition(_SELECT, in_stage_only=True)
def can_copy(context: "CollectionsContext") -> bool:
    """Whether the collection shown can be copied."""
    return has_shown(context) and context.state.operation is None


def _export_disabled_reason(_context: "CollectionsContext") -> str:
    return computer_policy().raw_answers_reason or _(_SELECT)


@condition(_export_disabled_reason)
def can_export(context: "CollectionsContext") -> bool:
    """Whether the export of the collection shown can be downloaded."""
    is_allowed = not computer_policy().raw_answers_reason
    return has_shown(context) and not context.state.is_downloading and is_allowed


@condition(_ON_THIS_COMPUTER)
def can_participate(context: "CollectionsContext") -> bool:
    """Whether the participant page of the collection shown can be opened: on this computer only."""
    return has_shown(context) and not context.state.session.is_live


@condition(_ON_THIS_COMPUTER)
def can_simulate(context: "CollectionsContext") -> bool:
    """Whether simulated participants can answer: on this computer only."""
    return can_participate(context) and context.state.operation is None


def _publish_text(context: "CollectionsContext | None") -> str:
    if context is None:
        return _("Create or update collection")
    return _("Save to the service") if context.state.own_id else _("Create collection")


ACTIONS: tuple["Action[CollectionsContext]", ...] = (
    Action(
        ActionId.COLLECTIONS_DETAILS,
        N_("Task details of the collection…"),
        publishing.edit_details,
        _COLLECTION,
        "pencil-simple",
        Condition(lambda context: context.state.has_own, N_("Open a study that is a collection first")),
    ),
    Action(
        ActionId.COLLECTIONS_PUBLISH,
        _publish_text,
        commands.publish,
        _COLLECTION,
        "upload-simple",
        can_publish,
    ),
    Action(
        ActionId.COLLECTIONS_OPEN,
        N_("Open the collection as a study"),
        publishing.open_as_study,
        _COLLECTION,
        "pencil-simple",
        can_open,
    ),
    Action(
        ActionId.COLLECTIONS_COPY, N_("Copy the collection…"), commands.copy, _COLLECTION, "copy", can_copy
    ),
    Action(
        ActionId.COLLECTIONS_COPY_ID,
        N_("Copy the id of the collection"),
        commands.copy_id,
        _COLLECTION,
        "copy",
        Condition(has_shown, _SELECT, in_stage_only=True),
    ),
    Action(
        ActionId.COLLECTIONS_PARTICIPATE,
        N_("Answer the collection as participant"),
        publishing.participate,
        _ANSWERING,
        "arrow-square-out",
        can_participate,
    ),
    Action(
        ActionId.COLLECTIONS_SIMULATE,
        N_("Let simulated participants answer the collection…"),
        commands.simulate,
        _ANSWERING,
        "users",
        can_simulate,
    ),
    Action(
        ActionId.COLLECTIONS_ANSWERS,
        N_("See the answers of the collection"),
        publishing.show_answers,
        _ANSWERING,
        "chart-bar",
        has_shown,
    ),
    Action(
        ActionId.COLLECTIONS_EXPORT,
        N_("Download the export of the collection…"),
        commands.export,
        _ANSWERING,
        "archive",
        can_export,
    ),
    Action(
        ActionId.COLLECTIONS_REFRESH, N_("Refresh collections"), publishing.refresh, _ALL, "arrow-clockwise"
    ),
)
"""The actions of the stage."""
