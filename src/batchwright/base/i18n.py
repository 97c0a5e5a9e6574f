"""Translation of user-visible text with gettext: `_`, `ngettext`, and `N_` to mark now and translate later.

Text is translated when it is shown. Text in tables and class attributes is marked with `N_` where it is
written and translated with `_` where it is shown. `packaging/translations.py` extracts, updates and compiles
the catalogues in `resources/locale`.

The catalogue is opened once: the functions of the standard library search for it on disk at each call, which
took a quarter of the time needed to build a form. What one request is answered with may be in another
language than the program (`use_language`): participants read pages in the language of their study.
"""

import os
import re
from contextvars import ContextVar
from functools import lru_cache
from gettext import NullTranslations, find, translation
from pathlib import Path
from typing import Final, NamedTuple

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


SOURCE_LANGUAGE: Final = "en"
"""The language that texts are written in; it needs no catalogue."""

_DOMAIN: Final = "batchwright"
_RIGHT_TO_LEFT = frozenset(
    {"ar", "arc", "ckb", "dv", "fa", "he", "iw", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi"}
    | {"adlm", "arab", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"}
)
"""Languages, and scripts as the second part of a tag, that are written from right to left."""


class Language(NamedTuple):
    """A language that texts are shown in, with its catalogue."""

    tag: str
    """A BCP 47 tag, such as `pt-BR`."""
    catalogue: NullTranslations

    @property
    def direction(self) -> str:
        """`rtl` if it is written from right to left, otherwise `ltr`, as in HTML."""
        return text_direction(self.tag)


def text_direction(tag: str) -> str:
    """`rtl` for the tag of a language that is written from right to left, otherwise `ltr`."""
    language, _hyphen, rest = tag.lower().replace("_", "-").partition("-")
    script = rest.partition("-")[0]
    is_rtl = script in _RIGHT_TO_LEFT if len(script) == 4 else language in _RIGHT_TO_LEFT
    return "rtl" if is_rtl else "ltr"


def has_catalogue(tag: str) -> bool:
    """Whether the program's texts exist in a language; otherwise they are shown in English."""
    is_built_in = tag.partition("-")[0] in {SOURCE_LANGUAGE, PSEUDO}
    return is_built_in or _catalogue_file([_locale_name(tag)]) is not None


def _locale_name(tag: str) -> str:
    return tag.replace("-", "_")


def _catalogue_file(languages: list[str] | None) -> str | None:
    return find(_DOMAIN, resource() / "locale", languages)


@lru_cache(maxsize=64)
def language(tag: str) -> Language:
    """The language with a BCP 47 tag; its texts are English if it has no catalogue."""
    if tag == PSEUDO:
        return Language(tag, _PseudoTranslations())
    if tag.partition("-")[0] == SOURCE_LANGUAGE:
        return Language(tag, NullTranslations())
    folder = resource() / "locale"
    return Language(tag, translation(_DOMAIN, folder, [_locale_name(tag)], fallback=True))


def _program_language() -> Language:
    """The language of the setting, or of the system; English if it has no catalogue."""
    name = os.environ.get(LANGUAGE_VARIABLE)
    if name == PSEUDO:
        return language(PSEUDO)
    file = _catalogue_file([name] if name else None)
    return language(SOURCE_LANGUAGE if file is None else Path(file).parts[-3].replace("_", "-"))


PROGRAM_LANGUAGE: Final = _program_language()
"""The language of the window, of commands, and of all requests that have no other one."""

_LANGUAGE = ContextVar("language", default=PROGRAM_LANGUAGE)


def current_language() -> Language:
    """The language that texts are translated to here."""
    return _LANGUAGE.get()


def use_language(tag: str | None) -> None:
    """Translate texts to a language until the present task ends, and in the threads that it starts.

    Other tasks, such as those of other requests, are not concerned. None is the language of the program.
    """
    _LANGUAGE.set(PROGRAM_LANGUAGE if tag is None else language(tag))


def _(text: str) -> str:
    """Translate a text to the user's language."""
    return _LANGUAGE.get().catalogue.gettext(text) if text else ""  # it returns the header for ""


def ngettext(singular: str, plural: str, count: int) -> str:
    """Translate a text with a number to the user's language, in the plural form for `count`."""
    return _LANGUAGE.get().catalogue.ngettext(singular, plural, count)


def N_(text: str) -> str:  # noqa: N802 - the name that gettext tools know
    """Mark a text for extraction and return it unchanged; `_` translates it where it is shown."""
    return text
