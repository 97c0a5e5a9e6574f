"""What the service rejected, at the rows of the file that the person has in front of them."""

from collections.abc import Callable, Collection

from batchwright.base.i18n import _
from batchwright.data_files.checking import Rejection
from batchwright.data_files.partition import original_record_index
from batchwright.ui.data.upload_state import UploadState

UNKNOWN_RECORD = -1
"""The index of a record that the service did not name."""


def import_rejections(
    upload: UploadState | None, bad: Collection[int], line: Callable[[int], int | None]
) -> tuple[Rejection, ...]:
    """The rejections of an import that has ended.

    Args:
        progress: the upload.
        bad: the records that the check found at fault; they were left out, unless the file was sent whole.
        line: the physical line of a record, where it is known.
    """
    if upload is None or upload.job is None or not upload.job.rejected_count:
        return ()
    if not upload.job.errors:
        return (Rejection(0, UNKNOWN_RECORD, "", _("The service does not say which records, nor why.")),)
    left_out = () if upload.source.is_whole else sorted(bad)
    found = []
    for error in upload.job.errors:
        record = (
            UNKNOWN_RECORD
            if error.record_index is None
            else original_record_index(left_out, error.record_index)
        )
        reason = error.reason or _("No reason given")
        found.append(Rejection(line(record) or 0, record, error.field or "", reason))
    return tuple(found)
