"""Translation of user-visible text with gettext: `_`, `ngettext`, and `N_` to mark now and translate later.

An English text with two meanings has a context for each, which tells translators apart what is one word for
us: `pgettext`, and `NC_` to mark it.

Text is translated when it is shown. Text in tables and class attributes is marked with `N_` where it is
written and translated with `_` where it is shown. `packaging/translations.py` extracts, updates and compiles
the catalogues in `resources/locale`.

The catalogue is opened once: the functions of the standard library search for it on disk at each call, which
took a quarter of the time needed to build a form. What one request is answered with may be in another
language than the program (`use_language`): participants read pages in the language of their study.
"""

import os
import re
from collections.abc import Iterable
from contextvars import ContextVar
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations, translation
from pathlib import Path
from typing import Final, NamedTuple

from batchwright.base.resources import resource
from batchwright.base.system_languages import system_languages, system_numbers

LANGUAGE_VARIABLE: Final = "BATCHWRIGHT_LANGUAGE"
"""Environment variable with the language to use; without it, that of the settings or of the system."""

PSEUDO: Final = "pseudo"
"""A generated language that reveals text that is not translated, is truncated, or is assembled from parts."""

PSEUDO_RTL: Final = "pseudo-rtl"
"""The same language, written from right to left."""

_ACCENTED = str.maketrans("aceinouyzACEINOUYZ", "áçéíñóúýžÁÇÉÍÑÓÚÝŽ")
_NOT_TEXT = re.compile(r"(\{[^}]*\}|<[^>]*>|&\w+;|%\w)")
"""Placeholders, HTML tags and entities, and `strftime` codes, which must not be translated."""
_GROWTH = 0.3
"""Relative growth of text in the pseudo-locale: about that of German or Finnish compared with English."""


