"""The dialog for the roles of questions and options: level, order, missing answers, and sides."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget
from typing_extensions import override

from batchwright.analysis.sections import RoleChoices
from batchwright.analysis.statistics.roles.question_roles import (
    QuestionRole,
    Roles,
    outcomes_of,
    role_of,
    role_problem,
    role_problems,
)
from batchwright.analysis.statistics.roles.role_files import read_roles
from batchwright.analysis.statistics.roles.role_proposals import proposal_sentence
from batchwright.analysis.store.questions import (
    OUTCOME_TEXTS,
    AnalysedQuestion,
    MeasurementLevel,
    Outcome,
    QuestionKind,
)
from batchwright.base.i18n import N_, _, ngettext
from batchwright.data_files.rows import UnreadableFile
from batchwright.ui.core.formatting import number as format_number
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.box_layouts import clear, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.text import ElidedLabel, Label

_MISSING = "missing"
_MEANINGS: tuple[tuple[Outcome | str | None, str], ...] = (
    (None, N_("A value")),
    (_MISSING, N_("No answer (missing)")),
    *OUTCOME_TEXTS.items(),
)
_LEVELS: tuple[tuple[MeasurementLevel | None, str], ...] = (
    (None, N_("As recognised")),
    (MeasurementLevel.NOMINAL, N_("Nominal: values are only different")),
    (MeasurementLevel.ORDINAL, N_("Ordinal: values have an order")),
    (MeasurementLevel.INTERVAL, N_("Interval: values have an order and equal distances")),
)
_SEPARATOR = ";"
MAX_LISTED = 50
"""Maximum number of options whose meaning can be chosen here."""
MAX_RANKED = 20
"""Maximum number of options whose order can be chosen here; a file can have the order of more."""


class RolesDialog(Dialog):
    """Asks for the roles of one question after the other; proposals are shown, and used on request."""

    help_address = "results.md#roles-of-questions"

    def __init__(self, choices: RoleChoices, roles: Roles, question: str = "") -> None:
        text = _(
            "Say what questions and options stand for. All results use it. Answers stay as they were given, "
            "and so they are in files."
        )
        super().__init__(_("Roles of questions and options"), text, _("Use"), width=WIDE)
        self._choices = choices
        self._roles = dict(roles)
        self.question = FormComboBox()
        for of in choices.questions:
            self.question.add(of.title or _("Untitled question"), of.id)
        self.level = FormComboBox()
        self.missing = QLineEdit()
        self.meanings: list[FormComboBox] = []
        """What each option of the question stands for."""
        self.ranks: list[FormComboBox] = []
        """The rank of each option, from 1; they are visible if the level has an order."""
        self.file_button = Button(_("Read from a file…"), glyph="folder-open", height=ButtonSize.DIALOG)
        self.add_side_button(self.file_button)
        self.proposal_button = Button(_("Use as missing"), glyph="check", height=ButtonSize.NOTICE)
        self._proposal, self._proposal_text = QWidget(), Label("", TextRole.SMALL, "text2", wraps=True)
        proposal = row(parent=self._proposal)
        proposal.addWidget(self._proposal_text, 1)
        proposal.add(self.proposal_button)
        hint = _("Numbers or texts, separated by semicolons, for example: 99; n/a")
        self._missing_field = InputField(
            _("Values that mean that there is no answer"), self.missing, hint=hint
        )
        self._options = QWidget()
        self._grid = QGridLayout(self._options)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(0, 1)
        self._error = Label("", TextRole.SMALL, "err", wraps=True)
        self._error.hide()
        self.add(
            InputField(_("Question"), self.question),
            InputField(_("Level"), self.level),
            self._proposal,
            self._missing_field,
            self._options,
            self._error,
        )
        ids = [of.id for of in choices.questions]
        self.question.setCurrentIndex(ids.index(question) if question in ids else 0)
        self.question.activated.connect(self._on_question_chosen)
        self.level.activated.connect(self._show_ranks)
        self.proposal_button.clicked.connect(self._use_proposal)
        self._shown = self._question
        self._show_question()

    @property
    def roles(self) -> Roles:
        """The roles by question id, once the dialog is accepted."""
        return self._roles

    async def read_file(self, path: Path) -> None:
        """Use the roles in a file in place of those chosen here, or show why it has none."""
        try:
            roles = await asyncio.to_thread(read_roles, path)
        except UnreadableFile as error:
            self._show_error(error.reason)
            return
        except OSError as error:
            text = _("{path} cannot be used: {reason}")
            self._show_error(text.format(path=path.name, reason=error.strerror))
            return
        if problems := list(role_problems(self._choices.questions, roles)):
            self._show_error(" ".join(problems))
            return
        self._roles = dict(roles)
        self._show_question()

    @override
    def accept(self) -> None:
        self._store_shown()
        for place, question in enumerate(self._choices.questions):
            role = self._roles.get(question.id)
            if role is not None and (problem := role_problem(question, role)):
                self.question.setCurrentIndex(place)
                self._show_question()
                self._show_error(problem.text)
                return
        if self._has_equal_ranks():
            self._show_error(_("Two options have the same rank."))
            return
        super().accept()

    @property
    def _question(self) -> AnalysedQuestion:
        return self._choices.questions[max(0, self.question.currentIndex())]

    @property
    def _has_ranks(self) -> bool:
        """Whether the order of options is chosen here."""
        is_ordered = self.level.currentData() in (MeasurementLevel.ORDINAL, MeasurementLevel.INTERVAL)
        return is_ordered and 0 < len(self.ranks) <= MAX_RANKED

    def _on_question_chosen(self) -> None:
        self._store_shown()
        self._show_question()

    def _show_question(self) -> None:
        self._shown = question = self._question
        role = self._role_of_shown()
        self._error.hide()
        self.level.clear()
        for level, text in _LEVELS:
            if level in _levels_of(question):
                self.level.add(_(text), level)
        self.level.setCurrentIndex(max(0, self.level.findData(role.level)))
        self._show_options(question, role)
        self._missing_field.setVisible(not question.options)
        self.missing.setText("" if question.options else f"{_SEPARATOR} ".join(role.missing))
        self._show_proposal()
        self._show_ranks()

    def _show_options(self, question: AnalysedQuestion, role: QuestionRole) -> None:
        """Show what options stand for, and their ranks."""
        clear(self._grid)
        self.meanings, self.ranks = [], []
        chosen = _meanings_of(question, role)
        order = list(role.order or _usual_order(question))
        is_ranked = question.kind is QuestionKind.CHOICE and len(question.options) <= MAX_RANKED
        for number, option in enumerate(question.options[:MAX_LISTED]):
            name = option.label or option.value
            meaning = FormComboBox()
            meaning.setAccessibleName(sanitize_line(_("Meaning of {option}").format(option=name)))
            for value, text in _MEANINGS:
                meaning.add(_(text), value)
            meaning.setCurrentIndex([value for value, _text in _MEANINGS].index(chosen[option.value]))
            meaning.activated.connect(self._show_ranks)
            self._grid.addWidget(ElidedLabel(name, TextRole.BODY), number, 0)
            self._grid.addWidget(meaning, number, 1)
            self.meanings.append(meaning)
            if is_ranked:
                rank = FormComboBox()
                rank.setAccessibleName(sanitize_line(_("Rank of {option}").format(option=name)))
                for place in range(1, len(question.options) + 1):
                    rank.add(_("Rank {number}").format(number=place), place)
                rank.setCurrentIndex(order.index(option.value) if option.value in order else len(order))
                self._grid.addWidget(rank, number, 2)
                self.ranks.append(rank)
        unlisted = len(question.options) - MAX_LISTED
        if unlisted > 0:
            text = ngettext(
                "{count} further option is not listed; analyse reads its role from a file.",
                "{count} further options are not listed; analyse reads their roles from a file.",
                unlisted,
            )
            note = Label(text.format(count=format_number(unlisted)), TextRole.SMALL, "text2", wraps=True)
            self._grid.addWidget(note, MAX_LISTED, 0, 1, 2)
        self._options.setVisible(bool(question.options))
        self._grid.setSpacing(theme().px(8))

    def _show_ranks(self) -> None:
        """Show the ranks of options that are values, if the level has an order."""
        for meaning, rank in zip(self.meanings, self.ranks, strict=False):
            rank.setVisible(self._has_ranks)
            rank.setEnabled(meaning.currentData() != _MISSING)
        self._error.hide()

    def _show_proposal(self) -> None:
        """Show the values that probably are missing, unless they are missing already."""
        role = self._role_of_shown()
        proposed = [
            value for value in self._choices.proposals.get(self._shown.id, ()) if value not in role.missing
        ]
        self._proposal.setVisible(bool(proposed))
        if proposed:
            self._proposal_text.setText(proposal_sentence(self._shown, proposed))

    def _use_proposal(self) -> None:
        """Choose the proposed values as missing."""
        proposed = self._choices.proposals.get(self._shown.id, ())
        self._store_shown()
        role = self._role_of_shown()
        missing = tuple(dict.fromkeys((*role.missing, *proposed)))
        self._roles[self._shown.id] = QuestionRole(role.level, role.order, missing, role.outcomes)
        self._show_question()
        (self.meanings[0] if self.meanings else self.missing).setFocus()

    def _store_shown(self) -> None:
        """Store the role of the question that is shown; none if everything is as recognised."""
        role, id = self._shown_role(), self._shown.id
        self._roles.pop(id, None)
        if role != self._role_of_shown():  # a wording has the role of its question until it gets one
            self._roles[id] = role

    def _role_of_shown(self) -> QuestionRole:
        """The stored role of the question that is shown."""
        return role_of(self._shown, self._roles) or QuestionRole()

    def _shown_role(self) -> QuestionRole:
        question, chosen_level = self._shown, self.level.currentData()
        level = MeasurementLevel(chosen_level) if chosen_level else None
        if not question.options:
            texts = (text.strip() for text in self.missing.text().split(_SEPARATOR))
            return QuestionRole(level, missing=tuple(dict.fromkeys(text for text in texts if text)))
        meanings = _meanings_of(question, self._role_of_shown())
        for option, combo in zip(question.options, self.meanings, strict=False):  # some may not be listed
            meanings[option.value] = combo.currentData()
        missing = tuple(value for value, meaning in meanings.items() if meaning == _MISSING)
        outcomes = {value: Outcome(of) for value, of in meanings.items() if of in set(Outcome)}
        recognised = {value: of for value, of in outcomes_of(question).items() if value not in missing}
        chosen = None if outcomes == recognised else outcomes
        return QuestionRole(level, self._order(missing), missing, chosen)

    def _order(self, missing: Sequence[str]) -> tuple[str, ...]:
        """The options in the order of their ranks; none if their numbers have the same order."""
        before = self._role_of_shown().order
        if not self._has_ranks:
            return before if len(self._shown.options) > MAX_RANKED else ()
        ranked = [
            (rank.currentData(), option.value)
            for rank, option in zip(self.ranks, self._shown.options, strict=True)
            if option.value not in missing
        ]
        order = tuple(value for _rank, value in sorted(ranked, key=lambda pair: pair[0]))
        usual = tuple(value for value in _usual_order(self._shown) if value not in missing)
        has_numbers = all(
            option.number is not None for option in self._shown.options if option.value not in missing
        )
        return () if has_numbers and order == usual else order

    def _has_equal_ranks(self) -> bool:
        ranks = [rank.currentData() for rank in self.ranks if rank.isEnabled()]
        return self._has_ranks and len(set(ranks)) < len(ranks)

    def _show_error(self, text: str) -> None:
        self._error.setText(text)
        self._error.show()


def _meanings_of(question: AnalysedQuestion, role: QuestionRole) -> dict[str, Outcome | str | None]:
    """What options stand for, by value."""
    outcomes = outcomes_of(question) if role.outcomes is None else role.outcomes
    missing = frozenset(role.missing)
    values = [option.value for option in question.options]
    return {value: _MISSING if value in missing else outcomes.get(value) for value in values}


def _levels_of(question: AnalysedQuestion) -> Sequence[MeasurementLevel | None]:
    """The levels that a question can have."""
    if question.kind is QuestionKind.CHOICES:
        return (None,)
    if question.kind is QuestionKind.CHOICE:
        return (None, *MeasurementLevel)
    return (None, MeasurementLevel.ORDINAL, MeasurementLevel.INTERVAL)


def _usual_order(question: AnalysedQuestion) -> tuple[str, ...]:
    """The options in the order of their numbers; those without numbers as in the layout."""
    numbered = sorted(question.options, key=lambda option: (option.number is None, option.number or 0.0))
    return tuple(option.value for option in numbered)
