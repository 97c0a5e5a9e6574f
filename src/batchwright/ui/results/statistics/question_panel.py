"""The results of one question: charts, numbers, or texts that can be searched; and the methods."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import isfinite, isnan

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from batchwright.analysis.result_charts import (
    field_number_chart,
    field_share_chart,
    number_chart,
    number_format,
    precision_chart,
    precision_title,
    share_chart,
)
from batchwright.analysis.sections import QuestionResult, QuestionsResult
from batchwright.analysis.statistics import methods
from batchwright.analysis.statistics.methods import Method
from batchwright.analysis.statistics.numbers import NumberSummary
from batchwright.analysis.statistics.planning.needed_records import needed_sentences
from batchwright.analysis.statistics.text_lengths import MAX_TEXTS, TextRow, TextSummary
from batchwright.analysis.store.questions import QuestionKind
from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.formatting import number
from batchwright.ui.results.statistics.analysis_state import AnalysisState
from batchwright.ui.results.statistics.number_texts import MISSING, answers, decimal
from batchwright.ui.results.statistics.result_columns import number_column, text_column
from batchwright.ui.results.statistics.result_panels import ResultPanel, SideBySide
from batchwright.ui.results.statistics.row_table import RowColumn, RowTable
from batchwright.ui.results.statistics.section_pages import AnswersRequest, PageContext
from batchwright.ui.results.statistics.titled_chart import TitledChart
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import clear, column, row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.fields import SearchField
from batchwright.ui.widgets.text import Label


class Figures(QWidget):
    """Numbers beside each other, each with its name above it."""

    def __init__(self, columns: int = 6, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns, self._shown = columns, tuple[tuple[str, str], ...]()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        theme().on_changed(self._update_geometry)
        self._update_geometry()

    def show_figures(self, figures: Sequence[tuple[str, str]]) -> None:
        """Show names and values."""
        if tuple(figures) == self._shown:
            return
        self._shown = tuple(figures)
        clear(self._grid)
        for index, (name, value) in enumerate(figures):
            figure = QWidget()
            column(
                Label(name, TextRole.CAPTION, "text2"),
                Label(value, TextRole.NAME, tabular=True),
                gap=1,
                parent=figure,
            )
            self._grid.addWidget(figure, *divmod(index, self._columns))
        for index in range(self._columns):
            self._grid.setColumnStretch(index, 1)

    def _update_geometry(self) -> None:
        self._grid.setHorizontalSpacing(theme().px(20))
        self._grid.setVerticalSpacing(theme().px(10))


class TextList(QWidget):
    """A search field above the texts, the most frequent first; `text_chosen` is emitted with a text."""

    text_chosen = Signal(str)

    def __init__(
        self, state: AnalysisState, tasks: Tasks, question: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._state, self._tasks, self._question = state, tasks, question
        self._shown_query: str | None = None
        self.search = SearchField(_("Search texts"))
        self._count = Label("", TextRole.SMALL, "text2", tabular=True)
        self.table: RowTable[TextRow] = RowTable(_("Texts"), _columns(), max_rows=8)
        head = row(gap=12)
        head.addWidget(self.search, 2)
        head.addWidget(self._count, 3)
        column(head, self.table, gap=8, parent=self)
        self.search.textChanged.connect(self._start_search)
        self.table.row_activated.connect(lambda row: self.text_chosen.emit(row.text))

    def refresh(self) -> None:
        """Search again, because there are other answers."""
        self._shown_query = None
        self._start_search()

    def _start_search(self) -> None:
        self._tasks.start(f"results texts {self._question}", self._run_search)

    async def _run_search(self) -> None:
        while (text := self.search.text().strip()) != self._shown_query:
            rows = await self._state.find_texts(self._question, text)
            self._shown_query = text
            self.table.show_rows(rows)
            count = ngettext("{count} different text", "{count} different texts", len(rows))
            if len(rows) == MAX_TEXTS:
                count = _("The {count} most frequent texts")
            self._count.setText(count.format(count=number(len(rows))))


def _columns() -> tuple[RowColumn[TextRow], ...]:
    return (
        text_column(TextRow, "text"),
        replace(number_column(TextRow, "words", 90, _words_text), key=lambda row: row.words or 0),
        number_column(TextRow, "answers", 90),
    )


class QuestionPanel(ResultPanel):
    """A panel that keeps its charts when results change."""

    help_address = "results.md#questions"

    def __init__(self, context: PageContext, result: QuestionResult) -> None:
        title = result.question.title or _("Untitled question")
        super().__init__(title)
        self._context, self._question = context, result.question
        self._charts: dict[str, TitledChart] = {}
        self._figures: dict[str, Figures] = {}
        self._texts: TextList | None = None
        self._note = Label("", TextRole.SMALL, "text2", wraps=True)
        self._roles_note = Label("", TextRole.SMALL, "text2", wraps=True)
        self._show_answers = Button(_("Show answers"), glyph="table", height=ButtonSize.NOTICE)
        self._show_answers.clicked.connect(self._on_show_answers)
        self._no_summary = QWidget()
        line = row(parent=self._no_summary)
        line.addWidget(self._note, 1)
        line.add(self._show_answers)
        self._main_column, self._side_column = QWidget(), QWidget()
        self._main_lines = column(gap=14, parent=self._main_column)
        self._side_lines = column(gap=14, parent=self._side_column)
        self._summary = SideBySide(self._main_column, self._side_column)
        self._needed = Label("", TextRole.SMALL, "text2", wraps=True)
        self.add(self._roles_note, self._no_summary, self._summary, self._needed)

    def show_result(self, result: QuestionResult, section: QuestionsResult) -> Iterator[None]:
        """Show results of the same question; yields between charts."""
        self._question = result.question
        self.show_title(result.question.title or _("Untitled question"))
        self.show_side(answers(result.answers))
        self._show_roles(result)
        shown = {*self._show_shares(result, section.by_field), *self._show_numbers(result)}
        shown |= set(self._show_numbers_by_field(result, section.by_field))
        yield
        shown |= set(self._show_precision(result))
        yield
        for key, chart in self._charts.items():
            chart.setVisible(key in shown)
        for key, figures in self._figures.items():
            figures.setVisible(key in shown)
        if result.texts is not None:
            self._show_texts(result.texts)
        self._side_column.setVisible(bool(result.precision))
        self._needed.setText(" ".join(needed_sentences(result.needed, is_survey=section.is_survey)))
        self._needed.setVisible(bool(result.needed))
        is_summarised = result.answers > 0 and (bool(shown) or result.texts is not None)
        self._show_note(result, is_summarised=is_summarised)
        used = _methods(result, section) if is_summarised else []
        self.show_methods(used, section.excluded)

    def _show_note(self, result: QuestionResult, *, is_summarised: bool) -> None:
        """If the question has no summary, show the reason."""
        self._no_summary.setVisible(not is_summarised)
        self._summary.setVisible(is_summarised)
        self._note.setText(
            _("The answers are files, which are not summarised.")
            if result.answers
            else _("There are no answers to this question.")
        )
        self._show_answers.setVisible(result.answers > 0)

    def _show_roles(self, result: QuestionResult) -> None:
        """Show how many answers are missing by their role, and which values probably are, too."""
        texts = [result.proposal] if result.proposal else []
        if result.missing:
            text = ngettext(
                "{count} further answer is left out, because it means that there is no answer.",
                "{count} further answers are left out, because they mean that there is no answer.",
                result.missing,
            )
            texts.insert(0, text.format(count=number(result.missing)))
        self._roles_note.setText(" ".join(texts))
        self._roles_note.setVisible(bool(texts))

    def _on_show_answers(self) -> None:
        self._context.show_answers(AnswersRequest(self._question.wording_ids))

    def _show_shares(self, result: QuestionResult, by_field: str) -> list[str]:
        shown = []
        if result.shares:
            title = _("Share of answers")
            if result.question.kind is QuestionKind.CHOICES:
                title = _("Share of answers with each option; several are possible")
            chart = self._chart("shares", title)
            chart.show_drawing(title, share_chart(self._title_of(title), result.shares))
            shown.append("shares")
        if result.shares_by_field:
            title = _("By {field}").format(field=by_field)
            chart = self._chart("by field", title)
            chart.show_drawing(title, field_share_chart(self._title_of(title), result.shares_by_field))
            shown.append("by field")
        return shown

    def _show_numbers(self, result: QuestionResult) -> list[str]:
        shown = []
        for summary in result.numbers:
            key = f"numbers in {summary.unit}"
            bins = [item for item in result.bins if item.unit == summary.unit]
            if bins:
                title = _("Distribution")
                if summary.unit:
                    title = _("Distribution, in {unit}").format(unit=summary.unit)
                chart = self._chart(key, title)
                chart.show_drawing(title, number_chart(self._title_of(title), bins, summary))
            if key not in self._figures:
                self._figures[key] = Figures(columns=4)
                self._main_lines.add(self._figures[key])
            self._figures[key].show_figures(_number_figures(summary))
            shown.append(key)
        return shown

    def _show_numbers_by_field(self, result: QuestionResult, by_field: str) -> list[str]:
        shown = []
        for unit, part in groupby(result.numbers_by_field, key=lambda of: of.unit):
            rows = list(part)
            key, title = f"numbers by field in {unit}", _number_title(rows, by_field)
            chart = self._chart(key, title)
            chart.show_drawing(title, field_number_chart(self._title_of(title), rows))
            shown.append(key)
        return shown

    def _show_precision(self, result: QuestionResult) -> list[str]:
        shown = []
        for (about, unit), part in groupby(result.precision, key=lambda of: (of.about, of.unit)):
            rows = list(part)
            title = precision_title(rows[0])
            key = f"precision of {about} in {unit}"
            chart = self._chart(key, title, is_at_side=True)
            chart.show_drawing(title, precision_chart(self._title_of(title), rows))
            shown.append(key)
        return shown

    def _show_texts(self, summary: TextSummary) -> None:
        if self._texts is None:
            self._figures["texts"] = Figures()
            window = self._context.window
            self._texts = TextList(self._context.state, window.tasks, self._question.id)
            self._texts.text_chosen.connect(self._on_text_chosen)
            self._main_lines.add(self._figures["texts"], self._texts)
        self._figures["texts"].show_figures(_text_figures(summary))
        self._figures["texts"].show()
        self._texts.refresh()

    def _on_text_chosen(self, text: str) -> None:
        self._context.show_answers(AnswersRequest(self._question.wording_ids, text=text))

    def _chart(self, key: str, title: str, *, is_at_side: bool = False) -> TitledChart:
        if key not in self._charts:
            chart = self._charts[key] = TitledChart(self._context, title, is_clickable=key == "shares")
            (self._side_lines if is_at_side else self._main_lines).add(chart)
            if key == "shares":
                chart.activated.connect(self._on_share_activated)
        return self._charts[key]

    def _on_share_activated(self, row: int) -> None:
        if row < len(self._question.options):
            question = self._question
            request = AnswersRequest(question.wording_ids, question.options_of_wordings(row))
            self._context.show_answers(request)

    def _title_of(self, title: str) -> str:
        """The title of a chart as it is saved."""
        return f"{self._question.title} – {title}" if self._question.title else title


def _methods(result: QuestionResult, section: QuestionsResult) -> list[Method]:
    by_content = (
        (result.shares, methods.WILSON),
        (result.bins, methods.HISTOGRAM),
        ([row for row in result.numbers if isfinite(row.mean)], methods.STUDENT),
        (result.numbers, methods.MEDIAN),
        (result.numbers, methods.QUANTILES),
        (result.texts, methods.TEXT_LENGTH),
        (result.precision, methods.PRECISION),
        (result.needed, methods.NEEDED_RECORDS),
    )
    used = [method for content, method in by_content if content]
    if section.is_survey:
        return [method.for_survey() for method in used]
    is_weighted = section.sampling.weights is not None and (result.shares or result.numbers)
    weights = [methods.WEIGHTS] if is_weighted else []
    return [*(method.about(section.sampling.clusters) for method in used), *weights]


_FIGURES_OF_MEAN = 3
"""How many of the figures of numbers need a mean, which ordinal numbers do not have."""


def _number_title(rows: Sequence[NumberSummary], field: str) -> str:
    """The title of a chart of the numbers in one unit by the values of a field."""
    has_mean, unit = any(isfinite(row.mean) for row in rows), rows[0].unit
    if unit:
        text = _("Mean by {field}, in {unit}") if has_mean else _("Median by {field}, in {unit}")
    else:
        text = _("Mean by {field}") if has_mean else _("Median by {field}")
    return text.format(field=field, unit=unit)


def _number_figures(summary: NumberSummary) -> list[tuple[str, str]]:
    form = number_format(summary.mean, summary.deviation)
    unit = f" {summary.unit}" if summary.unit else ""

    def ends(low: float, high: float) -> str:
        return MISSING if isnan(low) else form.short_interval(low, high)

    figures = [
        (_("Mean"), form.short(summary.mean) + unit),
        (_("95 % interval of the mean"), ends(summary.mean_low, summary.mean_high)),
        (_("Standard deviation"), form.short(summary.deviation)),
        (_("Median"), form.short(summary.median) + unit),
        (_("95 % interval of the median"), ends(summary.median_low, summary.median_high)),
        (_("Quartiles"), ends(summary.lower_quartile, summary.upper_quartile)),
        (_("Range"), ends(summary.minimum, summary.maximum)),
    ]
    if summary.not_numbers:
        figures.append((_("Not a number"), answers(summary.not_numbers)))
    return figures if isfinite(summary.mean) else figures[_FIGURES_OF_MEAN:]


def _words_text(row: TextRow) -> str:
    return MISSING if row.words is None else number(row.words)


def _text_figures(summary: TextSummary) -> list[tuple[str, str]]:
    return [
        (_("Words, mean"), decimal(summary.mean_words, 1)),
        (_("Words, median"), decimal(summary.median_words, 1)),
        (_("Characters, mean"), decimal(summary.mean_characters, 1)),
        (_("Longest"), number(summary.longest_characters)),
        (_("Different texts"), number(summary.different)),
        (_("Empty"), number(summary.empty)),
    ]
