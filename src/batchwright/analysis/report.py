"""The report: one HTML file with figures, tables, methods, exclusions, versions and seed.

It loads nothing from elsewhere, and prints well. Every figure is followed by a table with the same numbers.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import groupby
from math import isfinite, nan
from operator import itemgetter

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.bootstrap import RESAMPLES
from batchwright.analysis.charts import Mark, bar_chart, forest_plot
from batchwright.analysis.intervals import LEVEL
from batchwright.analysis.result_tables import Cell, ResultTable
from batchwright.base.i18n import _, ngettext
from batchwright.base.text import without_lone_surrogates

MAX_ROWS = 200
"""Maximum number of rows of a table in the report; all rows are in the CSV file."""
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 60rem;
  margin: 2rem auto; padding: 0 1.5rem; }
h1, h2, h3 { line-height: 1.25; } h2 { margin-top: 2.5rem; border-top: 1px solid #ccc; padding-top: 1rem; }
figure { margin: 1rem 0; } svg { max-width: 100%; height: auto; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 3px 12px 3px 0; text-align: left; border-bottom: 1px solid #ddd; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
figcaption { font-weight: 600; }
.note { color: #555; font-size: 13px; }
@media print { body { margin: 0; max-width: none; } figure, tr { break-inside: avoid; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def report(analysis: Analysis, versions: Mapping[str, str]) -> str:
    """Return the report as HTML; it is the same for the same analysis."""
    tables = {table.name: table for table in analysis.results}
    title, titles, note = _("Results"), _titles(tables.get("questions")), _exclusions(analysis)
    parts = [
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{_html(title)}</title><style>{_STYLE}</style></head><body><h1>{_html(title)}</h1>",
        _paragraph(_summary(analysis)),
        _paragraph(note),
    ]
    for table in analysis.results:
        parts.append(f"<h2>{_html(table.title)}</h2>")
        parts += (_figure(figure) for figure in figures_of(table, titles, note))
        parts.append(_table(table, titles))
    parts.append(_methods(analysis, versions))
    return "\n".join(parts) + "</body></html>\n"


@dataclass(frozen=True)
class Figure:
    """A chart as SVG; `name` is the name of its file, `question` the text of the question."""

    name: str
    question: str
    svg: str


def figures(analysis: Analysis) -> Iterator[Figure]:
    """Yield all figures."""
    tables = {table.name: table for table in analysis.results}
    titles, note = _titles(tables.get("questions")), _exclusions(analysis)
    for table in analysis.results:
        yield from figures_of(table, titles, note)


def figures_of(table: ResultTable, titles: Mapping[str, str], note: str) -> Iterator[Figure]:
    """Yield the figures of a table, one for each question with values.

    `titles` are the questions by id; `note` is written below each figure.
    """
    draw = {"choices": _shares, "agreement": _agreement, "systems": _strengths}.get(table.name)
    if draw is None:
        return
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    numbers = _numbers(titles)
    for question, group in groupby(rows, key=itemgetter("question")):
        marks = list(draw(group))
        if any(isfinite(mark.value) for mark in marks):
            title = titles.get(str(question), str(question))
            plot = forest_plot if table.name == "systems" else bar_chart
            name = f"figure-{table.name}-{numbers.get(str(question), 'other')}"
            yield Figure(name, title, plot(f"{title} ({table.title})", marks, note))


def _shares(rows: Iterable[Mapping[str, Cell]]) -> Iterator[Mark]:
    for row in rows:
        if not row["field"]:
            share = _number(row["share"])
            text = "–" if row["share"] is None else f"{100 * share:.1f} %"
            yield Mark(str(row["label"]), share, _number(row["low"]), _number(row["high"]), text)


def _agreement(rows: Iterable[Mapping[str, Cell]]) -> Iterator[Mark]:
    for row in rows:
        if not row["field"] and not row["option"] and row["value"] is not None:
            label = " ".join(str(row[name]) for name in ("coefficient", "metric", "unit") if row[name])
            value = _number(row["value"])
            yield Mark(label, value, _number(row["low"]), _number(row["high"]), f"{value:.3f}")


def _strengths(rows: Iterable[Mapping[str, Cell]]) -> Iterator[Mark]:
    for row in rows:
        value = _number(row["strength"])
        text = "–" if row["strength"] is None else f"{value:.2f}"
        ends = _number(row["strength_low"]), _number(row["strength_high"])
        yield Mark(str(row["system"]), value, *ends, text)


def _titles(questions: ResultTable | None) -> dict[str, str]:
    rows = questions.rows if questions else ()
    return {str(row[0]): str(row[1]) for row in rows}


def _summary(analysis: Analysis) -> str:
    text = ngettext("{count} answer was analysed.", "{count} answers were analysed.", analysis.included)
    return text.format(count=analysis.included)


def _exclusions(analysis: Analysis) -> str:
    excluded = len(analysis.table) - analysis.included
    if not excluded:
        return _("No answer was excluded.")
    text = ngettext(
        "{count} answer was excluded; see “Exclusions”.",
        "{count} answers were excluded; see “Exclusions”.",
        excluded,
    )
    return text.format(count=excluded)


def _figure(figure: Figure) -> str:
    return f"<figure><figcaption>{_html(figure.question)}</figcaption>{figure.svg}</figure>"


def _table(table: ResultTable, titles: Mapping[str, str]) -> str:
    """Return a table with the numbers of questions in place of their ids, without empty columns."""
    names = [_numbers(titles) if name == "question" else {} for name in table.columns]
    filled = [index for index, column in enumerate(zip(*table.rows, strict=True)) if set(column) - {"", None}]
    columns = [table.columns[index].replace("_", " ") for index in filled]
    header = "".join(f'<th scope="col">{_html(name)}</th>' for name in columns)
    rows = "".join(
        f"<tr>{''.join(_cell(row[index], names[index]) for index in filled)}</tr>"
        for row in table.rows[:MAX_ROWS]
    )
    label = escape(table.title)
    html = (
        f'<div class="table"><table aria-label="{label}">'
        f"<thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    if len(table.rows) > MAX_ROWS:
        text = _("The first {most} of {count} rows; all are in {file}.")
        note = text.format(most=MAX_ROWS, count=len(table.rows), file=f"{table.name}.csv")
        html += f'<p class="note">{_html(note)}</p>'
    return html


def _numbers(titles: Mapping[str, str]) -> dict[str, str]:
    """Return the short names of questions by id, as in the file with one row per participant and task."""
    return {id: f"q{number}" for number, id in enumerate(titles, start=1)}


def _cell(cell: Cell, numbers: Mapping[str, str]) -> str:
    if isinstance(cell, int):
        return f'<td class="number">{cell}</td>'
    if isinstance(cell, float):
        return f'<td class="number">{cell:.3f}</td>'
    return f"<td>{_html(numbers.get(cell or '', cell or ''))}</td>"


def _methods(analysis: Analysis, versions: Mapping[str, str]) -> str:
    methods = dict.fromkeys(method for table in analysis.results for method in table.methods)
    items = "".join(f"<li>{_html(method.sentence())}</li>" for method in methods)
    return f"<h2>{_html(_('Methods'))}</h2>{_paragraph(_methods_text(analysis, versions))}<ul>{items}</ul>"


def _methods_text(analysis: Analysis, versions: Mapping[str, str]) -> str:
    """Return what was analysed, with what, and how to repeat it, as a paragraph for a publication."""
    included = analysis.settings.exclusions.included(analysis.table)
    text = _(
        "{answers} answers of {participants} participants to {questions} questions about {tasks} records "
        "were analysed. {exclusions} Intervals have a confidence level of {level}. Bootstrap intervals are "
        "percentile intervals of up to {resamples} samples of records, drawn with the seed {seed}. Computed "
        "with {program}."
    )
    return text.format(
        answers=analysis.included,
        participants=len(set(included.participants.codes.tolist())),
        questions=len(set(included.question_codes.tolist())),
        tasks=len(set(included.tasks.codes.tolist())),
        exclusions=_exclusions(analysis),
        level=f"{LEVEL:.0%}",
        resamples=RESAMPLES,
        seed=analysis.settings.seed,
        program=", ".join(f"{name} {version}" for name, version in versions.items()),
    )


def _paragraph(text: str) -> str:
    return f"<p>{_html(text)}</p>"


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else nan


def _html(text: str) -> str:
    return escape(without_lone_surrogates(text))
