"""Which questions are about the best and the worst item of a set, and which item each option names."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from batchwright.layout.answers import GeneratedAnswer
from batchwright.layout.item_types.base import Instruction
from batchwright.layout.item_types.choice import Choice
from batchwright.layout.option_values import as_text, label_of

_WORST = re.compile(r"\b(worst|least|lowest|poorest|weakest)\b", re.IGNORECASE)


def places_of_values(values: Sequence[str | None], count: int) -> tuple[int, ...]:
    """The place that each option of a single choice stands for, -1 for none; empty if they stand for no
    `count` places.

    Values that are the first letters or numbers say it; otherwise, the options stand in the order of places.

    Args:
        values: the value of each option; None for one that means that there is no answer.
        count: the number of items in a set.
    """
    names_of_values = [None if value is None else value.strip().casefold() for value in values]
    for names in (ascii_lowercase[:count], [str(number) for number in range(1, count + 1)]):
        place_of = {name: place for place, name in enumerate(names)}
        places = tuple(-1 if name is None else place_of.get(name, -1) for name in names_of_values)
        if count and {*place_of.values()} <= {*places}:
            return places
    used = [place for place, value in enumerate(values) if value is not None]
    if len(used) != count:
        return ()
    return tuple(used.index(place) if place in used else -1 for place in range(len(values)))


def best_and_worst(texts: Sequence[Iterable[str]]) -> tuple[int, int] | None:
    """Which of several questions about the items of a set are about the best and the worst one.

    The worst is that of the first question that names it, or else of the last one; the best is that of the
    first other one. None if there are fewer than two questions.

    Args:
        texts: the title and the labels of the options of each question.
    """
    if len(texts) < 2:
        return None
    places = range(len(texts))
    worst = next((place for place in places if any(map(_WORST.search, texts[place]))), places[-1])
    return next(place for place in places if place != worst), worst


@dataclass(frozen=True)
class SetQuestion:
    """A question about the items of a set."""

    index: int
    """Its place among the instructions of the page."""
    item: Choice
    places: tuple[int, ...]
    """The place in the set that each option stands for, -1 for none."""

    def place_of(self, answer: GeneratedAnswer) -> int | None:
        """The place that an answer chooses; None if it chooses none."""
        values = [entry.get("value") for entry in answer if isinstance(entry, Mapping)]
        option = self.item.option_of(values[0]) if values else None
        place = -1 if option is None else self.places[option]
        return place if place >= 0 else None

    def without(self, place: int) -> Choice:
        """The question without the options that stand for a place."""
        options = zip(self.item.options, self.places, strict=True)
        others = [option for option, of_option in options if of_option != place]
        return self.item.with_attributes(options=others)


def best_and_worst_on_page(items: Sequence[Instruction], size: int) -> tuple[SetQuestion, SetQuestion] | None:
    """The questions of a page about the best and the worst item of a set; None without both.

    Args:
        items: the instructions of the page.
        size: the number of items in the set; 0 if the record is none.
    """
    found = []
    for index, item in enumerate(items):
        if isinstance(item, Choice) and item.max_choices == 1:
            places = places_of_values([as_text(option.get("value")) for option in item.options], size)
            found += [SetQuestion(index, item, places)] if places else []
    pair = best_and_worst([[of.item.description, *map(label_of, of.item.options)] for of in found])
    return None if pair is None else (found[pair[0]], found[pair[1]])
