"""What was deleted is said in sentences, also if nothing but datasets was found, or something is left."""

import pytest

from batchwright.ui.support.stored_data_state import deleted_text
from batchwright.wire.service_data import DeletedData

NOTHING = "Nothing was found that could be deleted."
COUNTS = "Deleted. Studies: 1; participants: 2; answers: 3; files: 0."


@pytest.mark.parametrize(
    ("deleted", "text"),
    [
        (DeletedData(), NOTHING),
        (DeletedData(in_use=1), f"{NOTHING} 1 study is left, because a job of it is running."),
        (
            DeletedData(is_erased=False),
            f"{NOTHING} Copies in free space of the database are erased when the service starts again.",
        ),
        (DeletedData(unused=2), "Deleted datasets without a study, and feedback files: 2."),
        (
            DeletedData(studies=1, participants=2, answers=3, unused=4),
            f"{COUNTS} Deleted datasets without a study, and feedback files: 4.",
        ),
    ],
)
def test_each_part_of_what_was_deleted_or_is_left_is_said(deleted: DeletedData, text: str) -> None:
    assert deleted_text(deleted) == text
