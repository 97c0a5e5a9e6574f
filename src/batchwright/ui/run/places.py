"""The texts about places in task groups, and the dialog about the time after which they are free.

A place is one participant's share of a task group: a group has as many as it has annotators.
"""

from PySide6.QtWidgets import QSpinBox
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import labelled, spin_box
from batchwright.wire.local_routes import MAX_PLACE_TIMEOUT_MINUTES, Progress


def unanswered_count(progress: Progress) -> int:
    """The number of places of participants who have started and not answered."""
    return sum(group.unanswered for group in progress.groups)


def unanswered_text(count: int) -> str:
    """How many participants have started and not answered."""
    text = ngettext(
        "{count} participant has started and not answered.",
        "{count} participants have started and not answered.",
        count,
    )
    return text.format(count=number(count))


def places_text(progress: Progress) -> str:
    """Who has a place without an answer, and when places are free."""
    minutes = progress.place_timeout_minutes
    timeout = ngettext(
        "A place is free for others after {count} minute without activity.",
        "A place is free for others after {count} minutes without activity.",
        minutes,
    ).format(count=number(minutes))
    unanswered = unanswered_count(progress)
    return f"{unanswered_text(unanswered)} {timeout}" if unanswered else timeout


def simulation_title(answered: int, requested: int) -> str:
    """How many simulated participants answered, of how many."""
    if answered == requested:
        text = ngettext("{count} participant answered", "{count} participants answered", answered)
        return text.format(count=number(answered))
    text = ngettext(
        "{answered} of {count} participant answered", "{answered} of {count} participants answered", requested
    )
    return text.format(answered=number(answered), count=number(requested))


def shortfall_text(progress: Progress) -> str:
    """Why fewer simulated participants answered than were requested."""
    in_progress = sum(group.in_progress for group in progress.groups)
    if unanswered_count(progress):
        return f"{places_text(progress)} {_('Free places makes room at once.')}"
    if in_progress:
        text = ngettext(
            "{count} participant has started and not finished.",
            "{count} participants have started and not finished.",
            in_progress,
        )
        return f"{text.format(count=number(in_progress))} {places_text(progress)}"
    if all(group.completed >= group.annotators_per_task for group in progress.groups):
        return _("Every group has all its answers.")
    return _("The others had answered all groups that were open to them.")


class PlaceTimeoutDialog(Dialog):
    """Asks after how many minutes without activity the place of a participant is free."""

    help_address = "run.md#take-part"

    def __init__(self, minutes: int) -> None:
        super().__init__(
            _("Time until a place is free"),
            _(
                "A participant who starts and then stops keeps a place for this time. Then somebody else "
                "can take it. Answers that were sent are kept."
            ),
            _("Save"),
        )
        self.minutes = minutes
        """The time, once the dialog was accepted."""
        self._minutes: QSpinBox = spin_box(
            minutes, MAX_PLACE_TIMEOUT_MINUTES, suffix=_("{number} min").format(number="")
        )
        self._minutes.selectAll()
        self.add(labelled(_("Time without activity"), self._minutes))

    @override
    def accept(self) -> None:
        self.minutes = self._minutes.value()
        super().accept()
