"""What holds for every rule: its examples, its code, its sentences and its fixes."""

import re
from typing import Any

import pytest

from batchwright.base.json_values import is_array
from batchwright.layout.item_types.registry import RULES
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import RejectionStatus, Rule, Severity
from batchwright.layout.rules.examples import Example
from batchwright.layout.serialization import write
from batchwright.layout.validator import LayoutChecker
from tests.layout.rules.checks import codes, errors, layout_of, problems

AnyRule = Rule[Any]


def examples(kept: bool) -> list[Any]:
    return [
        pytest.param(rule, example, id=f"{rule.code}-{number}")
        for rule in RULES
        for number, example in enumerate(rule.passes if kept else rule.fails, 1)
    ]


@pytest.mark.parametrize(("rule", "example"), examples(kept=True))
def test_an_example_that_passes_is_taken_by_the_service(rule: AnyRule, example: Example) -> None:
    assert rule.code not in codes(example)
    assert errors(example) == set()


@pytest.mark.spec("L-20", sides="C")
@pytest.mark.parametrize(("rule", "example"), examples(kept=False))
def test_an_example_that_fails_breaks_this_rule_and_no_other(rule: AnyRule, example: Example) -> None:
    assert rule.code in codes(example)
    assert errors(example) <= {rule.code}


@pytest.mark.parametrize(("rule", "example"), examples(kept=False))
def test_a_problem_is_told_in_full_and_at_a_place_that_is_there(rule: AnyRule, example: Example) -> None:
    for problem in problems(example):
        assert problem.message.endswith((".", "?"))
        assert "{" not in problem.message
        if problem.path != NodePath():
            assert layout_of(example).at(problem.path).key
        if problem.rejection is RejectionStatus.ITEM:
            assert problem.path.item is not None
            assert problem.item_type is not None


@pytest.mark.parametrize(("rule", "example"), examples(kept=False))
def test_a_fix_mends_what_it_stands_beside(rule: AnyRule, example: Example) -> None:
    for problem in problems(example):
        if problem.fix is None:
            continue
        fixed = problem.fix.edit(layout_of(example))
        after = LayoutChecker(example.fields, example.ids).check(fixed)
        before = [one.code for one in problems(example)]
        assert problem.fix.label
        assert [one.code for one in after].count(problem.code) < before.count(problem.code)
        assert {one.code for one in after if one.rejection} <= {*before}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_is_written_down_whole(rule: AnyRule) -> None:
    assert re.fullmatch(r"LY\d\d", rule.code)
    assert rule.title
    assert not rule.title.endswith(".")
    assert rule.passes
    assert rule.fails
    assert (rule.severity is Severity.ERROR) == (rule.rejection is not None) == (rule.code < "LY50")


def test_no_two_rules_share_a_code_or_a_title() -> None:
    assert len({rule.code for rule in RULES}) == len(RULES)
    assert len({rule.title for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(("rule", "example"), examples(kept=False))
def test_checking_changes_nothing(rule: AnyRule, example: Example) -> None:
    if is_array(example.batch_items):
        layout = layout_of(example)
        LayoutChecker(example.fields, example.ids).check(layout)
        assert write(layout) == example.batch_items
