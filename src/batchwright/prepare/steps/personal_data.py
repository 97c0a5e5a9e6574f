"""E-mail addresses and telephone numbers, which are replaced in texts before anyone reads them."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import ClassVar

from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.base.json_values import Json, JsonObject
from batchwright.prepare.reports import BalanceRow
from batchwright.prepare.steps.step import Step, StepResult, require_columns
from batchwright.prepare.tables import ChangedTable, PreparedTable


class PersonalData(StrEnum):
    """A kind of personal data that has a pattern."""

    EMAIL = "email"
    PHONE = "phone"


_SHOWN_TEXTS = 1000
"""How many different texts that are replaced are shown: the first ones."""
_DIGITS = 7
"""The fewest digits of a telephone number."""
_PATTERNS: Mapping[PersonalData, re.Pattern[str]] = {
    PersonalData.EMAIL: re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"),
    PersonalData.PHONE: re.compile(
        r"(?<![\w.,/-])(?!0\d(?:\.\d\d\.|/\d\d/|-\d\d-)(?:\d{4}|\d\d)(?![./-]?\d))"
        r"(?:\+|\(?0)\d[\d \t()./-]{5,24}\d(?![\w-])"
    ),
}
"""Telephone numbers begin with a plus or a zero, as they are dialled; so do some dates, which stay."""


@dataclass(frozen=True)
class RemovePersonalData(Step):
    """Replace what looks like an e-mail address or a telephone number by its kind in brackets.

    Names and postal addresses have no pattern, and stay.
    """

    label: ClassVar[str] = N_("Personal data")
    columns: tuple[str, ...]
    kinds: tuple[PersonalData, ...] = tuple(PersonalData)

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        require_columns(table, self.columns)
        found = Counter[tuple[PersonalData, str]]()
        in_columns = Counter[tuple[PersonalData, str]]()
        for record in table.all_rows():
            for column in self.columns:
                value = record.get(column)
                for kind in self.kinds if isinstance(value, str) else ():
                    texts = _texts(kind, str(value))
                    in_columns[kind, column] += len(texts)
                    keys = ((kind, text) for text in texts)
                    found.update(key for key in keys if key in found or len(found) < _SHOWN_TEXTS)
        counts = {(kind, column): count for (kind, column), count in sorted(in_columns.items()) if count}
        notes = tuple(_note(kind, column, count) for (kind, column), count in counts.items())
        balance = tuple(BalanceRow(_name(kind), text, count) for (kind, text), count in found.most_common())
        return StepResult(ChangedTable(table, table.columns, self.columns, self._change), notes, balance)

    def _change(self, record: JsonObject) -> JsonObject:
        return {key: self._removed(value) if key in self.columns else value for key, value in record.items()}

    def _removed(self, value: Json) -> Json:
        if not isinstance(value, str):
            return value
        for kind in self.kinds:
            value = _PATTERNS[kind].sub(partial(_replacement, kind), value)
        return value


def _texts(kind: PersonalData, value: str) -> list[str]:
    return [text for text in _PATTERNS[kind].findall(value) if _is_found(kind, text)]


def _replacement(kind: PersonalData, match: re.Match[str]) -> str:
    return f"[{kind}]" if _is_found(kind, match[0]) else match[0]


def _is_found(kind: PersonalData, text: str) -> bool:
    return kind is not PersonalData.PHONE or sum(map(str.isdigit, text)) >= _DIGITS


def _name(kind: PersonalData) -> str:
    return {
        PersonalData.EMAIL: _("E-mail addresses replaced"),
        PersonalData.PHONE: _("Telephone numbers replaced"),
    }[kind]


def _note(kind: PersonalData, column: str, count: int) -> str:
    if kind is PersonalData.EMAIL:
        text = ngettext(
            "{count} e-mail address in “{column}” is replaced.",
            "{count} e-mail addresses in “{column}” are replaced.",
            count,
        )
    else:
        text = ngettext(
            "{count} telephone number in “{column}” is replaced.",
            "{count} telephone numbers in “{column}” are replaced.",
            count,
        )
    return text.format(count=count, column=column)
