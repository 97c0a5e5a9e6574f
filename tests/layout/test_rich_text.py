"""Rich text: what is shown, and what never is."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.layout.rich_text import render
from batchwright.records.json_values import is_whole


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


def test_a_table_is_one() -> None:
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
def test_nothing_that_runs_or_reaches_out_is_kept(harm: str, content_format: str) -> None:
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


def test_images_over_https_and_links_stay() -> None:
    shown = render("![scale](https://img.example.net/a.png) [more](https://example.net)", "markdown")
    assert '<img src="https://img.example.net/a.png" alt="scale">' in shown
    assert 'href="https://example.net"' in shown
    assert "noopener" in shown


@given(st.text(st.characters(codec=None)), st.sampled_from(["html", "markdown"]))
def test_any_text_can_be_rendered_and_sent(content: str, content_format: str) -> None:
    assert is_whole(render(content, content_format))


@pytest.mark.parametrize("piece", ["[", ">", "<div>", "*a ", "`", "- "])
def test_deep_nesting_is_no_crash(piece: str) -> None:
    assert render(piece * 3000, "markdown")


def test_the_libraries_are_loaded_on_first_use() -> None:
    script = (
        "import sys, batchwright.layout.rich_text, batchwright.layout.checking;"
        "sys.exit('nh3' in sys.modules or 'markdown_it' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
