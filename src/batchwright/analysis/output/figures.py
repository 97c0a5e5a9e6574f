"""The figures of an analysis: charts of its result tables at print size, for each question with values."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, islice
from math import isfinite, nan
from typing import Any, NamedTuple

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.charts import (
    PRINT_WIDTH,
    Chart,
    Drawing,
    exclusion_note,
    svg,
    with_caption,
)
from batchwright.analysis.output.output_files import OutputFile, OutputSource
from batchwright.analysis.output.text_files import write_text
from batchwright.analysis.result_charts import (
    agreement_chart,
    confusion_chart,
    confusion_title,
    item_strength_chart,
    number_chart,
    outcome_chart,
    pair_chart,
    position_chart,
    precision_chart,
    precision_title,
    score_chart,
    share_chart,
    strength_chart,
    win_rate_chart,
)
from batchwright.analysis.result_tables import ResultTable
from batchwright.analysis.statistics.agreement.agreement_results import AgreementRow
from batchwright.analysis.statistics.agreement.rater_pairs import ConfusionRow
from batchwright.analysis.statistics.best_worst.best_worst_results import ItemRow
from batchwright.analysis.statistics.choices import OptionShare
from batchwright.analysis.statistics.comparisons.system_results import PairRow, PositionRow, SystemRow
from batchwright.analysis.statistics.numbers import HistogramBin, NumberSummary
from batchwright.analysis.statistics.planning.sample_size import PrecisionKind, PrecisionRow

_MAX_CONFUSIONS = 3
"""Maximum number of confusion matrices for a question: those of three participants."""


@dataclass(frozen=True)
class Figure:
    """A chart; `name` is the name of its file, `question` the text of the question."""

    name: str
    question: str
    question_id: str
    chart: Chart
    note: str
    caption: str = ""
    """What the figure shows, if a question has several in one table."""

    @property
    def captioned(self) -> Chart:
        """The chart with its title and the note."""
        return with_caption(self.chart, self.note)

    @property
    def svg(self) -> str:
        """The figure as an SVG file."""
        return svg(self.captioned)

    @property
    def svg_without_title(self) -> str:
        """The figure as SVG for a page that has a caption."""
        return svg(with_caption(self.chart, self.note, has_title=False))


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the figures as SVG, and as PNG if they can be painted."""
    for figure in figures(source.analysis):
        yield OutputFile(f"{figure.name}.svg", partial(write_text, text=figure.svg))
        if source.choices.picture is not None:
            yield OutputFile(f"{figure.name}.png", partial(source.write_picture, figure.captioned))


def figures(analysis: Analysis) -> Iterator[Figure]:
    """Yield all figures."""
    for table in analysis.results:
        yield from figures_of(table, analysis)


def figures_of(table: ResultTable, analysis: Analysis) -> Iterator[Figure]:
    """Yield the figures of a table."""
    if table.name not in _ROWS:
        return
    titles = question_titles(analysis)
    note = exclusion_note(analysis.excluded)
    row_type, draw = _ROWS[table.name]
    for question, rows in groupby(_rows(table, row_type), key=lambda row: str(row.question)):
        title = titles.get(question, question)
        number = f"q{[*titles].index(question) + 1}" if question in titles else "other"
        for drawn in draw(f"{title} ({table.title})", list(rows), analysis):
            chart, name = drawn.drawing(PRINT_WIDTH), f"figure-{drawn.name.format(number)}"
            if any(isfinite(mark.value) for mark in chart.marks):
                yield Figure(name, title, question, chart, note, drawn.caption)


def question_titles(analysis: Analysis) -> dict[str, str]:
    """The texts of the questions by their ids."""
    tables = {table.name: table for table in analysis.results}
    rows = tables["questions"].rows if "questions" in tables else ()
    return {str(row[0]): str(row[1]) for row in rows}


class _Drawn(NamedTuple):
    """A chart and its name, with a place for the number of the question."""

    name: str
    drawing: Drawing
    caption: str = ""


_Charts = Iterator[_Drawn]


