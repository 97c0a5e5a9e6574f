"""Answers about the best and the worst item of sets."""

from collections.abc import Sequence
from contextlib import closing
from string import ascii_lowercase
from typing import Any

import numpy as np

from batchwright.analysis.statistics.best_worst.best_worst_results import BestWorstAnswers
from batchwright.analysis.statistics.best_worst.max_difference import Choices
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.sampling import Sampling
from batchwright.schema.item_sets import identity_column
from tests.analysis.answers import questions, record


def asked(id: str, text: str, size: int, values: Sequence[Any] = ascii_lowercase) -> dict[str, Any]:
    """A single choice among the items of a set."""
    options = [{"label": f"Text {letter.upper()}", "value": values[place]} for place, letter in places(size)]
    choice = {"type": "multiple_choice", "answer_limit": 1, "options": options}
    return {**choice, "id": id, "description": text}


def places(size: int) -> list[tuple[int, str]]:
    return [*enumerate(ascii_lowercase[:size])]


def fields_of(items: Sequence[str]) -> dict[str, str]:
    """The fields of a set that say which items it has."""
    return {identity_column(letter): items[place] for place, letter in places(len(items))}


def answers_about(
    sets: Sequence[Sequence[str]], chosen: Sequence[tuple[int, str, str]], size: int = 0
) -> AnswerTable:
    """A table of answers, each the number of a set and the letters of its best and its worst item.

    The n-th answer about a set is that of participant n; an empty letter is a question without an answer.
    """
    size = size or len(sets[0])
    items = asked("best", "Which one is the best?", size), asked("worst", "Which one is the worst?", size)
    times, records = dict[int, int](), []
    for number, *letters in chosen:
        times[number] = times.get(number, 0) + 1
        records += [
            record(f"p{times[number]}", f"t{number}", question, letter)
            for question, letter in zip(("best", "worst"), letters, strict=True)
            if letter
        ]
    with closing(AnswerStore(questions(*items))) as store:
        store.append(records)
        store.set_fields({f"t{number}": fields_of(items) for number, items in enumerate(sets)})
        return store.table()


def simulated(
    sets: np.ndarray, strengths: Sequence[float], answers: int, seed: int, first_place_bias: float = 0
) -> BestWorstAnswers:
    """Answers by the maximum difference model to sets of items with these strengths, which are their names.

    The bias is the share of answers that name the first item as the best, whatever it is.
    """
    random, size = np.random.default_rng(seed), sets.shape[1]
    tasks = np.repeat(np.arange(len(sets)), answers)
    values = np.array(strengths)[sets[tasks]]
    weights = np.exp(values)[:, :, None] * np.exp(-values)[:, None, :]
    weights[:, range(size), range(size)] = 0
    chances = weights.reshape(len(tasks), -1).cumsum(axis=1)
    drawn = (random.random(len(tasks))[:, None] * chances[:, -1:] > chances).sum(axis=1)
    best, worst = drawn // size, drawn % size
    is_biased = random.random(len(tasks)) < first_place_bias
    worst = np.where(is_biased & (worst == 0), best, worst)
    choices = Choices(sets[tasks], np.where(is_biased, 0, best), worst, np.ones(len(tasks)))
    names, people = tuple(map(str, strengths)), np.tile(np.arange(answers), len(sets))
    return BestWorstAnswers(names, choices, tasks, people, Sampling(), same=0, incomplete=0)
