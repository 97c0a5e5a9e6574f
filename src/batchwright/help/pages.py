"""The pages of the help, divided into the sections under their headings.

A folder has the pages of a language, in Markdown; its `index.md` links to the others in their order. Links
lead to a page or to a section of it, such as `data.md#checks`: the part behind `#` is made of the heading as
GitHub does it, unless the heading begins with an anchor of its own, such as `<a id="ly07"></a>`. The library
(markdown-it) is imported when the first page is read.

English has all pages. Another language has some of them, whose headings have the anchors of the English ones,
so that a link leads to the same section in each language: their own, or by order if none has one of its own.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.base.i18n import SOURCE_LANGUAGE, current_language
from batchwright.base.resources import resource

if TYPE_CHECKING:
    from markdown_it.token import Token

INDEX = "index"
"""The name of the first page."""

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
    """The folder with the English pages.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    return resource("help", SOURCE_LANGUAGE)


def help_pages() -> tuple[HelpPage, ...]:
    """All pages, in the user's language as far as they exist: the index, then in the order of its links."""
    return _pages_in(current_language().tag.replace("-", "_"))


@cache
def _pages_in(language: str) -> tuple[HelpPage, ...]:
    folder = resource("help") / language
    return tuple(
        read_page(page.name, translated.read_text(encoding="utf-8"), page.sections)
        if (translated := folder / f"{page.name}{_SUFFIX}").exists() and language != SOURCE_LANGUAGE
        else page
        for page in _english_pages()
    )


@cache
def _english_pages() -> tuple[HelpPage, ...]:
    folder = help_folder()
    index = (folder / f"{INDEX}{_SUFFIX}").read_text(encoding="utf-8")
    names = dict.fromkeys((INDEX, *_LINK.findall(index)))
    return tuple(read_page(name, (folder / f"{name}{_SUFFIX}").read_text(encoding="utf-8")) for name in names)


def help_page(name: str, anchor: str = "") -> HelpPage:
    """The page with a name, or else the index; in English if only that has the section with the anchor."""
    for pages in (help_pages(), _english_pages()):
        for page in pages:
            if page.name == name and (not anchor or any(of.anchor == anchor for of in page.sections)):
                return page
    return help_page(name) if anchor else help_pages()[0]


def find_sections(typed: str) -> list[HelpSection]:
    """The sections with all typed words, those with one in the title first."""
    words = typed.casefold().split()
    found = [
        section
        for section in _all_sections()
        if all(word in f"{section.title} {section.text}".casefold() for word in words)
    ]
    return sorted(found, key=lambda section: not any(word in section.title.casefold() for word in words))


def _all_sections() -> Iterator[HelpSection]:
    """Yield the sections of all pages, and after those of each page the English ones that it lacks."""
    for page, english in zip(help_pages(), _english_pages(), strict=True):
        anchors = {section.anchor for section in page.sections}
        yield from page.sections
        yield from (section for section in english.sections if section.anchor not in anchors)


def read_page(name: str, markdown: str, english: Sequence[HelpSection] = ()) -> HelpPage:
    """A page from its Markdown; `english` are the sections of the page that it translates."""
    from markdown_it import MarkdownIt  # slow to import and rarely needed  # noqa: PLC0415

    parser = MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(markdown)
    headings = sum(token.type == "heading_open" for token in tokens)
    by_order = len(english) == headings and not _OWN_ANCHOR.search(markdown)
    anchors = [section.anchor for section in english] if by_order else ()
    sections = list(_sections(name, tokens, anchors))
    return HelpPage(name, parser.renderer.render(tokens, parser.options, {}), sections)


def _sections(page: str, tokens: "Sequence[Token]", given: Sequence[str]) -> Iterator[HelpSection]:
    """Yield the sections, and give their headings anchors: their own, or those given, if there are any."""
    anchors, count = Counter[str](), 1
    anchor, title, texts = "", "", list[str]()
    for opening, token in pairwise(tokens):
        if token.type in {"fence", "code_block"}:
            texts.append(token.content)
        if token.type != "inline":
            continue
        text = _plain(token)
        if opening.type != "heading_open":
            texts.append(text)
            continue
        if title:
            yield HelpSection(page, anchor, title, "\n".join(texts))
            own = _own_anchor(token)
            anchor = own or (given[count] if given else _anchor(text, anchors))
            count += 1
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
