"""Steps are read from the JSON of a study or of a file."""

from batchwright.prepare.preparation import read_steps, results
from tests.prepare.tables import outputs, rows, table_of


def test_a_step_that_is_switched_off_leaves_the_table_as_it_is() -> None:
    table = table_of(outputs(2, "AB"))
    (step,) = read_steps([{"step": "sample", "size": 1, "off": True}])
    (result,) = results(table, [step])
    assert rows(result.table) == rows(table)
