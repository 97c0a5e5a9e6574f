"""The section Best–worst: which items of sets participants chose as the best and as the worst."""

import asyncio
from collections.abc import Iterator, Sequence
from math import isfinite

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from batchwright.analysis.result_charts import item_strength_chart, score_chart
from batchwright.analysis.sections import BestWorstResult
from batchwright.analysis.statistics import methods
from batchwright.analysis.statistics.best_worst.best_worst_results import ItemRow, PlaceRow
from batchwright.analysis.statistics.best_worst.set_fields import BestWorstFields
from batchwright.analysis.statistics.methods import Method
from batchwright.base.i18n import _
from batchwright.ui.results.statistics.number_texts import decimal, interval, share
from batchwright.ui.results.statistics.result_columns import number_column, text_column
from batchwright.ui.results.statistics.result_panels import (
    ResultPanel,
    SideBySide,
    page_content,
    question_title,
)
from batchwright.ui.results.statistics.row_table import RowColumn, RowTable
from batchwright.ui.results.statistics.sampling_fields import ClustersField, WeightField
from batchwright.ui.results.statistics.section_pages import PageContext, ResultPage
from batchwright.ui.results.statistics.titled_chart import TitledChart
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.fields import FilterCombo
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.wrapping_row import WrappingRow, group


async def build(context: PageContext) -> QWidget:
    """Build the page, panel by panel."""
    choices = BestWorstChoicesPanel(context)
    await asyncio.sleep(0)
    return BestWorstPage(context, choices, ItemsPanel(context), PlacesPanel())


class BestWorstPage(ResultPage[BestWorstResult]):
    """The questions and fields, and below them the results of the items and of their places."""

    def __init__(
        self,
        context: PageContext,
        choices: "BestWorstChoicesPanel",
        items: "ItemsPanel",
        places: "PlacesPanel",
    ) -> None:
        super().__init__(context, BestWorstResult)
        self.choices, self.items, self.places = choices, items, places
        for panel in (items, places):
            panel.hide()
        self.set_content(page_content(choices, items, places))

    @override
    def regions(self) -> Sequence[QWidget]:
        return self.choices, self.items, self.places

    @override
    def show_result(self, result: BestWorstResult) -> Iterator[None]:
        self.choices.show_result(result)
        yield
        self.items.show_result(result)
        yield
        self.places.show_result(result)


class BestWorstChoicesPanel(ResultPanel):
    """The two questions, and the fields that name the items; says what is missing."""

    help_address = "results.md#best-and-worst"

    def __init__(self, context: PageContext) -> None:
        super().__init__(_("What is chosen"))
        self._state = context.state
        self._result: BestWorstResult | None = None
        self.best = FilterCombo(_("Question about the best item"), _("Choose a question"))
        self.worst = FilterCombo(_("Question about the worst item"), _("Choose a question"))
        self.fields = FilterCombo(_("Fields with the items"), _("Choose fields"))
        self.suggestion = Button("", glyph="check", height=ButtonSize.NOTICE)
        self._choices = WrappingRow(
            group(Label(_("Best item by"), TextRole.SMALL, "text2"), self.best),
            group(Label(_("worst item by"), TextRole.SMALL, "text2"), self.worst),
            group(Label(_("items are in"), TextRole.SMALL, "text2"), self.fields),
            self.suggestion,
        )
        self._missing = Label("", TextRole.SMALL, "text2", wraps=True)
        self.clusters, self.weights = ClustersField(context.state), WeightField(context.state)
        self.add(self._choices, self._missing, WrappingRow(self.clusters, self.weights))
        for combo in (self.best, self.worst, self.fields):
            combo.activated.connect(self._on_chosen)
        self.suggestion.clicked.connect(self._use_suggestion)

    def show_result(self, result: BestWorstResult) -> None:
        """Show what is chosen, and what can be."""
        self._result = result
        settings = self._state.settings_in_use
        chosen = (settings.best_worst if settings is not None else None) or BestWorstFields("", "", ())
        titles = {question.id: question_title(question) for question in result.candidates}
        self.best.set_choices(titles, chosen.best)
        self.worst.set_choices(titles, chosen.worst)
        names = {
            _id(items): _("{first} to {last}").format(first=items[0], last=items[-1])
            for items in result.fields
        }
        self.fields.set_choices(names, _id(chosen.items))
        self._choices.setVisible(len(titles) > 1 and bool(names))
        self.suggestion.setVisible(result.suggested is not None and not chosen.is_complete)
        if result.suggested is not None:
            text = _("Use {fields}").format(fields=names.get(_id(result.suggested.items), ""))
            self.suggestion.setText(text)
        self.weights.show_fields(result.weight_fields)
        self._missing.setText(_missing(result, chosen))
        self._missing.setVisible(bool(self._missing.text()))

    def _on_chosen(self) -> None:
        if self._result is not None:
            of = next((items for items in self._result.fields if _id(items) == self.fields.chosen), ())
            best, worst = self.best.chosen or "", self.worst.chosen or ""
            self._state.change(best_worst=BestWorstFields(best, worst, of))

    def _use_suggestion(self) -> None:
        if self._result is not None and self._result.suggested is not None:
            self._state.change(best_worst=self._result.suggested)
            self.best.setFocus()


