"""The panel of final answers: records on which participants disagree, and what researchers decided."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from batchwright.analysis.sections import AgreementResult
from batchwright.analysis.statistics.agreement.final_answers import (
    FinalAnswer,
    FinalAnswers,
    GivenRow,
    label_of_final,
    values_of,
)
from batchwright.analysis.statistics.agreement.labels import SEPARATOR
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.base.i18n import _, ngettext, pgettext
from batchwright.ui.core.formatting import number
from batchwright.ui.results.statistics.result_columns import text_column
from batchwright.ui.results.statistics.result_panels import ResultPanel
from batchwright.ui.results.statistics.row_table import RowColumn, RowTable
from batchwright.ui.results.statistics.section_pages import PageContext
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.no_wheel import FormComboBox
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch


class FinalAnswerDialog(Dialog):
    """Asks for the final answer to a question about a record, and for a note."""

    help_address = "results.md#final-answers"

    def __init__(
        self, question: AnalysedQuestion, record: str, given: str, final: FinalAnswer | None
    ) -> None:
        text = _("Answers given about {record}: {given}. They stay as they are.")
        super().__init__(_("Final answer"), text.format(record=record, given=given), _("Set"))
        self._question = question
        self.note = QLineEdit(final.note if final is not None else "")
        self.option, self.text = FormComboBox(), QLineEdit()
        self.switches: list[Switch] = []
        """One for each option, if several can be chosen."""
        self.final, self.decision_note = "", ""
        """The final answer, empty for none, and the note, once the dialog is accepted."""
        self.add(self._field(final.final if final is not None else ""))
        self.add(InputField(_("Note"), self.note, hint=_("Why it was decided so, for example.")))

    @override
    def accept(self) -> None:
        self.final, self.decision_note = self._chosen(), self.note.text().strip()
        super().accept()

    def _chosen(self) -> str:
        if self._question.kind is QuestionKind.CHOICE:
            return str(self.option.currentData() or "")
        if self._question.kind is QuestionKind.CHOICES:
            pairs = zip(self._question.options, self.switches, strict=True)
            return SEPARATOR.join(option.value for option, switch in pairs if switch.isChecked())
        return self.text.text().strip()

    def _field(self, final: str) -> QWidget:
        """The control of the final answer, which shows one."""
        label = _("Final answer")
        if self._question.kind is QuestionKind.CHOICE:
            self.option.add(pgettext("option", "None"), "")
            for option in self._question.options:
                self.option.add(option.label or option.value, option.value)
            self.option.setCurrentIndex(max(0, self.option.findData(final)))
            return InputField(label, self.option)
        if self._question.kind is QuestionKind.CHOICES:
            chosen, switches = set(values_of(self._question, final)), QWidget()
            for option in self._question.options:
                switch = Switch(option.label or option.value)
                switch.setChecked(option.value in chosen)
                self.switches.append(switch)
            column(Label(label, TextRole.SMALL_NAME), *self.switches, gap=6, parent=switches)
            return switches
        self.text.setText(final)
        return InputField(label, self.text, hint=_("Leave it empty for none."))


class FinalAnswersPanel(ResultPanel):
    """The records with different answers or a final one; a row leads to the dialog that sets it.

    Args:
        context: what the page depends on.
        record: the column with the titles of records.
        title_of: returns the title of a record.
    """

    help_address = "results.md#final-answers"

    def __init__(
        self, context: PageContext, record: RowColumn[GivenRow], title_of: Callable[[GivenRow], str]
    ) -> None:
        title = _("Final answers")
        super().__init__(title)
        self._context, self._title_of = context, title_of
        self._question: AnalysedQuestion | None = None
        self._rows: Sequence[GivenRow] = ()
        self._finals, self._shown_finals = FinalAnswers(()), tuple[FinalAnswer, ...]()
        columns = (
            record,
            text_column(GivenRow, "given", 250),
            RowColumn(
                _("Final answer"), self._final_label, self._final_label, 170, tooltip=self._final_label
            ),
            RowColumn(_("Note"), self._note, self._note, tooltip=self._note),
        )
        self.table: RowTable[GivenRow] = RowTable(title, columns, max_rows=10)
        self.table.activate_on_click(_("Set the final answer about this record"))
        explanation = _(
            "Set the answer that counts for records on which participants disagree. It changes no result; "
            "files have it in a column of its own."
        )
        self.add(Label(explanation, TextRole.SMALL, "text2", wraps=True), self.table)
        self.table.row_activated.connect(self._on_row_activated)
        context.state.changed.connect(self._show_finals)

    def show_question(self, question: AnalysedQuestion, result: AgreementResult) -> None:
        """Show the records of a question."""
        self._question = question
        self._rows = [row for row in result.given if row.question == question.id]
        self.setVisible(bool(self._rows))
        self._show_finals()

    def _show_finals(self) -> None:
        settings = self._context.state.settings
        finals = settings.final_answers if settings is not None else ()
        if finals != self._shown_finals:
            self._finals, self._shown_finals = FinalAnswers(finals), finals
        self.table.show_rows(self._rows, (self._context.titles(), self._finals))
        decided = sum(bool(self._final_label(row)) for row in self._rows)
        text = ngettext(
            "{decided} of {count} record decided", "{decided} of {count} records decided", len(self._rows)
        )
        self.show_side(text.format(decided=number(decided), count=number(len(self._rows))))

    def _find(self, row: GivenRow) -> FinalAnswer | None:
        return None if self._question is None else self._finals.find(self._question, row.task)

    def _final_label(self, row: GivenRow) -> str:
        final = self._find(row)
        return "" if final is None or self._question is None else label_of_final(self._question, final.final)

    def _note(self, row: GivenRow) -> str:
        final = self._find(row)
        return "" if final is None else final.note

    def _on_row_activated(self, row: GivenRow) -> None:
        self._context.window.tasks.start("results final answer", lambda: self._ask(row))

    async def _ask(self, row: GivenRow) -> None:
        question = self._question
        if question is None:
            return
        dialog = FinalAnswerDialog(question, self._title_of(row), row.given, self._find(row))
        if await dialog.ask(self._context.window.window):
            answer = FinalAnswer(row.question, row.task, dialog.final, dialog.decision_note)
            self._context.state.set_final_answer(answer)
