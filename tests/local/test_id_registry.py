"""The register keeps every id from the moment it is known."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from batchwright.base.json_values import render
from batchwright.local.database import Database
from batchwright.local.id_registry import Kind, Known, Register
from batchwright.local.job_table import JobRows


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """The program's database in a fresh folder."""
    database = Database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def register(database: Database) -> Register:
    """The register in it."""
    return Register(database)


def test_what_was_kept_is_found(register: Register) -> None:
    register.keep(Known("here", Kind.DATASET, "d", "Pairs", "w", was_made=True))
    found = register.find("here", Kind.DATASET, "d")
    assert found is not None
    assert (found.name, found.workspace_id, found.was_made) == ("Pairs", "w", True)


def test_the_same_id_at_two_services_is_two_things(register: Register) -> None:
    register.keep(Known("here", Kind.BATCH, "b", "Local"))
    register.keep(Known("there", Kind.BATCH, "b", "Hosted"))
    assert [known.name for known in register.all("there")] == ["Hosted"]
    assert register.find("elsewhere", Kind.BATCH, "b") is None


def test_seeing_a_thing_again_adds_what_is_new_and_forgets_nothing(register: Register) -> None:
    register.keep(Known("here", Kind.IMPORT, "i", "pairs.csv", parent_id="d", was_made=True))
    first = register.find("here", Kind.IMPORT, "i")
    register.keep(Known("here", Kind.IMPORT, "i", workspace_id="w"))
    again = register.find("here", Kind.IMPORT, "i")
    assert first is not None
    assert again == Known(
        "here", Kind.IMPORT, "i", "pairs.csv", "w", "d", was_made=True, first_at=first.first_at
    )


def test_a_connection_lists_one_kind_or_all(register: Register) -> None:
    register.keep(Known("here", Kind.DATASET, "d"))
    register.keep(Known("here", Kind.BATCH, "b"))
    assert {known.id for known in register.all("here")} == {"d", "b"}
    assert [known.id for known in register.all("here", Kind.BATCH)] == ["b"]


def test_everything_can_be_exported_as_json(register: Register) -> None:
    register.keep(Known("here", Kind.DATASET, "d", "Pairs ü"))
    (entry,) = register.exported()
    assert entry["kind"] == "dataset"
    assert '"Pairs ü"' in render(entry)


def test_an_id_outlasts_the_program(tmp_path: Path) -> None:
    database = Database(tmp_path)
    Register(database).keep(Known("here", Kind.DATASET, "d"))
    database.close()
    again = Database(tmp_path)
    assert Register(again).find("here", Kind.DATASET, "d")
    again.close()


def test_half_characters_of_a_service_do_not_stop_the_register(
    database: Database, register: Register
) -> None:
    register.keep(Known("here", Kind.DATASET, "d\ud83d", "Pairs \udcff"))
    found = register.find("here", Kind.DATASET, "d\ud83d")
    assert found is not None
    assert found.name == "Pairs \N{REPLACEMENT CHARACTER}"
    row = JobRows(database).add("here", "import", {"id": "d\ud83d"}, "Pairs \udcff")
    assert row.title == "Pairs \N{REPLACEMENT CHARACTER}"
