"""The questions about the best and the worst item of sets, and the fields that say which items were shown."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.questions import AnalysedQuestion, QuestionKind
from batchwright.layout.item_types.best_worst import best_and_worst, places_of_values
from batchwright.schema.item_sets import SMALLEST_SET, identity_column, letters_of

MAX_PLACES = 8
"""Items in a set beyond which fields are not taken for those of its places."""
_LAST = re.compile(r"^(.*?)([A-Za-z]|\d+)$")


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
    """The place that each option stands for, -1 for none; empty if they stand for no `count` places."""
    if question.kind is not QuestionKind.CHOICE:
        return ()
    return places_of_values(
        [None if option.is_missing else option.value for option in question.options], count
    )


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
        pair = best_and_worst([_texts(question) for question in found])
        if pair is not None:
            best, worst = pair
            yield BestWorstFields(found[best].id, found[worst].id, items)


def _texts(question: AnalysedQuestion) -> list[str]:
    return [question.title, *(option.label for option in question.options)]
