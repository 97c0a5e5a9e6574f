"""What can be done in the Run stage, for menus, keys and the command finder (style.md 8)."""

from typing import Protocol

from batchwright.base.i18n import N_, _
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.run.instructions import is_legacy
from batchwright.ui.run.state import RunState
from batchwright.wire.batches import BatchStatus


class Subject(Protocol):
    """The stage, as far as actions need it."""

    model: RunState

    def look_again(self) -> None:
        """Look at what the service has, and ask for a token where that takes one."""

    def publish(self) -> None:
        """Make or update the batch."""

    def set_up(self) -> None:
        """Ask how tasks are to be made."""

    def sync(self) -> None:
        """Have tasks made of the records that came later."""

    def set_auto_sync(self, is_on: bool) -> None:
        """Have that done by itself, or no more."""

    def duplicate(self) -> None:
        """Ask what a copy of the batch is to be."""

    def edit_instructions(self) -> None:
        """Show the instructions of the batch looked at."""

    def participate(self) -> None:
        """Open the batch as its participants see it."""

    def simulate(self) -> None:
        """Ask who answers."""

    def make_tester(self) -> None:
        """Ask for the address of a test participant."""

    def edit_details(self) -> None:
        """Ask for the task details."""

    def open_batch(self) -> None:
        """Open the batch looked at as a study."""


def _is_open(stage: Subject) -> bool:
    return stage.model.study.is_open


def can_publish(stage: Subject) -> bool:
    """Whether there is something that the service would take."""
    model = stage.model
    is_whole = bool(model.study.layout.pages) and not model.errors and model.remote.has_data
    return is_whole and not model.schema_differs and model.going is None


def can_set_up(stage: Subject) -> bool:
    """Whether tasks can be made now; a setup that still runs on the service is replaced (Batches rule 4)."""
    model = stage.model
    return model.batch is not None and model.going is None and model.remote.has_data


def can_participate(stage: Subject) -> bool:
    """Whether the batch looked at can be opened as its participants see it."""
    model = stage.model
    is_ready = model.chosen is not None and model.chosen.status == BatchStatus.READY
    return is_ready and not model.session.is_live


def can_simulate(stage: Subject) -> bool:
    """Whether simulated participants can answer."""
    model = stage.model
    return bool(model.groups) and model.going is None and not model.session.is_live


def _can_sync(stage: Subject) -> bool:
    return not stage.model.upkeep.reason_not


def _has_batch(stage: Subject) -> bool:
    return stage.model.batch is not None


def _is_auto(stage: Subject) -> bool:
    return stage.model.upkeep.is_auto


def _can_duplicate(stage: Subject) -> bool:
    return stage.model.chosen is not None and stage.model.going is None


def _has_instructions(stage: Subject) -> bool:
    return stage.model.chosen is not None and is_legacy(stage.model.chosen)


def _shows_another(stage: Subject) -> bool:
    return stage.model.chosen is not None and not stage.model.shows_own


ACTIONS: tuple[Action[Subject], ...] = (
    Action(
        "run.details",
        N_("Task details…"),
        "",
        lambda stage: stage.edit_details(),
        Menu.RUN,
        when=_is_open,
        why_not=N_("Open or make a study first"),
        glyph="pencil-simple",
        group=20,
    ),
    Action(
        "run.publish",
        lambda stage: _("Create batch") if stage.model.batch is None else _("Update batch"),
        "Ctrl+Shift+B",
        lambda stage: stage.publish(),
        Menu.RUN,
        when=can_publish,
        why_not=N_("Needs a layout without problems, and a dataset with the schema of the study"),
        glyph="upload-simple",
        group=20,
    ),
    Action(
        "run.set_up",
        N_("Set up tasks…"),
        "Ctrl+Shift+T",
        lambda stage: stage.set_up(),
        Menu.RUN,
        when=can_set_up,
        why_not=N_("Create the batch first"),
        glyph="stack",
        group=20,
    ),
    Action(
        "run.sync",
        N_("Sync: make tasks of records that came later"),
        "Ctrl+Shift+X",
        lambda stage: stage.sync(),
        Menu.RUN,
        when=_can_sync,
        why_not=N_("Set up tasks first, and let what runs end"),
        glyph="arrows-clockwise",
        group=20,
    ),
    Action(
        "run.auto_sync",
        N_("Auto-sync"),
        "",
        lambda stage: stage.set_auto_sync(not _is_auto(stage)),
        Menu.RUN,
        when=_has_batch,
        why_not=N_("Create the batch first"),
        glyph="arrows-clockwise",
        group=20,
        checked=_is_auto,
    ),
    Action(
        "run.participate",
        N_("Open as participant"),
        "Ctrl+Shift+P",
        lambda stage: stage.participate(),
        Menu.RUN,
        when=can_participate,
        why_not=N_("Set up tasks on this computer first"),
        glyph="arrow-square-out",
        group=30,
    ),
    Action(
        "run.simulate",
        N_("Let simulated participants answer…"),
        "Ctrl+Shift+M",
        lambda stage: stage.simulate(),
        Menu.RUN,
        when=can_simulate,
        why_not=N_("Set up tasks on this computer first"),
        glyph="users",
        group=30,
    ),
    Action(
        "run.tester",
        N_("Make a test participant…"),
        "Ctrl+Shift+G",
        lambda stage: stage.make_tester(),
        Menu.RUN,
        when=_is_open,
        why_not=N_("Open or make a study first"),
        glyph="user-plus",
        group=30,
    ),
    Action(
        "run.open_batch",
        N_("Open the batch as a study"),
        "",
        lambda stage: stage.open_batch(),
        Menu.RUN,
        submenu=Submenu.BATCH,
        when=_shows_another,
        why_not=N_("Choose another batch of the workspace first"),
        glyph="pencil-simple",
        group=40,
    ),
    Action(
        "run.duplicate",
        N_("Duplicate the batch…"),
        "",
        lambda stage: stage.duplicate(),
        Menu.RUN,
        submenu=Submenu.BATCH,
        when=_can_duplicate,
        why_not=N_("Choose or create a batch first, and let what runs end"),
        glyph="copy",
        group=40,
    ),
    Action(
        "run.instructions",
        N_("Edit the instructions of a legacy batch…"),
        "",
        lambda stage: stage.edit_instructions(),
        Menu.RUN,
        submenu=Submenu.BATCH,
        when=_has_instructions,
        why_not=N_("Questions are in the layout; only a batch without one has instructions"),
        glyph="list-bullets",
        group=40,
    ),
    Action(
        "run.look",
        N_("Look again at the batches"),
        "",
        lambda stage: stage.look_again(),
        Menu.RUN,
        submenu=Submenu.BATCH,
        when=_is_open,
        why_not=N_("Open or make a study first"),
        glyph="arrow-clockwise",
        group=40,
    ),
)
"""The actions of the stage."""
