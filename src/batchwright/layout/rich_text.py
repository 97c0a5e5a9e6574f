"""Renders rich text as safe HTML: converts Markdown to HTML, and sanitizes HTML.

Service, preview and canvas use the same function, so that all show the same. The result is never longer, nor
nested more deeply, than the limits in `base.limits`. The libraries (markdown-it, nh3) are imported on first
use.
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
"""Elements that QTextBrowser draws as tables; each nested level doubles its layout time."""

# A tag as nh3 writes it: attribute values are in double quotes and may contain angle brackets.
_TAG = re.compile(r'<(?P<end>/)?(?P<name>[a-z0-9]+)[^">]*+(?:"[^"]*+"[^">]*+)*+>')

# Elements that an HTML parser reopens in each paragraph until they are closed.
_REOPENED = re.compile(
    r"<(?P<end>/)?(?P<name>a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE
)
_DEEPEST_BRACKETS = 8
"""Maximum nesting depth of brackets within the text of a link or an image."""
_FEW = 5
"""A short text with at most this many markup characters cannot exceed the limits."""


class Rendered(NamedTuple):
    """Sanitized HTML of a rich text, and which limits the text exceeds."""

    html: str
    is_too_long: bool = False
    is_too_deep: bool = False


def render(content: str, content_format: str) -> str:
    """Sanitized HTML for `html` or `markdown` content; any other format is treated as HTML.

    Scripts, forms, styles, frames and event handlers are removed; images are kept only with https URLs.
    Content that is too long is truncated; of elements that are nested too deeply, only the text is kept.
    Never raises: lone surrogates are replaced by the replacement character (U+FFFD).
    """
    return rendered(content, content_format).html


@functools.lru_cache(maxsize=256)
def rendered(content: str, content_format: str) -> Rendered:
    """Like `render`, with the limits that the content exceeds."""
    text = without_lone_surrogates(content[:LONGEST_RICH_TEXT])
    html = _markdown()(text) if content_format == "markdown" else text
    bounded = _REOPENED.sub("<\\g<end>span", html) if _most_reopened(html) > DEEPEST_RICH_TEXT else html
    cleaned = _clean(bounded)
    flat = "".join(_within_depth(cleaned))
    truncated = truncate_html(flat, LONGEST_RICH_TEXT)
    is_too_long = len(content) > LONGEST_RICH_TEXT or len(truncated) < len(flat)
    return Rendered(truncated, is_too_long, is_too_deep=bounded is not html or flat != cleaned)


def is_within_limits(content: str, content_format: str) -> bool:
    """Whether content exceeds no limit. Short content with little markup is not rendered to find out."""
    marks = "<&" if content_format != "markdown" else "<>&*_~[-+.)`|"
    if len(content) <= LONGEST_RICH_TEXT // 10 and sum(map(content.count, marks)) <= _FEW:
        return True
    result = rendered(content, content_format)
    return not (result.is_too_long or result.is_too_deep)


def truncate_html(html: str, max_characters: int, max_elements: int | None = None) -> str:
    """Truncate sanitized HTML to a number of characters and elements, closing all open elements."""
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
    """The length of the end tag of an element, in characters."""
    return len(name) + 3


def _without_half_reference(text: str) -> str:
    """The text without an incomplete character reference at its end."""
    ampersand = text.rfind("&", max(0, len(text) - 10))
    return text if ampersand < 0 or ";" in text[ampersand:] else text[:ampersand]


def _within_depth(html: str) -> Iterator[str]:
    """Sanitized HTML without the tags of elements that are nested too deeply, and of their descendants."""
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
    """The maximum number of reopened elements (see `_REOPENED`) that are open at the same time."""
    times: Counter[str] = Counter()
    maximum = now = 0
    for tag in _REOPENED.finditer(html):
        name = tag["name"].lower()
        if not tag["end"]:
            times[name] += 1
            now += 1
            maximum = max(maximum, now)
        elif times[name]:
            times[name] -= 1
            now -= 1
    return maximum


def _clean(html: str) -> str:
    import nh3  # noqa: PLC0415

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
    """The attribute's value, or None to remove it: images require https (wire reference, section 6)."""
    if (tag, attribute) == ("img", "src") and not value.strip().lower().startswith("https://"):
        return None
    return value


def _within_brackets(rule: "RuleFuncInlineType") -> "RuleFuncInlineType":
    """Wrap a parser rule for links or images so that it limits the depth of nested brackets.

    Without the limit, every unclosed `[` would be scanned once for each nesting level.
    """

    def bounded(state: "StateInline", silent: bool) -> bool:
        if silent and state.level > _DEEPEST_BRACKETS:
            state.pos = state.posMax  # as the parser does beyond its own limit: nothing is closed
            return True
        return rule(state, silent)

    return bounded


@functools.cache
def _markdown() -> Callable[[str], str]:
    from markdown_it import MarkdownIt  # noqa: PLC0415
    from markdown_it.rules_inline import image, link  # noqa: PLC0415

    # Inline HTML is allowed here because the result is sanitized afterwards.
    options = {"html": True, "linkify": False, "maxNesting": DEEPEST_RICH_TEXT + 10}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.inline.ruler.at("link", _within_brackets(link))
    parser.inline.ruler.at("image", _within_brackets(image))

    def html_of(text: str) -> str:
        return str(parser.render(text))

    return html_of


@functools.lru_cache(maxsize=256)
def sanitized_html(content: str, written_as: str) -> Markup:
    """Rich text as HTML that templates may output unescaped."""
    return Markup(render(content, written_as))  # noqa: S704 - sanitized by nh3
