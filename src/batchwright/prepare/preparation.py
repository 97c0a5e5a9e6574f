"""The preparation of a study: its steps as JSON, and what they make of a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import BinaryIO

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array, is_object, to_json
from batchwright.base.local_formats import joined
from batchwright.data_files.conversion.column_edits import (
    ColumnEdit,
    FillColumn,
    JoinColumns,
    LeaveOutColumn,
    ReadColumn,
    RenameColumn,
    SplitColumn,
)
from batchwright.prepare.order import MadeStep, order_problem
from batchwright.prepare.problems import InvalidSteps, StepProblem
from batchwright.prepare.steps.columns import ChangeColumn, CutTexts, KeepRows, MapValues
from batchwright.prepare.steps.groups import TaskGroups
from batchwright.prepare.steps.item_sets import ItemSets
from batchwright.prepare.steps.known_answers import AttentionChecks, KnownAnswers
from batchwright.prepare.steps.languages import KeepLanguages
from batchwright.prepare.steps.long_table import OutputsInRows
from batchwright.prepare.steps.pairs import ComparePairs
from batchwright.prepare.steps.personal_data import RemovePersonalData
from batchwright.prepare.steps.samples import HoldOutPilot, SampleRows
from batchwright.prepare.steps.sides import DrawSides
from batchwright.prepare.steps.step import Step, StepResult, SwitchedOff
from batchwright.prepare.tables import PreparedTable

STEPS: Mapping[str, type[Step | ColumnEdit]] = {
    "rename": RenameColumn,
    "leave_out": LeaveOutColumn,
    "read": ReadColumn,
    "split": SplitColumn,
    "join": JoinColumns,
    "fill": FillColumn,
    "replace": MapValues,
    "cut": CutTexts,
    "filter": KeepRows,
    "language": KeepLanguages,
    "personal": RemovePersonalData,
    "rows": OutputsInRows,
    "pairs": ComparePairs,
    "sides": DrawSides,
    "sets": ItemSets,
    "sample": SampleRows,
    "pilot": HoldOutPilot,
    "checks": AttentionChecks,
    "groups": TaskGroups,
    "known": KnownAnswers,
}
"""The steps by their names in JSON."""
_OFF = "off"
"""The key that switches a step off; its value is true."""


def read_steps(stored: Json) -> tuple[Step, ...]:
    """The steps of a JSON array of objects; `step` is the name of each, the other keys are its options.

    Raises:
        InvalidSteps: one of them is not valid.
    """
    if not is_array(stored):
        raise InvalidSteps(_("The steps must be a JSON array."))
    return tuple(read_step(entry, number) for number, entry in enumerate(stored, 1))


def read_step(entry: Json, number: int) -> Step:
    """A step, given its JSON object and its number in the preparation; one that is switched off is not read.

    Raises:
        InvalidSteps: it is not valid.
    """
    from pydantic import TypeAdapter, ValidationError  # loaded for stored steps only  # noqa: PLC0415

    if is_object(entry) and entry.get(_OFF) is True:
        return SwitchedOff()
    name = entry.get("step") if is_object(entry) else None
    if not is_object(entry) or not isinstance(name, str) or name not in STEPS:
        text = _("Step {number} is unknown: “step” must be one of {names}.")
        raise InvalidSteps(text.format(number=number, names=joined(STEPS)))
    options = {key: value for key, value in entry.items() if key not in ("step", _OFF)}
    known = [field.name for field in fields(STEPS[name])]
    if unknown := [key for key in options if key not in known]:
        text = _("Step {number} ({name}): there is no option “{option}”; there are {options}.")
        raise InvalidSteps(text.format(number=number, name=name, option=unknown[0], options=joined(known)))
    try:
        read = TypeAdapter(STEPS[name]).validate_python(options)
    except ValidationError as error:
        fault = error.errors()[0]
        text = _("Step {number} ({name}), “{option}”: {reason}.")
        option = ".".join(map(str, fault["loc"]))
        raise InvalidSteps(
            text.format(number=number, name=name, option=option, reason=fault["msg"])
        ) from None
    if isinstance(read, ColumnEdit):
        return ChangeColumn(read)
    for option, least in read.least.items():
        if getattr(read, option) < least:
            text = _("Step {number} ({name}): “{option}” is at least {least}.")
            raise InvalidSteps(text.format(number=number, name=name, option=option, least=least))
    return read


def results(table: PreparedTable, steps: Sequence[Step]) -> Iterator[StepResult]:
    """Yield the result of each step in turn.

    Raises:
        StepProblem: a step cannot be made; the message begins with its number.
    """
    made = list[MadeStep]()
    for number, step in enumerate(steps, 1):
        try:
            result = make_step(step, table, made)
        except StepProblem as problem:
            raise StepProblem(numbered(problem, number, step)) from None
        table = result.table
        yield result


def make_step(step: Step, table: PreparedTable, made: list[MadeStep]) -> StepResult:
    """Make a step behind others, to which it is added.

    Raises:
        StepProblem: it cannot be made, or not behind these.
    """
    if problem := order_problem(step, made, table.columns):
        raise StepProblem(problem)
    result = step(table)
    made.append(MadeStep(step, table.columns))
    return result


def numbered(problem: StepProblem, number: int, step: Step) -> str:
    """Why a step cannot be made, with its number and its name."""
    text = _("Step {number} ({label}): {reason}")
    return text.format(number=number, label=_(step.label), reason=problem)


def write_records(table: PreparedTable, out: BinaryIO) -> None:
    """Write the records of a table as JSONL."""
    out.writelines(to_json(record).encode("utf-8", "replace") + b"\n" for record in table.all_rows())
