"""Statements that should be true of what a service returns, and whether they are."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from batchwright.base.i18n import _
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.reader import rows


@dataclass(frozen=True)
class Check:
    """A statement that should be true, and whether it is; `actual` describes what was found instead."""

    statement: str
    passed: bool
    actual: str = ""


def verify_records(data: Path, answered_for: int, default_format: FormatKind = FormatKind.CSV) -> Check:
    """Check that the service has accepted or rejected every record of a file.

    `default_format` is the format of a file whose name has no known extension.
    """
    kind = FormatKind.of(data.name) or default_format
    return count_check(
        _("The service has accepted or rejected every record of the file."),
        sum(1 for _entry in rows(data, Format(kind))),
        answered_for,
    )


def count_check(statement: str, expected: int, actual: int) -> Check:
    """Check that two numbers are equal."""
    return Check(
        statement, expected == actual, _("{found} instead of {wanted}").format(found=actual, wanted=expected)
    )


def multiset_check(statement: str, expected: Counter[str], actual: Counter[str]) -> Check:
    """Check that two multisets are equal."""
    missing, added = (expected - actual).total(), (actual - expected).total()
    return Check(
        statement,
        expected == actual,
        _("{missing} missing, {added} too many").format(missing=missing, added=added),
    )
