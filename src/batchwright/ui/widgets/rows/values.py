"""The rows of a `RowList`: what is painted and what a screen reader says come from the same value.

Lengths are in pixels at 100 %, tones are names of colour tokens.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from batchwright.base.i18n import _
from batchwright.base.local_formats import joined
from batchwright.ui.theme import TextRole

if TYPE_CHECKING:
    from batchwright.ui.widgets.statuses import Status

ROW_HEIGHT_PX = 36


class TextMark(Enum):
    """How a part of a text is marked."""

    STRONG = auto()
    FOUND = auto()
    REMOVED = auto()
    """Found, and to be replaced by what is marked as added."""
    ADDED = auto()


class MarkedSpan(NamedTuple):
    """A marked part of a text, from the character `start` to before `end`."""

    start: int
    end: int
    mark: TextMark


@dataclass(frozen=True)
class RowText:
    """A text on one line."""

    text: str
    role: TextRole = TextRole.SMALL
    tone: str = "text"
    width: int = 0
    """The width of its column; 0 if it is as wide as the text, or as the space that is left."""
    is_right: bool = False
    """Whether it is at the right end of the row."""
    spans: tuple[MarkedSpan, ...] = ()
    """The marked parts, which may overlap, in the order of their starts."""

    def pieces(self) -> Iterator[tuple[str, TextMark | None]]:
        """The text in pieces, each with its mark."""
        at = 0
        for start, end, mark in self.spans:
            yield self.text[at:start], None
            yield self.text[max(at, start) : end], mark
            at = max(at, end)
        yield self.text[at:], None

    @property
    def spoken(self) -> str:
        """The text for screen readers: what is found in it first, and what replaces that last."""
        marked: dict[TextMark | None, str] = {}
        for piece, mark in self.pieces():
            marked[mark] = marked.get(mark, "") + piece
        found = marked.get(TextMark.FOUND) or marked.get(TextMark.REMOVED)
        if not found:
            return self.text
        line = "".join(piece for piece, mark in self.pieces() if mark is not TextMark.ADDED)
        text = _("“{match}” in “{line}”").format(match=found, line=line)
        if TextMark.REMOVED not in marked:
            return text
        replacement = marked.get(TextMark.ADDED, "")
        return _("{text}, replaced by “{replacement}”").format(text=text, replacement=replacement)


class RowIcon(NamedTuple):
    """An icon, with its meaning for screen readers unless the texts say it."""

    glyph: str
    tone: str = "text2"
    label: str = ""


class RowButton(NamedTuple):
    """A button at the right end of a row; the description says what it does, and its shortcut."""

    text: str
    description: str


class RowSide(NamedTuple):
    """One of two sides: its label, and its icon if no side is chosen."""

    label: str
    glyph: str = ""
    tone: str = ""


class SideValue(NamedTuple):
    """What is on both sides, as wrapped text."""

    title: str
    left: str
    right: str


@dataclass(frozen=True)
class RowSides:
    """Two versions side by side, below the texts of a row."""

    left: RowSide
    right: RowSide
    values: tuple[SideValue, ...]
    is_choice: bool = False
    """Whether one of them is to be chosen."""
    chosen: int | None = None
    """The chosen side: 0 for the left one, 1 for the right one."""

    @property
    def spoken(self) -> str:
        """The values for screen readers."""
        parts: list[str] = []
        for value in self.values:
            both = f"{self.left.label}: {value.left}", f"{self.right.label}: {value.right}"
            parts += (value.title, *both) if value.title else both
        return joined(parts)


@dataclass(frozen=True)
class ListRow:
    """A row: a line of texts, between icon or check box and button or keys, and what is below that line."""

    texts: tuple[RowText, ...] = ()
    badge: "Status | None" = None
    """At the start of the second line."""
    details: tuple[RowText, ...] = ()
    """The second line."""
    height: int = ROW_HEIGHT_PX
    """The height of the lines."""
    icon: RowIcon | None = None
    is_checked: bool | None = None
    """Whether the check box is checked; None if there is none."""
    button: RowButton | None = None
    keys: str = ""
    """A shortcut, shown as key caps at the right end."""
    sides: RowSides | None = None
    is_heading: bool = False
    """Whether it is the heading of the rows below it, which cannot be chosen."""
    state: str = ""
    """For screen readers: what is checked or chosen."""
    description: str = ""
    """More for screen readers."""

    @property
    def spoken(self) -> str:
        """All that is painted, for screen readers."""
        parts = (
            self.icon.label if self.icon else "",
            *(text.spoken for text in self.texts),
            _(self.badge.label) if self.badge else "",
            *(text.spoken for text in self.details),
            self.sides.spoken if self.sides else "",
            self.state,
        )
        return joined(filter(None, parts))

    @property
    def spoken_description(self) -> str:
        """What the button does, the shortcut, and the description."""
        parts = (self.button.description if self.button else "", self.keys, self.description)
        return joined(filter(None, parts))


class RowLook(Enum):
    """How rows are separated, and how the current or selected one is shown."""

    RULED = auto()
    """By lines; the current row is tinted."""
    TILES = auto()
    """The selected row is a tinted tile, and so is the one under the pointer."""
    PLAIN = auto()
    """The current row has a ring while the list has the focus."""


@dataclass(frozen=True)
class RowStyle:
    """The look of a list."""

    look: RowLook
    left: int
    """The space before the icon, check box or texts."""
    right: int
    """The space after the texts, the button or the keys."""
    gutter: int = 0
    """The distance of the texts from `left`, for the icon or the check box."""
    inset: int = 2
    """The space beside tiles."""
