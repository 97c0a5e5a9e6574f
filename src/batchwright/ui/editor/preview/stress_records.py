"""Which records are the hardest for a page: those that lack what it shows, then the longest texts."""

from collections.abc import Sequence
from dataclasses import dataclass

from batchwright.base.json_values import JsonObject
from batchwright.layout.item_types.registry import DatasetField
from batchwright.layout.model import Page
from batchwright.layout.option_values import as_text


@dataclass(frozen=True)
class RecordDifficulty:
    """What one record does to a page."""

    number: int
    """Which record it is, from 0."""
    missing: tuple[str, ...]
    """The fields that the page shows and the record has nothing for."""
    longest: str
    """The field with the longest text; empty when the page shows none."""
    length: int
    """How many characters that text has."""

    @property
    def rank(self) -> tuple[int, int, int]:
        """The hardest sorts first; of two alike, the one that stands first in the data."""
        return -len(self.missing), -self.length, self.number


def rank_records(page: Page, records: Sequence[JsonObject]) -> list[RecordDifficulty]:
    """The records, the hardest for this page first."""
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
