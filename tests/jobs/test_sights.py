"""What each status of each kind of job means: go on, or ended, and how."""

import pytest

from batchwright.jobs.sights import Ending, export_sight, import_sight, setup_sight
from batchwright.wire.batches import BatchState
from batchwright.wire.exports import ExportJob
from batchwright.wire.imports import ImportJob


@pytest.mark.parametrize(
    ("status", "ending"),
    [
        ("uninitialised", None),
        ("queued", None),
        ("processing", None),
        ("pending_schema", Ending.PAUSED),
        ("complete", Ending.DONE),
        ("partial", Ending.PARTLY),
        ("failed", Ending.FAILED),
        ("a word of tomorrow", Ending.UNCLEAR),
    ],
)
def test_an_import_is_watched_while_uninitialised_queued_or_processing_and_no_longer(
    status: str, ending: Ending | None
) -> None:
    job = ImportJob.model_validate({"import_id": "i", "status": status, "accepted_count": 3})
    seen = import_sight(job)
    assert (seen.state, seen.ending, seen.settled) == (status, ending, ending is not None)
    assert seen.detail == {"import_id": "i", "accepted_count": 3}


@pytest.mark.parametrize(
    ("status", "ending"),
    [
        ("UNINITIALISED", None),
        ("PROCESSING", None),
        ("READY", Ending.DONE),
        ("ERROR", Ending.FAILED),
        ("RESTING", None),
    ],
)
def test_a_setup_ends_when_the_batch_is_ready_or_in_error(status: str, ending: Ending | None) -> None:
    assert setup_sight(BatchState.model_validate({"status": status})).ending is ending


@pytest.mark.parametrize(
    ("status", "ending"),
    [
        ("generating", None),
        ("complete", Ending.DONE),
        ("failed", Ending.FAILED),
        ("thinking", Ending.UNCLEAR),
    ],
)
def test_an_export_ends_at_its_terminal_statuses_alone(status: str, ending: Ending | None) -> None:
    assert export_sight(ExportJob.model_validate({"status": status})).ending is ending


def test_the_address_of_an_export_is_not_kept() -> None:
    job = ExportJob.model_validate({"status": "complete", "export_id": "e", "url": "https://storage/secret"})
    assert export_sight(job).detail == {"export_id": "e"}
