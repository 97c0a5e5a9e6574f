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
def registry(database: Database) -> IdRegistry:
    """The id registry in the database."""
    return IdRegistry(database)


def test_a_stored_id_is_listed(registry: IdRegistry) -> None:
    registry.save(RegisteredId("here", RemoteKind.DATASET, "d", "Pairs", "w", was_made=True))
    (found,) = registry.all("here")
    assert (found.name, found.workspace_id, found.was_made) == ("Pairs", "w", True)


def test_the_same_id_at_two_services_has_two_entries(registry: IdRegistry) -> None:
    registry.save(RegisteredId("here", RemoteKind.BATCH, "b", "Local"))
    registry.save(RegisteredId("there", RemoteKind.BATCH, "b", "Hosted"))
    assert [stored.name for stored in registry.all("there")] == ["Hosted"]
    assert registry.all("elsewhere") == []


def test_an_id_recorded_again_gains_new_details_and_loses_none(registry: IdRegistry) -> None:
    registry.save(RegisteredId("here", RemoteKind.IMPORT, "i", "pairs.csv", parent_id="d", was_made=True))
    (first,) = registry.all("here")
    registry.save(RegisteredId("here", RemoteKind.IMPORT, "i", workspace_id="w"))
    (again,) = registry.all("here")
    assert again == RegisteredId(
        "here", RemoteKind.IMPORT, "i", "pairs.csv", "w", "d", was_made=True, first_at=first.first_at
    )


def test_the_ids_of_a_connection_can_be_filtered_by_kind(registry: IdRegistry) -> None:
    registry.save(RegisteredId("here", RemoteKind.DATASET, "d"))
    registry.save(RegisteredId("here", RemoteKind.BATCH, "b"))
    assert {stored.id for stored in registry.all("here")} == {"d", "b"}
    assert [stored.id for stored in registry.all("here", RemoteKind.BATCH)] == ["b"]


def test_the_registry_can_be_exported_as_json(registry: IdRegistry) -> None:
    registry.save(RegisteredId("here", RemoteKind.DATASET, "d", "Pairs ü"))
    (entry,) = registry.exported()
    assert entry["kind"] == "dataset"
    assert '"Pairs ü"' in to_json(entry)


def test_ids_are_stored_for_the_next_start(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    IdRegistry(database).save(RegisteredId("here", RemoteKind.DATASET, "d"))
    database.close()
    again = open_database(tmp_path)
    assert [stored.id for stored in IdRegistry(again).all("here")] == ["d"]
    again.close()


def test_names_with_lone_surrogates_are_stored(database: Database, registry: IdRegistry) -> None:
    registry.save(RegisteredId("here", RemoteKind.DATASET, "d\ud83d", "Pairs \udcff"))
    (found,) = registry.all("here")
    assert found.name == "Pairs \N{REPLACEMENT CHARACTER}"
    row = JobRows(database).add("here", "import", {"id": "d\ud83d"}, "Pairs \udcff")
    assert row.title == "Pairs \N{REPLACEMENT CHARACTER}"
