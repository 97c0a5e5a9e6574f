"""Special cases of single resources."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.json_values import Json, json_equal
from batchwright.wire.base import to_payload
from batchwright.wire.batches import Batch
from batchwright.wire.collections import Collection, PageItem, sorted_by_order
from batchwright.wire.datapoints import CSV_TYPES, JSONL_TYPE, JSONL_TYPES, media_type
from batchwright.wire.datasets import media_type_for
from batchwright.wire.exports import ExportJob
from batchwright.wire.feedback import is_feedback_file
from batchwright.wire.instructions import InstructionList, InstructionRecord
from batchwright.wire.local_routes import is_simulated, simulated_participant
from batchwright.wire.migrations import MigrationJob
from batchwright.wire.pagination import Listing, list_envelope
from batchwright.wire.syncs import SyncJob


@pytest.mark.parametrize(
    ("body", "length", "count"),
    [
        ({}, 0, 0),
        ({"results": [{"id": "b", "status": "READY"}]}, 1, 1),
        ({"results": [{"id": "b", "status": "READY"}], "meta": {}}, 1, 1),
        ({"results": [{"id": "b", "status": "READY"}], "meta": {"count": 9}}, 1, 9),
        ({"results": [{"id": "b", "status": "READY"}], "meta": {"count": 0}}, 1, 0),
        ({"meta": None}, 0, 0),
    ],
)
def test_both_keys_of_an_envelope_may_be_absent(body: Json, length: int, count: int) -> None:
    listing = Listing[Batch].model_validate(body)
    assert (len(listing.results), listing.count) == (length, count)


def test_the_count_of_an_envelope_is_the_total_and_not_the_number_of_its_results() -> None:
    assert list_envelope(["a"]) == {"results": ["a"], "meta": {"count": 1}}
    assert list_envelope(["a"], 5) == {"results": ["a"], "meta": {"count": 5}}


@pytest.mark.parametrize("wrapped", [True, False])
def test_instructions_are_read_from_an_array_and_from_an_envelope(wrapped: bool) -> None:
    records: Json = [{"id": "i", "type": "free_text", "description": "Why?"}]
    read = InstructionList.model_validate({"results": records} if wrapped else records)
    assert json_equal([to_payload(item) for item in read.results], records)


def test_an_instruction_record_is_an_item_with_the_id_of_its_batch() -> None:
    item: dict[str, Json] = {
        "id": "i",
        "type": "free_text",
        "description": "Why?",
        "validation": {"type": "string", "min": None},
    }
    for owner in ({"parent_id": "b", "parent_type": "batch"}, {"batch_id": "b"}):
        record = InstructionRecord.model_validate(
            {**item, **owner, "created_by": "u", "created_at": "2026-01-01T00:00:00Z"}
        )
        assert record.batch == "b"
        assert json_equal(record.item, item)


@pytest.mark.parametrize(
    ("given", "pages"),
    [
        ({"item_count": 3}, 3),
        ({"collection_items": [{"id": "p"}]}, 1),
        ({}, None),
        ({"item_count": None}, None),
    ],
)
def test_a_collection_in_a_list_may_only_count_its_pages(given: dict[str, Json], pages: int | None) -> None:
    assert Collection.model_validate({"id": "c", **given}).page_count == pages


def test_items_are_sorted_by_order_or_by_position() -> None:
    def item(name: str, order: int | None) -> PageItem:
        return PageItem(id=name, type="image", order=order)

    given = [item("a", 2), item("b", None), item("c", 1), item("d", 0)]
    assert [entry.id for entry in sorted_by_order(given)] == ["d", "b", "c", "a"]


def test_only_running_jobs_are_unsettled() -> None:
    def syncs(status: str) -> bool:
        return SyncJob(sync_id="s", status=status).settled

    def migrations(status: str) -> bool:
        return MigrationJob(job_id="m", status=status).settled

    def exports(status: str) -> bool:
        return ExportJob(status=status).settled

    assert [syncs(s) for s in ("queued", "processing", "complete", "failed", "odd")] == [
        False,
        False,
        *[True] * 3,
    ]
    assert [migrations(s) for s in ("processing", "complete", "partial", "failed", "odd")] == [
        False,
        *[True] * 4,
    ]
    assert [exports(s) for s in ("generating", "complete", "failed", "odd")] == [False, *[True] * 3]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.csv", "text/csv"),
        ("A.JSONL", "application/x-ndjson"),
        ("a.b.zip", "application/zip"),
        ("a.txt", None),
        ("csv", None),
        (".csv", None),
    ],
)
def test_the_type_of_an_upload_follows_from_its_name(name: str, kind: str | None) -> None:
    assert media_type_for(name) == kind


@pytest.mark.parametrize("extension", ["csv", "xls", "xlsx", "json", "txt", "pdf", "PDF", "Csv"])
def test_six_formats_of_feedback_are_accepted_in_any_case(extension: str) -> None:
    assert is_feedback_file(f"wave 1.{extension}")


@pytest.mark.parametrize("name", ["a.docx", "csv", "", "a.csv.gz", "a."])
def test_other_names_are_not_feedback_files(name: str) -> None:
    assert not is_feedback_file(name)


def test_a_content_type_is_compared_without_case_and_parameters() -> None:
    assert media_type("Application/X-NDJSON; charset=utf-8") == JSONL_TYPE
    assert media_type("") == ""
    assert not JSONL_TYPES & CSV_TYPES


@given(st.integers(), st.integers(min_value=0))
def test_a_simulated_participant_is_recognised_by_the_id(seed: int, number: int) -> None:
    item = simulated_participant(seed, number)
    assert len(item) == 24
    assert is_simulated(item)
    assert item == simulated_participant(seed, number)
    assert item != simulated_participant(seed, number + 1)
    assert item != simulated_participant(seed + 1, number)


@pytest.mark.parametrize(
    "other", ["", "51b0", "65c0d1e2f30415263748596a", "51B0" + "0" * 20, "51b0" + "0" * 21]
)
def test_other_ids_are_not_simulated_participants(other: str) -> None:
    assert not is_simulated(other)
