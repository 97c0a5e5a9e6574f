"""Property tests: reading and writing, or validating twice, does not change a value."""

from itertools import count
from typing import Any

from hypothesis import given

from batchwright.base.json_values import Json, json_equal, parse, to_json
from batchwright.layout.ids import assign_ids
from batchwright.layout.serialization import read, sequential_keys, write
from batchwright.schema.parsing import read_schema, write_schema
from batchwright.schema.record_validator import RecordValidator
from tests.samples.layouts import LayoutSample, entries
from tests.samples.records import RecordSample
from tests.samples.schemas import Schema
from tests.strategies import SLOW_STRATEGY, layouts, schemas, valid_layouts, valid_records


@SLOW_STRATEGY
@given(layouts())
def test_any_array_is_unchanged_after_reading_and_writing_it_as_a_layout(sample: LayoutSample) -> None:
    given_items = sample.batch_items if isinstance(sample.batch_items, list) else [sample.batch_items]
    assert json_equal(write(read(given_items, sequential_keys())), given_items)


@SLOW_STRATEGY
@given(layouts())
def test_any_layout_is_unchanged_after_serializing_and_parsing_it(sample: LayoutSample) -> None:
    assert json_equal(parse(to_json(sample.batch_items)), sample.batch_items)


@SLOW_STRATEGY
@given(valid_layouts())
def test_assigning_ids_changes_only_ids(sample: LayoutSample) -> None:
    numbers = count()
    layout = read(sample.batch_items, sequential_keys())
    kept = assign_ids(layout, sample.known_ids or frozenset(), lambda: f"new {next(numbers)}")
    ids = [entry["id"] for entry in entries(kept)]
    assert len(set(ids)) == len(ids)
    for before, after in zip(entries(sample.batch_items), entries(kept), strict=True):
        if before.get("id") in (sample.known_ids or ()):
            assert after["id"] == before["id"]
        else:
            assert after["id"].startswith("new ")
    assert json_equal(_without_ids(kept), _without_ids(sample.batch_items))


@SLOW_STRATEGY
@given(schemas())
def test_a_schema_is_unchanged_after_reading_and_writing_it(schema: Schema) -> None:
    assert json_equal(write_schema(read_schema(schema)), schema)


@SLOW_STRATEGY
@given(valid_records())
def test_validating_a_stored_record_again_does_not_change_it(sample: RecordSample) -> None:
    checker = RecordValidator(read_schema(sample.schema))
    stored = checker.check(sample.record)
    assert isinstance(stored, dict)
    again = checker.check(stored)
    assert isinstance(again, dict)
    assert json_equal(again, stored)


def _without_ids(value: Json) -> Any:
    """A layout without the ids of its pages, rows, columns and items."""
    copy: Any = parse(to_json(value))
    for entry in entries(copy):
        entry.pop("id", None)
    return copy
