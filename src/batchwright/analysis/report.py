"""The report: one HTML file with figures, tables, methods, exclusions, versions and seed.

It loads nothing from elsewhere, and prints well. Every figure is followed by a table with the same numbers.
"""

from collections.abc import Mapping
from html import escape

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.bootstrap import RESAMPLES
from batchwright.analysis.charts import exclusion_note
from batchwright.analysis.figures import Figure, figures_of, question_titles
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
    title, titles, note = _("Results"), question_titles(analysis), _exclusions(analysis)
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
        parts += (_figure(figure) for figure in figures_of(table, analysis))
        parts.append(_table(table, titles))
    parts.append(_methods(analysis, versions))
    return "\n".join(parts) + "</body></html>\n"


def _summary(analysis: Analysis) -> str:
    text = ngettext("{count} answer was analysed.", "{count} answers were analysed.", analysis.included)
    return text.format(count=analysis.included)


def _exclusions(analysis: Analysis) -> str:
    return exclusion_note(len(analysis.table) - analysis.included)


def _figure(figure: Figure) -> str:
    return f"<figure><figcaption>{_html(figure.question)}</figcaption>{figure.svg_without_title}</figure>"


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


def _html(text: str) -> str:
    return escape(without_lone_surrogates(text))
