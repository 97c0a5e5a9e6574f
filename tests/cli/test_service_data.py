"""`batchwright-cli service-data`: what the service stores is listed and deleted from the command line."""

import argparse
import asyncio
import io
import json
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from batchwright.__main__ import main
from batchwright.base.json_values import to_json
from batchwright.cli.service_data import _deletions, _list
from batchwright.local.analysis_settings import AnalysisSettingsTable, AnswersKey
from batchwright.local.database import COPY_NAME, FILE_NAME, back_up, open_database
from batchwright.local.paths import default_paths
from batchwright.service.process import ServiceAddress, ServiceProcess
from batchwright.wire.service_data import ServiceData
from batchwright.workflows.rehearsal.create_test_participant import create_test_participant
from tests.service.api_helpers import Researcher, page
from tests.service.participant import answer_task_group
from tests.service.test_stored_data import files_with
from tests.workflows.contexts import context_at

PERSON = "f" * 23 + "1"
TEXT = {"type": "free_text", "description": "What do you think?"}


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The program's own folders are temporary."""
    monkeypatch.setenv("BATCHWRIGHT_HOME", str(tmp_path / "home"))


@pytest.fixture
def researcher(running: ServiceAddress) -> Iterator[Researcher]:
    started = Researcher(running)
    yield started
    started.close()


@pytest.fixture
def batch(researcher: Researcher) -> str:
    """A batch that one participant has answered."""
    return answered(researcher, PERSON)


def answered(researcher: Researcher, person: str) -> str:
    """The id of a new batch that a participant has answered."""
    dataset = researcher.filled_dataset(1)
    id = str(researcher.batch(name="Cats", dataset_id=dataset, batch_items=[page(TEXT)])["id"])
    researcher.set_up(id)
    path = f"/local/v1/batches/{id}/participation"
    answer_task_group(researcher.request("GET", path, None, 200)["url"], person)
    return id


async def created_participant(folder: Path, service: ServiceAddress, email: str) -> str:
    """The id of a new test participant, which is also stored in a folder of the program."""
    async with context_at(
        folder, service.url, token=service.token, workspace=service.workspace_id
    ) as context:
        return await create_test_participant(context, email)


def run(running: ServiceAddress, folder: Path, *arguments: str) -> int:
    """Run an action on the shared service."""
    token = folder / "token"
    token.write_text(running.token, encoding="utf-8")
    service = ["--url", running.url, "--workspace", running.workspace_id, "--token-file", str(token)]
    return main(["service-data", *arguments, *service])


def answers_of(researcher: Researcher, batch: str) -> list[Any]:
    listed = researcher.request("GET", f"/batches/{batch}/responses", None, 200)
    return list(listed["results"])


def test_a_study_is_listed_and_deleted_once_that_is_confirmed(
    running: ServiceAddress,
    researcher: Researcher,
    batch: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(running, tmp_path, "list", "--json") == 0
    stored = json.loads(capsys.readouterr().out)
    assert batch in [study["id"] for study in stored["studies"]]
    assert run(running, tmp_path, "delete", batch) == 1
    printed = capsys.readouterr()
    assert f"{batch}  Cats; records: 1; answers: 1;" in printed.out
    assert "--yes" in printed.err
    assert answers_of(researcher, batch)
    assert run(running, tmp_path, "delete", batch, "--yes") == 0
    assert "Studies: 1; participants: 1; answers: 1; files: 0." in capsys.readouterr().err
    assert run(running, tmp_path, "delete", batch, "--yes") == 2
    assert f"no study {batch}" in capsys.readouterr().err
    assert run(running, tmp_path, "list") == 0
    printed = capsys.readouterr()
    assert batch not in printed.out
    assert "Size: " in printed.err


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_the_list_is_valid_json_in_the_encoding_of_every_pipe(
    encoding: str,
    running: ServiceAddress,
    researcher: Researcher,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    id, pipe = researcher.batch(name="Größe 大きさ 👍")["id"], io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe, encoding, write_through=True))
    assert run(running, tmp_path, "list", "--json") == 0
    studies = json.loads(pipe.getvalue().decode("utf-8"))["studies"]
    assert {study["id"]: study["name"] for study in studies}[id] == "Größe 大きさ 👍"


