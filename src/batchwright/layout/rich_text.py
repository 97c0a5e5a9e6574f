"""Rich text as safe HTML: Markdown turned into HTML, HTML cleaned of all that could run (D13).

One function for service and preview, so that both show the same. The libraries are loaded on
first use.
"""

import functools
from collections.abc import Callable

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


def render(content: str, content_format: str) -> str:
    """Clean HTML for `html` or `markdown` content; any other format is taken as HTML.

    Scripts, forms, styles, frames and event handlers go; images stay only from https addresses.
    Never raises: half characters (lone surrogates) become the replacement character.
    """
    whole = content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _clean(_markdown()(whole) if content_format == "markdown" else whole)


def _clean(html: str) -> str:
    import nh3

    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_keep,
        url_schemes=_LINK_SCHEMES,
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


def _keep(tag: str, attribute: str, value: str) -> str | None:
    """The attribute's value, or None to drop it: images must come over https (wire.md 6)."""
    if (tag, attribute) == ("img", "src") and not value.strip().lower().startswith("https://"):
        return None
    return value


@functools.cache
def _markdown() -> Callable[[str], str]:
    from markdown_it import MarkdownIt

    # Inline HTML is allowed here because everything is cleaned afterwards.
    parser = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable(["table", "strikethrough"])

    def html_of(text: str) -> str:
        return str(parser.render(text))

    return html_of
