"""Finding and replacing texts in a whole study."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.layout.item_types.registry import ITEM_TYPES
from batchwright.layout.rules.problems import AttributePath
from batchwright.layout.searching.study_texts import StudyTexts, TextLocation, TextSource
from batchwright.layout.searching.text_search import (
    InvalidPattern,
    Match,
    Query,
    Replaced,
    TextReplacement,
    find,
    replace_matches,
)
from batchwright.layout.serialization import read, sequential_keys, write
from batchwright.schema.model import Field, FieldType, Schema
from tests.samples.each_type import ALL, BETTER, DURATION, IMAGE, INVALID_VALUES, UPLOAD

SCHEMA = Schema(strict=True, fields={"cat": Field(FieldType.TEXT, "A cat"), "dog": Field(FieldType.TEXT)})


def study_of(*items: Any, **parts: Any) -> StudyTexts:
    """A study with these items on one page, whose key is `0`; the first item has the key `3`."""
    layout = read([{"rows": [{"columns": [{"items": list(items)}]}]}], sequential_keys())
    return StudyTexts(
        **{"name": "", "details": {}, "schema": None, "page_names": {}, "layout": layout} | parts
    )


def text_item(text: str) -> dict[str, Any]:
    return {"type": "free_text", "description": text}


def html_item(text: str, content_format: str = "html") -> dict[str, Any]:
    return {"type": "rich_text", "content": text, "content_format": content_format}


def matched(study: StudyTexts, query: Query, **options: bool) -> list[str]:
    return [match.matched for match in find(study, query, **options)]


def replaced(study: StudyTexts, query: Query, template: str) -> Replaced:
    return replace_matches(study, find(study, query), TextReplacement(template, query))


def first_item(study: StudyTexts) -> Any:
    return next(item for _path, item in study.layout.walk()).attributes


def test_every_part_of_a_study_is_searched() -> None:
    study = study_of(
        {**BETTER, "description": "Which cat?", "options": [{"label": "cat", "value": "cat"}]},
        {"type": "dataset_field", "field": "cat"},
        name="Cats",
        details={"task_name": "Cat", "task_introduction": "<p>cat</p>", "task_steps": ""},
        page_names={"0": "The cat page"},
        schema=SCHEMA,
    )
    locations = [match.text.location for match in find(study, Query("cat"))]
    assert locations == [
        TextLocation(TextSource.STUDY_NAME),
        TextLocation(TextSource.TASK_DETAILS, "task_name"),
        TextLocation(TextSource.TASK_DETAILS, "task_introduction"),
        TextLocation(TextSource.FIELD_LABEL, "cat"),
        TextLocation(TextSource.PAGE_NAME, "0"),
        TextLocation(TextSource.ITEM, "3", AttributePath("description")),
        TextLocation(TextSource.ITEM, "3", AttributePath("options", 0, "label")),
    ]
    more = [match.text.location for match in find(study, Query("cat"), with_values=True)]
    assert set(more) - set(locations) == {
        TextLocation(TextSource.ITEM, "3", AttributePath("options", 0, "value")),
        TextLocation(TextSource.ITEM, "4", AttributePath("field")),
    }


def test_all_are_replaced_at_once() -> None:
    study = study_of(
        {**BETTER, "description": "Which cat?", "options": [{"label": "cat", "value": "cat"}]},
        name="Cats",
        details={"task_name": "Cat", "task_introduction": "<p>cat</p>", "task_steps": ""},
        page_names={"0": "The cat page", "7": "another"},
        schema=SCHEMA,
    )
    after, count = replaced(study, Query("cat"), "dog")
    assert count == 7
    assert after.name == "dogs"
    assert after.details == {"task_name": "dog", "task_introduction": "<p>dog</p>", "task_steps": ""}
    assert after.page_names == {"0": "The dog page", "7": "another"}
    assert after.schema is not None
    assert list(after.schema.fields) == ["cat", "dog"]
    assert after.schema.fields["cat"].label == "A dog"
    assert first_item(after)["description"] == "Which dog?"
    assert first_item(after)["options"] == [{"label": "dog", "value": "cat"}]


@pytest.mark.parametrize(
    ("item", "texts"),
    [
        (IMAGE, {"A sign"}),
        (UPLOAD, {"Send it"}),
        (DURATION, {"How long?", "minutes", "hours"}),
        (INVALID_VALUES, {"What is wrong?", "Facts", "No", "Which?", "?"}),
    ],
)
def test_texts_are_found_by_the_descriptions_of_the_attributes(item: Any, texts: set[str]) -> None:
    assert {text.text for text in study_of(item).texts()} == texts


def test_numbers_and_references_are_never_texts() -> None:
    study = study_of(*ALL)
    with_values = {text.text for text in study.texts(with_values=True)}
    assert {"a", "b", "same", "min", "h", "prompt", "https://a.example/b.png"} == with_values - {
        text.text for text in study.texts()
    }
    assert set(ITEM_TYPES) >= {item["type"] for item in ALL if item["type"] != "video_narration"}


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        (Query("cat"), "Cat, cats and concatenation", ["Cat", "cat", "cat"]),
        (Query("cat", is_case_sensitive=True), "Cat, cats", ["cat"]),
        (Query("cat", is_whole_word=True), "Cat, cats, a cat.", ["Cat", "cat"]),
        (Query("a.c"), "abc a.c", ["a.c"]),
        (Query("a.c", is_regex=True), "abc a.c", ["abc", "a.c"]),
        (Query("a|ab", is_regex=True, is_whole_word=True), "ab a", ["ab", "a"]),
        (Query("x*", is_regex=True), "axxb", ["xx"]),
        (Query(""), "text", []),
        (Query("é"), "É", ["É"]),
    ],
)
def test_queries(query: Query, text: str, expected: list[str]) -> None:
    assert matched(study_of(text_item(text)), query) == expected


def test_markup_is_neither_found_nor_damaged() -> None:
    html = '<p class="a">Read &amp; <b>a bold</b> a&nbsp;claim</p>'
    study = study_of(html_item(html))
    assert matched(study, Query("a")) == ["a", "a", "a", "a"]
    assert matched(study, Query("amp")) == []
    assert matched(study, Query("R.*", is_regex=True)) == ["Read "]
    after = replaced(study, Query("claim"), "<fact> & fiction").study
    assert first_item(after)["content"].endswith("a&nbsp;&lt;fact&gt; &amp; fiction</p>")
    marked = study_of(html_item("A <b>claim</b>", "markdown"))
    assert first_item(replaced(marked, Query("claim"), "R&D").study)["content"] == "A <b>R&D</b>"
    plain = study_of(text_item("a < b > c"))
    assert matched(plain, Query("b")) == ["b"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a title="1 > cat" href="https://example.org/cat">cat</a>', ["cat"]),
        ("<img alt='a < b' src='https://example.org/cat.png'> cat", ["cat"]),
        ("<p hidden title = 'cat' lang=cat>cat</p>", ["cat"]),
        ('<p title="cat>cat</p>', ["cat"]),
        ("a <b and cat", ["cat"]),
        ("<!-- cat > <b>cat</b> --> cat", ["cat"]),
        ("<!-- cat <b>cat</b>", ["cat", "cat"]),
    ],
)
def test_tags_end_after_their_attributes_and_comments_where_they_are_closed(
    html: str, expected: list[str]
) -> None:
    study = study_of(html_item(html))
    assert matched(study, Query("cat")) == expected


def test_groups_are_inserted() -> None:
    study = study_of(text_item("Doe, Jane; Roe, Rick"))
    query = Query(r"(?P<last>\w+), (\w+)", is_regex=True)
    assert first_item(replaced(study, query, r"\2 \g<last>").study)["description"] == "Jane Doe; Rick Roe"
    assert first_item(replaced(study, query, r"\0\\\n\t").study)["description"].startswith("Doe, Jane\\\n\t")
    optional = Query(r"Doe(x)?", is_regex=True)
    assert first_item(replaced(study, optional, r"[\1]").study)["description"].startswith("[], Jane")
    literal = Query("Doe")
    assert first_item(replaced(study, literal, r"\1\n").study)["description"].startswith("\\1\\n, Jane")


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [("(", "at character 1"), ("a**", "at character 3"), ("[z-a]", "at character 2"), ("a{99999999999}", "")],
)
def test_an_invalid_pattern_is_explained(pattern: str, reason: str) -> None:
    for is_whole_word in (False, True):
        with pytest.raises(InvalidPattern, match="This regular expression") as caught:
            Query(pattern, is_regex=True, is_whole_word=is_whole_word).pattern()
        assert reason in caught.value.reason


@pytest.mark.parametrize("template", ["\\", r"\x", r"\2", r"\g<name>", r"\g<"])
def test_an_invalid_replacement_is_explained(template: str) -> None:
    with pytest.raises(InvalidPattern):
        TextReplacement(template, Query("(a)", is_regex=True))


def test_only_the_given_matches_are_replaced() -> None:
    study = study_of(text_item("cat cat cat"), text_item("cat"))
    matches = find(study, Query("cat"))
    after, count = replace_matches(study, [matches[2], matches[0]], TextReplacement("dog", Query("cat")))
    assert count == 2
    assert [item.text("description") for _path, item in after.layout.walk()] == ["dog cat dog", "cat"]


def test_texts_that_changed_since_the_search_are_left_alone() -> None:
    study = study_of(text_item("cat"), text_item("cat"))
    matches = find(study, Query("cat"))
    changed = study.with_texts({matches[0].text.location: "the cat"})
    after, count = replace_matches(changed, matches, TextReplacement("dog", Query("cat")))
    assert count == 1
    assert [item.text("description") for _path, item in after.layout.walk()] == ["the cat", "dog"]


def test_a_label_that_would_be_too_long_is_left_alone() -> None:
    study = study_of(text_item("A cat"), schema=SCHEMA)
    after, count = replaced(study, Query("cat"), "x" * 300)
    assert count == 1
    assert after.schema == SCHEMA


def test_a_page_name_that_becomes_empty_is_removed() -> None:
    study = study_of(text_item("a"), page_names={"0": "cat"})
    assert replaced(study, Query("cat"), "").study.page_names == {}


def test_unchanged_pages_stay_the_same_objects() -> None:
    pages = [{"rows": [{"columns": [{"items": [text_item(text)]}]}]} for text in ("cat", "dog")]
    study = study_of(layout=read(pages, sequential_keys()))
    after = replaced(study, Query("cat"), "mouse").study
    assert after.layout.pages[1] is study.layout.pages[1]
    assert replaced(study, Query("horse"), "mouse").study.layout is study.layout


@given(
    st.text(st.sampled_from("ab<>&;/p "), max_size=30),
    st.text(st.sampled_from("ab<&"), min_size=1, max_size=3),
)
def test_replacing_a_text_by_itself_changes_no_plain_text(text: str, wanted: str) -> None:
    study = study_of(text_item(text), html_item(text, "markdown"))
    assert write(replaced(study, Query(wanted, is_case_sensitive=True), wanted).study.layout) == write(
        study.layout
    )


@given(st.text(st.sampled_from("ab<>&;/p "), max_size=30))
def test_every_match_is_what_it_says(text: str) -> None:
    matches: list[Match] = find(study_of(html_item(text)), Query("a|p", is_regex=True))
    assert all(match.matched in {"a", "p"} for match in matches)
    assert all(match.text.text[match.start : match.end] == match.matched for match in matches)


@pytest.mark.parametrize(
    ("text", "template", "expected"),
    [
        ("cat Cat CAT cAT", "dog", "dog Dog DOG dog"),
        ("Cat CAT", "Großer Hund", "Großer Hund GROSSER HUND"),
        ("Cat", "", ""),
    ],
)
def test_a_replacement_keeps_the_case_of_its_match(text: str, template: str, expected: str) -> None:
    study, query = study_of(text_item(text)), Query("cat")
    replacement = TextReplacement(template, query, keeps_case=True)
    after = replace_matches(study, find(study, query), replacement).study
    assert first_item(after)["description"] == expected


def test_the_case_of_a_replacement_in_html_is_kept_before_it_is_escaped() -> None:
    study, query = study_of(html_item("<p>CAT</p>")), Query("cat")
    after = replace_matches(study, find(study, query), TextReplacement("a & b", query, keeps_case=True)).study
    assert first_item(after)["content"] == "<p>A &amp; B</p>"


def test_groups_keep_their_own_case() -> None:
    study, query = study_of(text_item("CAT and dog")), Query(r"(cat) and (\w+)", is_regex=True)
    replacement = TextReplacement(r"\2 with \1", query, keeps_case=True)
    after = replace_matches(study, find(study, query), replacement).study
    assert first_item(after)["description"] == "dog with CAT"
