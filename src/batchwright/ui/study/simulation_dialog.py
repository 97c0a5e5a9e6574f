"""The dialog about simulated participants, which answer a batch or a collection on this computer."""

from PySide6.QtWidgets import QCheckBox, QSpinBox
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import MAX_SPIN_VALUE, labelled, spin_box
from batchwright.ui.widgets.headings import SectionHeading
from batchwright.ui.widgets.text import Label
from batchwright.wire.local_routes import Progress
from batchwright.workflows.rehearsal.simulate import Behaviour, SimulationOptions

_MOST = 1_000_000
_PROPOSED = 10
"""How many participants are proposed for a collection, which has no limit."""
_MOST_SECONDS = 600
"""Maximum time per page, or half the place timeout: after that, the service gives the place to others."""


class SimulationDialog(Dialog):
    """Asks for the options of a simulation.

    Args:
        progress: of the task groups of a batch, which may have answers already; None for a collection, which
            any number of participants can answer, each once.
    """

    help_address = "run.md#take-part"

    def __init__(self, progress: Progress | None) -> None:
        text = _("Each takes one group and answers all of its pages.")
        if progress is None:
            text = _("Each answers all pages once.")
        super().__init__(_("Let simulated participants answer"), text, "")
        self._groups = groups = None if progress is None else progress.groups
        unanswered = sum(group.unanswered for group in groups or ())
        per_task = max((group.annotators_per_task for group in groups or ()), default=1)
        options = self.options = SimulationOptions(self._places(per_task), per_task)
        """The options, once the dialog was accepted."""
        self._per_task = spin_box(options.per_task, MAX_SPIN_VALUE)
        self._participants = spin_box(options.participants, _MOST)
        self._seed = spin_box(options.seed, _MOST)
        most_seconds = _MOST_SECONDS if progress is None else 30 * progress.place_timeout_minutes
        self._behaviour = _BehaviourForm(options.behaviour, min(_MOST_SECONDS, most_seconds))
        self._release = QCheckBox(_release_text(unanswered))
        self._release.setChecked(bool(unanswered))
        self._note = Label("", TextRole.SMALL, "text2", wraps=True)
        self.add(labelled(_("Participants"), self._participants))
        if groups is not None:
            self.add(labelled(_("Answers per task"), self._per_task))
        self.add(labelled(_("Seed, to get the same answers again"), self._seed), self._note)
        if unanswered:
            self.add(self._release)
        self.add(*self._behaviour.items)
        self._per_task.valueChanged.connect(self._propose)
        self._participants.valueChanged.connect(self._show)
        self._participants.selectAll()
        self._show()

    @override
    def accept(self) -> None:
        self.options = SimulationOptions(
            self._participants.value(),
            self._per_task.value(),
            self._seed.value(),
            self._behaviour.value,
            self._release.isChecked(),
        )
        super().accept()

    def _places(self, per_task: int) -> int:
        """Number of participants that the groups still take; one who has started a group continues it."""
        if self._groups is None:
            return _PROPOSED
        return sum(max(0, per_task - group.completed) for group in self._groups)

    def _propose(self) -> None:
        self._participants.setValue(min(_MOST, self._places(self._per_task.value())))
        self._show()

    def _show(self) -> None:
        count, places = self._participants.value(), self._places(self._per_task.value())
        act = ngettext("Let {count} participant answer", "Let {count} participants answer", count)
        self.accept_button.setText(act.format(count=number(count)))
        if self._groups is None:
            self._note.setText(
                _(
                    "Participants of this seed who have answered before do not answer again. Their ids start "
                    "with 51b0, so you can tell them from real participants."
                )
            )
            return
        text = _(
            "There is room for {places}. Their ids start with 51b0, so you can tell them from real "
            "participants."
        )
        full = _("Every group has all its answers. Increase the answers per task to add participants.")
        self._note.setText(text.format(places=number(places)) if places else full)
        self.accept_button.set_disabled_reason("" if places else _("Every group has all its answers"))


def _release_text(count: int) -> str:
    text = ngettext(
        "Free the place of {count} participant who has not answered",
        "Free the places of {count} participants who have not answered",
        count,
    )
    return text.format(count=number(count))


class _BehaviourForm:
    """The fields about the behaviour of simulated participants, as content of a dialog."""

    def __init__(self, behaviour: Behaviour, most_seconds: int) -> None:
        self._random = _percent_box(behaviour.random_share)
        self._first = _percent_box(behaviour.first_option_share)
        self._seconds = spin_box(
            round(behaviour.seconds_per_page),
            most_seconds,
            least=0,
            suffix=_("{number} s").format(number=""),
        )
        note = _(
            "All other choices and numbers are the same for every participant. Texts and files always "
            "differ. With a time per page, all of them work at once."
        )
        self.items = (
            4,
            SectionHeading(_("How they answer")),
            labelled(_("Random answers"), self._random),
            labelled(_("First option, whatever the content"), self._first),
            labelled(_("Time per page"), self._seconds),
            Label(note, TextRole.SMALL, "text2", wraps=True),
        )

    @property
    def value(self) -> Behaviour:
        """The behaviour as shown."""
        return Behaviour(self._random.value() / 100, self._first.value() / 100, self._seconds.value())


def _percent_box(share: float) -> QSpinBox:
    return spin_box(round(100 * share), 100, least=0, suffix=_("{number} %").format(number=""))
