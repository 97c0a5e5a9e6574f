"""The jobs of the study beside the Run stage."""

import asyncio
from datetime import UTC, datetime

import pytest
from PySide6.QtWidgets import QLabel

from batchwright.client.job_monitoring.status import JobKind, JobOutcome
from batchwright.local.job_table import JobRow
from batchwright.ui.run.stage import JobsPanel

pytestmark = pytest.mark.gui

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def test_a_job_that_failed_states_why(loop: asyncio.AbstractEventLoop) -> None:
    reason = "It was interrupted 8 times without progress and was stopped."
    detail = {"reason": reason}
    panel = JobsPanel()
    panel.show_jobs(
        [
            JobRow(
                1, "here", JobKind.SETUP, {}, "Cats", NOW, NOW, "ERROR", detail, None, JobOutcome.FAILED, NOW
            )
        ]
    )
    assert reason in {label.text() for label in panel.findChildren(QLabel)}
    panel.deleteLater()
