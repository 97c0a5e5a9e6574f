"""Version, commit, libraries and licences of the program."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from batchwright.base import program_info, resources
from batchwright.base.program_info import commit, licences, update_url, versions


def test_the_libraries_include_those_of_extras_and_of_other_libraries() -> None:
    names = {name.casefold() for name in versions()}
    assert {"batchwright", "commit", "python", "system"} <= names
    assert {"httpx", "socksio", "h11"} <= names
    assert not names & {"pytest", "ruff", "mypy"}


def test_every_licence_has_a_name_and_a_kind() -> None:
    for licence in licences():
        assert licence.name
        assert licence.kind
    assert all(licence.text for licence in licences()[:3])


@pytest.fixture
def no_cache() -> Iterator[None]:
    def clear() -> None:
        commit.cache_clear()
        program_info._build_value.cache_clear()

    clear()
    yield
    clear()


@pytest.mark.parametrize("content", [b"", b"[]", b'{"update_url": 1}'])
@pytest.mark.usefixtures("no_cache")
def test_an_unreadable_build_file_states_no_url(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "_BUNDLED", tmp_path)
    monkeypatch.delenv(program_info.UPDATE_URL_VARIABLE, raising=False)
    (tmp_path / "build.json").write_bytes(content)
    assert update_url() == ""


@pytest.mark.usefixtures("no_cache")
def test_the_build_states_commit_and_update_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_BUNDLED", tmp_path)
    monkeypatch.delenv(program_info.UPDATE_URL_VARIABLE, raising=False)
    (tmp_path / "build.json").write_bytes(b'{"commit": "abc", "update_url": "https://example.org/v.json"}')
    assert commit() == "abc"
    assert update_url() == "https://example.org/v.json"
    monkeypatch.setenv(program_info.UPDATE_URL_VARIABLE, "https://other.example.org")
    assert update_url() == "https://other.example.org"
