"""Rendering of rich text: what is shown, and what is removed."""

import re
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline

from batchwright.base.json_values import is_valid_unicode
from batchwright.base.limits import DEEPEST_RICH_TEXT, DEEPEST_TABLES, LONGEST_RICH_TEXT
from batchwright.layout.rich_text import is_within_limits, render, rendered, truncate_html


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("## Read *first*", "<h2>Read <em>first</em></h2>\n"),
        ("- one\n- two", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"),
        ("~~old~~", "<p><s>old</s></p>\n"),
        ("a <b>bold</b> word", "<p>a <b>bold</b> word</p>\n"),
    ],
)
def test_markdown_becomes_html(markdown: str, html: str) -> None:
    assert render(markdown, "markdown") == html


def test_a_spreadsheet_selection_is_multi_cell() -> None:
    assert "<td>1</td>" in render("| a |\n|---|\n| 1 |", "markdown")


def test_html_is_not_read_as_markdown() -> None:
    assert render("*a*", "html") == "*a*"
    assert render("*a*", "something newer") == "*a*"


@pytest.mark.parametrize(
    "harm",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<a href='javascript:alert(1)'>x</a>",
        "<iframe src='https://example.net'></iframe>",
        "<form action='https://example.net'><input name=a></form>",
        "<style>p{color:red}</style>",
        "<p style='position:fixed'>x</p>",
        "<svg onload=alert(1)>",
        "<img src='http://example.net/a.png'>",
        "<img src='data:image/png;base64,AA'>",
        "[x](javascript:alert%281%29)",
    ],
)
@pytest.mark.parametrize("content_format", ["html", "markdown"])
def test_scripts_and_external_references_are_removed(harm: str, content_format: str) -> None:
    shown = render(harm, content_format)
    for trace in (
        "script>",
        "onerror",
        "onload",
        'href="javascript',
        "<iframe",
        "<form",
        "<style",
        "style=",
        "src=",
    ):
        assert trace not in shown


def test_images_over_https_and_links_are_preserved() -> None:
    shown = render("![scale](https://img.example.net/a.png) [more](https://example.net)", "markdown")
    assert '<img src="https://img.example.net/a.png" alt="scale">' in shown
    assert 'href="https://example.net"' in shown
    assert "noopener" in shown


@given(st.text(st.characters(codec=None)), st.sampled_from(["html", "markdown"]))
def test_any_text_can_be_rendered_and_sent(content: str, content_format: str) -> None:
    assert is_valid_unicode(render(content, content_format))


@pytest.mark.parametrize("piece", ["[", ">", "<div>", "*a ", "`", "- "])
def test_deeply_nested_content_is_rendered(piece: str) -> None:
    assert render(piece * 3000, "markdown")


def levels(html: str, *names: str) -> int:
    """The maximum nesting depth of elements with these names, or of any."""
    depth = deepest = 0
    for end, name in re.findall(r"<(/?)(\w+)", html):
        if (not names or name in names) and name not in ("br", "hr", "img", "col"):
            depth += -1 if end else 1
            deepest = max(deepest, depth)
    assert depth == 0
    return deepest


@pytest.mark.parametrize(
    ("content", "content_format"),
    [
        ("<blockquote>" * 40 + "x", "html"),
        ("> " * 20 + "x", "markdown"),
        ("<table><tr><td>" * 18 + "x", "html"),
        ("<blockquote><table><tr><td>" * 3 + "x", "html"),
        ("<blockquote>\n\n" * 9 + "x", "markdown"),
        ("<div>" * 60 + "x</div>y", "html"),
        ("<em>" * 60 + "x", "html"),
        ("<B>" * 60 + "<p>x" * 60, "html"),
    ],
)
def test_content_nested_too_deeply_keeps_its_text_and_outer_levels(content: str, content_format: str) -> None:
    problems = rendered(content, content_format)
    assert (problems.is_too_deep, problems.is_too_long) == (True, False)
    assert not is_within_limits(content, content_format)
    assert levels(problems.html) <= DEEPEST_RICH_TEXT
    assert levels(problems.html, "table", "blockquote") <= DEEPEST_TABLES
    assert "x" in re.sub("<[^>]*>", "", problems.html)
    assert rendered(problems.html, "html") == (problems.html, False, False)


@pytest.mark.parametrize(
    ("content", "content_format"),
    [
        ("<table><tr><td>" * DEEPEST_TABLES + "x", "html"),
        ("> " * DEEPEST_TABLES + "x", "markdown"),
        ("<div>" * DEEPEST_RICH_TEXT + "x" + "</div>" * DEEPEST_RICH_TEXT + "<p>y</p>" * 100, "html"),
        ("<b>x</b> <i>y</i>" * 100, "html"),
        ('<p title="<table><table><table><table><table><table>">x</p>', "html"),
        ("- a\n" * 500, "markdown"),
        ("x" * LONGEST_RICH_TEXT, "html"),
    ],
)
def test_content_within_the_limits_is_unchanged(content: str, content_format: str) -> None:
    problems = rendered(content, content_format)
    assert (problems.is_too_deep, problems.is_too_long) == (False, False)
    assert is_within_limits(content, content_format)


def test_elements_reopened_in_each_paragraph_do_not_accumulate() -> None:
    reopened = "".join(f"<b title={number}>" for number in range(1000)) + "<p>x" * 1000
    assert len(rendered(reopened, "html").html) <= LONGEST_RICH_TEXT


@pytest.mark.parametrize("content", ["x" * (LONGEST_RICH_TEXT + 1), "<p>x" * 9000, "<p>" + "&" * 20_000])
def test_a_text_that_is_too_long_is_truncated(content: str) -> None:
    problems = rendered(content, "html")
    assert problems.is_too_long
    assert not is_within_limits(content, "html")
    assert LONGEST_RICH_TEXT - 100 < len(problems.html) <= LONGEST_RICH_TEXT
    assert levels(problems.html) <= 1
    assert rendered(problems.html, "html") == (problems.html, False, False)


@given(st.text("<>/bpi ='\"&;x"), st.integers(0, 60), st.integers(0, 5))
@example("&&", 8, 5)
def test_truncated_html_is_clean_and_not_too_long(content: str, characters: int, elements: int) -> None:
    html = render(content, "html")
    truncated = truncate_html(html, characters, elements)
    assert len(truncated) <= characters
    assert render(truncated, "html") == truncated
    assert truncate_html(html, len(html)) == html


def test_the_libraries_are_loaded_on_first_use() -> None:
    script = (
        "import sys, batchwright.layout.rich_text, batchwright.layout.checking.validator;"
        "sys.exit('nh3' in sys.modules or 'markdown_it' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize("bracket", ["[", "!["])
def test_unclosed_brackets_are_scanned_only_a_few_times(
    bracket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan_count = 0
    real = ParserInline.skipToken

    def counted(self: ParserInline, state: StateInline) -> None:
        nonlocal scan_count
        scan_count += 1
        real(self, state)

    monkeypatch.setattr(ParserInline, "skipToken", counted)
    text = 500 * bracket
    render(text, "markdown")
    assert scan_count < 20 * len(text)


def test_brackets_and_images_within_a_link_remain_in_it() -> None:
    html = render("[a [b [c]] ![d](https://x.org/d.png)](https://x.org) [[e](https://x.org)]", "markdown")
    assert html.count("<a ") == html.count("</a>") == 2
    assert "a [b [c]] <img" in html
    assert "[<a " in html
