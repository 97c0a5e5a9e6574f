"""The id registry stores every id as soon as it is known."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from batchwright.base.database import Database
from batchwright.base.json_values import to_json
from batchwright.local.database import open_database
from batchwright.local.id_registry import IdRegistry, RegisteredId, RemoteKind
from batchwright.local.job_table import JobRows


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """The program's database in a fresh folder."""
    database = open_database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def register(database: Database) -> IdRegistry:
    """The register in it."""
    return IdRegistry(database)


def test_what_was_stored_is_found(register: IdRegistry) -> None:
    register.save(RegisteredId("here", RemoteKind.DATASET, "d", "Pairs", "w", was_made=True))
    found = register.get("here", RemoteKind.DATASET, "d")
    assert found is not None
    assert (found.name, found.workspace_id, found.was_made) == ("Pairs", "w", True)


def test_the_same_id_at_two_services_is_two_things(register: IdRegistry) -> None:
    register.save(RegisteredId("here", RemoteKind.BATCH, "b", "Local"))
    register.save(RegisteredId("there", RemoteKind.BATCH, "b", "Hosted"))
    assert [stored.name for stored in register.all("there")] == ["Hosted"]
    assert register.get("elsewhere", RemoteKind.BATCH, "b") is None


def test_receiving_an_id_again_adds_what_is_new_and_removes_nothing(register: IdRegistry) -> None:
    register.save(RegisteredId("here", RemoteKind.IMPORT, "i", "pairs.csv", parent_id="d", was_made=True))
    first = register.get("here", RemoteKind.IMPORT, "i")
    register.save(RegisteredId("here", RemoteKind.IMPORT, "i", workspace_id="w"))
    again = register.get("here", RemoteKind.IMPORT, "i")
    assert first is not None
    assert again == RegisteredId(
        "here", RemoteKind.IMPORT, "i", "pairs.csv", "w", "d", was_made=True, first_at=first.first_at
    )


def test_a_connection_lists_one_kind_or_all(register: IdRegistry) -> None:
    register.save(RegisteredId("here", RemoteKind.DATASET, "d"))
    register.save(RegisteredId("here", RemoteKind.BATCH, "b"))
    assert {stored.id for stored in register.all("here")} == {"d", "b"}
    assert [stored.id for stored in register.all("here", RemoteKind.BATCH)] == ["b"]


def test_everything_can_be_exported_as_json(register: IdRegistry) -> None:
    register.save(RegisteredId("here", RemoteKind.DATASET, "d", "Pairs ü"))
    (entry,) = register.exported()
    assert entry["kind"] == "dataset"
    assert '"Pairs ü"' in to_json(entry)


def test_an_id_outlasts_the_program(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    IdRegistry(database).save(RegisteredId("here", RemoteKind.DATASET, "d"))
    database.close()
    again = open_database(tmp_path)
    assert IdRegistry(again).get("here", RemoteKind.DATASET, "d")
    again.close()


def test_lone_surrogates_of_a_service_do_not_stop_the_register(
    database: Database, register: IdRegistry
) -> None:
    register.save(RegisteredId("here", RemoteKind.DATASET, "d\ud83d", "Pairs \udcff"))
    found = register.get("here", RemoteKind.DATASET, "d\ud83d")
    assert found is not None
    assert found.name == "Pairs \N{REPLACEMENT CHARACTER}"
    row = JobRows(database).add("here", "import", {"id": "d\ud83d"}, "Pairs \udcff")
    assert row.title == "Pairs \N{REPLACEMENT CHARACTER}"
