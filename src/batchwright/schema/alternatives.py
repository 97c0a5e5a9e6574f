"""Finds the fields of a schema that are alternatives of each other, such as the answers of two systems.

Only names and types decide, so that the columns of a table are enough.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from unicodedata import normalize

from batchwright.base.i18n import _
from batchwright.schema.model import Field, FieldType
from batchwright.schema.neutral_labels import names_system

MAX_ALTERNATIVES = 8
"""Fields beyond which participants would not compare at a glance."""

_WORD = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[\u3040-\u30ff\u3400-\u9fff])(?=(?:[A-Za-z]|[甲乙丙丁])$)")
"""Where a word begins without a space; in Japanese and Chinese, a letter at the end."""
_MAX_WORDS = 12
_SERIES = (
    tuple(ascii_lowercase[:MAX_ALTERNATIVES]),
    tuple(map(str, range(MAX_ALTERNATIVES + 1))),
    tuple("أبجده"),
    tuple("甲乙丙丁"),
    tuple("абвгд"),
    ("left", "right"),
    ("first", "second", "third", "fourth"),
    ("one", "two", "three", "four"),
    ("x", "y"),
    ("chosen", "rejected"),
    ("preferred", "dispreferred"),
    ("baseline", "ours"),
    ("control", "treatment"),
    ("human", "ai", "machine"),
    ("old", "new"),
)
"""Words that distinguish alternatives, in the order of the alternatives."""
_SERIES_OF_WORD = {word: series for series in _SERIES for word in series}
_ANSWERS = frozenset(
    {
        *("answer", "candidate", "completion", "generation", "output", "reply", "response", "result"),
        *("summary", "text", "translation", "version", "model", "system"),
        *("audio", "clip", "image", "img", "photo", "picture", "recording", "video"),
    }
)
"""Words for what is compared, in lower case; of several groups, one of these is meant."""
_PARTS = frozenset(
    {
        *("col", "column", "context", "field", "line", "message", "option", "page", "paragraph", "part"),
        *("question", "section", "step", "turn", "unnamed"),
    }
)
"""Words for the parts of one thing, which are counted but are no alternatives."""
_SOURCES = frozenset({"model", "system"})


@dataclass(frozen=True)
class Alternatives:
    """Fields of one type that are alternatives of each other, in order, and what one of them is called.

    `noun` is empty if they are no texts, or their names have no part in common that participants may see.
    """

    names: tuple[str, ...]
    noun: str
    type: FieldType

    @property
    def labels(self) -> dict[str, str]:
        """A label with a letter for each field, which does not say where its value comes from."""
        letters = zip(self.names, ascii_uppercase, strict=False)
        if self.noun:
            title = self.noun[:1].upper() + self.noun[1:]
            return {name: f"{title} {letter}" for name, letter in letters}
        title = _title(self.type)
        return {name: title.format(letter=letter) for name, letter in letters}


def alternatives(fields: Mapping[str, Field]) -> Alternatives | None:
    """The fields that participants would compare; None if no field has an alternative.

    Fields named after systems are alternatives, and fields whose names differ by a letter, a number or a word
    such as "left" only. Of several groups, one with a word for answers is meant, otherwise the first.
    """
    groups: dict[tuple[FieldType, tuple[str, ...], tuple[str, ...]], dict[str, str]] = {}
    systems: dict[FieldType, list[str]] = {}
    for name, field in fields.items():
        if not field.type.referable:
            continue
        if names_system(name):
            systems.setdefault(field.type, []).append(name)
        words = _words(name)
        for position, word in enumerate(words):
            series = _SERIES_OF_WORD.get(word)
            others = (*words[:position], "", *words[position + 1 :])
            if series is not None and _may_be_alternatives(others, word):
                groups.setdefault((field.type, series, others), {}).setdefault(word, name)
    found = [
        Alternatives(ordered, _noun(ordered[0], others) if type is FieldType.TEXT else "", type)
        for (type, series, others), names in groups.items()
        if 1 < len(names) <= MAX_ALTERNATIVES
        for ordered in [tuple(_in_order(names, series))]
    ]
    found += [
        Alternatives(tuple(names), "", type)
        for type, names in systems.items()
        if 1 < len(names) <= MAX_ALTERNATIVES
    ]
    return max(found, key=_is_answer, default=None)


def is_answer(name: str) -> bool:
    """Whether the name of a field says that it is what participants judge, such as "response"."""
    return not _ANSWERS.isdisjoint(_words(name))


def _is_answer(group: Alternatives) -> bool:
    return all(names_system(name) or is_answer(name) for name in group.names)


def _words(name: str) -> tuple[str, ...]:
    """The words and numbers in a name, in lower case."""
    return tuple(word.casefold() for word in _written_words(name))


def _written_words(name: str) -> list[str]:
    """The words and numbers in a name; letters and digits of full width are as others."""
    return _WORD.findall(_CAMEL.sub("_", normalize("NFKC", name)))[:_MAX_WORDS]


def _may_be_alternatives(others: Sequence[str], word: str) -> bool:
    has_stem = any(others)
    return _PARTS.isdisjoint(others) and (has_stem or not word.isdigit())


def _in_order(names: Mapping[str, str], series: Sequence[str]) -> list[str]:
    return [names[word] for word in series if word in names]


def _noun(name: str, shared: Sequence[str]) -> str:
    """The words that the names have in common, without those that say where a value comes from.

    They are written as in `name`, as German nouns begin with a capital; only a name in capitals is not.
    """
    written = _words(name) if name.isupper() else _written_words(name)
    noun = " ".join(word for word, key in zip(written, shared, strict=True) if key and key not in _SOURCES)
    return "" if names_system(noun) else noun


def _title(type: FieldType) -> str:
    match type:
        case FieldType.IMAGE_URL:
            return _("Picture {letter}")
        case FieldType.AUDIO_URL:
            return _("Recording {letter}")
        case FieldType.VIDEO_URL:
            return _("Video {letter}")
    return _("Response {letter}")
