"""The sections of the Results stage."""

from dataclasses import dataclass
from enum import StrEnum

from batchwright.base.i18n import N_


class Section(StrEnum):
    """A section by its id, which is stored."""

    ANSWERS = "answers"
    QUESTIONS = "questions"
    AGREEMENT = "agreement"
    COMPARISONS = "comparisons"
    BEST_WORST = "best_worst"
    PARTICIPANTS = "participants"


ABOUT_RECORDS = frozenset({Section.AGREEMENT, Section.BEST_WORST})
"""Sections that say nothing about the answers to a collection."""


@dataclass(frozen=True)
class SectionInfo:
    """A section: its title and the text of its action, which are translated when shown, and its icon."""

    title: str
    action: str
    glyph: str


SECTIONS = {
    Section.ANSWERS: SectionInfo(N_("Answers"), N_("Show answers"), "table"),
    Section.QUESTIONS: SectionInfo(N_("Questions"), N_("Show results by question"), "chart-bar"),
    Section.AGREEMENT: SectionInfo(N_("Agreement"), N_("Show agreement"), "users-three"),
    Section.COMPARISONS: SectionInfo(N_("Comparisons"), N_("Show comparisons of systems"), "columns"),
    Section.BEST_WORST: SectionInfo(N_("Best–worst"), N_("Show best–worst scaling"), "list-numbers"),
    Section.PARTICIPANTS: SectionInfo(N_("Participants"), N_("Show participants"), "users"),
}
