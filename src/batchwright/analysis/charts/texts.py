"""Width, wrapping and cutting of texts without a font.

The widths are the larger ones of the program's typeface and of DejaVu Sans, so that texts fit in a viewer
that has neither.
"""

import re
from typing import NamedTuple
from unicodedata import combining, east_asian_width

_ASCII_WIDTHS = (
    "318 401 466 838 642 982 780 300 390 390 501 838 318 460 318 360 636 636 636 636 646 636 636 636 "
    "636 636 337 337 838 838 838 531 1000 690 686 730 770 632 590 775 752 295 571 672 565 903 753 787 "
    "639 787 695 642 646 744 690 989 685 679 685 390 360 390 838 500 500 613 635 571 635 615 370 635 "
    "634 278 278 579 278 974 634 612 635 635 411 528 392 634 592 818 592 592 552 636 337 636 838"
)
"""The widths of the characters from the space to the tilde, in thousandths of the size."""
_WIDTHS = {chr(32 + index): int(width) / 1000 for index, width in enumerate(_ASCII_WIDTHS.split())}
_OTHER, _WIDE = 0.75, 1.25
_BOLD = 1.13
_MAX_CHARACTERS = 400
"""Labels are cut here before they are measured."""
_ELLIPSIS = "…"
_JOINERS = "\N{ZERO WIDTH JOINER}\N{VARIATION SELECTOR-16}"
_SPACE = re.compile(r"\s+")
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
    # control characters, embeddings and overrides, lone surrogates, noncharacters
)


class Wrapped(NamedTuple):
    """The lines of a text."""

    lines: tuple[str, ...]
    is_cut: bool

    def width(self, size: float, *, is_bold: bool = False) -> float:
        """The width of the widest line."""
        return max((text_width(line, size, is_bold=is_bold) for line in self.lines), default=0.0)


def cleaned(text: str) -> str:
    """A text from elsewhere as one line that can be displayed and written to XML."""
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", _SPACE.sub(" ", text)).strip()


def text_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """The width of a text at a size, rather too large than too small."""
    return sum(map(_character_width, text)) * size * (_BOLD if is_bold else 1.0)


def _character_width(character: str) -> float:
    width = _WIDTHS.get(character)
    if width is None:
        wide = east_asian_width(character) in "WF"
        width = 0.0 if combining(character) or character in _JOINERS else _WIDE if wide else _OTHER
        if len(_WIDTHS) < 20_000:
            _WIDTHS[character] = width
    return width


def wrapped(text: str, width: float, size: float, *, max_lines: int = 2, is_bold: bool = False) -> Wrapped:
    """Break a text into lines, at spaces where possible; a last line that is cut ends with an ellipsis."""
    rest = cleaned(text[:_MAX_CHARACTERS])
    is_longer = len(text) > _MAX_CHARACTERS
    lines: list[str] = []
    while len(lines) < max_lines - 1 and text_width(rest, size, is_bold=is_bold) > width:
        count = _fitting_count(rest, width, size, is_bold=is_bold)
        end = _last_break(rest, count)
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    if not is_longer and text_width(rest, size, is_bold=is_bold) <= width:
        return Wrapped((*lines, rest), is_cut=False)
    count = _fitting_count(rest, width - text_width(_ELLIPSIS, size, is_bold=is_bold), size, is_bold=is_bold)
    return Wrapped((*lines, rest[:count].rstrip() + _ELLIPSIS), is_cut=True)


def _last_break(text: str, count: int) -> int:
    """Where to break before `count` characters: at a space, after a hyphen or a slash, or within a word."""
    space = text.rfind(" ", 1, count + 1)
    mark = max(text.rfind(mark, 1, count) for mark in "-_/.,;")
    end = max(space, mark + 1)
    return end if end > count // 3 else count


def _fitting_count(text: str, width: float, size: float, *, is_bold: bool) -> int:
    """How many characters fit into a width, at least one; a letter is not separated from its accents."""
    used, count = 0.0, 0
    for character in text:
        used += _character_width(character) * size * (_BOLD if is_bold else 1.0)
        if used > width:
            break
        count += 1
    while 0 < count < len(text) and (
        combining(text[count]) or text[count] in _JOINERS or text[count - 1] == _JOINERS[0]
    ):
        count -= 1
    return max(count, 1)
