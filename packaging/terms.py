"""Finds translations that do not follow the terms of their language: `resources/locale/*/terms.toml`.

The file lists the translations of each English term, the usual one first: `page = ["Seite", "Blatt"]`.
A message that contains the term follows it if its translation contains one of them, in any case. The table
`exceptions` gives the reason for each message that uses the English word in another sense.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog, Message

FILE = "terms.toml"
_NOT_TEXT = re.compile(r"\{[^}]*\}|<[^>]*>|&")
"""Placeholders, HTML tags, and marks of access keys."""


class Terms(NamedTuple):
    """The terms of a language."""

    translations: Mapping[str, Sequence[str]]
    """Words or beginnings of words that translate each English term."""
    exceptions: Mapping[str, str]
    """The reason for each message that needs no term."""


def read_terms(path: Path) -> Terms:
    table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return Terms(exceptions=table.pop("exceptions", {}), translations=table)


def deviations(catalogue: Catalog, terms: Terms) -> Iterator[str]:
    """Yield what does not follow the terms, and exceptions that concern no message.

    Of a message with a number, the plural is compared.
    """
    longest_first = sorted(terms.translations, key=len, reverse=True)
    patterns = {term: _occurrence(term) for term in longest_first}
    unused = set(terms.exceptions)
    for message in catalogue:
        unused -= {message.id if isinstance(message.id, str) else message.id[0]}
        if not message.id or not any(message.string or ()) or _texts(message)[0] in terms.exceptions:
            continue
        text, translation = _texts(message)[-1], _strings(message)[-1].casefold().replace("&", "")
        english = _NOT_TEXT.sub("", text)
        for term, pattern in patterns.items():
            english, count = pattern.subn("", english)
            if count and not any(word.casefold() in translation for word in terms.translations[term]):
                yield f"“{term}” is not in {_strings(message)[-1]!r}, which translates {text!r}"
    for exception in sorted(unused):
        yield f"an exception concerns no message: {exception!r}"


def _occurrence(term: str) -> re.Pattern[str]:
    """Matches a term and its plural, but not a part of a name such as `batch_items` or `items.json`."""
    return re.compile(rf"(?<![\w.-]){re.escape(term)}(e?s)?(?![\w-]|\.\w)", re.IGNORECASE)


def _texts(message: Message) -> Sequence[str]:
    return [message.id] if isinstance(message.id, str) else message.id


def _strings(message: Message) -> Sequence[str]:
    return [message.string] if isinstance(message.string, str) else message.string or [""]