def _choices(title: str, rows: Sequence[OptionShare], _analysis: Analysis) -> _Charts:
    yield _Drawn("choices-{}", share_chart(title, [row for row in rows if not row.field]))


def _histograms(title: str, rows: Sequence[HistogramBin], analysis: Analysis) -> _Charts:
    summaries = {
        (row.question, row.unit): row
        for table in analysis.results
        if table.name == "numbers"
        for row in _rows(table, NumberSummary)
        if not row.field
    }
    for index, (unit, bins) in enumerate(groupby(rows, key=lambda row: row.unit)):
        summary = summaries.get((rows[0].question, unit))
        name = f"numbers-{{}}{f'-{index + 1}' if index else ''}"
        yield _Drawn(name, number_chart(title, list(bins), summary))


def _agreement(title: str, rows: Sequence[AgreementRow], _analysis: Analysis) -> _Charts:
    total = [row for row in rows if not row.field and not row.option and isfinite(row.value)]
    yield _Drawn("agreement-{}", agreement_chart(title, total))


def _systems(title: str, rows: Sequence[SystemRow], _analysis: Analysis) -> _Charts:
    yield _Drawn("win-rates-{}", win_rate_chart(title, rows))
    yield _Drawn("systems-{}", strength_chart(title, rows))
    yield _Drawn("outcomes-{}", outcome_chart(title, rows))


def _pairs(title: str, rows: Sequence[PairRow], _analysis: Analysis) -> _Charts:
    yield _Drawn("pairs-{}", pair_chart(title, rows))


def _items(title: str, rows: Sequence[ItemRow], _analysis: Analysis) -> _Charts:
    yield _Drawn("scores-{}", score_chart(title, rows))
    yield _Drawn("items-{}", item_strength_chart(title, rows))


def _confusions(title: str, rows: Sequence[ConfusionRow], _analysis: Analysis) -> _Charts:
    """The matrices of the first pairs; those of others are in the CSV file."""
    pairs = groupby(rows, key=lambda row: (row.first, row.second))
    for index, ((first, second), members) in enumerate(islice(pairs, _MAX_CONFUSIONS)):
        caption = confusion_title(first, second)
        drawing = confusion_chart(f"{title}: {caption}", list(members))
        yield _Drawn(f"confusions-{{}}{f'-{index + 1}' if index else ''}", drawing, caption)


def _positions(title: str, rows: Sequence[PositionRow], _analysis: Analysis) -> _Charts:
    yield _Drawn("positions-{}", position_chart(title, rows[0]))


def _precision(title: str, rows: Sequence[PrecisionRow], _analysis: Analysis) -> _Charts:
    parts = groupby(rows, key=lambda row: (row.unit, row.kind, row.about))
    for index, ((_unit, kind, _about), members) in enumerate(parts):
        typed = [replace(row, kind=PrecisionKind(kind)) for row in members]
        caption = precision_title(typed[0])
        drawing = precision_chart(f"{title}: {caption}", typed)
        yield _Drawn(f"precision-{{}}{f'-{index + 1}' if index else ''}", drawing, caption)


_ROWS: dict[str, tuple[type[Any], Callable[[str, list[Any], Analysis], _Charts]]] = {
    "choices": (OptionShare, _choices),
    "histograms": (HistogramBin, _histograms),
    "agreement": (AgreementRow, _agreement),
    "systems": (SystemRow, _systems),
    "pairs": (PairRow, _pairs),
    "items": (ItemRow, _items),
    "confusions": (ConfusionRow, _confusions),
    "positions": (PositionRow, _positions),
    "precision": (PrecisionRow, _precision),
}
"""The type of the rows of a table, and its charts."""


def _rows(table: ResultTable, row_type: type[Any]) -> list[Any]:
    """The rows of a table as they were before they became cells; a missing value is NaN."""
    return [
        row_type(**{name: nan if cell is None else cell for name, cell in _cells(table, row).items()})
        for row in table.rows
    ]


def _cells(table: ResultTable, row: Sequence[object]) -> Mapping[str, object]:
    return dict(zip(table.columns, row, strict=True))
