"""The complete analysis of an answer table: every result as a table, in the order of the report."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import isfinite
from operator import attrgetter
from typing import Annotated

from batchwright.analysis.prepared_answers import PreparedAnswers, prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.result_tables import Cell, ResultTable, result_table
from batchwright.analysis.statistics import methods
from batchwright.analysis.statistics.agreement.agreement_results import (
    AC1,
    AC2,
    ALPHA,
    COHEN,
    FLEISS,
    PERCENT,
    WEIGHTED,
    AgreementRow,
    DisagreementRow,
    agreement_rows,
    disagreement_rows,
    total_agreement_rows,
)
from batchwright.analysis.statistics.agreement.distances import Metric
from batchwright.analysis.statistics.agreement.final_answers import (
    FinalAnswerRow,
    FinalAnswers,
    final_answer_rows,
    label_of_final,
)
from batchwright.analysis.statistics.agreement.intraclass import Form
from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.agreement.labels import LabelRow, record_labels
from batchwright.analysis.statistics.agreement.rater_pairs import ConfusionRow, RaterPairRow, rater_pairs
from batchwright.analysis.statistics.best_worst.best_worst_results import (
    BestWorstResults,
    ItemRow,
    PlaceRow,
    best_worst_answers,
    best_worst_results,
)
from batchwright.analysis.statistics.choices import OptionShare, all_option_shares, option_shares
from batchwright.analysis.statistics.comparisons.sides import SideDesign, SideRow, side_design, side_rows
from batchwright.analysis.statistics.comparisons.strengths import (
    DifferenceRow,
    StrengthModel,
    multiplicity_sentence,
)
from batchwright.analysis.statistics.comparisons.system_results import (
    OrderRow,
    PairRow,
    PositionRow,
    SystemRow,
    comparison_questions,
    comparisons_of,
    pair_rows,
    part_sentences,
    position_rows,
    system_results,
)
from batchwright.analysis.statistics.methods import Method
from batchwright.analysis.statistics.numbers import (
    HistogramBin,
    NumberSummary,
    all_number_summaries,
    histograms,
    number_questions,
    number_summaries,
)
from batchwright.analysis.statistics.participants.label_checks import label_check, label_warning
from batchwright.analysis.statistics.participants.participant_hints import ParticipantRow, participant_rows
from batchwright.analysis.statistics.participants.repeated_answers import (
    RepeatedRow,
    are_repeated,
)
from batchwright.analysis.statistics.participants.self_agreement import are_about_copies
from batchwright.analysis.statistics.planning.exclusion_effect import (
    ExclusionEffectRow,
    MainFigures,
    exclusion_effect_rows,
)
from batchwright.analysis.statistics.planning.needed_records import (
    NeededRow,
    needed_for_systems,
    needed_rows,
    needed_sentences,
)
from batchwright.analysis.statistics.planning.sample_size import (
    PrecisionKind,
    PrecisionRow,
    agreement_precision,
    further_answers,
    precision_rows,
    win_precision,
)
from batchwright.analysis.statistics.roles.question_roles import (
    RoleRow,
    role_rows,
    split_missing,
)
from batchwright.analysis.statistics.roles.role_proposals import proposal_sentence, proposed_missing
from batchwright.analysis.statistics.text_lengths import TextSummary, text_summaries
from batchwright.analysis.statistics.unit_conversion import converted
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import ExclusionRow
from batchwright.analysis.store.headings import Heading, words_of
from batchwright.analysis.store.layout_use import LayoutUse, VersionRow, layout_use
from batchwright.analysis.store.questions import KIND_TEXTS
from batchwright.analysis.store.sampling import Sampling
from batchwright.analysis.store.text_columns import UnusableField, number_of_different
from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import N_, _

Step = Callable[[float], object]
"""Called with the fraction done; raises to end the work."""


@dataclass(frozen=True)
class Analysis:
    """The results of an analysis; both tables have all answers, also excluded ones."""

    answers: AnswerTable
    """The answers with the questions and options as participants saw them."""
    table: AnswerTable
    """The answers with the records and questions that the results are about, and the chosen roles."""
    settings: AnalysisSettings
    included: int
    """How many answers the results are about, with those that mean missing."""
    layout_use: LayoutUse
    """Which versions of the layout these answers were given to."""
    results: tuple[ResultTable, ...]
    repeated: tuple[RepeatedRow, ...] = ()
    """Questions that were answered again; all but the last answers are excluded."""
    proposals: Mapping[str, str] = field(default_factory=dict)
    """Which values probably mean that there is no answer, by question id."""

    @property
    def excluded(self) -> int:
        """How many answers the results leave out."""
        return len(self.table) - self.included


@dataclass(frozen=True)
class QuestionRow:
    """A question and how many answers it has."""

    question: str
    title: Annotated[str, Heading(N_("Question"))]
    kind: Annotated[str, Heading(N_("Kind"), words=words_of(KIND_TEXTS))]
    options: Annotated[int, Heading(N_("Options"))]
    answers: Annotated[int, Heading(N_("Answers"))]
    missing: Annotated[int, Heading(N_("Missing by role"))]
    """How many further answers are left out because their values mean that there is none."""
    participants: Annotated[int, Heading(N_("Participants"))]
    tasks: Annotated[int, Heading(N_("Records"))]


def analyse(table: AnswerTable, settings: AnalysisSettings) -> Analysis:
    """Compute every result; tables without rows are omitted.

    Raises:
        UnusableField: a field in the settings is missing, or does not name systems; the message is its name.
    """
    if settings.gold_field and settings.gold_field not in table.fields:
        raise UnusableField(settings.gold_field)
    answers, prepared = table, prepare(table, settings)
    if prepared.weights_error is not None:
        raise prepared.weights_error
    table, included, settings = prepared.all, prepared.included, prepared.settings
    agreement = [] if included.is_survey else agreement_rows(included)
    compared = compared_systems(included, settings)
    use = layout_use(included.layouts, included.times, included.timelines, included.questions)
    proposals = _proposals(included)
    results = (
        _questions(prepared),
        result_table("versions", _("Versions of the layout"), VersionRow, use.versions),
        _choices(included, proposals),
        *_numbers(included, proposals),
        _texts(included),
        *(() if included.is_survey else _agreement(included, agreement)),
        *(() if included.is_survey else _rater_pairs(included)),
        *(() if included.is_survey else (_labels(included, settings),)),
        _final_answers(table, settings),
        *_comparisons(included, compared),
        *_best_worst(included, settings),
        _participants(prepared.given, settings),
        _precision(included, settings, agreement, compared.systems),
        _needed(included, settings, compared.needed),
        _roles(prepared),
        result_table("repeated", _("Repeated answers"), RepeatedRow, prepared.repeated),
        result_table("exclusions", _("Exclusions"), ExclusionRow, prepared.exclusions),
        _exclusion_effect(prepared, agreement, compared.systems),
    )
    if included.is_survey:
        results = tuple(map(_about_participants, results))
    results = tuple(_with_methods_about(table, included.sampling) for table in results)
    results = tuple(table for table in results if table.rows)
    more = prepared.repeated, proposals
    return Analysis(answers, table, settings, len(prepared.given), use, results, *more)


def exclusion_effect(
    prepared: PreparedAnswers,
    agreement: Sequence[AgreementRow] | None = None,
    systems: Sequence[SystemRow] | None = None,
    step: Step = lambda _fraction: None,
) -> list[ExclusionEffectRow]:
    """The main figures with all answers and without the excluded ones; none if nothing is excluded.

    Of repeated answers, the last one counts in both.

    Agreement and systems without the excluded answers can be given if they are known. `step` is called with
    the fraction done.

    Raises:
        UnusableField: a field in the settings is missing, or does not name systems; the message is its name.
    """
    if prepared.excluded.answers <= sum(row.omitted for row in prepared.repeated):
        return []
    settings = prepared.settings
    table = prepared.all.where(~are_repeated(prepared.all) & ~are_about_copies(prepared.all))
    table = converted(split_missing(table)[1], settings.units)
    with_all = _main_figures(table, settings, None, None)
    step(1 / 2)
    without = _main_figures(prepared.included, settings, agreement, systems)
    return exclusion_effect_rows([question.id for question in table.questions], with_all, without)


def _main_figures(
    table: AnswerTable,
    settings: AnalysisSettings,
    agreement: Sequence[AgreementRow] | None,
    systems: Sequence[SystemRow] | None,
) -> MainFigures:
    indexes = range(len(table.questions))
    choices = [index for index in indexes if table.questions[index].options]
    if agreement is None and not table.is_survey:
        agreement = [row for index in indexes for row in total_agreement_rows(table, index)]
    return MainFigures(
        [row for index in choices for row in option_shares(table, index)],
        [row for index in number_questions(table) for row in number_summaries(table, index)],
        agreement or [],
        compared_systems(table, settings).systems if systems is None else systems,
    )


def _exclusion_effect(
    prepared: PreparedAnswers, agreement: Sequence[AgreementRow], systems: Sequence[SystemRow]
) -> ResultTable:
    rows = exclusion_effect(prepared, agreement, systems)
    return result_table("exclusion_effect", _("With and without exclusions"), ExclusionEffectRow, rows)


_ABOUT_RECORDS = frozenset(
    {
        "tasks",
        "gold_answers",
        "gold_accuracy",
        "gold_low",
        "gold_high",
        "repeated_answers",
        "self_agreement",
        "agreement",
        "median_seconds",
    }
    | {"records", "answers_per_record", "correlation", "least_width"}
)
"""Columns of results that say nothing about the answers to a collection."""


def _about_participants(table: ResultTable) -> ResultTable:
    """A result of a survey, whose units are participants."""
    used = tuple(method.for_survey() for method in table.methods)
    return replace(table.without(_ABOUT_RECORDS), methods=used)


_WEIGHTED = frozenset(
    {
        *("choices", "numbers", "systems", "order", "differences", "pairs", "positions"),
        *("items", "places", "exclusion_effect"),
    }
)
"""Results that weights of records change."""


def _with_methods_about(table: ResultTable, sampling: Sampling) -> ResultTable:
    """A result whose methods say what its intervals are about, and whether records are weighted."""
    used = [method.about(sampling.clusters) for method in table.methods]
    if sampling.weights is not None and table.name in _WEIGHTED:
        used.append(methods.WEIGHTS)
    return replace(table, methods=tuple(used))


def _questions(prepared: PreparedAnswers) -> ResultTable:
    rows = [_question_row(prepared, index) for index in range(len(prepared.all.questions))]
    return result_table("questions", _("Questions"), QuestionRow, rows)


def _question_row(prepared: PreparedAnswers, index: int) -> QuestionRow:
    table = prepared.included
    question, answers = table.questions[index], table.answers_of(index)
    participants = number_of_different(table.participants.codes[answers])
    tasks = number_of_different(table.tasks.codes[answers])
    counts = (len(question.options), len(answers), prepared.missing[index], participants, tasks)
    return QuestionRow(question.id, question.title, str(question.kind), *counts)


def _roles(prepared: PreparedAnswers) -> ResultTable:
    settings = prepared.settings
    rows = role_rows(settings.exclusions.included(prepared.all), settings.roles)
    return result_table("roles", _("Roles of questions and options"), RoleRow, rows)


def _choices(table: AnswerTable, proposals: Mapping[str, str]) -> ResultTable:
    choices = result_table("choices", _("Choices"), OptionShare, all_option_shares(table), [methods.WILSON])
    return replace(choices, notes=_notes(proposals))


def _proposals(table: AnswerTable) -> dict[str, str]:
    """Which values probably mean that there is no answer, by question."""
    found, questions = proposed_missing(table), {question.id: question for question in table.questions}
    return {id: proposal_sentence(questions[id], values) for id, values in found.items()}


def _notes(proposals: Mapping[str, str]) -> dict[str, list[str]]:
    return {id: [sentence] for id, sentence in proposals.items()}


def _numbers(table: AnswerTable, proposals: Mapping[str, str]) -> tuple[ResultTable, ResultTable]:
    summaries = all_number_summaries(table)
    bins = [row for index in number_questions(table) for row in histograms(table, index)]
    has_mean = any(isfinite(row.mean) for row in summaries)
    used = [*([methods.STUDENT] if has_mean else []), methods.MEDIAN, methods.QUANTILES]
    rows = result_table("numbers", _("Numbers"), NumberSummary, summaries, used)
    return (
        replace(rows, notes=_notes(proposals)),
        result_table("histograms", _("Histograms"), HistogramBin, bins, [methods.HISTOGRAM]),
    )


def _texts(table: AnswerTable) -> ResultTable:
    return result_table("texts", _("Texts"), TextSummary, text_summaries(table), [methods.TEXT_LENGTH])


def _agreement(table: AnswerTable, rows: Sequence[AgreementRow]) -> tuple[ResultTable, ResultTable]:
    disagreements = disagreement_rows(table)
    title, distances = _("Records with most disagreement"), [methods.DISAGREEMENT]
    return (
        result_table("agreement", _("Agreement"), AgreementRow, rows, agreement_methods(rows)),
        result_table("disagreement", title, DisagreementRow, disagreements, distances),
    )


def agreement_methods(rows: Sequence[AgreementRow]) -> list[Method]:
    """The methods of coefficients of agreement."""
    used = {row.coefficient for row in rows} | {row.metric for row in rows}
    return [method for names, method in _AGREEMENT_METHODS if used & names]


_AGREEMENT_METHODS = (
    ({PERCENT}, methods.PERCENT_AGREEMENT),
    ({ALPHA}, methods.KRIPPENDORFF),
    ({Metric.MASI, Metric.JACCARD}, methods.SET_DISTANCES),
    ({FLEISS}, methods.FLEISS),
    ({COHEN}, methods.COHEN),
    ({WEIGHTED}, methods.WEIGHTED_KAPPA),
    ({AC1}, methods.GWET),
    ({AC2}, methods.GWET_WEIGHTED),
    ({*Form}, methods.INTRACLASS),
    ({PERCENT}, methods.JACKKNIFE),
)
"""The methods of the agreement table, and the coefficients and metrics that they belong to."""


def _final_answers(table: AnswerTable, settings: AnalysisSettings) -> ResultTable:
    rows = final_answer_rows(table, settings.final_answers)
    return result_table("final_answers", _("Final answers"), FinalAnswerRow, rows)


def _with_final_answers(labels: ResultTable, table: AnswerTable, settings: AnalysisSettings) -> ResultTable:
    """The labels with the final answers in further columns, if there are any."""
    if not settings.final_answers:
        return labels
    finals, questions = FinalAnswers(settings.final_answers), {of.id: of for of in table.questions}
    question, task = labels.columns.index("question"), labels.columns.index("task")
    rows: list[tuple[Cell, ...]] = []
    for row in labels.rows:
        of = questions[str(row[question])]
        final = finals.find(of, str(row[task]))
        more = ("", "") if final is None else (label_of_final(of, final.final), final.note)
        rows.append((*row, *more))
    headings = {**labels.headings, "final": Heading(N_("Final answer"))}
    columns = (*labels.columns, "final", "final_note")
    return replace(labels, columns=columns, rows=tuple(rows), headings=headings)


def _rater_pairs(table: AnswerTable) -> tuple[ResultTable, ResultTable]:
    found = {question.id: rater_pairs(table, index) for index, question in enumerate(table.questions)}
    pairs = [row for one in found.values() for row in one.pairs]
    confusions = [row for one in found.values() for row in one.confusions]
    title, notes = _("Pairs of participants"), {id: [one.note] for id, one in found.items() if one.note}
    table_of_pairs = result_table("participant_pairs", title, RaterPairRow, pairs, pair_methods(pairs))
    return (
        replace(table_of_pairs, notes=notes),
        result_table("confusions", _("Confusion matrices"), ConfusionRow, confusions),
    )


def pair_methods(rows: Sequence[RaterPairRow]) -> list[Method]:
    """The methods of pairs of participants."""
    has_weights = any(isfinite(row.linear) for row in rows)
    weighted = [methods.WEIGHTED_KAPPA] if has_weights else []
    return [methods.COHEN, *weighted, methods.JACKKNIFE]


def _labels(table: AnswerTable, settings: AnalysisSettings) -> ResultTable:
    rows: list[LabelRow] = []
    notes: dict[str, list[str]] = {}
    for index, question in enumerate(table.questions):
        for labels in record_labels(table, index, settings.label_model):
            rows += (labels.row(record) for record in yielding_gil(range(labels.count)))
            warning = label_warning(labels, settings.label_model)
            check = label_check(table, index, labels, settings.gold_field, settings.gold_question)
            notes[question.id] = [text for text in (warning, check) if text]
    used = LABEL_METHODS[settings.label_model if any(row.model for row in rows) else LabelModel.MAJORITY]
    found = replace(result_table("labels", _("Labels of records"), LabelRow, rows, used), notes=notes)
    return _with_final_answers(found, table, settings)


LABEL_METHODS = {
    LabelModel.MAJORITY: (methods.MAJORITY,),
    LabelModel.ONE_COIN: (methods.MAJORITY, methods.ONE_COIN),
    LabelModel.DAWID_SKENE: (methods.MAJORITY, methods.DAWID_SKENE),
}
"""The methods of labels."""


@dataclass(frozen=True)
class ComparedSystems:
    """The results of systems: none without fields that name them."""

    systems: tuple[SystemRow, ...] = ()
    pairs: tuple[PairRow, ...] = ()
    sides: tuple[SideRow, ...] = ()
    orders: tuple[OrderRow, ...] = ()
    differences: tuple[DifferenceRow, ...] = ()
    needed: tuple[NeededRow, ...] = ()


def compared_systems(
    table: AnswerTable, settings: AnalysisSettings, step: Step = lambda _fraction: None
) -> ComparedSystems:
    """Compare the systems in every question.

    `step` is called with the fraction done between two questions.

    Raises:
        UnusableField: a field in the settings is missing, or does not name systems; the message is its name.
    """
    systems, pairs = list[SystemRow](), list[PairRow]()
    sides, orders, differences = list[SideRow](), list[OrderRow](), list[DifferenceRow]()
    needed = list[NeededRow]()
    if settings.systems is None:
        return ComparedSystems()
    compared = comparison_questions(table)
    for number, index in enumerate(compared):
        step(number / len(compared))
        comparisons, id = comparisons_of(table, index, settings.systems), table.questions[index].id
        sides_here = side_rows(id, comparisons)
        has_order = settings.has_order_effect and side_design(sides_here) is not SideDesign.FIXED
        results = system_results(id, comparisons, StrengthModel(has_order, settings.is_regularised))
        systems += results.systems
        orders += results.orders
        differences += results.differences
        needed += needed_for_systems(comparisons, results.systems, settings.wanted_width)
        pairs += pair_rows(id, comparisons)
        sides += sides_here
    return ComparedSystems(
        tuple(systems), tuple(pairs), tuple(sides), tuple(orders), tuple(differences), tuple(needed)
    )


def _comparisons(table: AnswerTable, compared: ComparedSystems) -> tuple[ResultTable, ...]:
    models = methods.strength_methods(
        has_order=bool(compared.orders), is_regularised=any(row.is_regularised for row in compared.systems)
    )
    used = [methods.WIN_RATE, methods.WILSON, *models]
    positions = position_rows(table, comparison_questions(table))
    by_question = attrgetter("question")
    designs = {id: side_design(list(rows)) for id, rows in groupby(compared.sides, key=by_question)}
    shown = [row for row in positions if designs.get(row.question) is not SideDesign.FIXED]
    checks = [methods.POSITION, methods.WILSON]
    pairs_of = {id: list(rows) for id, rows in groupby(compared.pairs, key=by_question)}
    notes = {
        id: part_sentences(list(rows), pairs_of.get(id, []))
        for id, rows in groupby(compared.systems, key=by_question)
    }
    several = {
        id: [text]
        for id, rows in groupby(compared.differences, key=by_question)
        if (text := multiplicity_sentence(list(rows)))
    }
    return (
        result_table("sides", _("Sides of systems"), SideRow, compared.sides, [methods.SIDES]),
        replace(result_table("systems", _("Systems"), SystemRow, compared.systems, used), notes=notes),
        result_table("order", _("Effect of the left side"), OrderRow, compared.orders, models),
        replace(
            result_table(
                "differences",
                _("Differences of systems"),
                DifferenceRow,
                compared.differences,
                [*models, methods.HOLM],
            ),
            notes=several,
        ),
        result_table(
            "pairs", _("Pairs of systems"), PairRow, compared.pairs, [methods.WIN_RATE, methods.WILSON]
        ),
        result_table("positions", _("Bias of position"), PositionRow, shown, checks),
    )


def chosen_items(table: AnswerTable, settings: AnalysisSettings) -> BestWorstResults:
    """The results of best–worst scaling; none without questions and fields for it.

    Raises:
        UnusableField: a field in the settings is missing; the message is its name.
    """
    fields = settings.best_worst
    answers = None if fields is None else best_worst_answers(table, fields)
    return (
        BestWorstResults() if fields is None or answers is None else best_worst_results(fields.best, answers)
    )


def _best_worst(table: AnswerTable, settings: AnalysisSettings) -> tuple[ResultTable, ResultTable]:
    found, fields = chosen_items(table, settings), settings.best_worst
    notes = {} if fields is None else {fields.best: found.notes}
    used = [methods.BEST_WORST_SCORE, methods.MAXIMUM_DIFFERENCE]
    items = result_table("items", _("Items by best–worst scaling"), ItemRow, found.items, used)
    title, shares = _("Places in sets"), [methods.PLACES, methods.WILSON]
    return replace(items, notes=notes), result_table("places", title, PlaceRow, found.places, shares)


def _participants(table: AnswerTable, settings: AnalysisSettings) -> ResultTable:
    rows = participant_rows(table, *settings.gold)
    return result_table("participants", _("Participants"), ParticipantRow, rows, participant_methods(rows))


def participant_methods(rows: Sequence[ParticipantRow]) -> list[Method]:
    """The methods of the rows of participants."""
    has_gold = any(row.gold_answers for row in rows)
    return [methods.HINTS, methods.ACCURACY] if has_gold else [methods.HINTS]


_PRECISION_METHODS = (
    (PrecisionKind.SHARE, methods.WILSON),
    (PrecisionKind.MEAN, methods.STUDENT),
    (PrecisionKind.AGREEMENT, methods.JACKKNIFE),
)
"""The methods of the intervals; with win rates, there are always shares too."""


def _precision(
    table: AnswerTable,
    settings: AnalysisSettings,
    agreement: Sequence[AgreementRow],
    systems: Sequence[SystemRow],
) -> ResultTable:
    numbers = further_answers(settings.further_answers)
    rows = [
        *precision_rows(table, numbers),
        *agreement_precision(agreement, numbers),
        *win_precision(systems, numbers),
    ]
    order = {question.id: index for index, question in enumerate(table.questions)}
    rows.sort(key=lambda row: order[row.question])
    kinds = {row.kind for row in rows}
    used = [methods.PRECISION, *(method for kind, method in _PRECISION_METHODS if kind in kinds)]
    return result_table("precision", _("Precision with more answers"), PrecisionRow, rows, used)


def _needed(table: AnswerTable, settings: AnalysisSettings, of_systems: Sequence[NeededRow]) -> ResultTable:
    order = {question.id: index for index, question in enumerate(table.questions)}
    rows = [*needed_rows(table, settings.wanted_width), *of_systems]
    rows.sort(key=lambda row: order[row.question])
    notes = {
        id: needed_sentences(list(part), is_survey=table.is_survey)
        for id, part in groupby(rows, key=attrgetter("question"))
    }
    used = [methods.NEEDED_RECORDS]
    title = _("Sample size for a wanted width")
    return replace(result_table("needed_records", title, NeededRow, rows, used), notes=notes)
