"""The list of connections: this computer first, then the others in order, without tokens."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.local.connections import (
    HOSTED_URL,
    THIS_COMPUTER,
    Connection,
    Connections,
    DuplicateName,
    EnvironmentCredentials,
    NoSuchConnection,
    credentials_from_env,
    proposed_credentials,
)
from tests.policies import WritePolicy

LAB = Connection("Lab", "https://api.example.org", "w1")


def test_this_computer_is_always_listed(tmp_path: Path) -> None:
    assert Connections(tmp_path).all() == (THIS_COMPUTER,)


def test_an_added_connection_is_stored(tmp_path: Path) -> None:
    Connections(tmp_path).add(LAB)
    assert Connections(tmp_path).all() == (THIS_COMPUTER, LAB)


def test_a_connection_replaces_one_of_the_same_name(tmp_path: Path) -> None:
    connections = Connections(tmp_path)
    with pytest.raises(DuplicateName):
        connections.add(Connection(THIS_COMPUTER.name, "https://api.example.org", ""))


def test_a_removed_connection_is_not_listed(tmp_path: Path) -> None:
    connections = Connections(tmp_path)
    connections.add(LAB)
    connections.remove("Lab")
    connections.remove("Lab")
    assert connections.all() == (THIS_COMPUTER,)


@pytest.mark.parametrize("content", [b"", b"{}", b'[1, {"name": 1}]', b"\xff"])
def test_an_unreadable_list_is_set_aside(tmp_path: Path, content: bytes) -> None:
    for number in (1, 2):
        (tmp_path / "connections.json").write_bytes(content)
        connections = Connections(tmp_path)
        assert connections.all() == (THIS_COMPUTER,)
        connections.add(LAB)
        assert connections.all() == (THIS_COMPUTER, LAB)
        aside = tmp_path / f"connections.unreadable-{number}.json"
        assert connections.backup_path == aside
        assert aside.read_bytes() == content


def test_the_valid_entries_of_a_list_are_preserved(tmp_path: Path) -> None:
    Connections(tmp_path).add(LAB)
    path = tmp_path / "connections.json"
    content = path.read_bytes().replace(b"[", b'[{"name": "From a newer version"}, ', 1)
    path.write_bytes(content)
    assert Connections(tmp_path).all() == (THIS_COMPUTER, LAB)
    assert (tmp_path / "connections.unreadable-1.json").read_bytes() == content
    again = Connections(tmp_path)
    assert again.all() == (THIS_COMPUTER, LAB)
    assert again.backup_path is None


def test_the_owner_is_stored_but_no_token(tmp_path: Path) -> None:
    stored = replace(LAB, owner="Ada Lovelace", email="ada@example.org")
    Connections(tmp_path).add(stored)
    assert Connections(tmp_path).all() == (THIS_COMPUTER, stored)
    (entry,) = json.loads((tmp_path / "connections.json").read_bytes())
    words = {"name", "url", "workspace_id", "label", "owner", "email", "certificates"}
    assert set(entry) == words | {"is_token_stored", "has_old_token"}


def test_a_token_for_one_run_stays_marked_as_not_stored(tmp_path: Path) -> None:
    Connections(tmp_path).add(replace(LAB, is_token_stored=False))
    assert not Connections(tmp_path).all()[1].is_token_stored


def test_a_renamed_connection_keeps_the_name_that_studies_refer_to(tmp_path: Path) -> None:
    connections = Connections(tmp_path)
    connections.add(LAB)
    changed = replace(LAB, url="https://other.example.org", label="Laboratory")
    connections.change(changed)
    assert connections.all() == (THIS_COMPUTER, changed)
    assert (changed.name, changed.title) == ("Lab", "Laboratory")


@pytest.mark.parametrize("label", ["Lab", "Laboratory", THIS_COMPUTER.name])
def test_connection_names_are_unique(tmp_path: Path, label: str) -> None:
    connections = Connections(tmp_path)
    connections.add(replace(LAB, label="Laboratory"))
    other = Connection("Other", "https://api.example.org", "w2")
    connections.add(other)
    with pytest.raises(DuplicateName):
        connections.change(replace(other, label=label))
    with pytest.raises(DuplicateName):
        connections.add(replace(other, name=label))
    assert connections.all()[2] == other


def test_a_connection_removed_by_another_window_cannot_be_changed(tmp_path: Path) -> None:
    with pytest.raises(NoSuchConnection):
        Connections(tmp_path).change(LAB)


def test_the_environment_of_the_official_client_is_offered_as_a_connection() -> None:
    both = {"PROLIFIC_TOKEN": " canary-4Wd7 ", "PROLIFIC_URL": "https://api.example.org "}
    assert credentials_from_env(both) == EnvironmentCredentials("https://api.example.org", "canary-4Wd7")
    assert credentials_from_env({"PROLIFIC_TOKEN": "canary-4Wd7"}) == EnvironmentCredentials(
        HOSTED_URL, "canary-4Wd7"
    )
    assert "canary" not in repr(credentials_from_env(both))


def test_a_new_connection_starts_with_the_service_of_the_policy(write_policy: WritePolicy) -> None:
    found = EnvironmentCredentials("https://api.example.org", "canary-4Wd7")
    assert proposed_credentials(None) == EnvironmentCredentials(HOSTED_URL, "")
    assert proposed_credentials(found) == found
    write_policy("[preset]\nservice-url = 'https://lab.example.org'\n")
    assert proposed_credentials(None) == EnvironmentCredentials("https://lab.example.org", "")
    assert proposed_credentials(found) == found
    write_policy("[lock]\nservice-url = 'https://lab.example.org'\n")
    assert proposed_credentials(None) == EnvironmentCredentials("https://lab.example.org", "")


def test_the_token_of_another_service_than_the_locked_one_is_not_offered(write_policy: WritePolicy) -> None:
    environment = {"PROLIFIC_TOKEN": "canary-4Wd7", "PROLIFIC_URL": "https://api.example.org/"}
    write_policy("[lock]\nservice-url = 'https://lab.example.org'\n")
    assert credentials_from_env(environment) is None
    write_policy("[lock]\nservice-url = 'https://api.example.org'\n")
    assert credentials_from_env(environment) is not None


@pytest.mark.parametrize("environment", [{}, {"PROLIFIC_URL": "https://x.example"}, {"PROLIFIC_TOKEN": " "}])
def test_without_a_token_the_environment_offers_no_connection(environment: dict[str, str]) -> None:
    assert credentials_from_env(environment) is None


def test_the_certificates_of_a_connection_are_stored_as_a_path(tmp_path: Path) -> None:
    trusting = replace(LAB, certificates="/etc/ssl/own.pem")
    Connections(tmp_path).add(trusting)
    assert Connections(tmp_path).all() == (THIS_COMPUTER, trusting)
