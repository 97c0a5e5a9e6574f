"""The callouts of the first start, each shown once, where its stage is first seen.

Which of them are still to be shown is a setting, that only the first start of the program fills.
"""

from enum import StrEnum

from PySide6.QtWidgets import QWidget

from batchwright.base.i18n import N_, _
from batchwright.ui.core.settings import Settings
from batchwright.ui.widgets.box_layouts import Margins
from batchwright.ui.widgets.callout import Callout


class CalloutId(StrEnum):
    """The names of the callouts in the settings."""

    HOME = "home"
    LAYOUT = "layout"
    RUN = "run"


_TEXTS = {
    CalloutId.HOME: (
        N_("Start here"),
        N_("The sample study is complete: change it, rehearse it, and see results in ten minutes."),
    ),
    CalloutId.LAYOUT: (
        N_("Build the page from these items"),
        N_("Fields show your data; questions are what participants answer."),
    ),
    CalloutId.RUN: (
        N_("Rehearse on this computer first"),
        N_("The batch is created on this computer. Answer it in the browser before you publish it."),
    ),
}
"""The title and the text of each."""


def offer_callouts(settings: Settings) -> None:
    """Have all callouts shown if the window was never used with these settings.

    Where IT staff have set the program up by a policy, they introduce it, too.
    """
    if settings.is_new and settings.policy.path is None:
        settings.callouts = tuple(CalloutId)


def new_callout(
    id: CalloutId, settings: Settings, target: QWidget, *, margins: Margins = 0, is_trailing: bool = False
) -> Callout | None:
    """The callout for a place below `target`, or None if it was shown before."""
    if id not in settings.callouts:
        return None
    title, text = map(_, _TEXTS[id])

    def record() -> None:
        settings.callouts = tuple(other for other in settings.callouts if other != id)

    callout = Callout(title, text, _("Close"), target, margins=margins, is_trailing=is_trailing)
    callout.shown.connect(record)
    return callout
