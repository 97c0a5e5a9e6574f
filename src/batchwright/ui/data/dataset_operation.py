"""The base class of operations on the study's dataset."""

from dataclasses import dataclass

from batchwright.ui.core.operations import Operation

UPLOAD = "upload"
"""Key of the upload."""
DATASET = "dataset"
"""Key of the other operations, of which the latest is shown: append, schema change and V3 upload."""


@dataclass(frozen=True, kw_only=True)
class DatasetOperation(Operation):
    """An operation on a dataset. Opening another study or data file cancels it."""

    connection_title: str
    """The name of the connection for the user."""
    is_connected: bool = False
    """Whether the service has been reached."""
    cancels_on_leave: bool = True
    shows_error: bool = True
