"""The random samples cover every cause of rejection, and each generated error is one."""

from random import Random

import pytest

from tests.reference_rules import (
    Accepted,
    Cause,
    InvalidDocument,
    ItemIssues,
    Rejected,
    Stored,
    check_csv_row,
    check_layout,
    check_line,
    check_record,
    check_schema,
)
from tests.samples.invalid_items import INVALID_ITEMS
from tests.samples.invalid_layouts import invalid_layout, random_layout
from tests.samples.invalid_structures import INVALID_STRUCTURES
from tests.samples.layouts import items, valid_layout
from tests.samples.records import (
    INVALID_LINES,
    INVALID_RECORDS,
    invalid_line,
    invalid_record,
    random_record,
    random_row,
    valid_record,
)
from tests.samples.schemas import INVALID_SCHEMAS, invalid_schema, random_schema

DRAWS = 40


def test_valid_layouts_are_accepted_and_contain_every_item_type(seed: int) -> None:
    types = set()
    for number in range(400):
        sample = valid_layout(Random(f"{seed}-{number}"))
        assert check_layout(sample.batch_items, sample.schema, sample.known_ids) == Accepted(), sample
        types |= {item["type"] for item in items(sample.batch_items)}
    assert types >= {
        "dataset_field",
        "image",
        "rich_text",
        "free_text",
        "free_text_with_unit",
        "multiple_choice",
        "multiple_choice_with_free_text",
        "file_upload",
        "video_narration",
    }


@pytest.mark.parametrize("error", INVALID_STRUCTURES)
def test_a_layout_with_a_structural_fault_is_rejected_as_a_whole(error: str, seed: int) -> None:
    for number in range(DRAWS):
        sample = invalid_layout(Random(f"{seed}-{number}"), error)
        result = check_layout(sample.batch_items, sample.schema, sample.known_ids)
        assert isinstance(result, InvalidDocument), (number, sample)


@pytest.mark.parametrize("error", INVALID_ITEMS)
def test_a_layout_with_an_invalid_item_is_rejected_at_that_item(error: str, seed: int) -> None:
    for number in range(DRAWS):
        sample = invalid_layout(Random(f"{seed}-{number}"), error)
        result = check_layout(sample.batch_items, sample.schema, sample.known_ids)
        assert isinstance(result, ItemIssues), (number, sample)


@pytest.mark.parametrize("error", INVALID_SCHEMAS)
def test_an_invalid_schema_is_rejected(error: str, seed: int) -> None:
    for number in range(DRAWS):
        random = Random(f"{seed}-{number}")
        assert check_schema(random_schema(random)) == Accepted()
        assert isinstance(check_schema(invalid_schema(random, error)), InvalidDocument)


@pytest.mark.parametrize("error", INVALID_RECORDS)
def test_an_invalid_record_is_rejected(error: str, seed: int) -> None:
    for number in range(DRAWS):
        random = Random(f"{seed}-{number}")
        sound = valid_record(random)
        assert isinstance(check_record(sound.schema, sound.record), Stored), (number, sound)
        sample = invalid_record(random, error)
        assert isinstance(check_record(sample.schema, sample.record), Rejected), (number, sample)


@pytest.mark.parametrize("error", INVALID_LINES)
def test_an_invalid_line_cannot_be_read(error: str, seed: int) -> None:
    for number in range(5):
        random = Random(f"{seed}-{number}")
        sound = valid_record(random)
        line = invalid_line(random, sound.record, error)
        assert check_line(sound.schema, line) == Rejected("_raw", Cause.UNREADABLE)


def test_the_samples_cover_every_cause_of_rejection(seed: int) -> None:
    causes_found: set[Cause] = set()
    for number in range(1500):
        random = Random(f"{seed}-{number}")
        layout = random_layout(random, invalid_probability=0.9)
        record = random_record(random)
        header, row = random_row(random, record.schema)
        schema = invalid_schema(random, random.choice(list(INVALID_SCHEMAS)))
        for result in (
            check_layout(layout.batch_items, layout.schema, layout.known_ids),
            check_record(record.schema, record.record),
            check_csv_row(record.schema, header, row),
            check_schema(schema),
        ):
            match result:
                case InvalidDocument(causes):
                    causes_found |= causes
                case ItemIssues(issues):
                    causes_found |= {issue.cause for issue in issues}
                case Rejected(_, cause):
                    causes_found.add(cause)
    assert causes_found == set(Cause)
