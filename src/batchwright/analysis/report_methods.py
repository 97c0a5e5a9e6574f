"""The methods paragraph of the report: what was done, as text for a publication."""

import re
from collections.abc import Iterator, Mapping, Set

from batchwright.analysis import methods
from batchwright.analysis.analyse import Analysis
from batchwright.analysis.bootstrap import RESAMPLES
from batchwright.analysis.charts import count_text
from batchwright.analysis.intervals import LEVEL
from batchwright.analysis.methods import Method
from batchwright.base.i18n import N_, _, ngettext

_YEAR = re.compile(r"^(?P<authors>.*?) \((?P<year>\d{4})\)")
_SURNAME = re.compile(r"([^\W\d_][\w'’-]*), (?:[A-Z]\.[ ,]*)+")
_MAX_SURNAMES = 2

_SENTENCES: tuple[tuple[Method, str], ...] = (
    (methods.WILSON, N_("Shares are given with Wilson score intervals ({reference}).")),
    (methods.STUDENT, N_("Means are given with t intervals ({reference}).")),
    (methods.MEDIAN, N_("Medians are given with intervals from two of the sorted values ({reference}).")),
    (methods.QUANTILES, N_("Quantiles were interpolated linearly ({reference}).")),
    (methods.MAJORITY, N_("Records were labelled by the majority of votes, or by the median ({reference}).")),
    (
        methods.DAWID_SKENE,
        N_("Labels were also estimated with a model of the participants' errors ({reference})."),
    ),
    (
        methods.BRADLEY_TERRY,
        N_("Bradley–Terry strengths count a tie as half a win for both systems ({reference})."),
    ),
)
_COEFFICIENTS: tuple[tuple[Method, str], ...] = (
    (methods.PERCENT_AGREEMENT, N_("percent agreement")),
    (methods.KRIPPENDORFF, N_("Krippendorff's alpha")),
    (methods.FLEISS, N_("Fleiss' kappa")),
    (methods.COHEN, N_("Cohen's kappa")),
    (methods.GWET, N_("Gwet's AC1")),
)


def methods_paragraph(analysis: Analysis, versions: Mapping[str, str]) -> str:
    """Return what was analysed, how, with what, and how to repeat it."""
    used = {method for table in analysis.results for method in table.methods}
    parts = [_sample(analysis), *_excluded(analysis), *_statistics(used), _repetition(analysis, versions)]
    return " ".join(parts)


def citation(method: Method) -> str:
    """Return authors and year of the first reference of a method, as `Bradley & Terry, 1952`."""
    found = _YEAR.match(method.reference)
    if found is None:
        return method.reference
    surnames = _SURNAME.findall(found["authors"]) or [found["authors"]]
    if len(surnames) > _MAX_SURNAMES:
        surnames = [_("{author} et al.").format(author=surnames[0])]
    return f"{' & '.join(surnames)}, {found['year']}"


def _sample(analysis: Analysis) -> str:
    included = analysis.settings.exclusions.included(analysis.table)
    text = _(
        "{participants} answered {questions} about {records}; {answers} were analysed, {mean} per record and "
        "question on average."
    )
    people = len(set(included.participants.codes.tolist()))
    questions = len(set(included.question_codes.tolist()))
    tasks = len(set(included.tasks.codes.tolist()))
    pairs = set(zip(included.tasks.codes.tolist(), included.question_codes.tolist(), strict=True))
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
        mean=f"{len(included) / max(1, len(pairs)):.1f}",
    )


def _excluded(analysis: Analysis) -> Iterator[str]:
    excluded = len(analysis.table) - analysis.included
    if not excluded:
        yield _("No answer was excluded.")
        return
    text = ngettext(
        "{count} answer ({share}) was excluded before all computations, for these reasons: {reasons}.",
        "{count} answers ({share}) were excluded before all computations, for these reasons: {reasons}.",
        excluded,
    )
    exclusions = analysis.settings.exclusions
    reasons = sorted({*exclusions.participants.values(), *exclusions.answers.values()})
    share = f"{excluded / len(analysis.table):.1%}"
    yield text.format(
        count=count_text(excluded), share=share, reasons="; ".join(f"“{reason}”" for reason in reasons)
    )


def _statistics(used: Set[Method]) -> Iterator[str]:
    for method, sentence in _SENTENCES:
        if method in used:
            yield _(sentence).format(reference=citation(method))
    coefficients = [f"{_(name)} ({citation(method)})" for method, name in _COEFFICIENTS if method in used]
    if coefficients:
        text = _("Agreement between participants was measured as {coefficients}.")
        yield text.format(coefficients="; ".join(coefficients))
    if methods.BOOTSTRAP in used or methods.BRADLEY_TERRY in used:
        text = _("Their intervals are expanded bootstrap percentile intervals over records ({reference}).")
        yield text.format(reference=citation(methods.BOOTSTRAP))


def _repetition(analysis: Analysis, versions: Mapping[str, str]) -> str:
    text = _(
        "All intervals have a confidence level of {level}; samples were drawn with the seed {seed}, up to "
        "{resamples} for each interval. Results were computed with {program} {version} ({libraries})."
    )
    (program, version), *libraries = versions.items()
    return text.format(
        level=f"{LEVEL:.0%}",
        seed=analysis.settings.seed,
        resamples=RESAMPLES,
        program=program.capitalize(),
        version=version,
        libraries=", ".join(f"{name} {number}" for name, number in libraries),
    )
