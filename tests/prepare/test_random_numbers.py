"""The random numbers of steps: the same on every computer, and others for each use."""

from batchwright.prepare.columns import SAMPLE
from batchwright.prepare.random_numbers import RandomNumbers
from batchwright.prepare.steps.samples import HoldOutPilot, SampleRows
from tests.prepare.tables import rows, table_of


def test_a_seed_and_a_use_have_the_same_numbers_on_every_computer() -> None:
    assert RandomNumbers(1, "pilot").order(6).tolist() == [1, 4, 2, 3, 0, 5]
    assert RandomNumbers(2**32 + 1, "pilot").order(6).tolist() == [1, 4, 2, 3, 0, 5]
    others = [RandomNumbers(2, "pilot"), RandomNumbers(1, "sample")]
    assert all(other.order(6).tolist() != [1, 4, 2, 3, 0, 5] for other in others)


def test_a_sample_with_the_seed_of_the_pilot_is_not_drawn_from_it() -> None:
    table = table_of({"id": number} for number in range(100))
    marked = HoldOutPilot(40, seed=1)(table).table
    drawn = rows(SampleRows(20, seed=1)(marked).table)
    assert {record[SAMPLE] for record in drawn} == {"pilot", "main"}
