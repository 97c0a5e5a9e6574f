"""Titles of records, which distinguish each from the others of a batch."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from batchwright.base.cooperative import yielding_gil

MAX_TITLE_CHARS = 160
"""Maximum number of characters of a title."""

_MAX_FIELDS = 2
"""Maximum number of fields in a title."""

_ID_SUFFIX_CHARS = 8
"""Number of characters from the end of a key that are appended to identical titles."""

_MIN_DISTINCT_SHARE = 0.9
"""A preferred field is used if it has this fraction of the distinct values of the best field."""


@dataclass(frozen=True)
class RecordTitles:
    """Titles by the key of the record, and the fields that they consist of."""

    titles: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[str, ...] = ()


def titles_of(records: Mapping[str, Mapping[str, str]], preferred: Sequence[str]) -> RecordTitles:
    """Create a title for each record, under the keys of `records`; empty for a record without values.

    The field with the most distinct values is used, `preferred` fields first, and a second field where values
    of the first are equal. White space is collapsed and long values are truncated. Titles that are still
    equal end with the last characters of their key, the id of a task.
    """
    fields: list[str] = []
    titles = dict.fromkeys(records, "")
    names = _ordered_names(records.values(), preferred)
    while len(fields) < _MAX_FIELDS and (name := _most_distinct_field(records, titles, names, fields)):
        fields.append(name)
        for key, record in yielding_gil(records.items()):
            values = (_single_line(record.get(field, "")) for field in fields)
            titles[key] = _shortened(" · ".join(filter(None, values)))
    return RecordTitles(_distinct(titles), tuple(fields))


def _distinct(titles: dict[str, str]) -> dict[str, str]:
    """Append the end of the key to titles that several records share."""
    times = Counter(yielding_gil(titles.values()))
    return {
        key: _with_end(title, key) if title and times[title] > 1 else title
        for key, title in yielding_gil(titles.items())
    }


def _with_end(title: str, key: str) -> str:
    end = " · " + _single_line(key)[-_ID_SUFFIX_CHARS:]
    return title[: MAX_TITLE_CHARS - len(end)] + end


def _ordered_names(records: Iterable[Mapping[str, str]], preferred: Sequence[str]) -> tuple[str, ...]:
    names_seen: dict[str, None] = {}
    for record in yielding_gil(records):
        names_seen.update(dict.fromkeys(record))
    return (
        *(name for name in preferred if name in names_seen),
        *(name for name in names_seen if name not in preferred),
    )


def _most_distinct_field(
    records: Mapping[str, Mapping[str, str]],
    titles: Mapping[str, str],
    names: Sequence[str],
    fields: Sequence[str],
) -> str | None:
    """The field that best distinguishes records whose titles are equal so far; None if none does."""
    times = Counter(yielding_gil(titles.values()))
    alike = [records[key] for key, title in yielding_gil(titles.items()) if times[title] > 1 or not title]
    counts = {
        name: len({line for record in yielding_gil(alike) if (line := _single_line(record.get(name, "")))})
        for name in names
        if name not in fields
    }
    most = max(counts.values(), default=0)
    least = 1 if not fields else 2
    if most < least:
        return None
    return next(name for name, count in counts.items() if count >= _MIN_DISTINCT_SHARE * most)


def _single_line(text: str) -> str:
    return _shortened(" ".join(text[: 4 * MAX_TITLE_CHARS].split()))


def _shortened(line: str) -> str:
    return line if len(line) <= MAX_TITLE_CHARS else line[: MAX_TITLE_CHARS - 1] + "…"
