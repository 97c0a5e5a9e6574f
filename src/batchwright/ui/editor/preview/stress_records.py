"""Ranks records by difficulty for a page: first those that lack fields it shows, then the longest texts."""

from collections.abc import Sequence
from dataclasses import dataclass

from batchwright.base.json_values import JsonObject
from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.model import Page
from batchwright.layout.option_values import as_text


@dataclass(frozen=True)
class RecordDifficulty:
    """How difficult one record is for a page."""

    number: int
    """The index of the record."""
    missing: tuple[str, ...]
    """The fields that the page shows and that are missing or empty in the record."""
    longest: str
    """The field with the longest text; empty if the page shows none."""
    length: int
    """The number of characters of that text."""

    @property
    def rank(self) -> tuple[int, int, int]:
        """Sort key: the hardest record first; equally hard ones in the order of the data."""
        return -len(self.missing), -self.length, self.number


def rank_records(page: Page, records: Sequence[JsonObject]) -> list[RecordDifficulty]:
    """The difficulty of every record for this page, the hardest first."""
    fields = (item.field for _place, item in page.walk() if isinstance(item, DatasetField))
    shown = tuple(dict.fromkeys(fields))
    return sorted(
        (_difficulty(number, record, shown) for number, record in enumerate(records)),
        key=lambda record: record.rank,
    )


def _difficulty(number: int, record: JsonObject, shown: Sequence[str]) -> RecordDifficulty:
    lengths = {key: len(as_text(record[key])) for key in shown if record.get(key) not in (None, "")}
    longest = max(lengths, key=lambda key: lengths[key], default="")
    missing = tuple(key for key in shown if key not in lengths)
    return RecordDifficulty(number, missing, longest, lengths.get(longest, 0))
