"""The formatting buttons, in Markdown and in HTML."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.layout.rich_text import render
from batchwright.ui.editor.inspector.formatting import (
    TextSelection,
    TextStyle,
    convert_format,
    preserve_line_breaks,
    toggle_style,
)


@pytest.mark.parametrize(
    ("style", "content_format", "text"),
    [
        (TextStyle.BOLD, "markdown", "Read **both** now"),
        (TextStyle.ITALIC, "markdown", "Read *both* now"),
        (TextStyle.CODE, "markdown", "Read `both` now"),
        (TextStyle.LINK, "markdown", "Read [both](https://) now"),
        (TextStyle.HEADING, "markdown", "## Read both now"),
        (TextStyle.QUOTE, "markdown", "> Read both now"),
        (TextStyle.BULLETS, "markdown", "- Read both now"),
        (TextStyle.NUMBERS, "markdown", "1. Read both now"),
        (TextStyle.BOLD, "html", "Read <strong>both</strong> now"),
        (TextStyle.HEADING, "html", "<h2>Read both now</h2>"),
        (TextStyle.BULLETS, "html", "<ul>\n<li>Read both now</li>\n</ul>"),
    ],
)
def test_a_style_is_applied_and_removed(style: TextStyle, content_format: str, text: str) -> None:
    once = toggle_style(TextSelection("Read both now", 5, 9), style, content_format)
    assert once.text == text
    assert toggle_style(once, style, content_format).text == "Read both now"


def test_pasted_lines_stay_lines_in_markdown() -> None:
    pasted = "Dear reader,\r\nlook closely.\n\nThank you\\\nvery much"
    shown = render(preserve_line_breaks(pasted, "markdown"), "markdown")
    assert shown == "<p>Dear reader,<br>\nlook closely.</p>\n<p>Thank you<br>\nvery much</p>\n"
    assert preserve_line_breaks("<p>\nx</p>", "html") == "<p>\nx</p>"


def test_every_selected_line_becomes_a_list_item() -> None:
    assert toggle_style(TextSelection("a\nb\nc", 0, 3), TextStyle.NUMBERS, "markdown").text == "1. a\n2. b\nc"


def test_the_selected_text_stays_selected() -> None:
    assert (
        toggle_style(TextSelection("Read both now", 5, 9), TextStyle.BOLD, "markdown").selected_text == "both"
    )


def test_markdown_is_converted_to_the_html_it_displays() -> None:
    assert (
        convert_format("Read **both**.", "markdown", "html") == render("Read **both**.", "markdown").strip()
    )
    assert convert_format("<p>Both</p>", "html", "markdown") == "<p>Both</p>"


@given(st.text(max_size=40), st.sampled_from(TextStyle), st.sampled_from(["markdown", "html"]), st.data())
def test_formatting_preserves_all_text(
    text: str, style: TextStyle, content_format: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    written = toggle_style(TextSelection(text, start, end), style, content_format)
    assert 0 <= written.start <= written.end <= len(written.text)
    assert written.selected_text in written.text
