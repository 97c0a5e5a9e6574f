"""Questions as the statistics see them: what kind of value an answer is, and what its options mean."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from batchwright.base.i18n import N_
from batchwright.base.json_values import Json, JsonObject
from batchwright.layout.ids import id_of
from batchwright.layout.item_types.registry import (
    Choice,
    FileUpload,
    FreeText,
    FreeTextWithUnit,
    Instruction,
)
from batchwright.layout.item_types.typed_text import NumberLimits, text_limits
from batchwright.layout.model import Layout
from batchwright.layout.option_values import as_text, comparison_key, label_of, read_number

LARGEST_NUMBER = 1e100
"""Numbers further from 0 are not used: squares and sums of them could not be computed."""


class QuestionKind(StrEnum):
    """What an answer is."""

    CHOICE = "choice"
    """One option."""
    CHOICES = "choices"
    """Any number of options."""
    NUMBER = "number"
    TEXT = "text"
    FILE = "file"


KIND_TEXTS = {
    QuestionKind.CHOICE: N_("One option"),
    QuestionKind.CHOICES: N_("Several options"),
    QuestionKind.NUMBER: N_("A number"),
    QuestionKind.TEXT: N_("Text"),
    QuestionKind.FILE: N_("File"),
}
"""Kinds for people, to be translated."""


class MeasurementLevel(StrEnum):
    """What the values of a question allow: only to be counted, to be sorted, or to be subtracted."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


class Outcome(StrEnum):
    """What an option says in a comparison of two sides."""

    LEFT = "left"
    RIGHT = "right"
    TIE = "tie"
    NONE = "none"


OUTCOME_TEXTS = {
    Outcome.LEFT: N_("The left side is better"),
    Outcome.RIGHT: N_("The right side is better"),
    Outcome.TIE: N_("Tie"),
    Outcome.NONE: N_("Neither is good"),
}
"""Outcomes for people, to be translated."""

_NAMES_OF_FIRST, _NAMES_OF_SECOND = (
    tuple(f"{side} {name}" for side in ("response", "answer", "output", "model") for name in names)
    for names in (("1", "a"), ("2", "b"))
)
_OUTCOMES = {
    Outcome.LEFT: (
        "a",
        "left",
        "first",
        "response_a",
        "answer_a",
        "model_a",
        "a is better",
        "left is better",
        *_NAMES_OF_FIRST,
    ),
    Outcome.RIGHT: (
        "b",
        "right",
        "second",
        "response_b",
        "answer_b",
        "model_b",
        "b is better",
        "right is better",
        *_NAMES_OF_SECOND,
    ),
    Outcome.TIE: (
        *(
            "tie",
            "draw",
            "same",
            "equal",
            "both",
            "about the same",
            "no difference",
            "equally good",
            "neutral",
        ),
        *("similar", "undecided", "cannot decide", "can't decide", "cannot say", "not sure"),
        *("tie (bothbad)", "tie (both bad)"),
    ),
    Outcome.NONE: ("none", "neither", "nothing", "none of these", "neither of them", "both are bad", "skip"),
}
"""The values and labels, in lower case, by which an outcome is recognised."""


@dataclass(frozen=True)
class AnswerOption:
    """An option of a question; `number` is its value as a number, if it is one."""

    value: str
    label: str
    number: float | None
    outcome: Outcome | None
    is_missing: bool = False
    """Whether it says that there is no answer, as “Don't know” does."""


