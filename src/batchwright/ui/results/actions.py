"""What can be done in the Results stage, for menus, keys and the command finder (style.md 8)."""

from typing import Protocol

from batchwright.base.i18n import N_
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.results.downloads import DownloadKind
from batchwright.ui.results.state import ResultsState


class Subject(Protocol):
    """The stage, as far as actions need it."""

    model: ResultsState

    def refresh(self) -> None:
        """Look for answers, and ask for a token where that takes one."""

    def fetch(self, what: DownloadKind) -> None:
        """Ask where a file is to go, and fetch it."""

    def save_report(self) -> None:
        """Ask how the report is to be saved and where, and fetch it."""


def _has_answers(stage: Subject) -> bool:
    return bool(stage.model.answers.sheets) and stage.model.downloads.fetching is None


def _has_batch(stage: Subject) -> bool:
    return stage.model.batch_id is not None


_NO_ANSWERS = N_("There are no answers yet")

ACTIONS: tuple[Action[Subject], ...] = (
    Action(
        "results.report",
        N_("Download report…"),
        "Ctrl+Shift+R",
        lambda stage: stage.save_report(),
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=_has_answers,
        disabled_reason=_NO_ANSWERS,
        glyph="file-text",
        group=40,
    ),
    Action(
        "results.export",
        N_("Download export…"),
        "Ctrl+Shift+E",
        lambda stage: stage.fetch(DownloadKind.EXPORT),
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=_has_answers,
        disabled_reason=_NO_ANSWERS,
        glyph="archive",
        group=40,
    ),
    Action(
        "results.answers",
        N_("Save all answers…"),
        "",
        lambda stage: stage.fetch(DownloadKind.ANSWERS),
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=_has_answers,
        disabled_reason=_NO_ANSWERS,
        glyph="download-simple",
        group=40,
    ),
    Action(
        "results.look",
        N_("Look for new answers"),
        "",
        lambda stage: stage.refresh(),
        Menu.RUN,
        submenu=Submenu.RESULTS,
        enabled=_has_batch,
        disabled_reason=N_("Create the batch first"),
        glyph="arrow-clockwise",
        group=40,
    ),
)
"""The actions of the stage."""
