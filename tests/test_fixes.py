"""The fixes that problems offer, one by one and all of a kind, tried on random broken layouts."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from batchwright.base.json_values import Json, is_array
from batchwright.layout.edits.fix_all import FixAllOfKind
from batchwright.layout.history import History
from batchwright.layout.item_types.registry import RULES
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import Rule
from batchwright.layout.rules.examples import CHOICE, FREE_TEXT, page, with_attributes
from batchwright.layout.rules.problems import Fields, Problem, SchemaUnavailable
from batchwright.layout.serialization import read, sequential_keys
from batchwright.layout.validator import LayoutChecker
from batchwright.schema.parsing import read_schema
from tests.layout.rules.checks import layout_of
from tests.rule_comparison import draws
from tests.samples.invalid_layouts import broken_layout, random_layout
from tests.samples.invalid_structures import SHAPE_FAULTS
from tests.samples.layouts import LayoutSample

NOT_FIXED = {
    "LY01": "what is no list of pages is no layout that could be edited",
    "LY02": "a new page would be empty, which is refused as well",
    "LY16": "a dataset is attached elsewhere",
    "LY41": "only a person knows what can be left out",
    "LY51": "only a person knows what the page is to ask",
    "LY52": "only a person knows what the options are to be called",
    "LY59": "Batchwright does not know what a newer type consists of",
    "LY61": "only a person knows what is to be shown for each record",
    "LY64": "only a person knows what else is to be asked",
}
"""Rules without a fix, and why."""


def fields_of(sample: LayoutSample) -> Fields:
    if isinstance(sample.schema, dict):
        return read_schema(sample.schema)
    return SchemaUnavailable.NONE if sample.schema is None else SchemaUnavailable.UNKNOWN


def errors(layout: Layout, problems: list[Problem]) -> Counter[tuple[str, str]]:
    """How often each rule that refuses is broken, by the key of what breaks it."""
    return Counter((one.code, key_at(layout, one.path)) for one in problems if one.rejection)


def key_at(layout: Layout, place: NodePath) -> str:
    return layout.at(place).key if place.indices else "the layout"


def times(problems: list[Problem]) -> Counter[str]:
    return Counter(problem.code for problem in problems)


def check_fixes(layout: Layout, fields: Fields, ids: frozenset[str] | None, *shown: object) -> set[str]:
    """Try every fix, and all of each kind; the rules that had one."""
    checker = LayoutChecker(fields, ids)
    before = checker.check(layout)
    had = set()
    for problem in before:
        if problem.fix is None:
            continue
        fixed = problem.fix(layout)
        after = checker.check(fixed)
        assert times(after)[problem.code] < times(before)[problem.code], (problem, *shown)
        assert errors(fixed, after) <= errors(layout, before), (problem, *shown)
        had.add(problem.code)
    for code in had:
        fixed = FixAllOfKind(code, LayoutChecker(fields, ids))(layout)
        after = checker.check(fixed)
        assert not any(one.code == code and one.fix for one in after), (code, *shown)
        assert errors(fixed, after) <= errors(layout, before), (code, *shown)
    return had


def check_sample(sample: LayoutSample, name: str) -> None:
    if is_array(sample.batch_items):
        layout = read(sample.batch_items, sequential_keys())
        check_fixes(layout, fields_of(sample), sample.known_ids, name, sample)


def check_random_layouts(seed: int, count: int) -> None:
    for name, random in draws(seed, count):
        check_sample(random_layout(random, broken=0.9), name)


def test_a_fix_mends_its_problem_and_makes_no_error(seed: int) -> None:
    check_random_layouts(seed, 300)


@pytest.mark.long
def test_none_of_many_fixes_makes_an_error(seed: int) -> None:
    check_random_layouts(seed + 1, 10_000)


@pytest.mark.parametrize("fault", SHAPE_FAULTS)
def test_a_fix_of_a_fault_above_the_items_mends_it_too(fault: str, seed: int) -> None:
    for name, random in draws(seed, 20):
        check_sample(broken_layout(random, fault), name)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_has_a_fix_or_a_reason_why_not(rule: Rule[Any]) -> None:
    layouts = [(layout_of(one), one) for one in rule.fails if is_array(one.batch_items)]
    had = [check_fixes(layout, one.fields, one.ids, one) for layout, one in layouts]
    assert any(rule.code in one for one in had) != (rule.code in NOT_FIXED)


def every_example_at_once(random: Random) -> list[Json]:
    pages = [
        one
        for rule in RULES
        for example in rule.fails
        if is_array(example.batch_items)
        for one in example.batch_items
    ]
    return random.sample(pages, len(pages))


def test_all_of_a_kind_are_fixed_in_one_step_on_all_pages(seed: int) -> None:
    layout = read(every_example_at_once(Random(seed)), sequential_keys())
    assert check_fixes(layout, SchemaUnavailable.UNKNOWN, None) >= {"LY05", "LY07", "LY13", "LY22", "LY60"}


def test_fixing_all_of_a_kind_is_one_step_and_leaves_other_pages_the_same() -> None:
    item = with_attributes(CHOICE, answer_limit=3)
    wide = page(item, with_attributes(item, description="And this?"))
    start = History(read([wide, page(FREE_TEXT), wide], sequential_keys()))
    done = start.do(FixAllOfKind("LY07"))
    assert [item.integer("answer_limit") for _place, item in done.now.walk()] == [2, 2, None, 2, 2]
    assert done.now.pages[1] is start.now.pages[1]
    assert done.undo_label
    assert done.undo().now is start.now
    assert FixAllOfKind("LY07")(done.now) == done.now
