"""The questions about the best and the worst item of sets, and the fields that say which items were shown."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.schema.item_sets import SMALLEST_SET, identity_column, letters_of

MAX_PLACES = 8
"""Items in a set beyond which fields are not taken for those of its places."""
_LAST = re.compile(r"^(.*?)([A-Za-z]|\d+)$")
_WORST = re.compile(r"\b(worst|least|lowest|poorest|weakest)\b", re.IGNORECASE)


@dataclass(frozen=True)
class BestWorstFields:
    """The ids of two questions, and the fields that name the items, in the order of the options."""

    best: str
    worst: str
    items: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether all are chosen."""
        return bool(self.best and self.worst and self.items)


def places_of_options(question: AnalysedQuestion, count: int) -> tuple[int, ...]:
    """The place that each option stands for, -1 for none; empty if they stand for no `count` places.

    Values that are the first letters or numbers say it; otherwise, the options stand in the order of places.
    """
    if question.kind is not QuestionKind.CHOICE:
        return ()
    for names in (ascii_lowercase[:count], [str(number) for number in range(1, count + 1)]):
        place_of = {name: place for place, name in enumerate(names)}
        places = tuple(place_of.get(option.value.strip().casefold(), -1) for option in question.options)
        if {*place_of.values()} <= {*places}:
            return places
    used = [option for option in question.options if not option.is_missing]
    if len(used) != count:
        return ()
    return tuple(-1 if option.is_missing else used.index(option) for option in question.options)


def usable_questions(questions: Sequence[AnalysedQuestion], count: int) -> list[AnalysedQuestion]:
    """The questions whose options stand for `count` places."""
    return [question for question in questions if places_of_options(question, count)]


def item_fields(table: AnswerTable) -> list[tuple[str, ...]]:
    """The groups of fields that can name the items of sets.

    Their names differ only in a letter or number at the end, counted from the first one, and values of one
    occur in others.
    """
    groups: dict[str, dict[int, str]] = {}
    for name in table.fields:
        if found := _LAST.match(name):
            stem, last = found.groups()
            place = int(last) if last.isdigit() else ascii_lowercase.index(last.lower()) + 1
            groups.setdefault(f"{stem} {last.isdigit()}", {})[place] = name
    return [
        names for group in groups.values() if (names := _of_places(group)) and _share_values(table, names)
    ]


def _of_places(group: dict[int, str]) -> tuple[str, ...]:
    names = tuple(group[place] for place in range(1, len(group) + 1) if place in group)
    return names if len(names) == len(group) and SMALLEST_SET <= len(names) <= MAX_PLACES else ()


def _share_values(table: AnswerTable, names: Sequence[str]) -> bool:
    different = [set(table.fields[name].values) for name in names]
    return len(set().union(*different)) < sum(map(len, different))


def suggested_fields(table: AnswerTable) -> BestWorstFields | None:
    """What a preparation has decided about sets; None if it made none, or there are no two questions."""
    items = tuple(map(identity_column, letters_of(table.fields)))
    return next(_suggested(table, [items] if items else []), None)


def probable_fields(table: AnswerTable) -> BestWorstFields | None:
    """The fields and questions that are probably about sets, whoever made them."""
    return next(_suggested(table, item_fields(table)), None)


def _suggested(table: AnswerTable, groups: Sequence[tuple[str, ...]]) -> Iterator[BestWorstFields]:
    for items in groups:
        found = usable_questions(table.questions, len(items))
        worst = next((question for question in found if _names_worst(question)), found[-1] if found else None)
        best = next((question for question in found if question is not worst), None)
        if best is not None and worst is not None:
            yield BestWorstFields(best.id, worst.id, items)


def _names_worst(question: AnalysedQuestion) -> bool:
    texts = [question.title, *(option.label for option in question.options)]
    return any(_WORST.search(text) for text in texts)
