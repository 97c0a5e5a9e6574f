"""Version, commit, libraries and licences of the program."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from batchwright.base import program_info, resources
from batchwright.base.program_info import UpdateSource, commit, licences, update_source, versions


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


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b'{"update_url": 1}',
        b'{"update_url": "https://example.org/v.json"}',
        b'{"update_url": "http://example.org/v.json", "update_key": "RW"}',
    ],
)
@pytest.mark.usefixtures("no_cache")
def test_without_an_https_url_and_a_key_there_is_no_news(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "_BUNDLED", tmp_path)
    (tmp_path / "build.json").write_bytes(content)
    assert update_source() is None


@pytest.mark.usefixtures("no_cache")
def test_the_build_states_commit_and_news(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_BUNDLED", tmp_path)
    content = b'{"commit": "abc", "update_url": "https://example.org/v.json", "update_key": "RW"}'
    (tmp_path / "build.json").write_bytes(content)
    assert commit() == "abc"
    assert update_source() == UpdateSource("https://example.org/v.json", "RW")