class ItemsPanel(ResultPanel):
    """Scores and strengths of the items."""

    help_address = "results.md#best-and-worst"

    def __init__(self, context: PageContext) -> None:
        super().__init__(_("Items"))
        self._left_out = Label("", TextRole.SMALL, wraps=True)
        self._about = Label("", TextRole.SMALL, "text2", wraps=True)
        self.scores = TitledChart(context, _("Best–worst score"))
        self.strengths = TitledChart(context, _("Strength"))
        self.table: RowTable[ItemRow] = RowTable(_("Items"), _item_columns(), max_rows=12)
        self.add(self._left_out, self._about, SideBySide(self.scores, self.strengths), self.table)

    def show_result(self, result: BestWorstResult) -> None:
        """Show the items, the best one first."""
        rows = result.results.items
        self.setVisible(bool(rows or result.results.notes))
        self._left_out.setText(" ".join(result.results.notes))
        self._left_out.setVisible(bool(result.results.notes))
        self._about.setText(result.sampling_note)
        self._about.setVisible(bool(result.sampling_note))
        for widget in (self.scores, self.strengths, self.table):
            widget.setVisible(bool(rows))
        if not rows:
            return
        scores, strengths = (
            _("Score: best less worst, of all times shown"),
            _("Strength by maximum difference"),
        )
        self.scores.show_drawing(scores, score_chart(scores, rows))
        has_strengths = any(isfinite(row.strength) for row in rows)
        self.strengths.setVisible(has_strengths)
        if has_strengths:
            self.strengths.show_drawing(strengths, item_strength_chart(strengths, rows))
        self.table.show_rows(rows)
        used = [methods.BEST_WORST_SCORE, *([methods.MAXIMUM_DIFFERENCE] if has_strengths else [])]
        self.show_methods(_about(used, result), result.excluded)


class PlacesPanel(ResultPanel):
    """Whether the item at a place is chosen more often than others."""

    help_address = "results.md#bias-of-position"

    def __init__(self) -> None:
        super().__init__(_("Bias of position"))
        self._text = Label("", TextRole.SMALL, wraps=True)
        self.table: RowTable[PlaceRow] = RowTable(_("Places in sets"), _place_columns(), max_rows=8)
        self.add(self._text, self.table)

    def show_result(self, result: BestWorstResult) -> None:
        """Show how often each place was chosen."""
        rows = result.results.places
        self.setVisible(bool(rows))
        if not rows:
            return
        text = _("Without a bias, each place is expected to have {share} of the answers.")
        self._text.setText(text.format(share=share(1 / len(rows))))
        self.table.show_rows(rows)
        self.show_methods(_about([methods.PLACES, methods.WILSON], result), result.excluded)


def _id(items: Sequence[str]) -> str:
    return "\n".join(items)


def _about(used: Sequence[Method], result: BestWorstResult) -> list[Method]:
    """Methods as they are used with what intervals are about, and with the weights of records."""
    weights = [methods.WEIGHTS] if result.sampling.weights is not None else []
    return [*(method.about(result.sampling.clusters) for method in used), *weights]


def _item_columns() -> tuple[RowColumn[ItemRow], ...]:
    def score(of: ItemRow) -> str:
        return f"{decimal(of.score)} ({interval(of.score_low, of.score_high)})"

    def strength(of: ItemRow) -> str:
        return f"{decimal(of.strength)} ({interval(of.strength_low, of.strength_high)})"

    return (
        text_column(ItemRow, "item"),
        number_column(ItemRow, "shown", 90),
        number_column(ItemRow, "best", 80),
        number_column(ItemRow, "worst", 80),
        number_column(ItemRow, "score", 190, score),
        number_column(ItemRow, "strength", 190, strength),
        number_column(ItemRow, "part", 70),
    )


def _place_columns() -> tuple[RowColumn[PlaceRow], ...]:
    def best(of: PlaceRow) -> str:
        return f"{share(of.best_share)} ({interval(100 * of.best_low, 100 * of.best_high, 0)})"

    def worst(of: PlaceRow) -> str:
        return f"{share(of.worst_share)} ({interval(100 * of.worst_low, 100 * of.worst_high, 0)})"

    return (
        text_column(PlaceRow, "place"),
        number_column(PlaceRow, "shown", 100),
        number_column(PlaceRow, "best", 100),
        number_column(PlaceRow, "best_share", 190, best),
        number_column(PlaceRow, "worst", 100),
        number_column(PlaceRow, "worst_share", 190, worst),
    )


def _missing(result: BestWorstResult, chosen: BestWorstFields) -> str:
    """What is missing for results; empty if nothing is."""
    if len(result.candidates) < 2:
        return _(
            "Best–worst scaling needs two questions with a single choice, in which each item of a set is an "
            "option."
        )
    if not result.fields:
        return _(
            "Results need to know which item stood at which place: add fields with the items to the dataset, "
            "such as META_ITEM_A, META_ITEM_B and META_ITEM_C."
        )
    if result.unusable_fields:
        return result.unusable_fields + " " + _("Choose other fields.")
    if not chosen.is_complete:
        return _(
            "Choose the questions about the best and the worst item, and the fields that name the items."
        )
    if not result.results.items and not result.results.notes:
        return _("The questions have not an option for each of these fields. Choose others.")
    return ""
