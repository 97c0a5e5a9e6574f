"""Steps are read from the JSON of a study or of a file."""

import pytest

from batchwright.base.json_values import JsonObject
from batchwright.prepare.preparation import read_steps, results
from batchwright.prepare.problems import InvalidSteps
from tests.prepare.tables import outputs, rows, table_of


def test_a_step_that_is_switched_off_leaves_the_table_as_it_is() -> None:
    table = table_of(outputs(2, "AB"))
    (step,) = read_steps([{"step": "sample", "size": 1, "off": True}])
    (result,) = results(table, [step])
    assert rows(result.table) == rows(table)


@pytest.mark.parametrize(
    ("step", "option", "least"),
    [
        ({"step": "sample", "size": -5}, "size", 0),
        ({"step": "pilot", "size": -5}, "size", 0),
        ({"step": "pairs", "prompt": "p", "system": "s", "outputs": ["o"], "amount": 0}, "amount", 1),
        ({"step": "sets", "item": "i", "shown": ["i"], "repeats": 0}, "repeats", 1),
        ({"step": "groups", "shared": -1}, "shared", 0),
        ({"step": "groups", "repeats": -1}, "repeats", 0),
        ({"step": "known", "per_group": 0}, "per_group", 1),
        ({"step": "filter", "column": "c", "longest": -1}, "longest", 0),
    ],
)
def test_numbers_that_are_too_small_are_named(step: JsonObject, option: str, least: int) -> None:
    with pytest.raises(InvalidSteps) as error:
        read_steps([step])
    assert str(error.value) == f"Step 1 ({step['step']}): “{option}” is at least {least}."
