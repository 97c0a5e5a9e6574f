"""The help on the rules is generated from the rules and covers all of them."""

import json

import pytest

from batchwright.base.json_values import json_equal
from batchwright.layout.checking.documentation import RuleDoc, as_html, rule_doc
from batchwright.layout.rich_text import render
from batchwright.layout.rules import RULES
from tests.layout.rules.checks import problems

ALL = [rule_doc(rule) for rule in RULES]


@pytest.mark.parametrize("doc", ALL, ids=lambda doc: doc.code)
def test_the_documentation_of_a_rule_is_complete(doc: RuleDoc) -> None:
    rule = next(rule for rule in RULES if rule.code == doc.code)
    assert doc.is_error == (rule.rejection is not None)
    assert doc.message in {found.message for example in rule.fails for found in problems(example)}
    fixes = {found.fix.label for example in rule.fails for found in problems(example) if found.fix}
    assert (doc.fix in fixes) == bool(doc.fix)
    shown = as_html(doc)
    for text in (doc.code, doc.fix):
        assert text in shown
    assert "<h1>" in render(shown, "html")


@pytest.mark.parametrize("doc", ALL, ids=lambda doc: doc.code)
def test_the_json_of_an_example_is_that_of_the_rule(doc: RuleDoc) -> None:
    rule = next(rule for rule in RULES if rule.code == doc.code)
    for text, examples in ((doc.fails, rule.fails), (doc.passes, rule.passes)):
        values = [example.batch_items for example in examples]
        shown = json.loads(f"[{text}]")
        page = [{"rows": [{"columns": [{"items": shown}]}]}]
        is_complete = "…" not in text
        assert not is_complete or any(
            json_equal(value, page) or json_equal(value, shown[0]) for value in values
        )
        assert max(map(len, text.splitlines())) < 120
