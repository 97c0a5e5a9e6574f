"""XLIFF for translators: version 1.2 is written, which all tools know; 1.2 and 2 are read.

http://docs.oasis-open.org/xliff/v1.2/os/xliff-core.html
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring
from xml.parsers import expat

from batchwright.base.i18n import _
from batchwright.data_files.translation_files.exchanged_texts import (
    ExchangedText,
    InvalidTranslationFile,
    ReadTranslations,
    exchanged,
    is_outdated,
    known_language,
    read_texts,
    text_id,
)
from batchwright.layout.translations import ParticipantText, TranslatedTexts

_NAMESPACE: Final = "urn:oasis:names:tc:xliff:document:1.2"
_UNITS: Final = frozenset({"trans-unit", "unit"})
_LANGUAGE_ATTRIBUTES: Final = ("target-language", "trgLang")
_OTHER_TEXTS: Final = frozenset({"alt-trans", "seg-source", "note", "notes", "ignorable"})
"""Elements of a unit whose sources and targets are not those of the unit."""


def xliff_content(
    texts: Sequence[ParticipantText],
    source_language: str,
    language: str,
    translated: TranslatedTexts,
    place_of: Callable[[ParticipantText], str],
) -> bytes:
    """The file with one language of a study; `place_of` says for people where a text is."""
    root = Element("xliff", {"version": "1.2", "xmlns": _NAMESPACE})
    file = SubElement(
        root,
        "file",
        {
            "original": "study",
            "datatype": "plaintext",
            "source-language": source_language,
            "target-language": language,
        },
    )
    body = SubElement(file, "body")
    for text in texts:
        unit = SubElement(body, "trans-unit", {"id": text_id(text.address), "xml:space": "preserve"})
        SubElement(unit, "source").text = exchanged(text.text.text)
        if (found := translated.get(text.address)) is not None:
            state = "needs-review-translation" if is_outdated(text, translated) else "translated"
            SubElement(unit, "target", {"state": state}).text = exchanged(found.text)
        SubElement(unit, "note").text = exchanged(place_of(text))
    indent(root)
    content: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def read_xliff(
    content: bytes, texts: Sequence[ParticipantText], languages: Collection[str]
) -> ReadTranslations:
    """The translations in a file, for the texts of a study, which can be translated to some languages.

    Raises:
        InvalidTranslationFile: it is not XLIFF, or is damaged.
    """
    return read_texts(_Reader(languages).read(content), texts)


@dataclass
class _Unit:
    id: str
    line: int
    source: list[str] = field(default_factory=list)
    target: list[str] = field(default_factory=list)


class _Reader:
    """Reads the units of a file, with their lines."""

    def __init__(self, languages: Collection[str]) -> None:
        self._languages = languages
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_text
        self._parser.StartDoctypeDeclHandler = self._reject_doctype
        self._path: list[str] = []
        self._language = ""
        self._unit: _Unit | None = None
        self._found: list[ExchangedText] = []

    def read(self, content: bytes) -> Iterator[ExchangedText]:
        """The translated texts.

        Raises:
            InvalidTranslationFile: it is not XLIFF, or is damaged.
        """
        try:
            self._parser.Parse(content, True)
        except InvalidTranslationFile:
            raise
        except expat.ExpatError as error:
            raise InvalidTranslationFile(expat.ErrorString(error.code), error.lineno) from None
        except (LookupError, ValueError):  # an encoding that the parser does not know
            raise InvalidTranslationFile(_("The encoding is not known. Save the file as UTF-8."), 1) from None
        return iter(self._found)

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber

    def _reject_doctype(self, *_declared: object) -> None:
        raise InvalidTranslationFile(_("A file for translators has no document type."), self._line)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if not self._path and local != "xliff":
            raise InvalidTranslationFile(_("This is not an XLIFF file."), self._line)
        self._path.append(local)
        for attribute in _LANGUAGE_ATTRIBUTES:
            if attribute in attributes:
                self._language = known_language(attributes[attribute], self._languages, self._line)
        if local in _UNITS:
            if not self._language:
                raise InvalidTranslationFile(_("The file does not name its target language."), self._line)
            self._unit = _Unit(attributes.get("id", ""), self._line)

    def _end(self, name: str) -> None:
        self._path.pop()
        if self._unit is not None and name.rpartition(" ")[2] in _UNITS:
            source, target = "".join(self._unit.source), "".join(self._unit.target)
            unit, self._unit = self._unit, None
            self._found.append(ExchangedText(self._language, unit.id, source, target, unit.line))

    def _add_text(self, text: str) -> None:
        if self._unit is None or not _OTHER_TEXTS.isdisjoint(self._path):
            return
        if "target" in self._path:
            self._unit.target.append(text)
        elif "source" in self._path:
            self._unit.source.append(text)
