"""Texts with a number and a noun have a form for one: “1 record”, never “1 records”."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import batchwright

NOUNS = (
    "answers|attempts|batches|cells|changes|characters|collections|columns|datapoints|days|entries|fields|files|groups"
    "|hours|images|instructions|items|jobs|labels|lines|minutes|options|pages|pairs|participants|problems"
    "|questions|records|rows|seconds|steps|studies|tasks|values|versions|words"
)
PLURAL = re.compile(rf"\{{\w*\}} (?:new |more )?(?:{NOUNS})\b")
NEVER_ONE = {
    "{low} to {high} tasks",
    "The first {shown} of {count} values are shown.",
    "{found}, in the first {most} columns",
    "{number} of {count} records",
    "A column is split into 2 to {most} columns.",
    "A file name has 1 to {most} characters.",
    "A name has at most {most} characters.",
    "A request may append at most {most} records",
    "A known answer is in up to {most} groups",
    "A set has {least} to {most} items.",
    "Up to {different} groups that follow each other have different ones.",
    "A row has at most {count} columns.",
    "A schema has 1 to {most} fields",
    "A schema has at most {most} fields.",
    "An answer needs at least {least} characters here.",
    "Apply {count} lines",
    "At least {least} characters.",
    "Field “{key}”: the label has {count} characters",
    "Of {all} participants, the {count} with most answers are compared.",
    "There are no strengths: they are estimated for at most {most} items.",
    "The canvas shows the first {shown} of {count} items.",
    "The first line has {count} columns, and at most {most} are read.",
    "The first {count} items are shown.",
    "The first {most} of {count} rows",
    "The header has {count} columns; a dataset can have at most {most}.",
    "The key “{key}” has {count} characters",
    "The layout has {count} items, and at most {most} are accepted.",
    "The name has more than {most} characters.",
    "The name has {count} characters",
    "The row has {cells} cells, but the header has one column.",
    "The texts of the layout have more than {most} characters.",
    "There would be {count} pairs. Choose at most {most} of them.",
    "The values of the records would have more than {most} columns.",
    "This row has {count} columns, but the maximum is two.",
    "This text has {count} characters, too many to be edited here.",
    "This text is longer than {most} characters",
    "A batch has at most {most} instructions.",
    "{count} files",
    "{count} of {most} characters",
    "{fewest} to {most} files",
    "{least} to {most} characters.",
    "{least} to {most} files",
    "{limit} answers are allowed of {count} options.",
    "{shortest} to {longest} characters",
    "Sides are not balanced: “{system}” was on the left in {left} of {total} records.",
    "“{system}” was always on the left, in {total} records",
    "“{system}” was always on the right, in {total} records",
}
"""Starts of texts whose number is a limit above one, or has another text for one."""


def untranslated_plurals(source: str) -> Iterator[str]:
    """The texts of `_()` and `N_()` with a number before a noun in the plural."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"_", "N_"}:
            for text in node.args:
                if isinstance(text, ast.Constant) and PLURAL.search(str(text.value)):
                    yield str(text.value)


def test_texts_with_a_number_and_a_noun_have_a_form_for_one() -> None:
    texts = [
        text
        for path in Path(batchwright.__file__).parent.rglob("*.py")
        for text in untranslated_plurals(path.read_text(encoding="utf-8"))
    ]
    assert [text for text in texts if not text.startswith(tuple(NEVER_ONE))] == []
    assert [start for start in NEVER_ONE if not any(text.startswith(start) for text in texts)] == []


def test_a_plural_without_a_form_for_one_is_found() -> None:
    assert list(untranslated_plurals('_("{count} records") + _("{name} is read") + ngettext("", "", 1)')) == [
        "{count} records"
    ]