@dataclass(frozen=True)
class AnalysedQuestion:
    """A question in one wording; `id` is its id in answers, unless it has several wordings."""

    id: str
    title: str
    kind: QuestionKind
    options: tuple[AnswerOption, ...] = ()
    option_codes: Mapping[Hashable, int] = field(default_factory=dict, hash=False)
    """Indexes of the options by the comparison key of their value."""
    instruction: str = ""
    """Its id in answers if versions of the layout ask it differently, and `id` identifies the wording."""
    versions: tuple[int, ...] = ()
    """The numbers of the versions with this wording, if others ask it differently."""
    wordings: "tuple[AnalysedQuestion, ...]" = ()
    """The wordings that are counted together, the newest first; empty if there is one."""
    level: MeasurementLevel | None = None
    """The level that a researcher has chosen; None: the one that fits the options."""
    order: tuple[str, ...] = ()
    """Values of options from the lowest to the highest, if a researcher has chosen their order."""
    missing_values: tuple[str, ...] = ()
    """Numbers and texts that say that there is no answer, for a question without options."""

    @property
    def instruction_id(self) -> str:
        """The id that answers name."""
        return self.instruction or self.id

    def has_id(self, id: str) -> bool:
        """Whether an id is its own, or that of the question that it is a wording of."""
        return id in (self.id, self.instruction_id)

    @property
    def wording_ids(self) -> tuple[str, ...]:
        """The ids of the wordings that are counted together, or its own."""
        return tuple(wording.id for wording in self.wordings) or (self.id,)

    def options_of_wordings(self, index: int) -> tuple[tuple[str, int], ...]:
        """An option as the ids of the wordings that have it, each with its index there."""
        key = next((key for key, place in self.option_codes.items() if place == index), None)
        wordings = self.wordings or (self,)
        found = ((wording.id, wording.option_codes.get(key)) for wording in wordings)
        return tuple((id, place) for id, place in found if place is not None)

    @property
    def missing_numbers(self) -> tuple[float, ...]:
        """The numbers that say that there is no answer, for a question without options."""
        return tuple(number for value in self.missing_values if (number := _number(value)) is not None)

    @cached_property
    def is_scale(self) -> bool:
        """Whether it is a choice of one of several different numbers.

        Without a chosen level, there must be at least three, and the options compare no sides.
        """
        numbers = {option.number for option in self.options if not option.is_missing}
        if self.kind is not QuestionKind.CHOICE or self.level is MeasurementLevel.NOMINAL or None in numbers:
            return False
        return len(numbers) > 1 if self.level else len(numbers) > 2 and not self.is_comparison

    @cached_property
    def is_comparison(self) -> bool:
        """Whether options say that the left side is better, and others that the right side is.

        All others must be ties or none of both, so that four answers A to D are no comparison.
        """
        outcomes = {option.outcome for option in self.options if not option.is_missing}
        is_complete = outcomes >= {Outcome.LEFT, Outcome.RIGHT} and None not in outcomes
        return self.kind is QuestionKind.CHOICE and is_complete


def questions_in(layout: Layout) -> tuple[AnalysedQuestion, ...]:
    """The questions of a layout in reading order; the id of one without an id is empty."""
    return tuple(_question(id_of(item) or "", item) for _path, item in layout.instructions())


def with_ids_of(
    questions: Sequence[AnalysedQuestion], sent: Sequence[AnalysedQuestion]
) -> tuple[AnalysedQuestion, ...]:
    """Questions with the ids of the same questions in the layout that was sent to the service.

    Both must have the same titles, kinds and options in the same order; otherwise nothing is changed.
    """
    contents = [[(item.title, item.kind, item.options) for item in items] for items in (questions, sent)]
    if contents[0] != contents[1]:
        return tuple(questions)
    return tuple(replace(question, id=other.id) for question, other in zip(questions, sent, strict=True))


def with_ids_of_table(
    questions: Sequence[AnalysedQuestion], of_table: Sequence[AnalysedQuestion]
) -> tuple[AnalysedQuestion, ...]:
    """The questions of a layout with the ids that the rows of a table name.

    Those are the ids of the layout, or else the titles. If neither occurs and there are as many questions,
    they are in the same order. Questions that the table does not have are left out.
    """
    ids = {question.title: question.id for question in of_table}
    ids |= {question.id: question.id for question in of_table}
    found = [ids.get(question.id) or ids.get(question.title) for question in questions]
    if not any(found) and len(questions) == len(of_table):
        found = [question.id for question in of_table]
    return tuple(replace(question, id=id) for question, id in zip(questions, found, strict=True) if id)


def removed_question(id: str) -> AnalysedQuestion:
    """A question that answers name but that is not in the layout; its answers are texts."""
    return AnalysedQuestion(id, id, QuestionKind.TEXT)


def _question(id: str, item: Instruction) -> AnalysedQuestion:
    if not isinstance(item, Choice):
        return AnalysedQuestion(id, item.description, _kind(item))
    kind = QuestionKind.CHOICE if item.max_choices == 1 else QuestionKind.CHOICES
    codes: dict[Hashable, int] = {}
    for index, option in enumerate(item.options):
        codes.setdefault(comparison_key(option.get("value")), index)
    return AnalysedQuestion(id, item.description, kind, tuple(map(_option, item.options)), codes)


def _kind(item: Instruction) -> QuestionKind:
    if isinstance(item, FileUpload):
        return QuestionKind.FILE
    if isinstance(item, FreeText) and isinstance(text_limits(item.attributes), NumberLimits):
        return QuestionKind.NUMBER
    return QuestionKind.NUMBER if isinstance(item, FreeTextWithUnit) else QuestionKind.TEXT


def _option(option: JsonObject) -> AnswerOption:
    value, label = option.get("value"), label_of(option)
    return AnswerOption(as_text(value), label, _number(value), _outcome(as_text(value), label))


def _number(value: Json) -> float | None:
    if isinstance(value, bool):
        return None
    number = read_number(value) if isinstance(value, str) else value
    if not isinstance(number, int | float) or abs(number) > LARGEST_NUMBER:
        return None
    return float(number)


def _outcome(*texts: str) -> Outcome | None:
    """The outcome that the value of an option names, otherwise the one that its label names."""
    for text in texts:
        for outcome, names in _OUTCOMES.items():
            if text.strip().casefold() in names:
                return outcome
    return None
