"""Identifiers of the service (wire.md 1.5)."""

import re
import uuid

from hypothesis import given
from hypothesis import strategies as st

from batchwright.service.store.ids import datapoint_id, group_id, new_id, new_object_id, row_id_from, task_id

NUMBERS = st.integers(0, 2**40)


def test_new_ids_are_uuids_of_version_7_in_the_order_of_time() -> None:
    made = [new_id() for _time in range(500)]
    assert {uuid.UUID(one).version for one in made} == {7}
    assert {uuid.UUID(one).variant for one in made} == {uuid.RFC_4122}
    assert len(set(made)) == len(made)
    assert [one[:13] for one in made] == sorted(one[:13] for one in made)


def test_object_ids_are_24_hex_digits() -> None:
    made = {new_object_id() for _time in range(500)}
    assert len(made) == 500
    assert all(re.fullmatch(r"[0-9a-f]{24}", one) for one in made)


@given(NUMBERS, NUMBERS)
def test_derived_ids_are_stable_apart_and_lead_back_to_their_number(one: int, other: int) -> None:
    assert datapoint_id("d", one) == datapoint_id("d", one)
    assert row_id_from(datapoint_id("d", one)) == one
    ids = [
        datapoint_id("d", one),
        datapoint_id("e", one),
        task_id("d", 1, one),
        task_id("d", 2, one),
        group_id("d", 1, one),
    ]
    assert len(set(ids)) == len(ids)
    assert all(str(uuid.UUID(id)) == id for id in ids)
    assert (task_id("b", 1, one) == task_id("b", 1, other)) == (one == other)
