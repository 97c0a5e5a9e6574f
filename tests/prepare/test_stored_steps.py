"""Steps are written as the JSON that they are read from."""

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from batchwright.data_files.conversion.column_edits import ColumnEdit
from batchwright.prepare.preparation import STEPS, read_steps, results, write_steps
from batchwright.prepare.steps.columns import ChangeColumn
from batchwright.prepare.steps.samples import SampleRows
from batchwright.prepare.steps.step import Step, SwitchedOff
from tests.prepare.tables import outputs, rows, table_of


def _steps() -> st.SearchStrategy[Step]:
    """Steps of all types with any options."""
    step = st.one_of(*map(st.builds, STEPS.values())).map(_as_step)
    return st.one_of(step, st.builds(SwitchedOff, step))


def _as_step(step: Step | ColumnEdit) -> Step:
    mappings = {name: dict(value) for name, value in vars(step).items() if isinstance(value, Mapping)}
    step = replace(step, **mappings)
    return ChangeColumn(step) if isinstance(step, ColumnEdit) else step


@given(steps=st.lists(_steps(), max_size=3))
def test_steps_are_read_as_they_were_written(steps: list[Step]) -> None:
    assert read_steps(write_steps(steps)) == tuple(steps)


def test_options_with_their_defaults_are_not_written() -> None:
    assert write_steps([SampleRows(3)]) == [{"step": "sample", "size": 3}]


def test_a_step_that_is_switched_off_leaves_the_table_as_it_is() -> None:
    table = table_of(outputs(2, "AB"))
    (step,) = read_steps([{"step": "sample", "size": 1, "off": True}])
    (result,) = results(table, [step])
    assert rows(result.table) == rows(table)
