"""The kinds of file with a batch's answers that can be downloaded, and the operation that does it."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from batchwright.client.transfer_rate import UNKNOWN, TransferRate
from batchwright.ui.core.operations import Operation


class DownloadKind(StrEnum):
    """A file that can be downloaded."""

    REPORT = "report"
    SAFE_REPORT = "safe report"
    """The report, with cells that a spreadsheet shows as text and never runs as formulas."""
    EXPORT = "export"
    ANSWERS = "answers"
    """All answers that the service has now, as JSON; an export may be older (wire reference, section 15)."""


@dataclass(frozen=True)
class DownloadOperation(Operation):
    """The download of a file; it stays with its batch, even if another study is opened meanwhile."""

    kind: DownloadKind = DownloadKind.REPORT
    path: Path = Path()
    batch_id: str = ""
    done: int = 0
    """Bytes received."""
    total: int | None = None
    """Total number of bytes; None if unknown."""
    rate: TransferRate = UNKNOWN
