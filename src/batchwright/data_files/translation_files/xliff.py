"""XLIFF for translators: version 1.2 is written, which all tools know; 1.2 and 2 are read.

http://docs.oasis-open.org/xliff/v1.2/os/xliff-core.html
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring
from xml.parsers import expat

from batchwright.base.i18n import _
from batchwright.base.text import is_blank
from batchwright.data_files.translation_files.exchanged_texts import (
    ExchangedText,
    InvalidTranslationFile,
    ReadTranslations,
    StudyLanguages,
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
_IGNORABLE: Final = "ignorable"
_PARTS: Final = frozenset({"trans-unit", "segment", _IGNORABLE})
"""Elements whose sources and targets are those of the unit, not suggestions or notes."""
_UNTRANSLATED: Final = frozenset({"new", "needs-translation", "initial"})
"""States in which a target may be a copy of the source."""
_CONFIRMED: Final = frozenset({"translated", "signed-off", "final", "reviewed"})
"""States in which a target is a translation of the source, with nothing left to do for its text."""
_ORDER: Final = re.compile("[1-9][0-9]{0,8}")


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
    content: bytes, texts: Sequence[ParticipantText], languages: StudyLanguages
) -> ReadTranslations:
    """The translations in a file, for the texts of a study and its languages.

    Raises:
        InvalidTranslationFile: it is not XLIFF, or is damaged.
    """
    return read_texts(_Reader(languages).read(content), texts)


@dataclass
class _Part:
    """A segment of a unit, or what stands between two; in version 1.2, all of it."""

    order: int
    """The place of its target among those of the unit."""
    state: str
    is_ignorable: bool
    sources: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)

    @property
    def source(self) -> str:
        return "".join(self.sources)

    @property
    def target(self) -> str:
        target = "".join(self.targets)
        if self.is_ignorable:
            return target or self.source
        return "" if self.state in _UNTRANSLATED and target == self.source else target

    @property
    def is_missing(self) -> bool:
        return is_blank(self.target) and not is_blank(self.source)


@dataclass
class _Unit:
    id: str
    line: int
    parts: list[_Part] = field(default_factory=list)

    def text(self, language: str) -> ExchangedText:
        """The text of all parts; without a translation if no part has one."""
        segments = [part for part in self.parts if not part.is_ignorable]
        is_complete = not any(part.is_missing for part in segments)
        is_started = not all(part.is_missing for part in segments)
        is_confirmed = all(part.state in _CONFIRMED for part in segments)
        source = "".join(part.source for part in self.parts)
        ordered = sorted(self.parts, key=lambda part: part.order)
        target = "".join(part.target for part in ordered) if is_started else ""
        return ExchangedText(language, self.id, source, target, self.line, is_complete, is_confirmed)


class _Reader:
    """Reads the units of a file, with their lines."""

    def __init__(self, languages: StudyLanguages) -> None:
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
        self._texts: list[str] | None = None
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
        if self._unit is not None:
            self._start_in(self._unit, local, attributes)

    def _start_in(self, unit: _Unit, local: str, attributes: dict[str, str]) -> None:
        if local in _PARTS:
            part = _Part(len(unit.parts) + 1, attributes.get("state", ""), local == _IGNORABLE)
            unit.parts.append(part)
        elif self._path[-2] in _PARTS and local == "source":
            self._texts = unit.parts[-1].sources
        elif self._path[-2] in _PARTS and local == "target":
            part = unit.parts[-1]
            part.state = attributes.get("state", part.state)
            part.order = _order(attributes) or part.order
            self._texts = part.targets

    def _end(self, _name: str) -> None:
        local = self._path.pop()
        if self._unit is None:
            return
        if local in _UNITS:
            self._found.append(self._unit.text(self._language))
            self._unit = None
        elif self._path[-1] in _PARTS:
            self._texts = None

    def _add_text(self, text: str) -> None:
        if self._texts is not None:
            self._texts.append(text)


def _order(attributes: dict[str, str]) -> int | None:
    """The place of a target among those of its unit; None if the file does not say it."""
    order = attributes.get("order", "")
    return int(order) if _ORDER.fullmatch(order) else None
