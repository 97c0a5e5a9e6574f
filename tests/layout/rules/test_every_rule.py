"""Properties of every rule: its examples, its code, its messages and its fixes."""

import re
from typing import Any

import pytest

from batchwright.base.json_values import is_array
from batchwright.layout.checking.validator import LayoutChecker
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules import RULES, RejectionStatus, Rule, Severity
from batchwright.layout.rules.examples import Example
from batchwright.layout.serialization import write
from batchwright.schema.model import Schema
from tests.layout.rules.checks import codes, errors, layout_of, problems

AnyRule = Rule[Any]


def examples(passes: bool) -> list[Any]:
    return [
        pytest.param(rule, example, id=f"{rule.code}-{number}")
        for rule in RULES
        for number, example in enumerate(rule.passes if passes else rule.fails, 1)
    ]


@pytest.mark.parametrize(("rule", "example"), examples(passes=True))
def test_the_service_accepts_examples_that_pass(rule: AnyRule, example: Example) -> None:
    assert rule.code not in codes(example)
    assert errors(example) == set()


@pytest.mark.spec("L-20", sides="C")
@pytest.mark.parametrize(("rule", "example"), examples(passes=False))
def test_a_failing_example_violates_only_its_rule(rule: AnyRule, example: Example) -> None:
    assert rule.code in codes(example)
    assert errors(example) <= {rule.code}


@pytest.mark.parametrize(("rule", "example"), examples(passes=False))
def test_a_problem_has_a_complete_message_and_an_existing_path(rule: AnyRule, example: Example) -> None:
    for problem in problems(example):
        assert problem.message.endswith((".", "?"))
        assert "{" not in problem.message
        if problem.path != NodePath():
            assert layout_of(example).at(problem.path).key
        if problem.rejection is RejectionStatus.ITEM:
            assert problem.path.item is not None
            assert problem.item_type is not None


@pytest.mark.parametrize(("rule", "example"), examples(passes=False))
def test_a_fix_fixes_its_problem(rule: AnyRule, example: Example) -> None:
    for problem in problems(example):
        if problem.fix is None:
            continue
        fixed = problem.fix.edit(layout_of(example))
        fields = example.fields
        if problem.fix.schema_edit is not None:
            assert isinstance(fields, Schema)
            fields = problem.fix.schema_edit(fields)
        after = LayoutChecker(fields, example.ids).check(fixed)
        before = [problem.code for problem in problems(example)]
        assert problem.fix.label
        assert [entry.code for entry in after].count(problem.code) < before.count(problem.code)
        assert {entry.code for entry in after if entry.rejection} <= {*before}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_text_of_a_rule_is_complete(rule: AnyRule) -> None:
    assert re.fullmatch(r"LY\d\d", rule.code)
    assert rule.title
    assert not rule.title.endswith(".")
    assert rule.passes
    assert rule.fails
    assert (rule.severity is Severity.ERROR) == (rule.rejection is not None) == (rule.code < "LY50")


def test_no_two_rules_share_a_code_or_a_title() -> None:
    assert len({rule.code for rule in RULES}) == len(RULES)
    assert len({rule.title for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(("rule", "example"), examples(passes=False))
def test_checking_does_not_change_a_layout(rule: AnyRule, example: Example) -> None:
    if is_array(example.batch_items):
        layout = layout_of(example)
        LayoutChecker(example.fields, example.ids).check(layout)
        assert write(layout) == example.batch_items
