"""Which steps must stand before which others, so that what an earlier step wrote about records stays true.

Rows that are repeated belong to a record, known answers are mixed into groups once, and what was made of the
outputs of one side does not change sides with them.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from batchwright.base.i18n import _
from batchwright.prepare.columns import LANGUAGE
from batchwright.prepare.steps.columns import ChangeColumn, KeepRows
from batchwright.prepare.steps.groups import TaskGroups
from batchwright.prepare.steps.item_sets import ItemSets
from batchwright.prepare.steps.known_answers import AttentionChecks, KnownAnswers
from batchwright.prepare.steps.languages import KeepLanguages
from batchwright.prepare.steps.long_table import OutputsInRows
from batchwright.prepare.steps.pairs import ComparePairs
from batchwright.prepare.steps.samples import HoldOutPilot, SampleRows, StrataSizes
from batchwright.prepare.steps.sides import DrawSides, columns_of_sides
from batchwright.prepare.steps.step import Step
from batchwright.schema.model import GROUPING_COLUMN

_ARRANGED = (AttentionChecks, TaskGroups, KnownAnswers)
_FIRST: Mapping[type[Step], tuple[type[Step], ...]] = {
    OutputsInRows: (ComparePairs, DrawSides, ItemSets, *_ARRANGED),
    ComparePairs: (DrawSides, ItemSets, *_ARRANGED),
    ItemSets: _ARRANGED,
    SampleRows: (AttentionChecks, KnownAnswers),
    DrawSides: (KnownAnswers,),
    AttentionChecks: (KnownAnswers,),
    TaskGroups: (TaskGroups, KnownAnswers),
    KnownAnswers: (KnownAnswers,),
}
"""The steps before which a step must stand."""


class MadeStep(NamedTuple):
    """A step that was made, and the columns of the table before it."""

    step: Step
    columns: Sequence[str]


def order_problem(step: Step, earlier: Sequence[MadeStep], columns: Sequence[str]) -> str:
    """Why a step cannot be made behind others; empty if it can.

    Args:
        step: the step.
        earlier: all steps before it.
        columns: those of the table that these have made.
    """
    for number, other in enumerate(earlier, 1):
        if text := _problem_behind(step, other.step):
            return text.format(number=number, label=_(other.step.label))
        if isinstance(step, DrawSides) and (column := _one_sided(other, columns)):
            text = _(
                "“{column}” was made of the columns of one side by step {number} ({label}), and would not "
                "change sides with them. Move this step before that one."
            )
            return text.format(column=column, number=number, label=_(other.step.label))
    return ""


def _problem_behind(step: Step, other: Step) -> str:
    """Why a step cannot be made behind another one, with places for its number and its label."""
    is_first = isinstance(other, _FIRST.get(type(step), ()))
    if is_first and type(step) is type(other):
        return _("Step {number} ({label}) does the same already. Remove one of the two.")
    is_divided = _repeats_rows(other) or (isinstance(step, HoldOutPilot) and _has_known_answers(other))
    if is_first or (is_divided and _divides_groups(step)):
        return _("Move this step before step {number} ({label}), of which it would undo a part here.")
    if isinstance(step, KnownAnswers) and isinstance(other, DrawSides) and step.answer != other.known:
        return _(
            "Step {number} ({label}) may have exchanged sides that known answers name. Choose the same "
            "column with known answers there."
        )
    if _gives_weights(step) and _gives_weights(other):
        return _("Step {number} ({label}) has given weights to the rows, which this step would replace.")
    return ""


def _repeats_rows(step: Step) -> bool:
    return isinstance(step, TaskGroups) and bool(step.shared or step.repeats)


def _has_known_answers(step: Step) -> bool:
    return isinstance(step, AttentionChecks | KnownAnswers)


def _divides_groups(step: Step) -> bool:
    """Whether a step may treat rows of a group differently, of which one may be the copy of another."""
    match step:
        case KeepRows():
            return step.column != GROUPING_COLUMN
        case HoldOutPilot():
            return step.together != GROUPING_COLUMN
        case _:
            return isinstance(step, SampleRows | KeepLanguages | DrawSides)


def _gives_weights(step: Step) -> bool:
    return isinstance(step, SampleRows) and bool(step.stratum) and step.sizes is not StrataSizes.PROPORTIONAL


def _one_sided(made: MadeStep, columns: Sequence[str]) -> str:
    """A column that a step has made of those of one side, and that has no counterpart on the other one."""
    match made.step:
        case ChangeColumn(edit=edit):
            needed, created = edit.needed, edit.created
        case KeepLanguages(column=column):
            needed, created = (column,), (LANGUAGE,)
        case _:
            return ""
    before, after = (
        {name for pair in columns_of_sides(names) for name in pair} for names in (made.columns, columns)
    )
    if before.isdisjoint(needed):
        return ""
    return next((name for name in created if name in columns and name not in after), "")