class _PseudoTranslations(NullTranslations):
    def gettext(self, message: str) -> str:
        return pseudo_translated(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 - as the base class has it
        return self.gettext(message)


def pseudo_translated(text: str) -> str:
    """The text with accents, in brackets and longer: `Save as…` becomes `[Sávé ás… ~~]`."""
    parts = _NOT_TEXT.split(text)
    parts[::2] = (part.translate(_ACCENTED) for part in parts[::2])
    return f"[{''.join(parts)} {'~' * round(len(text) * _GROWTH)}]"


SOURCE_LANGUAGE: Final = "en"
"""The language that texts are written in; it needs no catalogue."""

_DOMAIN: Final = "batchwright"
_CONTEXT_MARK: Final = "\x04"
"""Between a context and its text, as in the files of gettext."""
_RIGHT_TO_LEFT = frozenset(
    {"ar", "arc", "bal", "bgn", "ckb", "dv", "fa", "he", "iw", "ks", "lrc", "mzn", "nqo", "pnb", "ps", "rhg"}
    | {"sd", "sdh", "syr", "trw", "ug", "ur", "yi"}
    | {"adlm", "arab", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"}
)
"""Languages, and scripts as the second part of a tag, that are written from right to left."""


_TAG = re.compile(r"(?=.{2,35}$)[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


def is_language_tag(text: str) -> bool:
    """Whether a text has the form of a BCP 47 tag."""
    return _TAG.fullmatch(text) is not None


class Language(NamedTuple):
    """A language that texts are shown in, with its catalogue."""

    tag: str
    """A BCP 47 tag, such as `pt-BR`."""
    catalogue: NullTranslations
    region: str = ""
    """The tag with which the system names the same language, for numbers if it does; empty if it does not."""

    @property
    def locale(self) -> str:
        """The tag of the conventions for numbers and lists: like the texts, English without a catalogue."""
        return (self.region or self.tag) if self.has_texts else SOURCE_LANGUAGE

    @property
    def has_texts(self) -> bool:
        """Whether the program's texts are written in it."""
        return isinstance(self.catalogue, GNUTranslations) or _of(self.tag) == SOURCE_LANGUAGE

    @property
    def direction(self) -> str:
        """`rtl` if it is written from right to left, otherwise `ltr`, as in HTML."""
        return text_direction(self.tag)


def text_direction(tag: str) -> str:
    """`rtl` for the tag of a language that is written from right to left, otherwise `ltr`."""
    if tag == PSEUDO_RTL:
        return "rtl"
    language, _hyphen, rest = tag.lower().replace("_", "-").partition("-")
    script = rest.partition("-")[0]
    is_rtl = script in _RIGHT_TO_LEFT if len(script) == 4 else language in _RIGHT_TO_LEFT
    return "rtl" if is_rtl else "ltr"


def has_catalogue(tag: str) -> bool:
    """Whether the program's texts exist in a language; otherwise they are shown in English."""
    return tag in _GENERATED or language(tag).has_texts


def languages() -> list[str]:
    """The tags of all languages in which the program's texts exist, without the generated ones."""
    files = (resource() / "locale").glob(f"*/LC_MESSAGES/{_DOMAIN}.mo")
    return sorted([SOURCE_LANGUAGE, *(_tag(file) for file in files)])


_GENERATED = frozenset({PSEUDO, PSEUDO_RTL})


def _of(tag: str) -> str:
    """The language of a tag, without the region."""
    return tag.partition("-")[0].casefold()


def _catalogues(tag: str) -> list[str]:
    """The tags of the catalogues in the language of a tag, that of its own region first."""
    same = (name for name in languages() if _of(name) == _of(tag) != SOURCE_LANGUAGE)
    return sorted(same, key=lambda name: name != tag)


def _tag(file: Path) -> str:
    return file.parents[1].name.replace("_", "-")


@lru_cache(maxsize=64)
def language(tag: str) -> Language:
    """The language with a BCP 47 tag; its texts are English if no region of it has a catalogue."""
    if tag in _GENERATED:
        return Language(tag, _PseudoTranslations())
    if _of(tag) == SOURCE_LANGUAGE:
        return Language(tag, NullTranslations())
    names = [name.replace("-", "_") for name in _catalogues(tag)[:1]]
    return Language(tag, translation(_DOMAIN, resource() / "locale", names, fallback=True))


def best_language(wanted: Iterable[str]) -> Language:
    """The first of some languages in which the program's texts exist, if need be of another region.

    English if there is none: it counts as one of them, so that a later one is not chosen instead.
    """
    for tag in wanted:
        if tag in _GENERATED:
            return language(tag)
        if _of(tag) == SOURCE_LANGUAGE:
            break
        if found := _catalogues(tag):
            return language(found[0])
    return language(SOURCE_LANGUAGE)


def _with_region(found: Language) -> Language:
    tags = (system_numbers(), *system_languages())
    regions = (tag for tag in tags if _of(tag) == _of(found.tag))
    return found._replace(region=next(regions, ""))


def start_language() -> Language:
    """The language of the environment variable, or else of the system."""
    name = os.environ.get(LANGUAGE_VARIABLE)
    return _with_region(best_language([name.replace("_", "-")] if name else system_languages()))


_program = [start_language()]
"""The language of the window, of commands, and of all requests that have no other one."""

_LANGUAGE = ContextVar[Language | None]("language", default=None)


def program_language() -> Language:
    """The language of the window, of commands, and of all requests that have no other one."""
    return _program[0]


def set_program_language(tag: str) -> None:
    """Translate the texts of this program, and of those that it starts, to a language.

    What was translated before is not translated again: this is for the start. The environment variable has
    precedence.
    """
    if not os.environ.get(LANGUAGE_VARIABLE):
        os.environ[LANGUAGE_VARIABLE] = tag
        _program[0] = start_language()


def current_language() -> Language:
    """The language that texts are translated to here."""
    return _LANGUAGE.get() or program_language()


def use_language(tag: str | None) -> None:
    """Translate texts to a language until the present task ends, and in the threads that it starts.

    Other tasks, such as those of other requests, are not concerned. None is the language of the program.
    """
    _LANGUAGE.set(None if tag is None else language(tag))


def _(text: str) -> str:
    """Translate a text to the user's language."""
    if not text:
        return ""  # gettext returns the header for it
    catalogue = current_language().catalogue
    context, mark, plain = text.partition(_CONTEXT_MARK)
    return catalogue.pgettext(context, plain) if mark else catalogue.gettext(text)


def pgettext(context: str, text: str) -> str:
    """Translate a text that has several meanings; the context says which one."""
    return current_language().catalogue.pgettext(context, text)


def ngettext(singular: str, plural: str, count: int) -> str:
    """Translate a text with a number to the user's language, in the plural form for `count`."""
    return current_language().catalogue.ngettext(singular, plural, count)


def N_(text: str) -> str:  # noqa: N802 - the name that gettext tools know
    """Mark a text for extraction and return it unchanged; `_` translates it where it is shown."""
    return text


def NC_(context: str, text: str) -> str:  # noqa: N802 - the name that gettext tools know
    """Mark a text that has several meanings; `_` translates the value where it is shown."""
    return f"{context}{_CONTEXT_MARK}{text}"
