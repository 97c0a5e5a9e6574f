"""Participants and answers that are left out of the statistics, each with a reason.

Nothing is removed from the answers: files with answers have all of them, and state the reason.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

import numpy as np

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusion_rules import ExclusionRule, parse_rule
from batchwright.analysis.store.headings import Heading, words_of
from batchwright.base.i18n import N_, _
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.spreadsheet_cells import original_cell

COLUMNS = ("kind", "id", "reason")
ANSWERED_AGAIN = N_("Answered again later")
"""The reason for which earlier answers of a participant are left out, in files of all languages."""
RULE = "rule"
"""The kind of a row with a rule."""
SEPARATOR = "; "
"""Separates the reasons of what several rules exclude."""
_KINDS = ("participant", "answer")
_BLOCK = 20_000
"""Ids that are looked up at a time: meanwhile, no other thread runs."""


@dataclass(frozen=True)
class Exclusions:
    """Reasons by participant id and by answer id, and rules, which are applied to the answers of the time."""

    participants: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[ExclusionRule, ...] = ()

    def with_those_of(self, other: "Exclusions") -> "Exclusions":
        """These exclusions and those of another file."""
        return Exclusions(
            {**self.participants, **other.participants},
            {**self.answers, **other.answers},
            tuple(dict.fromkeys((*self.rules, *other.rules))),
        )

    @property
    def in_words(self) -> "Exclusions":
        """The exclusions with the program's own reasons in its language; it has none about participants."""
        return replace(self, answers={id: reason_text(reason) for id, reason in self.answers.items()})

    def reasons(self, table: AnswerTable) -> list[str]:
        """The reason for each answer of a table; empty if it is included."""
        by_code = [self.participants.get(id, "") for id in table.participants.values] + [""]
        by_person = [by_code[code] for code in table.participants.codes.tolist()]
        if not self.answers:
            return by_person
        return [self.answers.get(id) or reason for id, reason in zip(table.ids, by_person, strict=True)]

    def included(self, table: AnswerTable) -> AnswerTable:
        """The table without the excluded answers."""
        return table.where(~self.is_excluded(table))

    def is_excluded(self, table: AnswerTable) -> np.ndarray:
        """Whether each answer of a table is excluded."""
        people = [bool(self.participants.get(id)) for id in table.participants.values]
        is_excluded = np.array([*people, False])[table.participants.codes]
        ids = {id for id, reason in self.answers.items() if reason}
        for start in range(0, len(table) if ids else 0, _BLOCK):
            block = table.ids[start : start + _BLOCK]
            found = np.fromiter(map(ids.__contains__, block), dtype=bool, count=len(block))
            is_excluded[start : start + _BLOCK] |= found
        return is_excluded


def reason_text(reason: str) -> str:
    """A reason in the language of the program, if it is the program's own."""
    return _(ANSWERED_AGAIN) if reason == ANSWERED_AGAIN else reason


_KIND_TEXTS = {"participant": N_("Participant"), "answer": N_("Answer"), "rule": N_("Rule")}


@dataclass(frozen=True)
class ExclusionRow:
    """A rule, participant or answer, and how many answers of the table are excluded by it."""

    kind: Annotated[str, Heading(N_("Kind"), N_("Excluded"), words=words_of(_KIND_TEXTS))]
    id: Annotated[str, Heading(N_("Id"), N_("ID"))]
    reason: Annotated[str, Heading(N_("Reason"), words=reason_text, only_where=("kind", "answer"))]
    answers: Annotated[int, Heading(N_("Answers"))]


def exclusion_rows(exclusions: Exclusions, table: AnswerTable) -> list[ExclusionRow]:
    """List the exclusions by id, participants first, sorted."""
    code_of = {id: code for code, id in enumerate(table.participants.values)}
    counts = np.bincount(table.participants.codes, minlength=len(code_of)).tolist()
    ids = {id for id in table.ids if id in exclusions.answers} if exclusions.answers else set()
    return [
        ExclusionRow("participant", id, reason, counts[code_of[id]] if id in code_of else 0)
        for id, reason in sorted(exclusions.participants.items())
    ] + [
        ExclusionRow("answer", id, reason, int(id in ids))
        for id, reason in sorted(exclusions.answers.items())
    ]


def read_exclusions(path: Path) -> Exclusions:
    """Read a CSV file with the columns `kind` (participant, answer or rule), `id` and `reason`.

    The id of a rule is its text. Rows with no other reason than the rules of the file, as they are in the
    list that is saved with results, are left out: the rules find them again.

    Raises:
        UnreadableFile: it has no such columns, an unknown kind, or a row without an id or a reason.
        OSError: it cannot be opened.
    """
    reasons: dict[str, dict[str, str]] = {kind: {} for kind in _KINDS}
    rules: dict[str, ExclusionRule] = {}
    remedy = _(
        "Write one row per exclusion: kind (participant, answer or rule), id, reason. The id of a rule is "
        "the rule, such as seconds<3; it needs no reason."
    )
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            for row in csv.DictReader(file):
                kind, id, reason = (original_cell((row.get(name) or "").strip()) for name in COLUMNS)
                if kind == RULE and (rule := parse_rule(id)):
                    rules[rule.text] = rule
                elif kind in reasons and id and reason:
                    reasons[kind][id] = reason
                else:
                    raise UnreadableFile(_("A row lacks the kind, id or reason of an exclusion."), remedy)
        except UnreadableFile:
            raise
        except (csv.Error, ValueError) as error:
            raise UnreadableFile(str(error), remedy) from None
    participants, answers = (
        {id: reason for id, reason in reasons[kind].items() if not rules.keys() >= {*reason.split(SEPARATOR)}}
        for kind in _KINDS
    )
    return Exclusions(participants, answers, tuple(rules.values()))
