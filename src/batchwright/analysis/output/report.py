"""The report: one HTML file with figures, tables, methods, exclusions and versions.

It loads nothing from elsewhere and has no script, so that it can be stored, sent and printed. Every figure is
followed by a table with the same numbers.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import date
from itertools import groupby

from batchwright.analysis.analyse import Analysis
from batchwright.analysis.charts import exclusion_note
from batchwright.analysis.design_facts import design_facts
from batchwright.analysis.output.figures import Figure, figures_of, question_titles
from batchwright.analysis.output.output_files import OutputFile, OutputSource, versions
from batchwright.analysis.output.report_tables import Row, html_table, html_text, isolated
from batchwright.analysis.output.text_files import write_text
from batchwright.analysis.result_tables import ResultTable
from batchwright.analysis.statistics import methods
from batchwright.analysis.statistics.agreement.agreement_results import interval_warning, languages_note
from batchwright.analysis.statistics.comparisons.sides import SideRow, side_sentence
from batchwright.analysis.statistics.intervals import LEVEL
from batchwright.analysis.statistics.methods import Method
from batchwright.analysis.statistics.participants.participant_hints import participants_sentence
from batchwright.analysis.statistics.participants.repeated_answers import repeated_sentence
from batchwright.analysis.statistics.participants.self_agreement import copies_sentence
from batchwright.analysis.statistics.roles.question_roles import RoleRow
from batchwright.analysis.statistics.weights import weights_sentence
from batchwright.analysis.store.answer_table import NO_TIME, time_text
from batchwright.analysis.store.sampling import Clusters
from batchwright.analysis.store.text_columns import number_of_different
from batchwright.base.i18n import N_, NC_, _, current_language, ngettext
from batchwright.base.local_formats import count_text, date_text, decimal_text, joined, percent_text, quoted

_YEAR = re.compile(r"^(?P<authors>.*?) \((?P<year>\d{4})\)")
_SURNAME = re.compile(r"([^\W\d_][\w'’-]*), (?:[A-Z]\.[ ,]*)+")
_MAX_SURNAMES = 2

_SENTENCES: tuple[tuple[Method, str], ...] = (
    (
        methods.WILSON,
        N_("Shares are given with Wilson score intervals for the effective number of answers ({reference})."),
    ),
    (
        methods.WIN_RATE,
        N_("Win rates are wins and half the ties among all comparisons that had an outcome ({reference})."),
    ),
    (
        methods.STUDENT,
        N_("Means are given with t intervals for the effective number of answers ({reference})."),
    ),
    (
        methods.WEIGHTS,
        N_("Records were weighted, and intervals computed by linearization ({reference})."),
    ),
    (methods.MEDIAN, N_("Medians are given with intervals from two of the sorted values ({reference}).")),
    (methods.QUANTILES, N_("Quantiles were interpolated linearly ({reference}).")),
    (methods.MAJORITY, N_("Records were labelled by the majority of votes, or by the median ({reference}).")),
    (
        methods.ONE_COIN,
        N_(
            "Labels were also estimated with one probability of a right answer per participant ({reference})."
        ),
    ),
    (
        methods.DAWID_SKENE,
        N_("Labels were also estimated with a model of the participants' errors ({reference})."),
    ),
    (
        methods.BRADLEY_TERRY,
        N_(
            "Bradley–Terry strengths count a tie as half a win for both systems ({reference}); their "
            "intervals are t intervals with standard errors that allow for comparisons that are alike."
        ),
    ),
    (
        methods.ORDER_EFFECT,
        N_(
            "Bradley–Terry strengths account for an effect of the left side, and count a tie as half a win "
            "for both systems ({reference}); their intervals are t intervals with standard errors that allow "
            "for comparisons that are alike."
        ),
    ),
    (
        methods.REGULARISED,
        N_(
            "Strengths were regularised by half a win and half a loss of each system against one imagined "
            "system ({reference})."
        ),
    ),
    (
        methods.BEST_WORST_SCORE,
        N_(
            "Best–worst scores are how often an item was the best less how often it was the worst, divided "
            "by how often it was shown ({reference})."
        ),
    ),
    (
        methods.MAXIMUM_DIFFERENCE,
        N_(
            "Strengths of items are those of the maximum difference model ({reference}); their intervals are "
            "t intervals with standard errors that allow for answers that are alike."
        ),
    ),
    (
        methods.HOLM,
        N_(
            "Tests of differences between systems are adjusted for all pairs of a question with Holm's "
            "method ({reference}); intervals are not adjusted for several comparisons."
        ),
    ),
)
_COEFFICIENTS: tuple[tuple[Method, str], ...] = (
    (methods.PERCENT_AGREEMENT, N_("percent agreement")),
    (methods.KRIPPENDORFF, NC_("in a sentence", "Krippendorff's alpha")),
    (methods.FLEISS, NC_("in a sentence", "Fleiss' kappa")),
    (methods.COHEN, NC_("in a sentence", "Cohen's kappa")),
    (methods.WEIGHTED_KAPPA, N_("weighted kappa")),
    (methods.GWET, NC_("in a sentence", "Gwet's AC1")),
    (methods.GWET_WEIGHTED, NC_("in a sentence", "Gwet's AC2")),
    (methods.INTRACLASS, N_("intraclass correlations")),
)


def files(source: OutputSource) -> Iterator[OutputFile]:
    """Yield the file."""
    study, design = source.choices.study, source.choices.design
    yield OutputFile(
        "report.html", lambda path: write_text(path, report(source.analysis, versions(), study, design))
    )


def methods_paragraph(analysis: Analysis, versions: Mapping[str, str]) -> str:
    """What was analysed, how, with what, and how to repeat it."""
    used = {method.name for table in analysis.results for method in table.methods}
    sample = (
        _sample(analysis),
        *_layouts(analysis),
        *_excluded(analysis),
        *_roles(analysis),
        *_final_answers(analysis),
    )
    parts = [*sample, *_statistics(used), *_repetition(analysis, versions)]
    return " ".join(parts)


def citation(method: Method) -> str:
    """Authors and year of the first work about a method, as `Bradley & Terry, 1952`."""
    text = method.works[0].text
    found = _YEAR.match(text)
    if found is None:
        return text
    surnames = _SURNAME.findall(found["authors"]) or [found["authors"]]
    if len(surnames) > _MAX_SURNAMES:
        surnames = [_("{author} et al.").format(author=surnames[0])]
    return f"{' & '.join(surnames)}, {found['year']}"


def _sample(analysis: Analysis) -> str:
    included = analysis.settings.exclusions.included(analysis.table)
    text = (
        _("{participants} answered {questions}; {answers} were analysed, {mean} per question on average.")
        if included.is_survey
        else _(
            "{participants} answered {questions} about {records}; {answers} were analysed, {mean} per record "
            "and question on average."
        )
    )
    people = number_of_different(included.participants.codes)
    questions = number_of_different(included.question_codes)
    tasks = number_of_different(included.tasks.codes)
    pairs = number_of_different(included.tasks.codes, included.question_codes)
    asked = questions if included.is_survey else pairs
    return text.format(
        participants=ngettext("{count} participant", "{count} participants", people).format(
            count=count_text(people)
        ),
        questions=ngettext("{count} question", "{count} questions", questions).format(
            count=count_text(questions)
        ),
        records=ngettext("{count} record", "{count} records", tasks).format(count=count_text(tasks)),
        answers=ngettext("{count} answer", "{count} answers", len(included)).format(
            count=count_text(len(included))
        ),
        mean=decimal_text(len(included) / max(1, asked), 1),
    )


def _layouts(analysis: Analysis) -> Iterator[str]:
    use = analysis.layout_use
    if note := languages_note(analysis.settings.exclusions.included(analysis.table)):
        yield note
    if use.versions:
        count = len(use.versions)
        text = ngettext(
            "The answers were given to {count} version of the layout.",
            "The answers were given to {count} versions of the layout.",
            count,
        )
        yield text.format(count=count_text(count))
    if use.differing and analysis.settings.splits_versions:
        yield _("Questions that these versions ask differently are separate questions.")
    elif use.differing:
        yield _("Questions that these versions ask differently were counted together.")
    if use.unknown:
        text = ngettext(
            "It is not known which layout {count} answer was given to; its wording may differ.",
            "It is not known which layout {count} answers were given to; its wording may differ.",
            use.unknown,
        )
        yield text.format(count=count_text(use.unknown))


def _excluded(analysis: Analysis) -> Iterator[str]:
    excluded = analysis.excluded
    if not excluded:
        yield _("No answer was excluded.")
        return
    text = ngettext(
        "{count} answer ({share}) was excluded before all computations, for these reasons: {reasons}.",
        "{count} answers ({share}) were excluded before all computations, for these reasons: {reasons}.",
        excluded,
    )
    reasons = sorted({*analysis.settings.exclusions.in_words.reasons(analysis.table)} - {""})
    share = percent_text(excluded / len(analysis.table), 1)
    yield text.format(
        count=count_text(excluded),
        share=share,
        reasons=joined(map(quoted, reasons)),
    )
    if repeated := repeated_sentence(analysis.repeated):
        yield repeated


def _roles(analysis: Analysis) -> Iterator[str]:
    """What a researcher said that values stand for."""
    questions = {question.id: question for question in analysis.table.questions}
    levels = [f"{quoted(of.title)} ({of.level})" for of in questions.values() if of.level is not None]
    if levels:
        yield _("These questions were analysed with a chosen level: {names}.").format(names=joined(levels))
    rows = [RoleRow(*row) for of in analysis.results if of.name == "roles" for row in of.rows]  # type: ignore[arg-type]  # its own columns
    missing = [row for row in rows if row.role == "missing"]
    if missing:
        count = sum(row.answers or 0 for row in missing)
        text = ngettext(
            "{count} answer was left out as missing: {values}.",
            "{count} answers were left out as missing: {values}.",
            count,
        )
        values = dict.fromkeys(quoted(row.label or row.value) for row in missing)
        yield text.format(count=count_text(count), values=joined(values))


def _final_answers(analysis: Analysis) -> Iterator[str]:
    """How many final answers were set."""
    count = sum(len(table.rows) for table in analysis.results if table.name == "final_answers")
    if count:
        text = ngettext(
            "{count} record got a final answer from the researchers, which changes no other result.",
            "{count} records got a final answer from the researchers, which changes no other result.",
            count,
        )
        yield text.format(count=count_text(count))


def _statistics(used: Set[str]) -> Iterator[str]:
    for method, sentence in _SENTENCES:
        if method.name in used:
            yield _(sentence).format(reference=citation(method))
    coefficients = [
        f"{_(name)} ({citation(method)})" for method, name in _COEFFICIENTS if method.name in used
    ]
    if coefficients:
        text = _("Agreement between participants was measured as {coefficients}.")
        yield text.format(coefficients=joined(coefficients))
    if methods.JACKKNIFE.name in used:
        text = _("Their intervals are t intervals with the standard error of a jackknife ({reference}).")
        yield text.format(reference=citation(methods.JACKKNIFE))
    if methods.INTRACLASS.name in used:
        yield _("Those of intraclass correlations are F intervals.")


_ABOUT = {
    Clusters.RECORDS: N_("They are about further records, answered by the same participants."),
    Clusters.PARTICIPANTS: N_(
        "They are about further participants who answer about the same records, except those of agreement, "
        "which are about further records."
    ),
    Clusters.BOTH: N_(
        "They are about further records, answered by further participants (two-way clusters; Cameron, "
        "Gelbach & Miller, 2011), except those of agreement, which are about further records."
    ),
}


def _repetition(analysis: Analysis, versions: Mapping[str, str]) -> Iterator[str]:
    yield _("All intervals have a confidence level of {level}.").format(level=percent_text(LEVEL))
    if not analysis.table.is_survey:
        yield _(_ABOUT[analysis.settings.clusters])
    (program, version), *libraries = versions.items()
    yield _("Results were computed with {program} {version} ({libraries}).").format(
        program=program.capitalize(),
        version=version,
        libraries=joined(f"{name} {number}" for name, number in libraries),
    )


_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.55 Inter, system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; color: #1c1c1a;
  background: #fff; max-width: 58rem; margin: 0 auto; padding: 3rem 2rem 4rem; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 6px; letter-spacing: -0.01em; }
h2 { font-size: 21px; line-height: 1.3; margin: 3.2rem 0 .4rem; padding-top: 1.1rem;
  border-top: 2px solid #1c1c1a; }
h3 { font-size: 16px; line-height: 1.35; margin: 1.9rem 0 .5rem; }
h3 .number { color: #5c5c57; font-weight: 500; margin-right: .5em; }
p { margin: .5rem 0; max-width: 46rem; }
.lead { color: #5c5c57; }
.key-figures { display: flex; flex-wrap: wrap; gap: 12px 40px; margin: 1.6rem 0 0; padding: 0;
  list-style: none; }
.key-figures b { display: block; font-size: 26px; line-height: 1.2; font-weight: 600;
  font-variant-numeric: tabular-nums; }
.key-figures span, .note { color: #5c5c57; font-size: 13px; }
figure { margin: .8rem 0 1rem; }
figcaption { margin: 0 0 .4rem; font-weight: 600; font-size: 13px; }
svg { display: block; max-width: 100%; height: auto; }
.table { overflow-x: auto; margin: .6rem 0 1rem; }
table { border-collapse: collapse; font-size: 13px; line-height: 1.4; }
th, td { padding: 5px 18px 5px 0; text-align: left; vertical-align: top; min-width: 3em; }
th { color: #5c5c57; font-weight: 500; vertical-align: bottom; border-bottom: 1px solid #1c1c1a; }
td { border-bottom: 1px solid #e4e3de; max-width: 26rem; overflow-wrap: break-word; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
.interval { color: #5c5c57; }
.methods { background: #f5f4f0; border-radius: 8px; padding: 14px 20px; }
.methods p { margin: 0; }
ol { padding-left: 1.2rem; font-size: 13px; max-width: 46rem; } li { margin: .35rem 0; }
@page { size: A4; margin: 18mm 16mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  h2, h3 { break-after: avoid; }
  figure, tr, .methods, .key-figures { break-inside: avoid; }
  thead { display: table-header-group; }
  .table { overflow: visible; }
  table { font-size: 8pt; } th, td { padding-right: 10px; min-width: 0; }
  .interval { display: block; font-size: 7pt; }
  .methods { border: 1px solid #c9c8c2; print-color-adjust: exact; }
}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_ONLY_AS_FIGURE = frozenset({"histograms", "precision", "confusions"})
"""Tables that are long and are shown as figures; their numbers are in the CSV files."""


def report(analysis: Analysis, versions: Mapping[str, str], study: str = "", design: str = "") -> str:
    """The report as HTML; it is the same for the same analysis, in the same language.

    `study` is its title, and `design` says how the records were prepared, as far as that is known.
    """
    language = current_language()
    title, titles = study or _("Results"), question_titles(analysis)
    numbers = {id: f"q{number}" for number, id in enumerate(titles, start=1)}
    parts = [
        f'<!DOCTYPE html><html lang="{language.tag}" dir="{language.direction}">',
        '<head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html_text(title)}</title><style>{_STYLE}</style></head><body>",
        f"<header><h1>{isolated(title)}</h1>",
        f'<p class="lead">{html_text(_dates(analysis))}</p>',
        f'<p class="lead">{html_text(_exclusions(analysis))}</p>{_key_figures(analysis)}',
        f"{_participants(analysis)}</header><main>",
        *(_section(table, analysis, titles, numbers) for table in analysis.results),
        _methods(analysis, versions, design),
    ]
    return "\n".join(parts) + "</main></body></html>\n"


def _participants(analysis: Analysis) -> str:
    included = analysis.settings.exclusions.included(analysis.table)
    texts = (
        participants_sentence(included, analysis.settings.clusters),
        weights_sentence(included, analysis.settings.weight_field),
        copies_sentence(included),
    )
    return "".join(f'<p class="note">{html_text(text)}</p>' for text in texts if text)


def _key_figures(analysis: Analysis) -> str:
    included = analysis.settings.exclusions.included(analysis.table)
    records = number_of_different(included.tasks.codes)
    counts = (
        (len(included), _("answers")),
        (number_of_different(included.participants.codes), _("participants")),
        *(() if included.is_survey else ((records, _("records")),)),
        (number_of_different(included.question_codes), _("questions")),
        (len(analysis.table) - len(included), _("answers excluded")),
    )
    items = "".join(
        f"<li><b>{count_text(count)}</b><span>{html_text(text)}</span></li>" for count, text in counts
    )
    return f'<ul class="key-figures">{items}</ul>'


def _dates(analysis: Analysis) -> str:
    """When the answers were given: the files contain no other time, and are the same on any day."""
    times = analysis.table.times[analysis.table.times != NO_TIME]
    if not len(times):
        return _("Results; the dates of the answers are not known")
    days = (date.fromisoformat(time_text(int(time))[:10]) for time in (times.min(), times.max()))
    first, last = map(date_text, days)
    if first == last:
        return _("Results from answers of {date}").format(date=first)
    return _("Results from answers of {first} to {last}").format(first=first, last=last)


def _exclusions(analysis: Analysis) -> str:
    return exclusion_note(analysis.excluded)


def _section(
    table: ResultTable, analysis: Analysis, titles: Mapping[str, str], numbers: Mapping[str, str]
) -> str:
    """A table with its figures, by question if it is about questions, and its methods."""
    notes = "".join(f'<p class="note">{html_text(method.summary())}</p>' for method in table.methods)
    head = f"<section><h2>{html_text(table.title)}</h2>{notes}"
    if "question" not in table.columns or table.name == "questions":
        return f"{head}{html_table(table, table.rows, table.title, numbers)}</section>"
    figures = list(figures_of(table, analysis))
    return "".join((head, *_questions(table, figures, titles, numbers), "</section>"))


def _questions(
    table: ResultTable, figures: Sequence[Figure], titles: Mapping[str, str], numbers: Mapping[str, str]
) -> Iterator[str]:
    place = table.columns.index("question")
    for question, group in groupby(table.rows, key=lambda row: str(row[place])):
        rows: list[Row] = list(group)
        title = titles.get(question, question)
        number = html_text(numbers.get(question, ""))
        yield f'<h3><span class="number">{number}</span>{isolated(title)}</h3>'
        shown = [figure for figure in figures if figure.question_id == question]
        yield from map(_figure, shown)
        yield from (f'<p class="note">{html_text(text)}</p>' for text in _notes(table, rows))
        if table.name in _ONLY_AS_FIGURE and shown:
            text = _("The numbers are in {file}.").format(file=f"{table.name}.csv")
            yield f'<p class="note">{html_text(text)}</p>'
        else:
            yield html_table(table, rows, f"{table.title}: {title}", numbers)


def _notes(table: ResultTable, rows: Sequence[Row]) -> list[str]:
    """What is to be considered with the results of a question."""
    if table.name == "sides":
        return [side_sentence([SideRow(*row) for row in rows])]  # type: ignore[arg-type]  # its own columns
    if table.name == "agreement":
        return _warnings(table, rows)
    question = str(rows[0][table.columns.index("question")])
    return list(table.notes.get(question, ()))


def _warnings(table: ResultTable, rows: Sequence[Row]) -> list[str]:
    """Why intervals of agreement about a question are not reliable."""
    field, option, differing = map(table.columns.index, ("field", "option", "differing"))
    totals = dict.fromkeys(row[differing] for row in rows if not row[field] and not row[option])
    return [text for number in totals if isinstance(number, int) and (text := interval_warning(number))]


def _figure(figure: Figure) -> str:
    caption = f"<figcaption>{html_text(figure.caption)}</figcaption>" if figure.caption else ""
    return f"<figure>{caption}{figure.svg_without_title}</figure>"


def _methods(analysis: Analysis, versions: Mapping[str, str], design: str) -> str:
    used = dict.fromkeys(method for table in analysis.results for method in table.methods)
    works = {work.reference for method in used for work in method.works}
    items = "".join(f"<li>{html_text(text)}</li>" for text in sorted(works))
    of_records = " ".join(filter(None, (design, design_facts(analysis.table))))
    paragraphs = [
        *([f"<h3>{html_text(_('Design'))}</h3>{_paragraph(of_records)}"] if of_records else []),
        *([f"<h3>{html_text(_('Analysis'))}</h3>"] if of_records else []),
        _paragraph(methods_paragraph(analysis, versions)),
    ]
    references = f"<h3>{html_text(_('References'))}</h3><ol>{items}</ol>" if items else ""
    return f"<section><h2>{html_text(_('Methods'))}</h2>{''.join(paragraphs)}{references}</section>"


def _paragraph(text: str) -> str:
    return f'<div class="methods"><p>{html_text(text)}</p></div>'
