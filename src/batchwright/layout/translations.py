"""Translations of what participants read: of the task details, and of the texts of a layout.

A text is addressed by the key of its item, its attribute, and the value of the option or unit that it is in,
so that a translation stays with its text when pages, items or options are moved. Each translation has the
text that it was made from: one whose source text was changed since is shown as such.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple, TypeAlias

from batchwright.base.json_values import Json, is_array, is_object, to_json
from batchwright.base.text import is_blank
from batchwright.layout.attributes import AttributeType
from batchwright.layout.comparing.changed_pages import changed_pages
from batchwright.layout.item_types.base import Item
from batchwright.layout.model import Layout, Page
from batchwright.layout.nodes import InvalidNode, NodePath
from batchwright.layout.searching.study_texts import (
    StudyText,
    StudyTexts,
    TextLocation,
    TextSource,
    texts_of_item,
)


class TextAddress(NamedTuple):
    """Where a text is; the key is empty for one of the task details.

    `value` is the value of the option or unit that the text is in, as JSON, and `inner` the attribute in it.
    If several have the same value, which no service accepts, all but the first have an array instead. So each
    keeps its translations while values are typed or exchanged.
    """

    key: str
    attribute: str
    value: str = ""
    inner: str = ""


class Translation(NamedTuple):
    """A translated text, and the text that it was translated from."""

    text: str
    source: str


TranslatedTexts: TypeAlias = Mapping[TextAddress, Translation]
Translations: TypeAlias = Mapping[str, TranslatedTexts]
"""The translations of a study by language (a BCP 47 tag), in the order in which they were added."""


class ParticipantText(NamedTuple):
    """A text that participants read, and its address."""

    address: TextAddress
    text: StudyText


@dataclass(frozen=True)
class ParticipantTexts:
    """The texts of a study that participants read; those that show nothing need no translation."""

    details: Mapping[str, str]
    """The task details by attribute."""
    layout: Layout

    def texts(self) -> list[ParticipantText]:
        """The texts in reading order, the task details first."""
        sources = {TextSource.TASK_DETAILS, TextSource.ITEM}
        values = {item.key: _entry_values(item) for _path, item in self.layout.walk()}
        return [
            ParticipantText(_address(text.location, values), text)
            for text in self._study_texts().texts()
            if text.location.source in sources and not is_blank(text.text)
        ]

    def translated(self, texts: TranslatedTexts) -> "ParticipantTexts":
        """The same study in another language; a text without a translation stays as it is."""
        changed = {
            text.location: texts[address].text
            for address, text in self.texts()
            if address in texts and not is_blank(texts[address].text)
        }
        study = self._study_texts().with_texts(changed)
        return ParticipantTexts(study.details, study.layout)

    def _study_texts(self) -> StudyTexts:
        return StudyTexts("", self.details, None, {}, self.layout)


class _TranslatedPage(NamedTuple):
    page: Page | InvalidNode
    keys: frozenset[str]
    """The keys of its items."""
    translated: Page | InvalidNode


class TranslatedPages:
    """Translates a study again after changes: only pages that changed, or whose translations did."""

    def __init__(self) -> None:
        self._texts: TranslatedTexts = {}
        self._pages: dict[int, _TranslatedPage] = {}
        """The pages of the last study by their identity."""

    def translated(self, source: ParticipantTexts, texts: TranslatedTexts) -> ParticipantTexts:
        """What `source.translated` returns."""
        changed: set[str] = set()
        if texts is not self._texts:
            addresses = texts.keys() | self._texts.keys()
            changed = {of.key for of in addresses if texts.get(of) != self._texts.get(of)}
        pages = []
        for page in source.layout.pages:
            known = self._pages.get(id(page))
            if known is None or not known.keys.isdisjoint(changed):
                (translated,) = ParticipantTexts({}, Layout((page,))).translated(texts).layout.pages
                known = _TranslatedPage(page, frozenset(item.key for item in _items(page)), translated)
            pages.append(known)
        self._texts, self._pages = texts, {id(of.page): of for of in pages}
        details = ParticipantTexts(source.details, Layout()).translated(texts).details
        return ParticipantTexts(details, Layout(tuple(of.translated for of in pages)))


@dataclass(frozen=True)
class TranslationCounts:
    """How many texts of a language are missing, and how many have another source text since."""

    missing: int
    outdated: int


def count_translations(texts: Iterable[ParticipantText], translated: TranslatedTexts) -> TranslationCounts:
    """Count what is still to be done in a language."""
    missing = outdated = 0
    for address, text in texts:
        found = translated.get(address)
        if found is None or is_blank(found.text):
            missing += 1
        elif found.source != text.text:
            outdated += 1
    return TranslationCounts(missing, outdated)


def with_translation(
    translations: Translations, language: str, address: TextAddress, translation: Translation | None
) -> Translations:
    """The translations with another one of a text; None removes it."""
    texts = dict(translations.get(language, {}))
    if translation is None:
        texts.pop(address, None)
    else:
        texts[address] = translation
    return {**translations, language: texts}


def of_texts(translations: Translations, texts: Iterable[ParticipantText]) -> Translations:
    """The translations of texts that exist, in their order."""
    addresses = list(dict.fromkeys(address for address, _text in texts))
    return {
        language: {address: translated[address] for address in addresses if address in translated}
        for language, translated in translations.items()
    }


def follow(translations: Translations, before: Layout, after: Layout) -> Translations:
    """The translations after an edit of the layout.

    An option whose value changes keeps its translations, also if options exchange their values, at once or
    one after another. A text that is new, such as in a copy, gets the translation of a text that is the same.
    Those of removed texts are kept, for what is cut and then pasted; `of_texts` leaves them out.
    """
    if before is after or not any(translations.values()):
        return translations
    changed = changed_pages(before.pages, after.pages)
    old = {item.key: item for page in changed.gone for item in _items(page)}
    new = [item for _number, page in changed.new for item in _items(page) if old.get(item.key) is not item]
    moves = dict(each for item in new if item.key in old for each in _moves(old[item.key], item))
    if moves:
        translations = {language: _with_moved(texts, moves) for language, texts in translations.items()}
    known = {_moved(address, moves) for item in old.values() for address, _text in _texts_of(item)}
    added = [(address, text) for item in new for address, text in _texts_of(item) if address not in known]
    return _with_same_texts(translations, added) if added else translations


def with_keys(translations: Translations, before: Layout, after: Layout) -> Translations:
    """The translations for a layout that has the same nodes with other keys."""
    nodes = zip(before.walk_all(), after.walk_all(), strict=True)
    keys = {old.key: new.key for old, new in nodes}
    return {
        language: {
            address._replace(key=keys.get(address.key, address.key)): found
            for address, found in texts.items()
        }
        for language, texts in translations.items()
    }


def assigned_anew(translations: Translations, texts: Iterable[ParticipantText]) -> Translations:
    """The translations for texts whose addresses are not known any more: those of the same texts."""
    return {
        language: dict(_same_texts(translated, [(address, text.text) for address, text in texts]))
        for language, translated in translations.items()
    }


_Moves: TypeAlias = dict[tuple[str, str], "_EntryValues"]
"""How options or units have changed, by the key of their item and their attribute."""


class _EntryValues(NamedTuple):
    """The values in the addresses of options or units before a change, and all values after it."""

    moved: Mapping[str, str]
    """The values after the change of those that are still there."""
    after: Set[str]


def _moves(old: Item, new: Item) -> Iterator[tuple[tuple[str, str], _EntryValues]]:
    """How the options or units of an item have changed."""
    old_entries = _entries(old)
    for name, after in _entries(new).items():
        before = old_entries.get(name)
        if before is not None and before is not after:
            values, new_values = _distinct_values(before), _distinct_values(after)
            moved = {values[row]: new_values[now] for row, now in _same_entries(before, after)}
            yield (new.key, name), _EntryValues(moved, {*new_values})


def _moved(address: TextAddress, moves: _Moves) -> TextAddress | None:
    """The address of a text after a change; None if its option or unit was removed."""
    entry = moves.get((address.key, address.attribute))
    if entry is None:
        return address
    value = entry.moved.get(address.value)
    return None if value is None else address._replace(value=value)


def _with_moved(texts: TranslatedTexts, moves: _Moves) -> TranslatedTexts:
    """The translations after changes of options or units.

    Those of removed ones are kept; if another option has that value now, at an array.
    """
    values = {address.value for address in texts}
    free_values = (value for number in count() if (value := to_json([number])) not in values)
    result: dict[TextAddress, Translation] = {}
    for address, found in texts.items():
        moved = _moved(address, moves)
        if moved is None:
            is_free = address.value not in moves[address.key, address.attribute].after
            moved = address if is_free else address._replace(value=next(free_values))
        result[moved] = found
    return texts if result == texts else result


def _same_entries(before: Sequence[Json], after: Sequence[Json]) -> Iterator[tuple[int, int]]:
    """The rows, before and after a change, of options or units that were kept.

    Equal ones are the same, then those that are equal but for their value, then those with the same value. In
    lists of the same length, the remaining ones are the same if they are in the same row.
    """
    rows, new_rows = dict.fromkeys(range(len(before))), dict.fromkeys(range(len(after)))
    keys: list[Callable[[Json], object]] = [to_json, _without_value, _value]
    for key in keys:
        found = dict[object, deque[int]]()
        for row in rows:
            found.setdefault(key(before[row]), deque()).append(row)
        for now in [*new_rows]:
            if same := found.get(key(after[now])):
                row = same.popleft()
                del rows[row], new_rows[now]
                yield row, now
    if len(before) == len(after):
        yield from ((row, row) for row in rows if row in new_rows)


def _without_value(entry: Json) -> str:
    return to_json({**entry, "value": None} if is_object(entry) else entry)


def _with_same_texts(translations: Translations, added: list[tuple[TextAddress, str]]) -> Translations:
    return {
        language: {**texts, **dict(_same_texts(texts, [pair for pair in added if pair[0] not in texts]))}
        for language, texts in translations.items()
    }


def _same_texts(
    texts: TranslatedTexts, added: Iterable[tuple[TextAddress, str]]
) -> Iterator[tuple[TextAddress, Translation]]:
    """The translations of texts that are equal to others, preferably to one of the same attribute."""
    by_source: dict[tuple[str, str], Translation] = {}
    for address, found in texts.items():
        by_source.setdefault((found.source, address.attribute), found)
        by_source.setdefault((found.source, ""), found)
    for address, text in added:
        same = by_source.get((text, address.attribute)) or by_source.get((text, ""))
        if same is not None:
            yield address, same


def _items(page: object) -> Iterator[Item]:
    return (item for _path, item in page.walk()) if isinstance(page, Page) else iter(())


def _texts_of(item: Item) -> Iterator[tuple[TextAddress, str]]:
    """The texts of an item with their addresses."""
    values = {item.key: _entry_values(item)}
    for text in texts_of_item(NodePath(), item):
        if not is_blank(text.text):
            yield _address(text.location, values), text.text


def _address(location: TextLocation, values: Mapping[str, Mapping[str, Sequence[str]]]) -> TextAddress:
    """The address of a text; `values` has the values of options or units by item and attribute."""
    if location.source is TextSource.TASK_DETAILS:
        return TextAddress("", location.key)
    place = location.attribute
    if place.entry is None:
        return TextAddress(location.key, place.name)
    return TextAddress(location.key, place.name, values[location.key][place.name][place.entry], place.inner)


def _entries(item: Item) -> dict[str, Sequence[Json]]:
    """The options or units of an item, by attribute."""
    return {
        attribute.name: entries
        for attribute in item.known_attributes
        if attribute.kind is AttributeType.OBJECTS
        and is_array(entries := item.attributes.get(attribute.name))
    }


def _entry_values(item: Item) -> dict[str, list[str]]:
    return {name: _distinct_values(entries) for name, entries in _entries(item).items()}


def _distinct_values(entries: Iterable[Json]) -> list[str]:
    """The values of options or units in the addresses of their texts."""
    numbers: Counter[str] = Counter()
    values = []
    for value in map(_value, entries):
        values.append(to_json([value, numbers[value]]) if numbers[value] else value)
        numbers[value] += 1
    return values


def _value(entry: Json) -> str:
    return to_json(entry.get("value")) if is_object(entry) else ""
