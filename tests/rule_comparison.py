"""Helpers of the tests that compare the program with `tests.reference_rules` on random samples."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from batchwright.schema.record_validator import RecordError
from tests.reference_rules import RecordResult, Rejected


def draws(seed: int, count: int) -> Iterator[tuple[str, Random]]:
    """Yield `count` seeded random generators, each with a name to show when a test fails."""
    for number in range(count):
        yield f"seed {seed}, draw {number}", Random(f"{seed}-{number}")


def reference_record(result: RecordResult) -> object:
    """The record as the reference rules store it, or the rejected field."""
    return result.field if isinstance(result, Rejected) else ["stored", _as_text(result.values)]


def program_record(record: dict[str, Any] | RecordError) -> object:
    """The record as the program stores it, or the rejected field."""
    return record.field if isinstance(record, RecordError) else ["stored", _as_text(record)]


def _as_text(record: dict[str, Any]) -> str:
    """A record as JSON text, in which `1`, `1.0` and `true` differ."""
    return json.dumps(record, sort_keys=True)
