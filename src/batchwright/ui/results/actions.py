"""The actions of the Results stage: one row for each command."""

from batchwright.base.i18n import N_
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.results import commands
from batchwright.ui.results.commands import ResultsContext


def _can_download(context: ResultsContext) -> bool:
    return bool(context.state.answers.sheets) and context.state.download is None


def _has_batch(context: ResultsContext) -> bool:
    return context.state.batch_id is not None


_NO_ANSWERS = N_("There are no answers yet")

ACTIONS: tuple[Action[ResultsContext], ...] = (
    Action(
        "results.report",
        N_("Download report…"),
        "Ctrl+Shift+R",
        commands.download_report,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=_can_download,
        disabled_reason=_NO_ANSWERS,
        glyph="file-text",
        group=40,
    ),
    Action(
        "results.export",
        N_("Download export…"),
        "Ctrl+Shift+E",
        commands.download_export,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=_can_download,
        disabled_reason=_NO_ANSWERS,
        glyph="archive",
        group=40,
    ),
    Action(
        "results.answers",
        N_("Save all answers…"),
        "",
        commands.download_answers,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=_can_download,
        disabled_reason=_NO_ANSWERS,
        glyph="download-simple",
        group=40,
    ),
    Action(
        "results.look",
        N_("Refresh answers"),
        "",
        commands.refresh,
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=_has_batch,
        disabled_reason=N_("Create the batch first"),
        glyph="arrow-clockwise",
        group=40,
    ),
)
"""The actions of the stage."""
