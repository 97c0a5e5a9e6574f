"""The list of connections: this computer first, the others as they were added, no token among them."""

from pathlib import Path

import pytest

from batchwright.local.connections import THIS_COMPUTER, Connection, Connections, NameTaken

LAB = Connection("Lab", "https://api.example.org", "w1")


def test_this_computer_is_always_there(tmp_path: Path) -> None:
    assert Connections(tmp_path).all() == (THIS_COMPUTER,)


def test_what_was_added_is_there_next_time(tmp_path: Path) -> None:
    Connections(tmp_path).add(LAB)
    assert Connections(tmp_path).all() == (THIS_COMPUTER, LAB)


def test_a_name_stands_once(tmp_path: Path) -> None:
    connections = Connections(tmp_path)
    with pytest.raises(NameTaken):
        connections.add(Connection(THIS_COMPUTER.name, "https://api.example.org", ""))


def test_what_was_removed_is_gone(tmp_path: Path) -> None:
    connections = Connections(tmp_path)
    connections.add(LAB)
    connections.remove("Lab")
    connections.remove("Lab")
    assert connections.all() == (THIS_COMPUTER,)


@pytest.mark.parametrize("content", [b"", b"{}", b'[1, {"name": 1}]', b"\xff"])
def test_a_list_that_cannot_be_read_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "connections.json").write_bytes(content)
    assert Connections(tmp_path).all() == (THIS_COMPUTER,)
