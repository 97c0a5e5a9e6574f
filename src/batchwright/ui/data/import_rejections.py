"""The records that the service rejected, mapped to the rows of the data file."""

from collections.abc import Callable, Collection

from batchwright.base.i18n import _
from batchwright.data_files.checking import Rejection
from batchwright.data_files.partition import original_record_index
from batchwright.ui.data.dataset_operations import AppendOperation, UploadOperation

UNKNOWN_RECORD = -1
"""Index for a record that the service did not identify."""


def import_rejections(
    upload: UploadOperation, bad: Collection[int], line: Callable[[int], int | None]
) -> tuple[Rejection, ...]:
    """The rejections of a finished import, with the lines of the data file.

    Args:
        upload: the upload.
        bad: indexes of the records that the check rejected; these were not sent, unless the whole file was.
        line: returns the line of a record in the file, if known.
    """
    if upload.job is None or not upload.job.rejected_count:
        return ()
    if not upload.job.errors:
        return (Rejection(0, UNKNOWN_RECORD, "", _("The service does not say which records, or why.")),)
    left_out = () if upload.source.is_entire_file else sorted(bad)
    rejections = []
    for error in upload.job.errors:
        record = (
            UNKNOWN_RECORD
            if error.record_index is None
            else original_record_index(left_out, error.record_index)
        )
        reason = error.reason or _("No reason given")
        rejections.append(Rejection(line(record) or 0, record, error.field or "", reason))
    return tuple(rejections)


def append_rejections(
    operation: AppendOperation, line_number: Callable[[int], int | None]
) -> tuple[Rejection, ...]:
    """The rejected records by row of the file; `line_number` returns the line of a record, if known."""
    rejections = []
    for rejection in operation.rejections:
        record = UNKNOWN_RECORD if rejection.record_index is None else rejection.record_index - 1
        reason = rejection.reason or _("No reason given")
        rejections.append(Rejection(line_number(record) or 0, record, rejection.field or "", reason))
    return tuple(rejections)
