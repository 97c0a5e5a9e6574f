"""What a file for translators contains: texts with their ids, their source, and their translations.

An id is made of the address of the text, so that texts are found again in whatever order they come back.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote, unquote

from batchwright.base.i18n import _
from batchwright.base.text import is_blank
from batchwright.layout.translations import (
    ParticipantText,
    TextAddress,
    TranslatedTexts,
    Translation,
    Translations,
)

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class InvalidTranslationFile(ValueError):
    """A file is not one for translators, or is damaged; the message names the line if there is one."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        text = _("Line {line}: {reason}")
        super().__init__(reason if line is None else text.format(line=line, reason=reason))


class ExchangedText(NamedTuple):
    """A translated text in a file: `source` is what the translator has read."""

    language: str
    id: str
    source: str
    text: str
    line: int
    is_complete: bool = True
    """Whether all parts of the source are translated."""
    is_confirmed: bool = False
    """Whether the file states that it is a translation of the source, with nothing to review."""


@dataclass(frozen=True)
class ReadTranslations:
    """What was read from a file: translations of texts that the study has, and what it does not have."""

    translations: Translations
    unknown: Sequence[ExchangedText]
    """Translations of texts that the study does not have any more."""
    incomplete: Sequence[ExchangedText] = ()
    """Translations of only a part of a text."""
    confirmed: Set[tuple[str, TextAddress]] = frozenset()
    """The languages and addresses of translations that the file states to be right for their source."""

    @property
    def count(self) -> int:
        """The number of translations that were read."""
        return sum(map(len, self.translations.values()))

    def merged_into(self, translations: Translations) -> dict[str, TranslatedTexts]:
        """The translations of a study with those of the file in place of its own.

        One that is as it was exported stays as it is in the study, outdated or not, unless it is confirmed.
        """
        merged = dict(translations)
        for language, texts in self.translations.items():
            own = merged.get(language, {})
            changed = {
                address: found
                for address, found in texts.items()
                if (language, address) in self.confirmed or not _has_same_text(own.get(address), found)
            }
            merged[language] = {**own, **changed}
        return merged


def _has_same_text(own: Translation | None, found: Translation) -> bool:
    return own is not None and exchanged(own.text) == exchanged(found.text)


def exchanged(text: str) -> str:
    """A text as files for translators contain it: without what XML cannot contain, and with `\\n`."""
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text).replace("\r\n", "\n").replace("\r", "\n")


def text_id(address: TextAddress) -> str:
    """The id of a text in a file."""
    return "/".join(quote(part, safe="") for part in address).rstrip("/")


def address_of(id: str) -> TextAddress | None:
    """The address of a text; None if the id has another form."""
    parts = [unquote(part) for part in id.split("/")]
    fields = len(TextAddress._fields)
    if not 2 <= len(parts) <= fields:
        return None
    return TextAddress(*parts, *[""] * (fields - len(parts)))


class StudyLanguages(NamedTuple):
    """The languages that a study can be translated to, and those that it is translated to."""

    possible: Collection[str]
    used: Collection[str]


def known_language(name: str, languages: StudyLanguages, line: int) -> str:
    """The tag of the language that a file names, such as pt-BR for pt_br.

    Programs of translators name a region, such as de-DE: it is the only region of that language in the study.

    Raises:
        InvalidTranslationFile: the study cannot be translated to it.
    """
    tag = name.replace("_", "-").casefold()
    found = next((language for language in languages.possible if language.casefold() == tag), None)
    same = [language for language in languages.used if _without_region(language) == _without_region(tag)]
    if found is None and len(same) == 1:
        found = same[0]
    if found is None:
        text = _(
            "“{name}” is not a language that the study can be translated to. Write a tag such as de or pt-BR,"
            " but not that of the study’s own language."
        )
        raise InvalidTranslationFile(text.format(name=name), line)
    return found


def _without_region(tag: str) -> str:
    return tag.partition("-")[0].casefold()


def read_texts(found: Iterator[ExchangedText], texts: Sequence[ParticipantText]) -> ReadTranslations:
    """The translations in a file, for the texts of a study. Those that are blank are left out,
    and those of only a part of a text.

    A source that differs from the text of the study only in what such a file cannot contain, or in the ends
    of its lines, is the text of the study.

    Raises:
        InvalidTranslationFile: the file is damaged.
    """
    known = _KnownTexts(texts)
    translations: dict[str, dict[TextAddress, Translation]] = {}
    unknown: list[ExchangedText] = []
    incomplete: list[ExchangedText] = []
    confirmed: set[tuple[str, TextAddress]] = set()
    for one in found:
        of_language = translations.setdefault(one.language, {})
        if is_blank(one.text):
            continue
        address = known.address(one)
        if address is None:
            unknown.append(one)
        elif not one.is_complete:
            incomplete.append(one)
        else:
            text = known.texts[address]
            is_same = exchanged(text) == exchanged(one.source)
            of_language[address] = Translation(one.text, text if is_same else one.source)
            if one.is_confirmed:
                confirmed.add((one.language, address))
    return ReadTranslations(translations, unknown, incomplete, confirmed)


class _KnownTexts:
    """The texts of a study, found by what a file says of them."""

    def __init__(self, texts: Sequence[ParticipantText]) -> None:
        self.texts = {text.address: text.text.text for text in texts}
        self._same: dict[tuple[TextAddress, str], list[TextAddress]] = {}
        """The addresses of texts that are the same but for the value of their option or unit."""
        for address, text in self.texts.items():
            self._same.setdefault((address._replace(value=""), exchanged(text)), []).append(address)

    def address(self, one: ExchangedText) -> TextAddress | None:
        """The address of a text; None if the study does not have it any more.

        Options may have exchanged their values since the file was written: the one with its source counts.
        """
        address = address_of(one.id)
        if address is None:
            return None
        same = self._same.get((address._replace(value=""), exchanged(one.source)), [])
        if address not in same and len(same) == 1:
            return same[0]
        return address if address in self.texts else None


def is_outdated(text: ParticipantText, translated: Mapping[TextAddress, Translation]) -> bool:
    """Whether a text was changed since it was translated."""
    found = translated.get(text.address)
    return found is not None and found.source != text.text.text
