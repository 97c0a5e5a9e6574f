"""What can be done in the Run stage, for menus, keys and the command finder (style.md 8)."""

from typing import Protocol

from batchwright.ui.actions import Action, Menu
from batchwright.ui.run.view_model import RunViewModel
from batchwright.ui.words import later
from batchwright.wire.batches import BatchStatus
from batchwright.words import _


class Subject(Protocol):
    """The stage, as far as actions need it."""

    model: RunViewModel

    def publish(self) -> None:
        """Make or update the batch."""

    def set_up(self) -> None:
        """Ask how tasks are to be made."""

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
    is_whole = bool(model.study.layout.pages) and not model.errors and model.remote.import_id is not None
    return is_whole and model.going is None


def can_set_up(stage: Subject) -> bool:
    """Whether tasks can be made now."""
    model = stage.model
    is_idle = model.batch is not None and model.batch.status != BatchStatus.PROCESSING
    return is_idle and model.going is None and model.remote.import_id is not None


def can_participate(stage: Subject) -> bool:
    """Whether the batch looked at can be opened as its participants see it."""
    model = stage.model
    is_ready = model.chosen is not None and model.chosen.status == BatchStatus.READY
    return is_ready and not model.session.is_live


def can_simulate(stage: Subject) -> bool:
    """Whether simulated participants can answer."""
    model = stage.model
    return bool(model.groups) and model.going is None and not model.session.is_live


def _shows_another(stage: Subject) -> bool:
    return stage.model.chosen is not None and not stage.model.shows_own


ACTIONS: tuple[Action[Subject], ...] = (
    Action(
        "run.details",
        later("Task details…"),
        "",
        lambda stage: stage.edit_details(),
        Menu.RUN,
        when=_is_open,
        why_not=later("Open or make a study first"),
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
        why_not=later("Upload data and put a question on a page first"),
        glyph="plus",
        group=20,
    ),
    Action(
        "run.set_up",
        later("Set up tasks…"),
        "Ctrl+Shift+T",
        lambda stage: stage.set_up(),
        Menu.RUN,
        when=can_set_up,
        why_not=later("Create the batch first"),
        glyph="stack",
        group=20,
    ),
    Action(
        "run.participate",
        later("Open as participant"),
        "Ctrl+Shift+P",
        lambda stage: stage.participate(),
        Menu.RUN,
        when=can_participate,
        why_not=later("Set up tasks on this computer first"),
        glyph="arrow-square-out",
        group=30,
    ),
    Action(
        "run.simulate",
        later("Let simulated participants answer…"),
        "Ctrl+Shift+M",
        lambda stage: stage.simulate(),
        Menu.RUN,
        when=can_simulate,
        why_not=later("Set up tasks on this computer first"),
        glyph="users",
        group=30,
    ),
    Action(
        "run.tester",
        later("Make a test participant…"),
        "Ctrl+Shift+G",
        lambda stage: stage.make_tester(),
        Menu.RUN,
        when=_is_open,
        why_not=later("Open or make a study first"),
        glyph="user-plus",
        group=30,
    ),
    Action(
        "run.open_batch",
        later("Open the batch as a study"),
        "",
        lambda stage: stage.open_batch(),
        Menu.RUN,
        when=_shows_another,
        why_not=later("Choose another batch of the workspace first"),
        glyph="pencil-simple",
        group=30,
    ),
    Action(
        "run.look",
        later("Look again at the batches"),
        "",
        lambda stage: stage.model.look(),
        Menu.RUN,
        when=_is_open,
        why_not=later("Open or make a study first"),
        glyph="arrow-clockwise",
        group=30,
    ),
)
"""The actions of the stage."""
