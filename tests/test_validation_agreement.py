"""The program and the reference rules agree on random layouts, schemas and records.

A failure shows the seed and the number of the sample; `--seed` repeats it.
"""

import json
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given

from batchwright.base.json_values import InvalidJson, parse
from batchwright.layout.checking.validator import check_json
from batchwright.layout.rules.problems import RejectionStatus, SchemaUnavailable
from batchwright.schema.parsing import InvalidSchema, read_schema
from batchwright.schema.record_validator import RecordValidator
from tests import reference_rules
from tests.rule_comparison import draws, program_record, reference_record
from tests.samples.invalid_layouts import random_layout
from tests.samples.layouts import LayoutSample
from tests.samples.records import RecordSample, random_record, random_row
from tests.samples.schemas import INVALID_SCHEMAS, Schema, invalid_schema, random_schema
from tests.samples.values import Json
from tests.strategies import SLOW_STRATEGY, layouts, records

REJECTED = "rejected as a whole"


def reference_paths(sample: LayoutSample) -> object:
    """The paths of the invalid items."""
    result = reference_rules.check_layout(sample.batch_items, sample.schema, sample.known_ids)
    if isinstance(result, reference_rules.InvalidDocument):
        return REJECTED
    return result.places if isinstance(result, reference_rules.ItemIssues) else frozenset()


def program_paths(sample: LayoutSample) -> object:
    """The paths of the invalid items."""
    if isinstance(sample.schema, reference_rules.Unknown):
        problems = check_json(sample.batch_items, SchemaUnavailable.UNKNOWN, sample.known_ids)
    else:
        fields = SchemaUnavailable.NONE if sample.schema is None else read_schema(sample.schema)
        problems = check_json(sample.batch_items, fields, sample.known_ids)
    if any(problem.rejection is RejectionStatus.SHAPE for problem in problems):
        return REJECTED
    return frozenset(tuple(problem.path) for problem in problems if problem.rejection is RejectionStatus.ITEM)


def accepts(schema: Json) -> bool:
    """Whether the program accepts a schema."""
    try:
        read_schema(schema)
    except InvalidSchema:
        return False
    return True


def compare_layouts(seed: int, count: int) -> None:
    for name, random in draws(seed, count):
        sample = random_layout(random, invalid_probability=0.7)
        assert program_paths(sample) == reference_paths(sample), (name, sample)


def compare_record(sample: RecordSample, name: str = "") -> None:
    checker = RecordValidator(read_schema(sample.schema))
    expected = reference_record(reference_rules.check_record(sample.schema, sample.record))
    assert program_record(checker.check(sample.record)) == expected, (name, sample)


def compare_row(random: Random, schema: Schema, name: str) -> None:
    header, row = random_row(random, schema)
    check = RecordValidator(read_schema(schema)).row_check(header)
    expected = reference_record(reference_rules.check_csv_row(schema, header, row))
    assert program_record(check(row)) == expected, (name, schema, header, row)


def compare_records(seed: int, count: int) -> None:
    for name, random in draws(seed, count):
        sample = random_record(random)
        compare_record(sample, name)
        compare_row(random, sample.schema, name)


@pytest.mark.spec("L-20", sides="C")
def test_both_reject_the_same_items_of_layouts(seed: int) -> None:
    compare_layouts(seed, 1500)


def test_both_agree_on_records_and_rows(seed: int) -> None:
    compare_records(seed, 3000)


@SLOW_STRATEGY
@given(layouts())
def test_a_layout_with_different_results_is_shrunk(sample: LayoutSample) -> None:
    assert program_paths(sample) == reference_paths(sample)


@SLOW_STRATEGY
@given(records())
def test_a_record_with_different_results_is_shrunk(sample: RecordSample) -> None:
    compare_record(sample)


def test_both_agree_on_schemas(seed: int) -> None:
    for name, random in draws(seed, 500):
        error = random.choice((None, *INVALID_SCHEMAS))
        schema = invalid_schema(random, error) if error else random_schema(random)
        assert accepts(schema) == (reference_rules.check_schema(schema) == reference_rules.Accepted()), (
            name,
            error,
            schema,
        )


@pytest.mark.parametrize(
    ("schema", "accepted"),
    [
        ({"strict": True, "fields": {f"field {n}": {"type": "text"} for n in range(200)}}, True),
        ({"strict": True, "fields": {f"field {n}": {"type": "text"} for n in range(201)}}, False),
        ({"strict": True, "fields": {"答" * 128: {"type": "text"}}}, True),
        ({"strict": True, "fields": {"答" * 129: {"type": "text"}}}, False),
        ({"strict": True, "fields": {"a": {"type": "metadata", "label": "👩" * 255}}}, True),
        ({"strict": True, "fields": {"a": {"type": "metadata", "label": "👩" * 256}}}, False),
    ],
)
def test_both_apply_the_limits_of_a_schema(schema: Schema, accepted: bool) -> None:
    assert accepts(schema) == (reference_rules.check_schema(schema) == reference_rules.Accepted()) == accepted


@pytest.mark.parametrize("inmost", [[], {}, ["[["], {"b": 1}])
@pytest.mark.parametrize("around", [lambda inner: [inner], lambda inner: {"b": inner}])
@pytest.mark.parametrize(("levels", "readable"), [(99, True), (100, True), (101, False), (102, False)])
def test_both_read_a_hundred_levels_and_no_more(
    inmost: Json, around: Callable[[Json], Json], levels: int, readable: bool
) -> None:
    value = inmost
    for _level in range(levels - 2):
        value = around(value)
    line = json.dumps({"a": value})
    unreadable = reference_rules.Rejected("_raw", reference_rules.Cause.UNREADABLE)
    assert (reference_rules.check_line({"strict": False, "fields": {}}, line) != unreadable) is readable
    assert is_json(line) is readable


def is_json(line: str) -> bool:
    try:
        parse(line)
    except InvalidJson:
        return False
    return True


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_both_reject_the_same_items_of_many_layouts(seed: int) -> None:
    compare_layouts(seed + 1, 15_000)


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_both_agree_on_many_records_and_rows(seed: int) -> None:
    compare_records(seed + 1, 30_000)
