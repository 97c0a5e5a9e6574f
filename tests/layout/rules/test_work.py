"""The work of each rule grows no faster than the layout: counted in function calls, not in seconds."""

from typing import Any

import pytest

from batchwright.base.json_values import Json
from batchwright.layout.checking.fix_all import FixAllOfKind
from batchwright.layout.checking.validator import LayoutChecker, check_json
from batchwright.layout.rules import RULES, Rule
from batchwright.layout.rules.problems import Fields
from batchwright.layout.serialization import read, sequential_keys
from tests.call_counts import count_calls
from tests.layout.rules.large_pages import WORST, cases

FEW, TIMES = 10, 4


def work(pages: list[Json], fields: Fields) -> int:
    return count_calls(lambda: check_json(pages, fields, frozenset()))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_work_of_a_rule_grows_with_the_layout(rule: Rule[Any]) -> None:
    for name, enlarge, fields in cases(rule):
        count = 5 * FEW if name == "worst" else FEW
        check_json(enlarge(1), fields(1))  # fills caches
        few = work(enlarge(count), fields(count))
        assert work(enlarge(count * TIMES), fields(count * TIMES)) < 1.5 * TIMES * few, name


@pytest.mark.parametrize("code", WORST)
def test_the_worst_layout_of_a_rule_violates_it(code: str) -> None:
    ((_name, enlarge, fields), *_others) = cases(next(rule for rule in RULES if rule.code == code))
    problems = check_json(enlarge(FEW), fields(FEW))
    assert [problem.code for problem in problems].count(code) >= FEW // 2 - 1


def test_all_equal_values_are_made_unique() -> None:
    fixed = FixAllOfKind("LY21")(read(WORST["LY21"](2_000), sequential_keys()))
    assert not [problem for problem in LayoutChecker().check(fixed) if problem.code == "LY21"]
