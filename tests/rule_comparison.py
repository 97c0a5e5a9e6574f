"""What the comparison tests share: named draws, and verdicts on records in a form that can be compared."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from batchwright.schema.record_validator import RecordError
from tests.reference_rules import RecordVerdict, Rejected


def draws(seed: int, count: int) -> Iterator[tuple[str, Random]]:
    """So many sources of chance, each with a name for a failure to show."""
    for number in range(count):
        yield f"seed {seed}, draw {number}", Random(f"{seed}-{number}")


def stored(verdict: RecordVerdict) -> object:
    """What the oracle has stored, or the field at fault."""
    return verdict.field if isinstance(verdict, Rejected) else ["stored", _spelt(verdict.values)]


def kept(record: dict[str, Any] | RecordError) -> object:
    """What the program has stored, or the field at fault."""
    return record.field if isinstance(record, RecordError) else ["stored", _spelt(record)]


def _spelt(record: dict[str, Any]) -> str:
    """A record as text, which tells `1`, `1.0` and `true` apart."""
    return json.dumps(record, sort_keys=True)
