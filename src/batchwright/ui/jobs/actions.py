"""What can be done in the Jobs stage, for menus, keys and the command finder (style.md 8)."""

from typing import Protocol

from batchwright.base.i18n import N_
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.jobs.state import Job, JobsState


class Subject(Protocol):
    """The stage, as far as actions need it."""

    model: JobsState

    @property
    def chosen(self) -> Job | None:
        """The job chosen in the table."""

    def open_chosen(self) -> None:
        """Show what the chosen job made."""


def can_look(stage: Subject) -> bool:
    """Whether looking at the chosen job may show anything new."""
    return stage.chosen is not None and stage.chosen.can_poll


def can_stop(stage: Subject) -> bool:
    """Whether watching the chosen job can be stopped."""
    return stage.chosen is not None and stage.chosen.can_stop


def can_open(stage: Subject) -> bool:
    """Whether the chosen job has something to show."""
    return stage.chosen is not None


def _look(stage: Subject) -> None:
    if stage.chosen is not None:
        stage.model.poll_now(stage.chosen)


def _stop(stage: Subject) -> None:
    if stage.chosen is not None:
        stage.model.stop_monitoring(stage.chosen)


def can_begin_again(stage: Subject) -> bool:
    """Whether the chosen job has failed and can be begun again."""
    return stage.chosen is not None and stage.chosen.can_retry


def _begin_again(stage: Subject) -> None:
    if stage.chosen is not None:
        stage.model.retry(stage.chosen)


def any_running(stage: Subject) -> bool:
    """Whether anything is watched that has not ended, and that a service can be asked about."""
    return any(job.awaits_poll for job in stage.model.jobs)


def any_finished(stage: Subject) -> bool:
    """Whether anything has ended, or is not watched any more."""
    return any(not job.is_running or not job.is_monitored for job in stage.model.jobs)


_CHOOSE = N_("Choose a job in the list of jobs first")
_CHOOSE_OPEN = N_("Choose a job first that has not ended, at a connection that you have")

LOOK = Action(
    "jobs.look",
    N_("Look at the job now"),
    "",
    _look,
    Menu.RUN,
    submenu=Submenu.JOBS,
    enabled=can_look,
    disabled_reason=_CHOOSE_OPEN,
    glyph="arrow-clockwise",
    group=60,
)
STOP = Action(
    "jobs.stop",
    N_("Stop watching the job"),
    "",
    _stop,
    Menu.RUN,
    submenu=Submenu.JOBS,
    enabled=can_stop,
    disabled_reason=N_("Nobody watches the job, or a stage waits for its end"),
    glyph="eye-slash",
    group=60,
)
AGAIN = Action(
    "jobs.again",
    N_("Begin the failed job again"),
    "",
    _begin_again,
    Menu.RUN,
    submenu=Submenu.JOBS,
    enabled=can_begin_again,
    disabled_reason=N_("Choose a sync or an export first that has failed, at a connection that you have"),
    glyph="play-circle",
    group=60,
)
OPEN = Action(
    "jobs.open",
    N_("Open what the job made"),
    "",
    lambda stage: stage.open_chosen(),
    Menu.RUN,
    submenu=Submenu.JOBS,
    enabled=can_open,
    disabled_reason=_CHOOSE,
    glyph="arrow-square-out",
    group=60,
)
ACTIONS: tuple[Action[Subject], ...] = (
    LOOK,
    STOP,
    AGAIN,
    OPEN,
    Action(
        "jobs.look_at_all",
        N_("Look at all jobs now"),
        "",
        lambda stage: stage.model.poll_all(),
        Menu.RUN,
        submenu=Submenu.JOBS,
        enabled=any_running,
        disabled_reason=N_("Nothing is watched that runs"),
        glyph="arrow-clockwise",
        group=61,
    ),
    Action(
        "jobs.clear",
        N_("Take finished jobs off the list"),
        "",
        lambda stage: stage.model.clear_ended(),
        Menu.RUN,
        submenu=Submenu.JOBS,
        enabled=any_finished,
        disabled_reason=N_("No job has ended"),
        glyph="eye-slash",
        group=61,
    ),
)
"""The actions of the stage."""
