"""Runs the rules on examples."""

from batchwright.base.json_values import Json, is_array
from batchwright.layout.checking.validator import LayoutChecker, check_json
from batchwright.layout.model import Layout
from batchwright.layout.rules.examples import Example, layout_with
from batchwright.layout.rules.problems import Problem
from batchwright.layout.serialization import read, sequential_keys


def problems(example: Example) -> list[Problem]:
    """The problems of an example."""
    if not is_array(example.batch_items):
        return check_json(example.batch_items)
    return LayoutChecker(example.fields, example.ids).check(layout_of(example))


def codes(example: Example) -> set[str]:
    """The codes of the rules that an example violates."""
    return {problem.code for problem in problems(example)}


def errors(example: Example) -> set[str]:
    """The codes of the violated rules for which the service rejects an example."""
    return {problem.code for problem in problems(example) if problem.rejection}


def messages_for(item: Json, code: str) -> str:
    """The messages of a rule about a page with one item."""
    (problem,) = (problem for problem in problems(layout_with(item)) if problem.code == code)
    return problem.message


def layout_of(example: Example) -> Layout:
    """The layout of an example."""
    assert is_array(example.batch_items)
    return read(example.batch_items, sequential_keys())
