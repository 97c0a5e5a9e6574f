"""What each section of Results shows, computed from an answer table.

Every function calls `step` with the fraction done between two questions; `step` may raise an exception to
end the computation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from batchwright.analysis.analyse import (
    ComparedSystems,
    Step,
    chosen_items,
    compared_systems,
    exclusion_effect,
)
from batchwright.analysis.prepared_answers import ExcludedCounts, PreparedAnswers, prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.agreement.agreement_results import (
    AgreementRow,
    DisagreementRow,
    disagreement_rows,
    languages_note,
    partial_agreement_rows,
    total_agreement_rows,
)
from batchwright.analysis.statistics.agreement.final_answers import GivenRow, given_rows
from batchwright.analysis.statistics.agreement.labels import LabelRow, record_labels
from batchwright.analysis.statistics.agreement.rater_pairs import RaterPairs, rater_pairs
from batchwright.analysis.statistics.best_worst.best_worst_results import BestWorstResults
from batchwright.analysis.statistics.best_worst.set_fields import (
    BestWorstFields,
    item_fields,
    probable_fields,
)
from batchwright.analysis.statistics.choices import OptionShare, option_shares, option_shares_by_field
from batchwright.analysis.statistics.comparisons.system_fields import suggested_systems, system_fields
from batchwright.analysis.statistics.comparisons.system_results import (
    PositionRow,
    SystemFields,
    comparison_questions,
    position_rows,
)
from batchwright.analysis.statistics.groups import category_fields
from batchwright.analysis.statistics.numbers import (
    HistogramBin,
    NumberSummary,
    histograms,
    number_questions,
    number_summaries,
    number_summaries_by_field,
)
from batchwright.analysis.statistics.participants.gold import gold_fields
from batchwright.analysis.statistics.participants.label_checks import label_check, label_warning
from batchwright.analysis.statistics.participants.participant_hints import (
    ParticipantRow,
    participant_rows,
    participants_sentence,
)
from batchwright.analysis.statistics.participants.self_agreement import copies_sentence
from batchwright.analysis.statistics.planning.exclusion_effect import ExclusionEffectRow
from batchwright.analysis.statistics.planning.needed_records import NeededRow, needed_rows
from batchwright.analysis.statistics.planning.sample_size import (
    PrecisionRow,
    agreement_precision,
    further_answers,
    precision_rows,
    win_precision,
)
from batchwright.analysis.statistics.roles.role_proposals import proposal_sentence, proposed_missing
from batchwright.analysis.statistics.text_lengths import TextSummary, text_summaries
from batchwright.analysis.statistics.weights import weight_fields, weights_sentence
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import ExclusionRow, Exclusions
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.analysis.store.sampling import Sampling
from batchwright.analysis.store.text_columns import UnusableField
from batchwright.base.cooperative import yielding_gil
from batchwright.base.i18n import _

MAX_LABELS = 10_000
"""Maximum number of labels that are listed for a question."""


@dataclass(frozen=True)
class QuestionResult:
    """The results of one question; what does not fit its kind is empty."""

    question: AnalysedQuestion
    answers: int
    shares: tuple[OptionShare, ...] = ()
    shares_by_field: tuple[OptionShare, ...] = ()
    numbers: tuple[NumberSummary, ...] = ()
    numbers_by_field: tuple[NumberSummary, ...] = ()
    bins: tuple[HistogramBin, ...] = ()
    texts: TextSummary | None = None
    precision: tuple[PrecisionRow, ...] = ()
    needed: tuple[NeededRow, ...] = ()
    """How many records intervals of the wanted width need."""
    missing: int = 0
    """How many further answers are left out because their values mean that there is none."""
    proposal: str = ""
    """Which values probably mean that there is no answer; empty if none do."""


@dataclass(frozen=True)
class QuestionsResult:
    """The results of all questions, and the fields by which they can be split."""

    excluded: ExcludedCounts
    questions: tuple[QuestionResult, ...]
    fields: tuple[str, ...]
    by_field: str
    units: tuple[str, ...]
    """The units of numbers as given."""
    is_survey: bool = False
    """Whether the units are participants; else they are records."""
    sampling: Sampling = Sampling()  # noqa: RUF009 - frozen
    """What intervals are about, unless the units are participants, and the weights of records."""
    weight_fields: tuple[str, ...] = ()
    """The fields that can be weights."""
    sampling_note: str = ""
    """What is to be considered with all results, because of who answered, and of the weights of records."""


@dataclass(frozen=True)
class QuestionLabels:
    """The labels of records in a question."""

    rows: tuple[LabelRow, ...]
    """At most `MAX_LABELS`; files have all of them."""
    count: int
    ties: int
    has_model: bool
    """Whether there are labels by a model."""
    warning: str = ""
    """Why the labels by the model are not reliable; empty if nothing is known against them."""
    check: str = ""
    """How often the labels are right, as far as answers are known; else empty."""


@dataclass(frozen=True)
class AgreementResult:
    """Agreement in total, the records with most disagreement, and the labels of records."""

    excluded: ExcludedCounts
    questions: tuple[AnalysedQuestion, ...]
    fields: tuple[str, ...]
    """The fields by which agreement can be split."""
    rows: tuple[AgreementRow, ...]
    disagreements: tuple[DisagreementRow, ...]
    labels: Mapping[str, QuestionLabels]
    """By question id; only questions that have labels."""
    precision: tuple[PrecisionRow, ...]
    given: tuple[GivenRow, ...] = ()
    """The records to decide, by question, those with most disagreement first."""
    languages_note: str = ""


@dataclass(frozen=True)
class ComparisonsResult:
    """The results of the systems in side-by-side questions."""

    excluded: ExcludedCounts
    candidates: tuple[AnalysedQuestion, ...]
    """The questions whose options can say which side is better."""
    compared: tuple[AnalysedQuestion, ...]
    fields: tuple[str, ...]
    """The fields that can name systems."""
    suggested: SystemFields | None
    results: ComparedSystems = field(default_factory=ComparedSystems)
    positions: tuple[PositionRow, ...] = ()
    unusable_fields: str = ""
    """Why the chosen fields name no systems; empty if they do."""
    sampling: Sampling = Sampling()  # noqa: RUF009 - frozen
    """What intervals are about, and the weights of records."""
    weight_fields: tuple[str, ...] = ()
    """The fields that can be weights."""
    precision: tuple[PrecisionRow, ...] = ()
    sampling_note: str = ""
    """What is to be considered with all results, because of who answered, and of the weights of records."""


@dataclass(frozen=True)
class BestWorstResult:
    """The results of the items of sets."""

    excluded: ExcludedCounts
    candidates: tuple[AnalysedQuestion, ...]
    """The questions that can be about the best or the worst item."""
    fields: tuple[tuple[str, ...], ...]
    """The groups of fields that can name the items."""
    suggested: BestWorstFields | None
    results: BestWorstResults
    unusable_fields: str
    """Why the chosen fields name no items; empty if they do."""
    sampling: Sampling
    """What intervals are about, and the weights of records."""
    weight_fields: tuple[str, ...]
    """The fields that can be weights."""
    sampling_note: str
    """What is to be considered with all results, because of who answered, and of the weights of records."""


@dataclass(frozen=True)
class ParticipantsResult:
    """Participants and exclusions, and the fields that may have the right answer."""

    excluded: ExcludedCounts
    participants: tuple[ParticipantRow, ...]
    exclusions: tuple[ExclusionRow, ...]
    questions: tuple[AnalysedQuestion, ...]
    gold_fields: tuple[str, ...]
    is_survey: bool = False
    """Whether each participant has answered all questions once, about no record."""
    effect: tuple[ExclusionEffectRow, ...] = ()
    """The main figures with and without the excluded answers."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """The titles of the questions by id."""


@dataclass(frozen=True)
class RoleChoices:
    """The questions that can have a role, as they are recognised, and what is proposed."""

    questions: tuple[AnalysedQuestion, ...]
    proposals: Mapping[str, tuple[str, ...]]
    """Values that probably mean that there is no answer, by question id."""


def role_choices(table: AnswerTable, settings: AnalysisSettings) -> RoleChoices:
    """The questions of a table, and what is proposed for them, whatever roles are chosen."""
    table = prepare(table, replace(settings, roles={}, exclusions=Exclusions())).all
    questions = tuple(of for of in table.questions if of.kind is not QuestionKind.FILE)
    return RoleChoices(questions, proposed_missing(table))


def questions_result(prepared: PreparedAnswers, step: Step, by_field: str = "") -> QuestionsResult:
    """Compute the results of every question, also by the values of a field if it has categories."""
    table = prepared.included
    fields = tuple(category_fields(table))
    by_field = by_field if by_field in fields else ""
    numbers = set(number_questions(table))
    texts = {row.question: row for row in text_summaries(table)}
    proposed = proposed_missing(table)
    needed = needed_rows(table, prepared.settings.wanted_width)
    precision = precision_rows(table, further_answers(prepared.settings.further_answers))
    results = []
    for index, question in enumerate(table.questions):
        step(index / len(table.questions))
        is_choice = question.kind in (QuestionKind.CHOICE, QuestionKind.CHOICES)
        has_numbers = index in numbers
        results.append(
            QuestionResult(
                question,
                len(table.answers_of(index)),
                tuple(option_shares(table, index)) if is_choice else (),
                tuple(option_shares_by_field(table, index, by_field)) if is_choice and by_field else (),
                tuple(number_summaries(table, index)) if has_numbers else (),
                tuple(number_summaries_by_field(table, index, by_field)) if has_numbers and by_field else (),
                tuple(histograms(table, index)) if has_numbers and not is_choice else (),
                texts.get(question.id),
                tuple(row for row in precision if row.question == question.id),
                tuple(row for row in needed if row.question == question.id),
                prepared.missing[index],
                proposal_sentence(question, proposed[question.id]) if question.id in proposed else "",
            )
        )
    units = tuple(sorted(prepared.all.units.values))
    return QuestionsResult(
        prepared.excluded,
        tuple(results),
        fields,
        by_field,
        units,
        table.is_survey,
        table.sampling,
        tuple(weight_fields(table)),
        _sampling_note(prepared),
    )


def agreement_result(prepared: PreparedAnswers, step: Step) -> AgreementResult:
    """Compute agreement, disagreement and labels of all questions."""
    table = prepared.included
    rows: list[AgreementRow] = []
    for index in () if table.is_survey else range(len(table.questions)):
        step(index / (len(table.questions) + 1))
        rows += total_agreement_rows(table, index)
    disagreements = [] if table.is_survey else disagreement_rows(table)
    step(1.0)
    labels = {} if table.is_survey else _labels(table, prepared.settings)
    return AgreementResult(
        prepared.excluded,
        table.questions,
        tuple(category_fields(table)),
        tuple(rows),
        tuple(disagreements),
        labels,
        tuple(agreement_precision(rows, further_answers(prepared.settings.further_answers))),
        () if table.is_survey else _given(prepared, disagreements),
        languages_note(table),
    )


def _given(prepared: PreparedAnswers, disagreements: Sequence[DisagreementRow]) -> tuple[GivenRow, ...]:
    differing = [(row.question, row.task) for row in disagreements]
    return tuple(given_rows(prepared.included, differing, prepared.settings.final_answers))


def _labels(table: AnswerTable, settings: AnalysisSettings) -> dict[str, QuestionLabels]:
    found: dict[str, QuestionLabels] = {}
    for index, question in enumerate(table.questions):
        parts = record_labels(table, index, settings.label_model)
        rows = (part.row(record) for part in parts for record in range(part.count))
        if parts:
            found[question.id] = QuestionLabels(
                tuple(yielding_gil(islice(rows, MAX_LABELS))),
                sum(part.count for part in parts),
                sum(part.ties for part in parts),
                any(part.has_model for part in parts),
                label_warning(parts[0], settings.label_model),
                label_check(table, index, parts[0], settings.gold_field, settings.gold_question),
            )
    return found


def agreement_details(prepared: PreparedAnswers, question: str, field: str = "") -> list[AgreementRow]:
    """Compute agreement about a question by option, and by the values of a field if one is given."""
    table = prepared.included
    index = table.question_index(question)
    if index is None or (field and field not in table.fields):
        return []
    return partial_agreement_rows(table, index, field)


def pairs_of_participants(prepared: PreparedAnswers, question: str) -> RaterPairs:
    """Compare the participants in a question in pairs."""
    table = prepared.included
    index = table.question_index(question)
    return RaterPairs() if index is None or table.is_survey else rater_pairs(table, index)


def comparisons_result(prepared: PreparedAnswers, step: Step) -> ComparisonsResult:
    """Compute the results of systems, if the fields that name them are chosen."""
    table, settings = prepared.included, prepared.settings
    compared = comparison_questions(table)
    systems, unusable = ComparedSystems(), ""
    try:
        systems = compared_systems(table, settings, step)
    except UnusableField as error:
        unusable = error.reason or _("The answers have no field “{field}”.").format(field=error)
    return ComparisonsResult(
        prepared.excluded,
        tuple(question for question in prepared.all.questions if _can_compare(question)),
        tuple(table.questions[index] for index in compared),
        tuple(system_fields(table)),
        suggested_systems(table),
        systems,
        tuple(position_rows(table, compared)),
        unusable,
        table.sampling,
        tuple(weight_fields(table)),
        tuple(win_precision(systems.systems, further_answers(settings.further_answers))),
        _sampling_note(prepared),
    )


def best_worst_result(prepared: PreparedAnswers, step: Step) -> BestWorstResult:
    """Compute the results of items, if the questions about them and the fields that name them are chosen."""
    table, results, unusable = prepared.included, BestWorstResults(), ""
    try:
        results = chosen_items(table, prepared.settings)
    except UnusableField as error:
        unusable = _("The answers have no field “{field}”.").format(field=error)
    step(1 / 2)
    return BestWorstResult(
        prepared.excluded,
        tuple(question for question in table.questions if _can_compare(question)),
        tuple(item_fields(table)),
        probable_fields(table),
        results,
        unusable,
        table.sampling,
        tuple(weight_fields(table)),
        _sampling_note(prepared),
    )


def _sampling_note(prepared: PreparedAnswers) -> str:
    """What is to be considered with all results, because of who answered, and of the weights of records."""
    table, error = prepared.included, prepared.weights_error
    name = prepared.settings.weight_field
    texts = (
        participants_sentence(table, table.sampling.clusters),
        weights_sentence(table, name),
        copies_sentence(prepared.given),
        "" if error is None else error.reason or _("The answers have no field “{field}”.").format(field=name),
    )
    return " ".join(filter(None, texts))


def participants_result(prepared: PreparedAnswers, step: Step) -> ParticipantsResult:
    """Describe the participants, and list the exclusions."""
    settings = prepared.settings
    rows = participant_rows(prepared.given, *settings.gold)
    step(1 / 2)
    return ParticipantsResult(
        prepared.excluded,
        tuple(rows),
        prepared.exclusions,
        prepared.all.questions,
        tuple(gold_fields(prepared.all, settings.gold_question)),
        prepared.all.is_survey,
        tuple(_effect(prepared, step)),
        {question.id: question.title for question in prepared.all.questions},
    )


def _effect(prepared: PreparedAnswers, step: Step) -> list[ExclusionEffectRow]:
    """What exclusions change; without the systems, if a chosen field does not name them."""
    try:
        return exclusion_effect(prepared, step=lambda fraction: step((1 + fraction) / 2))
    except UnusableField:
        settings = replace(prepared.settings, systems=None)
        return exclusion_effect(replace(prepared, settings=settings))


def _can_compare(question: AnalysedQuestion) -> bool:
    return question.kind is QuestionKind.CHOICE and len(question.options) > 1
