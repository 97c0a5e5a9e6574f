"""What a file for translators contains: texts with their ids, their source, and their translations.

An id is made of the address of the text, so that texts are found again in whatever order they come back.
"""

from collections.abc import Iterator, Mapping, Sequence
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


@dataclass(frozen=True)
class ReadTranslations:
    """What was read from a file: translations of texts that the study has, and what it does not have."""

    translations: Translations
    unknown: Sequence[ExchangedText]
    """Translations of texts that the study does not have any more."""

    @property
    def count(self) -> int:
        """The number of translations that were read."""
        return sum(map(len, self.translations.values()))

    def merged_into(self, translations: Translations) -> dict[str, TranslatedTexts]:
        """The translations of a study with those of the file in place of its own."""
        merged = dict(translations)
        for language, texts in self.translations.items():
            merged[language] = {**merged.get(language, {}), **texts}
        return merged


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


def read_texts(found: Iterator[ExchangedText], texts: Sequence[ParticipantText]) -> ReadTranslations:
    """The translations in a file, for the texts of a study. Those that are blank are left out.

    Raises:
        InvalidTranslationFile: the file is damaged.
    """
    known = {address for address, _text in texts}
    translations: dict[str, dict[TextAddress, Translation]] = {}
    unknown: list[ExchangedText] = []
    for one in found:
        of_language = translations.setdefault(one.language, {})
        if is_blank(one.text):
            continue
        address = address_of(one.id)
        if address is None or address not in known:
            unknown.append(one)
        else:
            of_language[address] = Translation(one.text, one.source)
    return ReadTranslations(translations, unknown)


def is_outdated(text: ParticipantText, translated: Mapping[TextAddress, Translation]) -> bool:
    """Whether a text was changed since it was translated."""
    found = translated.get(text.address)
    return found is not None and found.source != text.text.text
