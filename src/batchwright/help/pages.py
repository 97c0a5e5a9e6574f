"""The pages of the help, divided into the sections under their headings.

A folder has the pages of a language, in Markdown; its `index.md` links to the others in their order. Links
lead to a page or to a section of it, such as `data.md#checks`: the part behind `#` is made of the heading as
GitHub does it, unless the heading begins with an anchor of its own, such as `<a id="ly07"></a>`. The library
(markdown-it) is imported when the first page is read.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.base.resources import resource

if TYPE_CHECKING:
    from markdown_it.token import Token

INDEX = "index"
"""The name of the first page."""

_LANGUAGE = "en"
_SUFFIX = ".md"
_LINK = re.compile(r"\]\(([a-z0-9-]+)\.md(?:#[^)]*)?\)")
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
_OWN_ANCHOR = re.compile(r'<a id="([^"]*)">')


@dataclass(frozen=True)
class HelpSection:
    """A heading and the text below it, up to the next heading."""

    page: str
    """The name of its page."""
    anchor: str
    """Its name in links; empty for the beginning of the page."""
    title: str
    text: str
    """The text without markup, with which it is found."""

    @property
    def address(self) -> str:
        """Where a link leads to show it, such as `data.md#checks`."""
        return f"{self.page}{_SUFFIX}#{self.anchor}" if self.anchor else f"{self.page}{_SUFFIX}"


@dataclass(frozen=True)
class HelpPage:
    """A page of the help."""

    name: str
    """The name of its file, without `.md`."""
    html: str
    """The page as HTML; each heading has an anchor."""
    sections: Sequence[HelpSection]
    """The first one is the beginning of the page."""

    @property
    def title(self) -> str:
        """The first heading."""
        return self.sections[0].title


def help_folder() -> Path:
    """The folder with the pages.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    return resource("help", _LANGUAGE)


@cache
def help_pages() -> tuple[HelpPage, ...]:
    """All pages: the index, then the others in the order of its links."""
    folder = help_folder()
    index = (folder / f"{INDEX}{_SUFFIX}").read_text(encoding="utf-8")
    names = dict.fromkeys((INDEX, *_LINK.findall(index)))
    return tuple(read_page(name, (folder / f"{name}{_SUFFIX}").read_text(encoding="utf-8")) for name in names)


def help_page(name: str) -> HelpPage:
    """The page with a name, or else the index."""
    pages = help_pages()
    return next((page for page in pages if page.name == name), pages[0])


def find_sections(typed: str) -> list[HelpSection]:
    """The sections with all typed words, those with one in the title first."""
    words = typed.casefold().split()
    found = [
        section
        for page in help_pages()
        for section in page.sections
        if all(word in f"{section.title} {section.text}".casefold() for word in words)
    ]
    return sorted(found, key=lambda section: not any(word in section.title.casefold() for word in words))


def read_page(name: str, markdown: str) -> HelpPage:
    """A page from its Markdown."""
    from markdown_it import MarkdownIt  # slow to import and rarely needed  # noqa: PLC0415

    parser = MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(markdown)
    sections = list(_sections(name, tokens))
    return HelpPage(name, parser.renderer.render(tokens, parser.options, {}), sections)


def _sections(page: str, tokens: "Sequence[Token]") -> Iterator[HelpSection]:
    """Yield the sections, and give their headings anchors."""
    anchors = Counter[str]()
    anchor, title, texts = "", "", list[str]()
    for opening, token in pairwise(tokens):
        if token.type != "inline":
            continue
        text = _plain(token)
        if opening.type != "heading_open":
            texts.append(text)
            continue
        if title:
            yield HelpSection(page, anchor, title, "\n".join(texts))
            anchor = _own_anchor(token) or _anchor(text, anchors)
            opening.attrSet("id", anchor)
        title, texts = text, []
    yield HelpSection(page, anchor, title, "\n".join(texts))


def _plain(token: "Token") -> str:
    """The text of a paragraph or heading, without markup and pictures."""
    children = token.children or ()
    return "".join(child.content or " " for child in children if child.type not in {"image", "html_inline"})


def _own_anchor(heading: "Token") -> str:
    """The anchor at the beginning of a heading, which is removed; empty if there is none."""
    first = heading.children[0].content if heading.children else ""
    if (found := _OWN_ANCHOR.fullmatch(first)) is None:
        return ""
    heading.children = (heading.children or [])[2:]
    return found[1]


def _anchor(title: str, anchors: Counter[str]) -> str:
    """The name of a heading in links, which is used once in a page."""
    name = _NOT_IN_ANCHORS.sub("", title.casefold()).replace(" ", "-")
    anchors[name] += 1
    return name if anchors[name] == 1 else f"{name}-{anchors[name] - 1}"
