"""The actions of the Jobs stage, for menus, shortcuts and the command palette: one row for each command."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from batchwright.base.i18n import N_, _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Condition, Menu, MenuSection, Submenu, condition
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.study.collection_selection import CollectionSelection
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

if TYPE_CHECKING:  # imported when the stage is opened
    from batchwright.ui.jobs.state import Job, JobsState


_JOB = MenuSection(Menu.RUN, 60, Submenu.JOBS)
_ALL_JOBS = MenuSection(Menu.RUN, 61, Submenu.JOBS)


@dataclass(frozen=True)
class JobsContext:
    """The dependencies of the commands of the Jobs stage."""

    window: StageContext
    state: "JobsState"
    collections: CollectionSelection


def _is_chosen(test: "Callable[[Job], bool]", reason: str) -> Condition[JobsContext]:
    """The condition that a job that meets `test` is selected in the table."""

    def is_chosen(context: JobsContext) -> bool:
        return context.state.chosen is not None and test(context.state.chosen)

    return Condition(is_chosen, reason, in_stage_only=True)


def _with_chosen(command: "Callable[[JobsContext, Job], object]") -> Callable[[JobsContext], None]:
    """A function that runs a command with the job selected in the table, if any."""

    def run(context: JobsContext) -> None:
        if context.state.chosen is not None:
            command(context, context.state.chosen)

    return run


def _open(context: JobsContext, job: "Job") -> None:
    """Show the stage with the result of a job; for a job of another study, a notice says so.

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
    context.window.notices.show_notice(Notice(NoticeSeverity.WARNING, job.row.title, text))


@condition(N_("No running jobs"))
def any_running(context: JobsContext) -> bool:
    """Whether a job that has not ended is monitored and can be polled."""
    return any(job.awaits_poll for job in context.state.jobs)


@condition(N_("No finished jobs"))
def any_finished(context: JobsContext) -> bool:
    """Whether a job has ended, or is not monitored any more."""
    return any(not job.is_running or not job.is_monitored for job in context.state.jobs)


REFRESH = Action[JobsContext](
    ActionId.JOBS_REFRESH,
    N_("Refresh the job"),
    _with_chosen(lambda context, job: context.state.poll_now(job)),
    _JOB,
    "arrow-clockwise",
    _is_chosen(lambda job: job.can_poll, N_("Select an unfinished job of one of your connections first")),
)
STOP = Action[JobsContext](
    ActionId.JOBS_STOP,
    N_("Stop monitoring the job"),
    _with_chosen(lambda context, job: context.state.stop_monitoring(job)),
    _JOB,
    "eye-slash",
    _is_chosen(
        lambda job: job.can_stop, N_("The job is not monitored, or a stage is waiting for its result")
    ),
)
AGAIN = Action[JobsContext](
    ActionId.JOBS_AGAIN,
    N_("Retry the failed job"),
    _with_chosen(lambda context, job: context.state.retry(job)),
    _JOB,
    "play-circle",
    _is_chosen(
        lambda job: job.can_retry, N_("Select a failed sync or export of one of your connections first")
    ),
)
OPEN = Action[JobsContext](
    ActionId.JOBS_OPEN,
    N_("Open the result of the job"),
    _with_chosen(_open),
    _JOB,
    "arrow-square-out",
    _is_chosen(lambda _job: True, N_("Select a job in the list first")),
)
ACTIONS: tuple[Action[JobsContext], ...] = (
    REFRESH,
    STOP,
    AGAIN,
    OPEN,
    Action(
        ActionId.JOBS_REFRESH_ALL,
        N_("Refresh all jobs"),
        lambda context: context.state.poll_all(),
        _ALL_JOBS,
        "arrow-clockwise",
        any_running,
    ),
    Action(
        ActionId.JOBS_CLEAR,
        N_("Clear finished jobs"),
        lambda context: context.state.clear_ended(),
        _ALL_JOBS,
        "eye-slash",
        any_finished,
    ),
)
"""The actions of the stage."""
