"""The actions of the Jobs stage, for menus, shortcuts and the command palette: one row for each command."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchwright.base.i18n import N_, _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.collection_selection import CollectionSelection
from batchwright.ui.widgets.notices import Toast, ToastSeverity

if TYPE_CHECKING:  # imported when the stage is opened
    from batchwright.ui.jobs.state import Job, JobsState


@dataclass(frozen=True)
class JobsContext:
    """The dependencies of the commands of the Jobs stage."""

    window: StageContext
    state: "JobsState"
    collections: CollectionSelection


def _is_chosen(condition: "Callable[[Job], bool]") -> Callable[[JobsContext], bool]:
    """A condition that is true while a job that meets `condition` is selected in the table."""
    return lambda context: context.state.chosen is not None and condition(context.state.chosen)


def _with_chosen(command: "Callable[[JobsContext, Job], object]") -> Callable[[JobsContext], None]:
    """A function that runs a command with the job selected in the table, if any."""

    def run(context: JobsContext) -> None:
        if context.state.chosen is not None:
            command(context, context.state.chosen)

    return run


def _open(context: JobsContext, job: "Job") -> None:
    """Show the stage with the result of a job; for a job of another study, a notification says so.

    Collections shows every collection of the connection, also those of other studies.
    """
    if context.state.is_of_collection(job):
        context.collections.show(str(job.row.subject["collection_id"]))
        context.window.shell.set_stage("collections")
        return
    if job.is_feedback or context.state.is_of_study(job):
        context.window.shell.set_stage(job.stage)
        return
    text = _("It belongs to another study or connection. Open that study to see its result.")
    context.window.toasts.show_toast(Toast(ToastSeverity.WARNING, job.row.title, text))


def any_running(context: JobsContext) -> bool:
    """Whether a job that has not ended is monitored and can be polled."""
    return any(job.awaits_poll for job in context.state.jobs)


def any_finished(context: JobsContext) -> bool:
    """Whether a job has ended, or is not monitored any more."""
    return any(not job.is_running or not job.is_monitored for job in context.state.jobs)


_CHOOSE = N_("Select a job in the list first")
_CHOOSE_OPEN = N_("Select an unfinished job of one of your connections first")

REFRESH = Action[JobsContext](
    ActionId.JOBS_REFRESH,
    N_("Refresh the job"),
    "",
    _with_chosen(lambda context, job: context.state.poll_now(job)),
    Menu.RUN,
    submenu=Submenu.JOBS,
    in_stage_only=True,
    enabled=_is_chosen(lambda job: job.can_poll),
    disabled_reason=_CHOOSE_OPEN,
    glyph="arrow-clockwise",
    group=60,
)
STOP = Action[JobsContext](
    ActionId.JOBS_STOP,
    N_("Stop monitoring the job"),
    "",
    _with_chosen(lambda context, job: context.state.stop_monitoring(job)),
    Menu.RUN,
    submenu=Submenu.JOBS,
    in_stage_only=True,
    enabled=_is_chosen(lambda job: job.can_stop),
    disabled_reason=N_("The job is not monitored, or a stage is waiting for its result"),
    glyph="eye-slash",
    group=60,
)
AGAIN = Action[JobsContext](
    ActionId.JOBS_AGAIN,
    N_("Retry the failed job"),
    "",
    _with_chosen(lambda context, job: context.state.retry(job)),
    Menu.RUN,
    submenu=Submenu.JOBS,
    in_stage_only=True,
    enabled=_is_chosen(lambda job: job.can_retry),
    disabled_reason=N_("Select a failed sync or export of one of your connections first"),
    glyph="play-circle",
    group=60,
)
OPEN = Action[JobsContext](
    ActionId.JOBS_OPEN,
    N_("Open the result of the job"),
    "",
    _with_chosen(_open),
    Menu.RUN,
    submenu=Submenu.JOBS,
    in_stage_only=True,
    enabled=_is_chosen(lambda _job: True),
    disabled_reason=_CHOOSE,
    glyph="arrow-square-out",
    group=60,
)
ACTIONS: tuple[Action[JobsContext], ...] = (
    REFRESH,
    STOP,
    AGAIN,
    OPEN,
    Action(
        ActionId.JOBS_REFRESH_ALL,
        N_("Refresh all jobs"),
        "",
        lambda context: context.state.poll_all(),
        Menu.RUN,
        submenu=Submenu.JOBS,
        enabled=any_running,
        disabled_reason=N_("No running jobs"),
        glyph="arrow-clockwise",
        group=61,
    ),
    Action(
        ActionId.JOBS_CLEAR,
        N_("Clear finished jobs"),
        "",
        lambda context: context.state.clear_ended(),
        Menu.RUN,
        submenu=Submenu.JOBS,
        enabled=any_finished,
        disabled_reason=N_("No finished jobs"),
        glyph="eye-slash",
        group=61,
    ),
)
"""The actions of the stage."""
