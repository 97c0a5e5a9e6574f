"""Rich text as safe HTML: Markdown turned into HTML, HTML cleaned of all that could run.

One function for service, preview and canvas, so that all show the same. What it returns is never
longer, nor nested deeper, than the limits of `records.limits`. The libraries are loaded on first use.
"""

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from batchwright.base.limits import DEEPEST_RICH_TEXT, DEEPEST_TABLES, LONGEST_RICH_TEXT
from batchwright.base.text import without_lone_surrogates

if TYPE_CHECKING:
    from markdown_it.parser_inline import RuleFuncInlineType
    from markdown_it.rules_inline import StateInline

_LINK_SCHEMES = {"http", "https", "mailto", "tel"}
_BLOCKS = {"blockquote", "details", "div", "figcaption", "figure", "hr", "p", "pre", "summary"}
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_LISTS = {"dd", "dl", "dt", "li", "ol", "ul"}
_TABLES = {"caption", "col", "colgroup", "table", "tbody", "td", "tfoot", "th", "thead", "tr"}
_PHRASES = {
    *("a", "abbr", "b", "br", "code", "del", "em", "i", "img", "ins", "kbd", "mark", "q", "s", "samp"),
    *("small", "span", "strong", "sub", "sup", "u", "var"),
}
_TAGS = _BLOCKS | _HEADINGS | _LISTS | _TABLES | _PHRASES
_ATTRIBUTES = {
    "*": {"dir", "lang", "title"},
    "a": {"href"},
    "col": {"span"},
    "colgroup": {"span"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start", "reversed"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "align", "scope"},
}


_VOID = {"br", "col", "hr", "img"}
_COSTLY = {"blockquote", "table"}
"""What doubles the work of QTextBrowser with each level, which draws both as tables."""

# As nh3 writes tags: values of attributes stand between double quotes, and may hold angle brackets.
_TAG = re.compile(r'<(?P<end>/)?(?P<name>[a-z0-9]+)[^">]*+(?:"[^"]*+"[^">]*+)*+>')

# Elements that HTML opens again in each paragraph until they are closed.
_REOPENED = re.compile(
    r"<(?P<end>/)?(?P<name>a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE
)
_DEEPEST_BRACKETS = 8
"""How deep brackets within the text of a link or an image may be nested."""
_FEW = 5
"""Marks in a text that cannot exceed the limits with so few of them."""


class Rendered(NamedTuple):
    """Clean HTML of a rich text, and in what way the text exceeds the limits."""

    html: str
    is_too_long: bool = False
    is_too_deep: bool = False


def render(content: str, content_format: str) -> str:
    """Clean HTML for `html` or `markdown` content; any other format is taken as HTML.

    Scripts, forms, styles, frames and event handlers go; images stay only from https addresses. Of
    what is too long the beginning stays, of what is nested too deeply the text.
    Never raises: half characters (lone surrogates) become the replacement character.
    """
    return rendered(content, content_format).html


@functools.lru_cache(maxsize=256)
def rendered(content: str, content_format: str) -> Rendered:
    """As `to_json`, with what exceeds the limits."""
    text = without_lone_surrogates(content[:LONGEST_RICH_TEXT])
    html = _markdown()(text) if content_format == "markdown" else text
    bounded = _REOPENED.sub("<\\g<end>span", html) if _most_reopened(html) > DEEPEST_RICH_TEXT else html
    cleaned = _clean(bounded)
    flat = "".join(_within_depth(cleaned))
    truncated = truncate_html(flat, LONGEST_RICH_TEXT)
    is_too_long = len(content) > LONGEST_RICH_TEXT or len(truncated) < len(flat)
    return Rendered(truncated, is_too_long, is_too_deep=bounded is not html or flat != cleaned)


def is_within_limits(content: str, content_format: str) -> bool:
    """Whether a text exceeds no limit; what is short and simple is not rendered for that."""
    marks = "<&" if content_format != "markdown" else "<>&*_~[-+.)`|"
    if len(content) <= LONGEST_RICH_TEXT // 10 and sum(map(content.count, marks)) <= _FEW:
        return True
    result = rendered(content, content_format)
    return not (result.is_too_long or result.is_too_deep)


def truncate_html(html: str, max_characters: int, max_elements: int | None = None) -> str:
    """The beginning of cleaned HTML that has at most so many characters and elements, all of them closed."""
    if len(html) <= max_characters and (max_elements is None or html.count("<") <= max_elements):
        return html
    open_names: list[str] = []
    start = closing = elements = 0
    end = len(html)
    for tag in _TAG.finditer(html):
        name, is_start = tag["name"], not tag["end"]
        opens = is_start and name not in _VOID
        elements += is_start
        if tag.end() + closing + opens * _closing(name) > max_characters or (
            max_elements is not None and elements > max_elements
        ):
            end = tag.start()
            break
        start = tag.end()
        if opens:
            open_names.append(name)
            closing += _closing(name)
        elif not is_start:
            closing -= _closing(open_names.pop())
    text = html[start:end][: max(0, max_characters - start - closing)]
    truncated = html[:start] + (text if len(text) == end - start else _without_half_reference(text))
    return truncated + "".join(f"</{name}>" for name in reversed(open_names))


def _closing(name: str) -> int:
    """The length of an end tag."""
    return len(name) + 3


def _without_half_reference(text: str) -> str:
    """The text without the start of a character reference at its end."""
    ampersand = text.rfind("&", max(0, len(text) - 10))
    return text if ampersand < 0 or ";" in text[ampersand:] else text[:ampersand]


def _within_depth(html: str) -> Iterator[str]:
    """Cleaned HTML without the tags of elements that are nested too deeply, and of all inside these."""
    open_names: list[str] = []
    costly = end = 0
    too_deep: int | None = None
    for tag in _TAG.finditer(html):
        name, is_shallow = tag["name"], too_deep is None
        if tag["end"]:
            open_names.pop()
            costly -= name in _COSTLY
            if too_deep is not None and len(open_names) < too_deep:
                too_deep = None
        elif name not in _VOID:
            open_names.append(name)
            costly += name in _COSTLY
            if is_shallow and (len(open_names) > DEEPEST_RICH_TEXT or costly > DEEPEST_TABLES):
                too_deep, is_shallow = len(open_names), False
        yield html[end : tag.end() if is_shallow else tag.start()]
        end = tag.end()
    yield html[end:]


def _most_reopened(html: str) -> int:
    """How many elements that HTML opens again in each paragraph are open at a time, at most."""
    times: Counter[str] = Counter()
    most = now = 0
    for tag in _REOPENED.finditer(html):
        name = tag["name"].lower()
        if not tag["end"]:
            times[name] += 1
            now += 1
            most = max(most, now)
        elif times[name]:
            times[name] -= 1
            now -= 1
    return most


def _clean(html: str) -> str:
    import nh3

    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_filter_attribute,
        url_schemes=_LINK_SCHEMES,
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


def _filter_attribute(tag: str, attribute: str, value: str) -> str | None:
    """The attribute's value, or None to drop it: images must come over https (wire reference, section 6)."""
    if (tag, attribute) == ("img", "src") and not value.strip().lower().startswith("https://"):
        return None
    return value


def _within_brackets(rule: "RuleFuncInlineType") -> "RuleFuncInlineType":
    """A rule for links or images that looks only so deep for brackets within brackets.

    Every `[` that nothing closes costs as many looks as there are levels.
    """

    def bounded(state: "StateInline", silent: bool) -> bool:
        if silent and state.level > _DEEPEST_BRACKETS:
            state.pos = state.posMax  # what the parser does beyond its own limit: nothing is closed
            return True
        return rule(state, silent)

    return bounded


@functools.cache
def _markdown() -> Callable[[str], str]:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import image, link

    # Inline HTML is allowed here because everything is cleaned afterwards.
    options = {"html": True, "linkify": False, "maxNesting": DEEPEST_RICH_TEXT + 10}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.inline.ruler.at("link", _within_brackets(link))
    parser.inline.ruler.at("image", _within_brackets(image))

    def html_of(text: str) -> str:
        return str(parser.render(text))

    return html_of


@functools.lru_cache(maxsize=256)
def sanitized_html(content: str, written_as: str) -> Markup:
    """A rich text as HTML that templates may show unescaped."""
    return Markup(render(content, written_as))  # noqa: S704 - sanitized by nh3
