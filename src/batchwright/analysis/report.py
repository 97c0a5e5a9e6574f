"""The report: one HTML file with figures, tables, methods, exclusions, versions and seed.

It loads nothing from elsewhere, and prints well. Every figure is followed by a table with the same numbers.
"""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import groupby
from math import isfinite, nan
from operator import itemgetter

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.charts import Mark, bar_chart, forest_plot
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
th, td { padding: 3px 10px 3px 0; text-align: left; border-bottom: 1px solid #ddd; vertical-align: top;
  overflow-wrap: anywhere; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
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
        parts += (f"<figure>{svg}</figure>" for _name, svg in figures_of(table, titles, note))
        parts.append(_table(table))
    parts.append(_methods(analysis, versions))
    return "\n".join(parts) + "</body></html>\n"


def figures(analysis: Analysis) -> Iterator[tuple[str, str]]:
    """Yield the name and the SVG of each figure."""
    tables = {table.name: table for table in analysis.results}
    titles, note = _titles(tables.get("questions")), _exclusions(analysis)
    for table in analysis.results:
        yield from figures_of(table, titles, note)


def figures_of(table: ResultTable, titles: Mapping[str, str], note: str) -> Iterator[tuple[str, str]]:
    """Yield the figures of a table, one for each question with values.

    `titles` are the questions by id; `note` is written below each figure.
    """
    draw = {"choices": _shares, "agreement": _agreement, "systems": _strengths}.get(table.name)
    if draw is None:
        return
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    numbers = {id: number for number, id in enumerate(titles, start=1)}
    for question, group in groupby(rows, key=itemgetter("question")):
        marks = list(draw(group))
        if any(isfinite(mark.value) for mark in marks):
            title = f"{titles.get(str(question), question)} ({table.title})"
            plot = forest_plot if table.name == "systems" else bar_chart
            yield f"figure-{table.name}-q{numbers.get(str(question), 0)}", plot(title, marks, note)


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


def _table(table: ResultTable) -> str:
    header = "".join(f'<th scope="col">{_html(name.replace("_", " "))}</th>' for name in table.columns)
    rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows[:MAX_ROWS])
    html = (
        f'<div class="table"><table><caption class="note">{_html(table.title)}</caption>'
        f"<thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    if len(table.rows) > MAX_ROWS:
        text = _("The first {most} of {count} rows; all are in {file}.")
        note = text.format(most=MAX_ROWS, count=len(table.rows), file=f"{table.name}.csv")
        html += f'<p class="note">{_html(note)}</p>'
    return html


def _cell(cell: Cell) -> str:
    if isinstance(cell, int | float):
        return (
            f'<td class="number">{cell:,.4g}</td>'
            if isinstance(cell, float)
            else f'<td class="number">{cell}</td>'
        )
    return f"<td>{_html(cell or '')}</td>"


def _methods(analysis: Analysis, versions: Mapping[str, str]) -> str:
    methods = dict.fromkeys(method for table in analysis.results for method in table.methods)
    items = "".join(f"<li>{_html(method.sentence())}</li>" for method in methods)
    program = ", ".join(f"{name} {version}" for name, version in versions.items())
    text = _("Computed with {program}. Random numbers have the seed {seed}.")
    return f"<h2>{_html(_('Methods'))}</h2>{_paragraph(_exclusions(analysis))}<ul>{items}</ul>" + _paragraph(
        text.format(program=program, seed=analysis.settings.seed)
    )


def _paragraph(text: str) -> str:
    return f"<p>{_html(text)}</p>"


def _number(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int | float) else nan


def _html(text: str) -> str:
    return escape(without_lone_surrogates(text))