def test_a_participant_is_deleted_and_the_record_is_found_by_the_id(
    running: ServiceAddress,
    researcher: Researcher,
    batch: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = "delete-participant", PERSON, "--study", batch
    assert run(running, tmp_path, *options) == 1
    assert run(running, tmp_path, *options, "--yes") == 0
    assert answers_of(researcher, batch) == []
    assert run(running, tmp_path, *options, "--yes") == 1, "nothing is left"
    capsys.readouterr()
    assert run(running, tmp_path, "deletions", "--participant", PERSON) == 0
    printed = capsys.readouterr().out
    assert "answers: 1; files: 0" in printed
    assert PERSON not in printed
    assert run(running, tmp_path, "deletions", "--participant", "0" * 24) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ignores the variable")
def test_times_are_those_of_the_time_zone_of_the_user(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = ServiceData.model_validate(
        {
            "studies": [{"id": "a", "last_used_at": "2026-03-03T20:00:00.001Z"}],
            "deletions": [{"studies": 1, "deleted_at": "2026-03-03T20:00:00.001Z"}],
        }
    )
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "XST-13")
        time.tzset()
        try:
            for action in (_list, _deletions):
                action(stored, argparse.Namespace(json=False, participant=None))
        finally:
            patched.undo()
            time.tzset()
    printed = capsys.readouterr().out
    assert "last used: 2026-03-04" in printed
    assert "2026-03-04 09:00:00+13:00  studies: 1" in printed


def test_no_file_of_the_program_names_a_deleted_test_participant(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Searched are databases, their copies, exports, backups and logs."""
    monkeypatch.setenv("BATCHWRIGHT_LOG_LEVEL", "debug")
    folders, email = default_paths(), "quoll7@example.org"
    folders.create()
    home = folders.data.parent
    with ServiceProcess(folders.service) as service, closing(Researcher(service)) as researcher:
        person = asyncio.run(created_participant(folders.data, service, email))
        batch = answered(researcher, person)
        researcher.exported(batch)
        researcher.backup()
        with closing(open_database(folders.data)) as database:
            excluded = {"exclusions": {"participants": {person: "slow"}, "answers": {f"{person}-1": ""}}}
            key = AnswersKey(service.url, f"batch:{batch}")
            content, now = to_json(excluded), datetime.now(UTC)
            AnalysisSettingsTable(database).change(key, lambda _stored: content, answers_at=now)
            back_up(database)
        found = {name.removesuffix("-wal") for name in files_with(home, person, email)}
        assert found >= {FILE_NAME, COPY_NAME, "service.db"}
        assert run(service, tmp_path, "delete-participant", person, "--yes") == 0
        assert not files_with(home, person, email)
    assert not files_with(home, person, email)


def test_nothing_is_deleted_by_age_that_was_used_today(
    running: ServiceAddress, researcher: Researcher, batch: str, tmp_path: Path
) -> None:
    assert run(running, tmp_path, "delete-older", "1", "--yes") == 1
    assert answers_of(researcher, batch)


def test_everything_is_saved_and_restored_in_another_folder(
    running: ServiceAddress, batch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup, folder = tmp_path / "backup.zip", str(tmp_path / "service")
    assert run(running, tmp_path, "back-up", str(backup)) == 0
    assert str(backup) in capsys.readouterr().err
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(backup.read_bytes()[:-100])
    assert main(["service-data", "restore", str(damaged), "--data-dir", folder]) == 2
    assert "The backup is damaged" in capsys.readouterr().err
    assert main(["service-data", "restore", str(backup), "--data-dir", folder]) == 0
    assert "Restored. Studies: " in capsys.readouterr().err
    assert run(running, tmp_path, "restore", str(backup)) == 1, "without --yes"
    printed = capsys.readouterr()
    assert batch in printed.out
    assert run(running, tmp_path, "restore", str(tmp_path / "none.zip"), "--yes") == 2


def test_a_dataset_without_a_study_is_not_replaced_without_confirmation(
    running: ServiceAddress, batch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup, folder = tmp_path / "backup.zip", tmp_path / "service"
    assert run(running, tmp_path, "back-up", str(backup)) == 0
    service = ServiceProcess(folder)
    alone = Researcher(service.start())
    alone.dataset()
    alone.close()
    service.stop()
    capsys.readouterr()
    restore = ["service-data", "restore", str(backup), "--data-dir", str(folder)]
    assert main(restore) == 1
    assert capsys.readouterr().out == "Datasets without a study, and feedback files: 1.\n"
    assert main([*restore, "--yes"]) == 0


def test_the_service_is_started_on_its_data_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "service"
    service = ServiceProcess(folder)
    service.start()
    service.stop()
    assert main(["service-data", "list", "--json", "--data-dir", str(folder)]) == 0
    assert json.loads(capsys.readouterr().out)["studies"] == []


def test_a_folder_without_data_is_an_error_and_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = tmp_path / "nightly.zip"
    command = ["service-data", "back-up", str(backup), "--data-dir", str(tmp_path / "typo")]
    assert main(command) == 2
    assert "typo contains no data of the service." in capsys.readouterr().err
    assert not (tmp_path / "typo").exists()
    assert not backup.exists()


def test_a_backup_that_is_missing_creates_no_data_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "service"
    command = ["service-data", "restore", str(tmp_path / "none.zip"), "--data-dir", str(folder), "--yes"]
    assert main(command) == 2
    assert "none.zip is not a file." in capsys.readouterr().err
    assert not folder.exists()


def test_a_study_is_found_by_its_id_in_capitals_and_deleted_once(
    running: ServiceAddress, batch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(running, tmp_path, "delete", batch.upper(), batch) == 1
    assert capsys.readouterr().out.count(batch) == 1
    assert run(running, tmp_path, "delete", batch.upper(), batch, "--yes") == 0


def test_a_backup_does_not_replace_what_is_backed_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "data" / "service.db"
    database.parent.mkdir()
    database.write_bytes(b"everything")
    assert main(["service-data", "back-up", str(database), "--data-dir", str(database.parent)]) == 2
    assert "service.db is in the data folder of the service." in capsys.readouterr().err
    assert database.read_bytes() == b"everything"


def test_a_backup_without_a_name_is_an_error_of_the_file(
    running: ServiceAddress, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(running, tmp_path, "back-up", "") == 2
    printed = capsys.readouterr().err
    assert "Unexpected" not in printed
    assert "Check the file" in printed


@pytest.mark.parametrize("option", ["--workspace", "--token-file", "--ca-file"])
def test_options_of_another_service_need_its_url(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["service-data", "list", option, "x"]) == 2
    assert f"{option} requires --url." in capsys.readouterr().err


def test_a_participant_without_an_id_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["service-data", "delete-participant", "", "--yes"])
    assert ended.value.code == 2
    assert "must not be empty" in capsys.readouterr().err
