"""The rows of the list of matches: a check box, the place, and the match in its context."""

from batchwright.base.i18n import _
from batchwright.layout.nodes import NodePath
from batchwright.layout.searching.study_texts import StudyText, TextSource
from batchwright.layout.searching.text_search import Match
from batchwright.ui.editor.find.state import FindState
from batchwright.ui.editor.problems.problem_rows import place_label
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.rows.values import (
    ListRow,
    MarkedSpan,
    RowLook,
    RowStyle,
    RowText,
    TextMark,
)

STYLE = RowStyle(RowLook.RULED, left=15, right=12, gutter=29)
_HEIGHT_PX, _PLACE_PX = 34, 290
_CONTEXT_BEFORE, _CONTEXT_AFTER = 36, 200
"""Maximum number of characters of the context before and after a match."""
_MAX_SHOWN = 120
"""Maximum number of characters of a match, and of its replacement."""


def match_row(match: Match, state: FindState) -> ListRow:
    """The row of a match, with its replacement if it is to be replaced."""
    is_included, replacement = state.is_included(match), state.replacement_of(match)
    place = place_of(match.text, state.shown_path(match.text.path))
    is_replaced = is_included and replacement is not None
    spoken_state = "" if is_included or replacement is None else _("not replaced")
    added = _shortened(replacement or "") if is_replaced else ""
    texts = (
        RowText(place, tone="text2" if is_included else "text3", width=_PLACE_PX),
        _in_context(match, "text" if is_included else "text3", added, is_replaced=is_replaced),
    )
    return ListRow(texts, height=_HEIGHT_PX, is_checked=is_included, state=spoken_state)


def _in_context(match: Match, tone: str, added: str, *, is_replaced: bool) -> RowText:
    """The match and its replacement with the beginning and the end of its text, shortened, on one line."""
    text, start, end = match.text.text, match.start, match.end
    before = ("…" if start > _CONTEXT_BEFORE else "") + _line(text[max(0, start - _CONTEXT_BEFORE) : start])
    after = _line(text[end : end + _CONTEXT_AFTER]) + ("…" if end + _CONTEXT_AFTER < len(text) else "")
    found = _shortened(match.matched)
    at, found_end = len(before), len(before) + len(found)
    spans = (
        MarkedSpan(at, found_end, TextMark.REMOVED if is_replaced else TextMark.FOUND),
        MarkedSpan(found_end, found_end + len(added), TextMark.ADDED),
    )
    return RowText(before + found + added + after, tone=tone, spans=spans)


def place_of(text: StudyText, path: NodePath) -> str:
    """Where a text is, such as `Page 2, row 1, item 3: option 2, label`.

    `path` is the path of its page or item as it is shown.
    """
    title = _(text.title)
    match text.location.source:
        case TextSource.STUDY_NAME:
            return _("Study name")
        case TextSource.TASK_DETAILS:
            return _("Task details: {title}").format(title=title)
        case TextSource.FIELD_LABEL:
            return _("Field “{name}”: {title}").format(name=text.location.key, title=title)
        case TextSource.PAGE_NAME | TextSource.ITEM:
            label = place_label(path)
    entry = text.location.attribute.entry
    if entry is not None:
        title = _("{entry} {number}, {title}").format(
            entry=_(text.entry_title), number=entry + 1, title=title
        )
    return _("{place}: {title}").format(place=label, title=title)


def _line(text: str) -> str:
    return sanitize_line(text.replace("\n", " "))


def _shortened(text: str) -> str:
    return _line(text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…")
