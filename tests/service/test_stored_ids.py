"""Identifiers of the service (wire reference, section 1.5)."""

import re
import uuid

from hypothesis import given
from hypothesis import strategies as st

from batchwright.service.store.ids import datapoint_id, group_id, new_id, new_object_id, task_id

NUMBERS = st.integers(0, 2**40)


def test_new_ids_are_uuids_of_version_7_in_the_order_of_time() -> None:
    ids = [new_id() for _time in range(500)]
    assert {uuid.UUID(id).version for id in ids} == {7}
    assert {uuid.UUID(id).variant for id in ids} == {uuid.RFC_4122}
    assert len(set(ids)) == len(ids)
    assert [id[:13] for id in ids] == sorted(id[:13] for id in ids)


def test_object_ids_are_24_hex_digits() -> None:
    ids = {new_object_id() for _time in range(500)}
    assert len(ids) == 500
    assert all(re.fullmatch(r"[0-9a-f]{24}", id) for id in ids)


@given(NUMBERS, NUMBERS)
def test_derived_ids_are_stable_and_distinct(first: int, second: int) -> None:
    assert datapoint_id("d", first) == datapoint_id("d", first)
    assert (datapoint_id("d", first) == datapoint_id("d", second)) == (first == second)
    ids = [
        datapoint_id("d", first),
        datapoint_id("e", first),
        task_id("d", 1, first),
        task_id("d", 2, first),
        group_id("d", 1, first),
    ]
    assert len(set(ids)) == len(ids)
    assert all(str(uuid.UUID(id)) == id for id in ids)
    assert (task_id("b", 1, first) == task_id("b", 1, second)) == (first == second)
