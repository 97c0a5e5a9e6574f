"""Rich text in the window looks as on the participant page: sizes, quotes, code, and no text is cut off."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextBlock, QTextFormat, QTextTable
from pytestqt.qtbot import QtBot

from batchwright.base.limits import DEEPEST_TABLES
from batchwright.ui.theme import TextRole, Theme
from batchwright.ui.widgets.rich_text_view import RichTextView

pytestmark = pytest.mark.gui

PIXELS = QTextFormat.Property.FontPixelSize


@pytest.fixture
def shown(qtbot: QtBot) -> RichTextView:
    """A rich text view of the text size of the page in a column of 300 pixels."""
    text = RichTextView("Text", TextRole.PAGE)
    qtbot.addWidget(text)
    text.setFixedWidth(300)
    text.show()
    return text


def blocks(text: RichTextView) -> list[QTextBlock]:
    matches, block = [], text.document().begin()
    while block.isValid():
        matches.append(block)
        block = block.next()
    return matches


def sizes(text: RichTextView) -> list[int]:
    """The font size of the first letter of every non-empty line."""
    return [
        block.begin().fragment().charFormat().font().pixelSize() for block in blocks(text) if block.text()
    ]


@pytest.mark.parametrize("content_format", ["markdown", "html"])
def test_headings_have_the_sizes_of_the_participant_page(shown: RichTextView, content_format: str) -> None:
    written = {
        "markdown": "# One\n\n## *Two*\n\n### Three\n\nText",
        "html": "<h1>One</h1><h2><em>Two</em></h2><h3>Three</h3><p>Text</p>",
    }
    shown.show_content(written[content_format], content_format)
    assert sizes(shown) == [20, 18, 17, 16]
    two = next(block for block in blocks(shown) if block.text() == "Two")
    assert two.begin().fragment().charFormat().fontItalic()


def test_sizes_follow_the_text_size(shown: RichTextView, theme: Theme) -> None:
    shown.show_content("# One\n\nText", "markdown")
    theme.set_text_size(150)
    assert sizes(shown) == [30, 24]


def test_long_lines_of_code_and_long_words_are_not_cut_off(shown: RichTextView) -> None:
    shown.show_content(f"```\n{'x = 1  # ' * 20}\n```\n\n{'a' * 400}", "markdown")
    assert shown.document().size().width() <= 300
    assert shown.height() >= shown.document().size().height() - 1


def test_code_ends_without_an_empty_line(shown: RichTextView) -> None:
    shown.show_content("```\none\ntwo\n```", "markdown")
    assert [block.text().rstrip() for block in blocks(shown)] == ["one", "two"]


def test_a_quote_has_a_line_on_its_left(shown: RichTextView) -> None:
    shown.show_content('<blockquote dir="ltr"><p>One</p><blockquote>Two</blockquote></blockquote>', "html")
    frames = shown.document().rootFrame().childFrames()
    assert [type(stage_context) for stage_context in frames] == [QTextTable]
    assert shown.toPlainText().split() == ["One", "Two"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    content=st.text(max_size=80)
    | st.lists(st.sampled_from(["# a", "> b", "- c", "`d`", "<h2>e", "</blockquote>", "|f|", "\n"])).map(
        "\n".join
    ),
    content_format=st.sampled_from(["html", "markdown", "rtf"]),
)
def test_any_content_can_be_shown(shown: RichTextView, content: str, content_format: str) -> None:
    shown.show_content(content, content_format)
    assert shown.height() >= shown.fontMetrics().lineSpacing()


@pytest.mark.parametrize(
    "content",
    ["x" * 3_000_000, "<p>word</p>" * 5000, "<tr><td>a</td></tr>" * 5000, "<b>x</b> " * 3000],
    ids=["a word", "paragraphs", "cells", "elements"],
)
def test_only_the_beginning_of_a_very_long_text_is_laid_out(shown: RichTextView, content: str) -> None:
    shown.show_content(content, "html")
    assert len(shown.toHtml()) < 200_000
    assert len(shown.toPlainText()) < 11_000
    assert shown.toPlainText().endswith("The window shows only the beginning of this text.")


def test_only_the_beginning_of_a_very_long_value_is_shown(shown: RichTextView) -> None:
    shown.show_text("line\n" * 100_000)
    assert len(shown.toPlainText()) < 11_000
    assert shown.toPlainText().endswith("The window shows only the beginning of this text.")


@pytest.mark.parametrize(
    ("content", "content_format"), [("<blockquote>" * 40 + "x", "html"), ("> " * 20 + "x", "markdown")]
)
def test_the_nesting_of_tables_is_limited(shown: RichTextView, content: str, content_format: str) -> None:
    shown.show_content(content, content_format)
    stage_context, depth = shown.document().rootFrame(), 0
    while stage_context.childFrames():
        stage_context, depth = stage_context.childFrames()[0], depth + 1
    assert 1 <= depth <= DEEPEST_TABLES
    assert "x" in shown.toPlainText()
