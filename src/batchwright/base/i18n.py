"""Translation of user-visible text with gettext: `_`, `ngettext`, and `N_` to mark now and translate later.

Text is translated when it is shown. Text in tables and class attributes is marked with `N_` where it is
written and translated with `_` where it is shown. `packaging/translations.py` extracts, updates and compiles
the catalogues in `resources/locale`.

The catalogue is opened once: the functions of the standard library search for it on disk at each call, which
took a quarter of the time needed to build a form.
"""

import os
import re
from gettext import NullTranslations, translation
from typing import Final

from batchwright.base.resources import resource

LANGUAGE_VARIABLE: Final = "BATCHWRIGHT_LANGUAGE"
"""Environment variable with the language to use; without it, the language of the system."""

PSEUDO: Final = "pseudo"
"""A generated language that reveals text that is not translated, is truncated, or is assembled from parts."""

_ACCENTED = str.maketrans("aceinouyzACEINOUYZ", "áçéíñóúýžÁÇÉÍÑÓÚÝŽ")
_NOT_TEXT = re.compile(r"(\{[^}]*\}|<[^>]*>|&\w+;|%\w)")
"""Placeholders, HTML tags and entities, and `strftime` codes, which must not be translated."""
_GROWTH = 0.3
"""Relative growth of text in the pseudo-locale: about that of German or Finnish compared with English."""


class _PseudoTranslations(NullTranslations):
    def gettext(self, message: str) -> str:
        return pseudo_translated(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return pseudo_translated(msgid1 if n == 1 else msgid2)


def pseudo_translated(text: str) -> str:
    """The text with accents, in brackets and longer: `Save as…` becomes `[Sávé ás… ~~]`."""
    parts = _NOT_TEXT.split(text)
    parts[::2] = (part.translate(_ACCENTED) for part in parts[::2])
    return f"[{''.join(parts)} {'~' * round(len(text) * _GROWTH)}]"


def _catalogue() -> NullTranslations:
    language = os.environ.get(LANGUAGE_VARIABLE)
    if language == PSEUDO:
        return _PseudoTranslations()
    folder = resource() / "locale"
    return translation("batchwright", folder, languages=[language] if language else None, fallback=True)


_CATALOGUE = _catalogue()


def _(text: str) -> str:
    """Translate a text to the user's language."""
    return _CATALOGUE.gettext(text) if text else ""  # gettext returns the catalogue's header for ""


def ngettext(singular: str, plural: str, count: int) -> str:
    """Translate a text with a number to the user's language, in the plural form for `count`."""
    return _CATALOGUE.ngettext(singular, plural, count)


def N_(text: str) -> str:  # noqa: N802 - the name that gettext tools know
    """Mark a text for extraction and return it unchanged; `_` translates it where it is shown."""
    return text
