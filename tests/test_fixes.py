"""The fixes that problems offer, tried on random broken layouts."""

from collections import Counter

import pytest

from batchwright.layout.checking import LayoutChecker
from batchwright.layout.model import Layout
from batchwright.layout.reading import counted_keys, read
from batchwright.layout.rules.problems import Fields, Missing, Problem
from batchwright.records.schema_reading import read_schema
from tests.agreement import draws
from tests.samples.layout_faults import broken_layout, random_layout
from tests.samples.layouts import LayoutSample
from tests.samples.shape_faults import SHAPE_FAULTS

NAMES_A_TYPE = "LY59"
"""The rule whose fix makes an item one of a known type, which has rules of its own."""


def fields_of(sample: LayoutSample) -> Fields:
    if isinstance(sample.schema, dict):
        return read_schema(sample.schema)
    return Missing.NONE if sample.schema is None else Missing.UNKNOWN


def check_fixes(sample: LayoutSample, layout: Layout, name: str) -> None:
    checker = LayoutChecker(fields_of(sample), sample.known_ids)
    before = checker.check(layout)
    for problem in before:
        if problem.fix is None:
            continue
        after = checker.check(problem.fix.edit(layout))
        assert times(after)[problem.code] < times(before)[problem.code], (name, problem, sample)
        if problem.code != NAMES_A_TYPE:
            assert refused(after) <= refused(before), (name, problem, sample)


def times(problems: list[Problem]) -> Counter[str]:
    return Counter(problem.code for problem in problems)


def refused(problems: list[Problem]) -> int:
    return sum(problem.refusal is not None for problem in problems)


def test_a_fix_mends_its_problem_and_makes_no_other(seed: int) -> None:
    for name, random in draws(seed, 400):
        sample = random_layout(random, broken=0.9)
        if isinstance(sample.batch_items, list):
            check_fixes(sample, read(sample.batch_items, counted_keys()), name)


@pytest.mark.parametrize("fault", SHAPE_FAULTS)
def test_a_fix_of_a_fault_above_the_items_mends_it_too(fault: str, seed: int) -> None:
    for name, random in draws(seed, 20):
        sample = broken_layout(random, fault)
        if isinstance(sample.batch_items, list):
            check_fixes(sample, read(sample.batch_items, counted_keys()), name)
