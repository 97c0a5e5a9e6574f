"""The dialog that shows what an update changes, before it is sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number
from batchwright.ui.review.changes_list import ChangesList
from batchwright.ui.review.rows import ChangeRow
from batchwright.ui.widgets.buttons import ButtonKind
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog, WarningBanner, info_row


@dataclass(frozen=True)
class AffectedAnswers:
    """The answers of a batch or collection that is about to be updated."""

    name: str
    """The name of the batch or collection."""
    total: int | None
    """The number of all answers; None if they could not be counted."""
    instructions: frozenset[str] = field(default_factory=frozenset)
    """The ids of the instructions that the update changes or removes."""
    consequence: str = ""
    """What happens to the answers."""

    @property
    def is_counted(self) -> bool:
        """Whether the answers of each instruction make a difference, so that they are to be counted."""
        return self.total != 0 and bool(self.instructions)

    def counting_text(self) -> str:
        """The text while the answers are counted."""
        return self._joined(_("Counting those to questions that change…") if self.is_counted else "")

    def counted_text(self, counts: Mapping[str, int] | None) -> str:
        """The text when the answers were counted by instruction; None if that was not possible."""
        if counts is None:
            return self._joined(_("Those to questions that change could not be counted."))
        count = sum(counts.get(instruction, 0) for instruction in self.instructions)
        if not count:
            return self._joined(_("None of them is to a question that changes."))
        text = ngettext(
            "{count} of them is to a question that changes or is removed.",
            "{count} of them are to questions that change or are removed.",
            count,
        )
        return self._joined(text.format(count=number(count)))

    def _joined(self, share: str) -> str:
        if self.total is None:
            total = _("The answers in “{name}” could not be counted.").format(name=self.name)
        else:
            text = ngettext("“{name}” has {count} answer.", "“{name}” has {count} answers.", self.total)
            total = text.format(name=self.name, count=number(self.total))
        return " ".join(text for text in (total, share, self.consequence) if text)


class ReviewDialog(Dialog):
    """The changes in sections, what happens to answers, and one button that sends the update.

    Args:
        text: what is compared.
        accept_text: the text of the button.
        rows: the rows of the list of changes.
        notes: further sentences, such as when participants see the changes.
        answers: the answers that exist; None if there can be none.
        overwrites: a warning about changes of others that are overwritten; empty if there are none.
        live: the title of the live service; empty in a rehearsal.
    """

    help_address = "run.md#what-is-sent"

    def __init__(
        self,
        text: str,
        accept_text: str,
        rows: Sequence[ChangeRow],
        *,
        notes: Sequence[str] = (),
        answers: AffectedAnswers | None = None,
        overwrites: str = "",
        live: str = "",
    ) -> None:
        is_risky = bool(overwrites) or (answers is not None and answers.total != 0)
        kind = ButtonKind.LIVE if live else ButtonKind.DESTROY if overwrites else ButtonKind.PRIMARY
        super().__init__(
            _("Changes before sending"), text, accept_text, kind, width=WIDE, cancels_by_default=is_risky
        )
        self.changes = ChangesList(_("Changes"), rows)
        self._answers = answers
        self._banner: WarningBanner | None = None
        self.add(self.changes, *map(info_row, notes))
        self.set_shrinking(self.changes, lambda: self.changes.preferred_height)
        if overwrites:
            self.add_warning(overwrites, is_live=False)
        if answers is not None and answers.total != 0:
            self._banner = WarningBanner(answers.counting_text(), is_live=False)
            self.add(self._banner)
            if answers.is_counted:
                self.changes.show_counting()

    @property
    def counts_answers(self) -> bool:
        """Whether the answers of each instruction are to be counted and passed to `show_answers`."""
        return self._answers is not None and self._answers.is_counted

    def show_answers(self, counts: Mapping[str, int] | None) -> None:
        """Show the number of answers by instruction; None if they could not be counted."""
        self.changes.show_answers(counts)
        if self._answers is not None and self._banner is not None:
            self._banner.set_text(self._answers.counted_text(counts))
