"""Headings and formats of results, which stand at the fields of their rows: `Annotated[int, Heading(…)]`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from batchwright.base.i18n import _


@dataclass(frozen=True)
class Heading:
    """The heading of a field, and how its values are written in words."""

    text: str
    """To be translated."""
    short: str = ""
    """The heading where there is little space, if it is another one."""
    is_share: bool = False
    """Whether the value is shown as per cent, with its interval."""
    interval: tuple[str, str] | None = None
    """The fields with the ends of its interval; they have no heading of their own."""
    words: Callable[[str], str] | None = None
    """Writes a value in the language of the program, if it is an identifier, which files have as it is."""
    only_where: tuple[str, str] | None = None
    """A field and its value in the rows with such identifiers; None: all rows have them."""

    def in_words(self, value: str, field: Callable[[str], object]) -> str:
        """A value in the language of the program; `field` returns the values of its row by name."""
        if self.words is None:
            return value
        is_identifier = self.only_where is None or field(self.only_where[0]) == self.only_where[1]
        return self.words(value) if is_identifier else value


def words_of(texts: Mapping[str, str]) -> Callable[[str], str]:
    """Writes identifiers by their texts, which are to be translated, and other values as they are."""
    return lambda value: _(texts[value]) if value in texts else value


def headings(row_type: type[Any]) -> Mapping[str, Heading]:
    """The headings of the fields of a dataclass by name; a field without one is in files only."""
    return {
        field.name: heading
        for field in fields(row_type)
        for heading in getattr(field.type, "__metadata__", ())
        if isinstance(heading, Heading)
    }
