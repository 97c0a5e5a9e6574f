"""Deleting a participant also changes what the program itself stores; a backup that is not wanted ends."""

import asyncio
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from batchwright.api.http.errors import OutcomeUnknown
from batchwright.local.analysis_settings import AnalysisSettingsTable, AnswersKey
from batchwright.local.database import open_database
from batchwright.workflows.service_data import back_up, delete_participant, restore
from tests.fakes.failing_server import FailingServer, ServerFailure
from tests.fakes.raw_http import FakeResponse
from tests.workflows.contexts import ScriptedReplies, context_at, until


async def test_settings_name_no_participant_whose_deletion_was_no_longer_waited_for(tmp_path: Path) -> None:
    key = AnswersKey("Lab", "batch:b")
    with (
        closing(open_database(tmp_path)) as database,
        FailingServer([ServerFailure.RESET_AFTER]) as server,
    ):
        settings = AnalysisSettingsTable(database)
        content = '{"exclusions": {"participants": {"quoll7": "too fast"}, "answers": {}}}'
        settings.change(key, lambda _stored: content, answers_at=datetime.now(UTC))
        async with context_at(tmp_path, server.url) as context:
            with pytest.raises(OutcomeUnknown):
                await delete_participant(context, "quoll7")
        assert "quoll7" not in settings.load(key)


async def test_a_backup_that_is_cancelled_is_not_written_any_further_by_the_service(tmp_path: Path) -> None:
    path, fractions = "/local/v1/data/backups", list[float | None]()
    states = [{"backup_id": "b", "written_bytes": written, "total_bytes": 8} for written in (0, 4)]
    replies = ScriptedReplies(
        {
            f"GET {path}/b": [FakeResponse.from_json(state) for state in states],
            f"POST {path}": [FakeResponse.from_json({"backup_id": "b"}, 202)],
            f"DELETE {path}/b": [FakeResponse(204)],
        }
    )
    with FailingServer([], replies) as server:
        async with context_at(tmp_path, server.url) as context:
            saving = asyncio.create_task(back_up(context, tmp_path / "backup.zip", fractions.append))
            await until(lambda: 0.25 in fractions)
            saving.cancel()
            with pytest.raises(asyncio.CancelledError):
                await saving
        assert server.arrived[-1].call == f"DELETE {path}/b"
    assert fractions[0] == 0
    assert not (tmp_path / "backup.zip").exists()


@pytest.mark.parametrize("can_be_cancelled", [True, False])
async def test_a_restore_that_is_cancelled_changes_nothing_unless_it_replaces_already(
    tmp_path: Path, can_be_cancelled: bool
) -> None:
    path, fractions, backup = "/local/v1/data/restores", list[float | None](), tmp_path / "backup.zip"
    backup.write_bytes(b"backup")
    states = [{"restore_id": "r", "checked_bytes": checked, "total_bytes": 8} for checked in (4, 8)]
    restored = {**states[1], "restored": {"studies": 3}}
    cancelled = FakeResponse(204) if can_be_cancelled else FakeResponse.from_json({}, 409)
    with FailingServer([], lambda request: replies(request)) as server:
        upload = {"restore_id": "r", "upload_url": f"{server.url}/storage/backups/r/backup.zip"}
        replies = ScriptedReplies(
            {
                f"GET {path}/r": [FakeResponse.from_json(state) for state in (*states, restored)],
                f"POST {path}/r": [FakeResponse.from_json(states[0], 202)],
                f"POST {path}": [FakeResponse.from_json(upload, 201)],
                "PUT /storage/backups/r/backup.zip": [FakeResponse()],
                f"DELETE {path}/r": [cancelled],
            }
        )
        async with context_at(tmp_path, server.url) as context:
            restoring = asyncio.create_task(restore(context, backup, fractions.append))
            await until(lambda: None in fractions)
            restoring.cancel()
            if can_be_cancelled:
                with pytest.raises(asyncio.CancelledError):
                    await restoring
            else:
                assert (await restoring).studies == 3
        calls = [request.call for request in server.arrived]
    assert (calls[-1] == f"DELETE {path}/r") == can_be_cancelled
    assert 0.75 in fractions


@pytest.mark.parametrize("has_started", [True, False])
async def test_a_restore_whose_response_was_lost_is_started_again_only_if_it_was_not(
    tmp_path: Path, has_started: bool
) -> None:
    path, backup = "/local/v1/data/restores", tmp_path / "backup.zip"
    backup.write_bytes(b"backup")
    state = {"restore_id": "r", "checked_bytes": 8, "total_bytes": 8}
    restored = FakeResponse.from_json({**state, "restored": {"studies": 3}})
    states = [restored] if has_started else [FakeResponse.from_json({}, 404), restored]
    outcomes = [None, None, ServerFailure.RESET_AFTER]
    with FailingServer(outcomes, lambda request: replies(request)) as server:
        upload = {"restore_id": "r", "upload_url": f"{server.url}/storage/backups/r/backup.zip"}
        replies = ScriptedReplies(
            {
                f"GET {path}/r": states,
                f"POST {path}/r": [FakeResponse.from_json(state, 202)],
                f"POST {path}": [FakeResponse.from_json(upload, 201)],
                "PUT /storage/backups/r/backup.zip": [FakeResponse()],
            }
        )
        async with context_at(tmp_path, server.url) as context:
            assert (await restore(context, backup)).studies == 3
        calls = [request.call for request in server.arrived]
    assert calls.count(f"POST {path}/r") == (1 if has_started else 2)
