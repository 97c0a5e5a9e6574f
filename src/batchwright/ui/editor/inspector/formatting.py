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
    def chosen(self) -> str:
        """The selected part of the text."""
        return self.text[self.start : self.end]

    def replaced(self, start: int, end: int, by: str) -> "TextSelection":
        """Return the text with a range replaced; the replacement is selected."""
        return TextSelection(self.text[:start] + by + self.text[end:], start, start + len(by))


_AROUND: Mapping[str, Mapping[TextStyle, tuple[str, str]]] = {
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
_LINE_PREFIXES: Mapping[TextStyle, Callable[[int], str]] = {
    TextStyle.HEADING: lambda _number: "## ",
    TextStyle.QUOTE: lambda _number: "> ",
    TextStyle.BULLETS: lambda _number: "- ",
    TextStyle.NUMBERS: lambda number: f"{number}. ",
}
_ELEMENTS: Mapping[TextStyle, tuple[str, str]] = {
    TextStyle.HEADING: ("h2", ""),
    TextStyle.QUOTE: ("blockquote", ""),
    TextStyle.BULLETS: ("ul", "li"),
    TextStyle.NUMBERS: ("ol", "li"),
}


def toggle_style(written: TextSelection, style: TextStyle, content_format: str) -> TextSelection:
    """Return the text with the selection in a style, or without the style if it has it already."""
    content_format = "markdown" if content_format == "markdown" else "html"
    if style in _AROUND[content_format]:
        return _toggled(written, *_AROUND[content_format][style])
    start, end = _lines(written)
    lines = TextSelection(written.text, start, end)
    if content_format == "markdown":
        return lines.replaced(start, end, _prefixed(lines.chosen, _LINE_PREFIXES[style]))
    return lines.replaced(start, end, _wrapped(lines.chosen, *_ELEMENTS[style]))


def preserve_line_breaks(text: str, content_format: str) -> str:
    """Return the text with markup that preserves its line breaks.

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
    """Convert content to the other format. HTML is valid in Markdown and is returned as it is."""
    if from_format == "markdown" and to_format == "html":
        return rich_text.render(content, "markdown").strip()
    return content


def _toggled(written: TextSelection, before: str, after: str) -> TextSelection:
    text, start, end = written.text, written.start, written.end
    if text[:start].endswith(before) and text[end:].startswith(after):
        bare = text[: start - len(before)] + text[start:end] + text[end + len(after) :]
        return TextSelection(bare, start - len(before), end - len(before))
    return TextSelection(
        text[:start] + before + text[start:end] + after + text[end:], start + len(before), end + len(before)
    )


def _lines(written: TextSelection) -> tuple[int, int]:
    """The start and end of the selection, extended to whole lines."""
    start = written.text.rfind("\n", 0, written.start) + 1
    end = written.text.find("\n", written.end)
    return start, len(written.text) if end < 0 else end


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
