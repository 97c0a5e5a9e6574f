"""Deleting a participant also changes what the program itself stores."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from batchwright.api.http.errors import OutcomeUnknown
from batchwright.local.analysis_settings import AnalysisSettingsTable, AnswersKey
from batchwright.local.database import open_database
from batchwright.workflows.service_data import delete_participant
from tests.fakes.failing_server import FailingServer, ServerFailure
from tests.workflows.contexts import context_at


async def test_settings_name_no_participant_whose_deletion_was_no_longer_waited_for(tmp_path: Path) -> None:
    key = AnswersKey("Lab", "batch:b")
    with (
        closing(open_database(tmp_path)) as database,
        FailingServer([ServerFailure.RESET_AFTER]) as server,
    ):
        settings = AnalysisSettingsTable(database)
        content = '{"exclusions": {"participants": {"quoll7": "too fast"}, "answers": {}}}'
        settings.store(key, content, answers_at=datetime.now(UTC))
        async with context_at(tmp_path, server.url) as context:
            with pytest.raises(OutcomeUnknown):
                await delete_participant(context, "quoll7")
        assert "quoll7" not in settings.load(key)
