"""Access keys of menus: the letter that is underlined in an entry and chooses it.

They are assigned, not translated: with `&` in every text, translators would have to keep the entries of a
menu apart, and texts that are also shown elsewhere would exist twice.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_uppercase

from PySide6.QtGui import QAction

from batchwright.ui.widgets.text import literal


def set_access_keys(entries: Iterable[QAction]) -> None:
    """Give the visible entries of a menu, or of the menu bar, different access keys."""
    visible = [entry for entry in entries if entry.isVisible() and not entry.isSeparator()]
    texts = [plain_text(entry.text()) for entry in visible]
    for entry, text in zip(visible, with_access_keys(texts), strict=True):
        if entry.text() != text:
            entry.setText(text)


def with_access_keys(texts: Sequence[str]) -> list[str]:
    """The texts with `&` before their access key, as Qt writes it; other `&` are doubled.

    The key is the first letter of the text, else of another word, else any letter that is free. A text in a
    script that is not typed letter by letter, such as Chinese, gets a Latin letter in parentheses, as usual.
    A text for which no letter is free has no key.
    """
    taken: set[str] = set()
    marked = []
    for text in texts:
        at = next((index for index in _candidates(text) if text[index].casefold() not in taken), None)
        letter = next((letter for letter in ascii_uppercase if letter.casefold() not in taken), None)
        if at is not None:
            taken.add(text[at].casefold())
            marked.append(f"{literal(text[:at])}&{literal(text[at:])}")
        elif letter is not None and text and not any(map(_is_typed, text)):
            taken.add(letter.casefold())
            marked.append(f"{literal(text)} (&{letter})")
        else:
            marked.append(literal(text))
    return marked


def plain_text(text: str) -> str:
    """The text without the access key that `with_access_keys` has marked."""
    without_suffix = text[:-5] if text.endswith(")") and text[-5:-1].startswith(" (&") else text
    return without_suffix.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _candidates(text: str) -> Iterator[int]:
    """The indexes of letters and digits, in the order in which they are tried as access keys."""
    typed = [index for index, letter in enumerate(text) if _is_typed(letter)]
    starts = [index for index in typed if index == 0 or not text[index - 1].isalnum()]
    yield from starts
    yield from (index for index in typed if index not in starts)


def _is_typed(letter: str) -> bool:
    """Whether a keyboard of the language has a key for the letter: not for those of double width."""
    return letter.isalnum() and unicodedata.east_asian_width(letter) not in "WF"
