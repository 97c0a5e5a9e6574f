"""The help on the rules is made from the rules, and names every one of them."""

import json
import re

import pytest

from batchwright.base.json_values import json_equal
from batchwright.layout.item_types.registry import RULES
from batchwright.layout.rich_text import render
from batchwright.layout.rules.documentation import RuleDoc, as_html, as_markdown, rule_docs
from tests.layout.rules.checks import problems

ALL = rule_docs()


def test_every_rule_has_a_chapter_in_the_order_of_the_codes() -> None:
    assert [one.code for one in ALL] == [rule.code for rule in RULES]
    assert [one.title for one in ALL] == [rule.title for rule in RULES]


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.code)
def test_a_chapter_says_all_there_is_to_say(one: RuleDoc) -> None:
    rule = next(rule for rule in RULES if rule.code == one.code)
    assert one.is_error == (rule.rejection is not None)
    assert one.message in {found.message for example in rule.fails for found in problems(example)}
    fixes = {found.fix.label for example in rule.fails for found in problems(example) if found.fix}
    assert (one.fix in fixes) == bool(one.fix)
    shown = as_html(one)
    for said in (one.code, one.fix):
        assert said in shown
    assert "<h1>" in render(shown, "html")


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.code)
def test_the_json_of_an_example_is_that_of_the_rule(one: RuleDoc) -> None:
    rule = next(rule for rule in RULES if rule.code == one.code)
    for text, examples in ((one.fails, rule.fails), (one.passes, rule.passes)):
        whole = [example.batch_items for example in examples]
        shown = json.loads(f"[{text}]")
        page = [{"rows": [{"columns": [{"items": shown}]}]}]
        is_whole = "…" not in text
        assert not is_whole or any(json_equal(value, page) or json_equal(value, shown[0]) for value in whole)
        assert max(map(len, text.splitlines())) < 120


def test_the_markdown_names_every_rule() -> None:
    text = as_markdown(ALL)
    assert re.findall(r"^## (LY\d\d): ", text, re.MULTILINE) == [rule.code for rule in RULES]
    assert text.count("```") == 4 * len(RULES)
