"""The operations of the Feedback stage, with scripted workflows."""

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import AsyncMock

import pytest

from batchwright.local.sent_files import SentFile
from batchwright.ui.feedback import state as feedback_state
from batchwright.ui.feedback.state import FeedbackFile, FeedbackFileState, FeedbackState
from tests.ui.core.operation_fixtures import Command, Fixture, ScriptedWork


def send_file(at: Fixture, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Send one file, which was checked already."""
    state = FeedbackState(at.session, at.tasks)
    state._files[1] = FeedbackFile(1, Path("a.csv"), 10, FeedbackFileState.UNCONFIRMED)
    work = ScriptedWork(SentFile("a.csv", 10, "Lab", "w1", datetime.now(UTC)))
    monkeypatch.setattr(feedback_state, "send_feedback", work)
    monkeypatch.setattr(at.session, "sent_files", AsyncMock(return_value=SimpleNamespace()))
    return Command(
        state.operations,
        work,
        lambda: state.send((1,)),
        lambda: bool(state.history) and state.files[0].state is FeedbackFileState.SENT,
        at.study.open_another,
        shows_error=True,
        belongs_to_window=True,
    )


FEEDBACK_COMMANDS = (send_file,)
"""Each makes a command, given the session and a monkeypatch."""
