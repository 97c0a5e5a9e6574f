"""The first layout of a study, proposed from its table while the layout is still empty."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from batchwright.base.i18n import N_
from batchwright.base.json_values import JsonObject
from batchwright.layout.model import Layout, Page
from batchwright.layout.serialization import random_keys
from batchwright.ui.data.file.data_file import DataFileModel
from batchwright.ui.study.study_model import Study

if TYPE_CHECKING:  # imported only when a layout is proposed
    from batchwright.data_files.layout_proposals import LayoutProposal

_LABEL = N_("Use the layout proposed from the table")


class LayoutProposals:
    """Proposes layouts for the table of a study; the first one is used, as one undo step, then others.

    Nothing that the user has made is replaced: a layout is used only in place of an empty one, or of a
    proposal that is unchanged.
    """

    def __init__(self, study: Study, file: DataFileModel) -> None:
        self._study, self._file = study, file
        self._proposals: tuple[LayoutProposal, ...] = ()
        self._number = 0
        self._before: Layout | None = None
        """The layout in whose place the first proposal was used."""
        self._source: tuple[int, Path, Sequence[JsonObject]] | None = None
        """The `opening` of the study, the file and the steps of its preparation that `_proposals` are for."""

    @property
    def used(self) -> "LayoutProposal | None":
        """The proposal that is the layout of the study; None if the user has changed or undone it."""
        proposal = self._proposals[self._number] if self._proposals else None
        is_of_study = self._source is not None and self._source[0] == self._study.opening
        return proposal if is_of_study and proposal and self._study.layout == proposal.layout else None

    @property
    def has_others(self) -> bool:
        """Whether there are other proposals for the table."""
        return len(self._proposals) > 1

    def propose(self, merge_key: str | None = None) -> bool:
        """Use the best proposal for the table, if there is one and the layout is still empty.

        A proposal that was undone is not made again for the same table. If the user has chosen another one
        than the best, the next one is of the same kind.

        Args:
            merge_key: that of the change of the preparation which has made the table, if one has.
        """
        path, profile, schema = self._file.path, self._file.profile, self._study.schema
        if path is None or profile is None or schema is None or self._study.is_collection:
            return False
        source = self._study.opening, path, self._file.changes.steps
        used = self.used
        is_unchanged = used is not None
        if not is_unchanged and (source == self._source or not is_empty(self._study.layout)):
            return False
        from batchwright.data_files.layout_proposals import propose_layouts

        proposals = propose_layouts(schema, profile, random_keys())
        if not proposals:
            return False
        if not is_unchanged:
            self._before = self._study.layout
        kinds = [proposal.kind for proposal in proposals]
        is_chosen = used is not None and self._number > 0 and used.kind in kinds
        self._number = kinds.index(used.kind) if used is not None and is_chosen else 0
        self._proposals, self._source = proposals, source
        self._use(proposals[self._number], merge_key)
        return True

    def use_next(self) -> None:
        """Use the next proposal in place of the current one, as a step of its own."""
        if self.used is not None:
            self._number = (self._number + 1) % len(self._proposals)
            self._use(self._proposals[self._number])

    def undo(self) -> None:
        """Restore the layout from before; by undoing if nothing was changed since."""
        if self.used is None or self._before is None:
            return
        past = self._study.history.past
        if self._number == 0 and past and past[-1].label == _LABEL:
            self._study.undo()
        else:
            self._study.restore(replace(self._study.content, layout=self._before), N_("Remove the layout"))

    def _use(self, proposal: "LayoutProposal", merge_key: str | None = None) -> None:
        content = replace(self._study.content, layout=proposal.layout, schema=proposal.schema)
        self._study.restore(content, _LABEL, merge_key)


def is_empty(layout: Layout) -> bool:
    """Whether a layout has nothing in it, or one page without rows."""
    return len(layout.pages) < 2 and all(
        isinstance(page, Page) and not page.children and not page.attributes for page in layout.pages
    )
