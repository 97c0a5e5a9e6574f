"""Quick fixes, single ones and Fix all, applied to random invalid layouts."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from batchwright.base.json_values import Json, is_array
from batchwright.layout.checking.fix_all import FixAll, FixAllOfKind
from batchwright.layout.checking.validator import LayoutChecker
from batchwright.layout.editing.history import History
from batchwright.layout.model import Layout
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import RULES, Rule
from batchwright.layout.rules.examples import (
    CHOICE,
    CHOICE_WITH_TEXT,
    FILE_UPLOAD,
    FREE_TEXT,
    page,
    with_attributes,
)
from batchwright.layout.rules.problems import Fields, Problem, SchemaUnavailable
from batchwright.layout.serialization import read, sequential_keys
from batchwright.schema.parsing import read_schema
from tests.layout.rules.checks import layout_of
from tests.rule_comparison import draws
from tests.samples.invalid_layouts import invalid_layout, random_layout
from tests.samples.invalid_structures import INVALID_STRUCTURES
from tests.samples.layouts import LayoutSample

NOT_FIXED = {
    "LY01": "a value that is not a list of pages cannot be edited as a layout",
    "LY02": "a new page would be empty, which is an error too",
    "LY16": "a dataset is attached in another stage",
    "LY41": "only the author knows what can be left out",
    "LY51": "only the author knows what the page is to ask",
    "LY52": "only the author knows what the options are to be called",
    "LY59": "Batchwright does not know what a newer type consists of",
    "LY61": "only the author knows what is to be shown for each record",
    "LY64": "only the author knows what else is to be asked",
    "LY66": "moving a page moves the error of an id that another page has, too",
    "LY65": "its fix changes the schema, and is tested with the labels",
}
"""Rules without a fix of the layout, and why."""


def fields_of(sample: LayoutSample) -> Fields:
    if isinstance(sample.schema, dict):
        return read_schema(sample.schema)
    return SchemaUnavailable.NONE if sample.schema is None else SchemaUnavailable.UNKNOWN


def errors(layout: Layout, problems: list[Problem]) -> Counter[tuple[str, str]]:
    """Count the problems that the service rejects, by rule and by the key of the node."""
    return Counter((problem.code, key_at(layout, problem.path)) for problem in problems if problem.rejection)


def key_at(layout: Layout, path: NodePath) -> str:
    return layout.at(path).key if path.indices else "the layout"


def count_by_rule(problems: list[Problem]) -> Counter[str]:
    return Counter(problem.code for problem in problems)


def check_fixes(layout: Layout, fields: Fields, ids: frozenset[str] | None, *shown: object) -> set[str]:
    """Apply every fix, and every Fix all; return the rules that have one."""
    checker = LayoutChecker(fields, ids)
    before = checker.check(layout)
    had = set()
    for problem in before:
        if problem.fix is None or problem.fix.schema_edit is not None:
            continue
        fixed = problem.fix(layout)
        after = checker.check(fixed)
        assert count_by_rule(after)[problem.code] < count_by_rule(before)[problem.code], (problem, *shown)
        assert errors(fixed, after) <= errors(layout, before), (problem, *shown)
        had.add(problem.code)
    for code in had:
        fixed = FixAllOfKind(code, LayoutChecker(fields, ids))(layout)
        after = checker.check(fixed)
        assert not any(problem.code == code and problem.fix for problem in after), (code, *shown)
        assert errors(fixed, after) <= errors(layout, before), (code, *shown)
    return had


def check_sample(sample: LayoutSample, name: str) -> None:
    if is_array(sample.batch_items):
        layout = read(sample.batch_items, sequential_keys())
        check_fixes(layout, fields_of(sample), sample.known_ids, name, sample)


def check_random_layouts(seed: int, count: int) -> None:
    for name, random in draws(seed, count):
        check_sample(random_layout(random, invalid_probability=0.9), name)


def test_a_fix_resolves_its_problem_and_adds_no_error(seed: int) -> None:
    check_random_layouts(seed, 300)


@pytest.mark.long
def test_many_fixes_add_no_error(seed: int) -> None:
    check_random_layouts(seed + 1, 10_000)


@pytest.mark.parametrize("error", INVALID_STRUCTURES)
def test_a_fix_resolves_a_structural_problem(error: str, seed: int) -> None:
    for name, random in draws(seed, 20):
        check_sample(invalid_layout(random, error), name)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_has_a_fix_or_a_reason_why_not(rule: Rule[Any]) -> None:
    examples = [example for example in rule.fails if is_array(example.batch_items)]
    fixed = [check_fixes(layout_of(example), example.fields, example.ids, example) for example in examples]
    assert any(rule.code in codes for codes in fixed) != (rule.code in NOT_FIXED)


def every_example_at_once(random: Random) -> list[Json]:
    pages = [
        page
        for rule in RULES
        for example in rule.fails
        if is_array(example.batch_items)
        for page in example.batch_items
    ]
    return random.sample(pages, len(pages))


def test_fix_all_resolves_a_kind_of_problem_on_all_pages(seed: int) -> None:
    layout = read(every_example_at_once(Random(seed)), sequential_keys())
    assert check_fixes(layout, SchemaUnavailable.UNKNOWN, None) >= {"LY05", "LY07", "LY13", "LY22", "LY60"}


def test_fix_all_is_one_undo_step_and_keeps_other_pages() -> None:
    item = with_attributes(CHOICE, answer_limit=3)
    wide = page(item, with_attributes(item, description="And this?"))
    start = History(read([wide, page(FREE_TEXT), wide], sequential_keys()))
    done = start.do(FixAllOfKind("LY07"))
    assert [item.integer("answer_limit") for _path, item in done.now.walk()] == [2, 2, None, 2, 2]
    assert done.now.pages[1] is start.now.pages[1]
    assert done.undo_label
    assert done.undo().now is start.now
    assert FixAllOfKind("LY07")(done.now) == done.now


def test_fix_all_resolves_a_problem_that_another_fix_makes_fixable() -> None:
    """A blank heading can be filled in only after the label of its option."""
    choice = with_attributes(CHOICE_WITH_TEXT, options=[{"label": " ", "value": "a", "heading": " "}])
    fixed = FixAllOfKind("LY55")(read([page(choice)], sequential_keys()))
    assert not [problem for problem in LayoutChecker().check(fixed) if problem.code == "LY55"]


@pytest.mark.parametrize("fix_all", [FixAll(), FixAllOfKind("LY13")])
@pytest.mark.parametrize(
    "types", [[7, 8, 9, ".pdf", ".docx"], [".pdf", None, None, ".docx"], [True, ".pdf", 1, ".docx", 1.0]]
)
def test_fix_all_removes_only_the_file_types_that_are_no_texts(
    types: list[Json], fix_all: FixAll | FixAllOfKind
) -> None:
    upload = with_attributes(FILE_UPLOAD, accepted_file_types=types)
    fixed = fix_all(read([page(upload)], sequential_keys()))
    assert [item.attributes["accepted_file_types"] for _path, item in fixed.walk()] == [[".pdf", ".docx"]]


def test_the_fix_of_one_file_type_says_that_it_removes_one() -> None:
    upload = with_attributes(FILE_UPLOAD, accepted_file_types=[".pdf", 7])
    (problem,) = LayoutChecker().check(read([page(upload)], sequential_keys()))
    assert problem.fix is not None
    assert problem.fix.label == "Remove the file type"
