r"""Finding a text or a regular expression in texts, and replacing the matches.

Tags and character references of HTML and Markdown are not searched, so that no replacement can damage them.
A match is never empty. In the replacement of a regular expression, `\1` and `\g<name>` insert groups, `\n`
and `\t` a line break and a tab, and `\\` a backslash.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from batchwright.base.i18n import _
from batchwright.layout.searching.study_texts import Markup, StudyText, StudyTexts, TextLocation, TextSource
from batchwright.schema.parsing import MAX_LABEL_CHARS

MAX_MATCHES = 50_000
"""Matches beyond this number are not listed and not replaced."""

_COMMENT = r"<!--(?:(?!<!--).)*?-->"
_TAG = r"""</?[A-Za-z][^<>=]*+(?:=\s*+(?:"[^"]*+"|'[^']*+')?+[^<>=]*+){0,100}+>"""
"""A quoted attribute may contain angle brackets. The limit of their number bounds the time of a search."""
_REFERENCE = r"&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z]\w*);"
_MARKUP = re.compile(f"{_COMMENT}|{_TAG}|{_REFERENCE}", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:(\d{1,2})|g<(\w+)>|([nt\\]))|(\\)")
_ESCAPED_CHARACTERS = {"n": "\n", "t": "\t", "\\": "\\"}


class InvalidPattern(Exception):
    """A search text or a replacement is not valid; `reason` is a sentence for the user."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Query:
    """What to search for."""

    text: str
    is_case_sensitive: bool = False
    is_whole_word: bool = False
    is_regex: bool = False

    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern.

        Raises:
            InvalidPattern: the regular expression is not valid.
        """
        source = self.text if self.is_regex else re.escape(self.text)
        if self.is_whole_word:
            source = rf"(?<!\w)(?:{source})(?!\w)"
        try:
            if self.is_regex:
                re.compile(self.text)  # its errors have the positions in what the user has typed
            return re.compile(source, 0 if self.is_case_sensitive else re.IGNORECASE)
        except re.error as error:
            raise InvalidPattern(_regex_error_text(error)) from None
        except (OverflowError, RecursionError):
            raise InvalidPattern(_("This regular expression is too large.")) from None


class Span(NamedTuple):
    """A match in one of a sequence of texts; `groups` has the start and end of every group, -1 if unused."""

    number: int
    start: int
    end: int
    groups: tuple[tuple[int, int], ...] = ()


class Match(NamedTuple):
    """A match in a text of a study."""

    text: StudyText
    start: int
    end: int
    groups: tuple[tuple[int, int], ...] = ()

    @property
    def matched(self) -> str:
        """The part of the text that matches."""
        return self.text.text[self.start : self.end]


def find(study: StudyTexts, query: Query, *, with_values: bool = False) -> list[Match]:
    """All matches in a study, in reading order, up to `MAX_MATCHES`. Not for regular expressions in a window.

    Raises:
        InvalidPattern: the regular expression is not valid.
    """
    texts = list(study.texts(with_values=with_values))
    return matches_of(texts, find_spans(searchable(texts), query))


def searchable(texts: Iterable[StudyText]) -> list[tuple[str, bool]]:
    """The texts for `find_spans`, each with whether its markup is to be skipped."""
    return [(text.text, text.markup is not Markup.NONE) for text in texts]


def find_spans(
    texts: Sequence[tuple[str, bool]], query: Query, on_progress: Callable[[], object] = lambda: None
) -> list[Span]:
    """All matches in texts, up to `MAX_MATCHES`.

    A regular expression may take very long, so it is searched in a process that can be ended. `on_progress`
    is called once, when the search begins.

    Raises:
        InvalidPattern: the regular expression is not valid.
    """
    if not query.text:
        return []
    pattern, spans = query.pattern(), list[Span]()
    on_progress()
    for number, (text, skips_markup) in enumerate(texts):
        for match in _matches(pattern, text, skips_markup=skips_markup):
            if len(spans) == MAX_MATCHES:
                return spans
            spans.append(Span(number, *match.span(), match.regs[1:]))
    return spans


def matches_of(texts: Sequence[StudyText], spans: Iterable[Span]) -> list[Match]:
    """The matches of a study from those in its texts."""
    return [Match(texts[span.number], span.start, span.end, span.groups) for span in spans]


class TextReplacement:
    """The text that takes the place of each match.

    With `keeps_case`, it has capitals where the match has them: in all letters, or in the first one.

    Raises:
        InvalidPattern: an escape sequence is not valid, or there is no such group.
    """

    def __init__(self, template: str, query: Query, *, keeps_case: bool = False) -> None:
        pattern = query.pattern()
        self._keeps_case = keeps_case
        self._parts = _parts(template, pattern) if query.is_regex else [template]

    def text_for(self, match: Match) -> str:
        """The new text for a match; in HTML, special characters are written as character references."""
        is_html = match.text.markup is Markup.HTML
        parts = _in_case_of(match.matched, self._parts) if self._keeps_case else self._parts
        return "".join(
            (html.escape(part, quote=False) if is_html else part)
            if isinstance(part, str)
            else _group(match, part)
            for part in parts
        )


class Replaced(NamedTuple):
    """A study after a replacement, and how many matches were replaced."""

    study: StudyTexts
    match_count: int


def replace_matches(study: StudyTexts, matches: Iterable[Match], replacement: TextReplacement) -> Replaced:
    """The study with the given matches replaced.

    A text that has changed since it was searched is left alone, and so is a label that would become too long.
    """
    by_location: dict[TextLocation, list[Match]] = {}
    for match in matches:
        by_location.setdefault(match.text.location, []).append(match)
    current = {text.location: text.text for text in study.texts(with_values=True)}
    changed = {
        location: _replaced(group, replacement)
        for location, group in by_location.items()
        if current.get(location) == group[0].text.text
    }
    changed = {location: text for location, text in changed.items() if not _is_too_long(location, text)}
    return Replaced(study.with_texts(changed), sum(len(by_location[location]) for location in changed))


def _is_too_long(location: TextLocation, text: str) -> bool:
    return location.source is TextSource.FIELD_LABEL and len(text) > MAX_LABEL_CHARS


def _replaced(matches: Sequence[Match], replacement: TextReplacement) -> str:
    text = matches[0].text.text
    pieces, position = list[str](), 0
    for match in sorted(matches, key=lambda match: match.start):
        pieces += text[position : match.start], replacement.text_for(match)
        position = match.end
    return "".join((*pieces, text[position:]))


def _in_case_of(matched: str, parts: Sequence[str | int]) -> list[str | int]:
    """The parts of a replacement in the case of a match; groups have the case of their text already."""
    if matched.isupper() and sum(map(str.isalpha, matched)) > 1:
        return [part.upper() if isinstance(part, str) else part for part in parts]
    first, *others = parts or [""]
    if matched[:1].isupper() and isinstance(first, str):
        first = first[:1].upper() + first[1:]
    return [first, *others]


def _group(match: Match, number: int) -> str:
    if number == 0:
        return match.matched
    start, end = match.groups[number - 1]
    return match.text.text[start:end] if start >= 0 else ""


def _matches(pattern: re.Pattern[str], text: str, *, skips_markup: bool) -> Iterator[re.Match[str]]:
    """The matches that are not empty; with `skips_markup`, those between tags and character references."""
    position = 0
    for markup in (*(_MARKUP.finditer(text) if skips_markup else ()), None):
        end = len(text) if markup is None else markup.start()
        for match in pattern.finditer(text, position, end):
            if match.start() < match.end():
                yield match
        position = len(text) if markup is None else markup.end()


def _parts(template: str, pattern: re.Pattern[str]) -> list[str | int]:
    """The literal texts and the group numbers of a replacement."""
    parts, position = list[str | int](), 0
    for escape in _ESCAPE.finditer(template):
        parts.append(template[position : escape.start()])
        position = escape.end()
        number, name, character, invalid = escape.groups()
        if invalid:
            raise InvalidPattern(
                _("A backslash is followed by a group number, g<name>, n, t, or another backslash.")
            )
        parts.append(
            _ESCAPED_CHARACTERS[character]
            if character
            else _group_number(number or name, pattern.groups, pattern.groupindex)
        )
    return [part for part in (*parts, template[position:]) if part != ""]


def _group_number(name: str, count: int, names: Mapping[str, int]) -> int:
    number = int(name) if name.isascii() and name.isdigit() else names.get(name, -1)
    if not 0 <= number <= count:
        raise InvalidPattern(_("The regular expression has no group “{name}”.").format(name=name))
    return number


def _regex_error_text(error: re.error) -> str:
    if error.pos is None:
        return _("This regular expression is not valid: {reason}.").format(reason=error.msg)
    return _("This regular expression is not valid at character {position}: {reason}.").format(
        position=error.pos + 1, reason=error.msg
    )
