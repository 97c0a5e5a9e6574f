"""What the steps of a preparation have made of a table, for whoever shows it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class BalanceRow:
    """How often something occurs: a line of the balance table."""

    subject: str
    """What is counted, such as the comparisons of a system."""
    name: str
    count: int


@dataclass(frozen=True)
class StepReport:
    """What a step has made of the table; number 0 is the table before the first one.

    `records` are the beginnings of the first ones, as texts by column. If the step cannot be
    made, `problem` says why, and the rest is empty.
    """

    number: int
    columns: tuple[str, ...] = ()
    count: int = 0
    notes: tuple[str, ...] = ()
    balance: tuple[BalanceRow, ...] = ()
    records: tuple[Mapping[str, str], ...] = ()
    problem: str = ""
