"""Text operations of the formatting buttons, for both formats of rich text (Markdown and HTML)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from batchwright.layout import rich_text


class TextStyle(Enum):
    """The styles that the formatting buttons apply to the selected text."""

    BOLD = "bold"
    ITALIC = "italic"
    CODE = "code"
    LINK = "link"
    HEADING = "heading"
    QUOTE = "quote"
    BULLETS = "bullets"
    NUMBERS = "numbers"


@dataclass(frozen=True)
class TextSelection:
    """A text and the selected range in it."""

    text: str
    start: int
    end: int

    @property
    def selected_text(self) -> str:
        """The selected part of the text."""
        return self.text[self.start : self.end]

    def replaced(self, start: int, end: int, by: str) -> "TextSelection":
        """The text with a range replaced; the replacement is selected."""
        return TextSelection(self.text[:start] + by + self.text[end:], start, start + len(by))


_INLINE_MARKUP: Mapping[str, Mapping[TextStyle, tuple[str, str]]] = {
    "markdown": {
        TextStyle.BOLD: ("**", "**"),
        TextStyle.ITALIC: ("*", "*"),
        TextStyle.CODE: ("`", "`"),
        TextStyle.LINK: ("[", "](https://)"),
    },
    "html": {
        TextStyle.BOLD: ("<strong>", "</strong>"),
        TextStyle.ITALIC: ("<em>", "</em>"),
        TextStyle.CODE: ("<code>", "</code>"),
        TextStyle.LINK: ('<a href="https://">', "</a>"),
    },
}
_MARKDOWN_PREFIXES: Mapping[TextStyle, Callable[[int], str]] = {
    TextStyle.HEADING: lambda _number: "## ",
    TextStyle.QUOTE: lambda _number: "> ",
    TextStyle.BULLETS: lambda _number: "- ",
    TextStyle.NUMBERS: lambda number: f"{number}. ",
}
_HTML_ELEMENTS: Mapping[TextStyle, tuple[str, str]] = {
    TextStyle.HEADING: ("h2", ""),
    TextStyle.QUOTE: ("blockquote", ""),
    TextStyle.BULLETS: ("ul", "li"),
    TextStyle.NUMBERS: ("ol", "li"),
}


def toggle_style(selection: TextSelection, style: TextStyle, content_format: str) -> TextSelection:
    """The text with the selection in a style, or without the style if it has it already."""
    content_format = "markdown" if content_format == "markdown" else "html"
    if style in _INLINE_MARKUP[content_format]:
        return _toggled(selection, *_INLINE_MARKUP[content_format][style])
    start, end = _lines(selection)
    lines = TextSelection(selection.text, start, end)
    if content_format == "markdown":
        return lines.replaced(start, end, _prefixed(lines.selected_text, _MARKDOWN_PREFIXES[style]))
    return lines.replaced(start, end, _wrapped(lines.selected_text, *_HTML_ELEMENTS[style]))


def preserve_line_breaks(text: str, content_format: str) -> str:
    """The text with markup that preserves its line breaks.

    Markdown joins consecutive lines unless a line ends in two spaces.
    """
    if content_format != "markdown":
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(
        line.rstrip() + "  " if line.strip() and after.strip() and not line.endswith("\\") else line
        for line, after in zip(lines, [*lines[1:], ""], strict=True)
    )


def convert_format(content: str, from_format: str, to_format: str) -> str:
    """Convert content to the other format. HTML is valid in Markdown and is returned unchanged."""
    if from_format == "markdown" and to_format == "html":
        return rich_text.render(content, "markdown").strip()
    return content


def _toggled(selection: TextSelection, before: str, after: str) -> TextSelection:
    text, start, end = selection.text, selection.start, selection.end
    if text[:start].endswith(before) and text[end:].startswith(after):
        text_without_markup = text[: start - len(before)] + text[start:end] + text[end + len(after) :]
        return TextSelection(text_without_markup, start - len(before), end - len(before))
    return TextSelection(
        text[:start] + before + text[start:end] + after + text[end:], start + len(before), end + len(before)
    )


def _lines(selection: TextSelection) -> tuple[int, int]:
    """The start and end of the selection, extended to whole lines."""
    start = selection.text.rfind("\n", 0, selection.start) + 1
    end = selection.text.find("\n", selection.end)
    return start, len(selection.text) if end < 0 else end


def _prefixed(lines: str, prefix: Callable[[int], str]) -> str:
    numbered = list(enumerate(lines.split("\n"), 1))
    if all(line.startswith(prefix(number)) for number, line in numbered):
        return "\n".join(line.removeprefix(prefix(number)) for number, line in numbered)
    return "\n".join(prefix(number) + line for number, line in numbered)


def _wrapped(lines: str, outer: str, inner: str) -> str:
    if lines.startswith(f"<{outer}>") and lines.endswith(f"</{outer}>"):
        bare = lines.removeprefix(f"<{outer}>").removesuffix(f"</{outer}>")
        return bare.replace(f"<{inner}>", "").replace(f"</{inner}>", "").strip() if inner else bare
    if not inner:
        return f"<{outer}>{lines}</{outer}>"
    entries = "\n".join(f"<{inner}>{line}</{inner}>" for line in lines.split("\n"))
    return f"<{outer}>\n{entries}\n</{outer}>"
