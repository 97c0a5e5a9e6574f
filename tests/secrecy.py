"""Secrets in texts: tokens and the signatures of URLs must not be found in files or logs."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from batchwright.api.files.transfers import Transfers

FRAGMENT_LENGTH = 8
"""How many consecutive characters of a secret count as a leak."""


def fragments(secret: str) -> set[bytes]:
    """Every fragment of that length of a secret."""
    return {
        secret[start : start + FRAGMENT_LENGTH].encode() for start in range(len(secret) - FRAGMENT_LENGTH + 1)
    }


def texts_with_secret(secrets: set[bytes], texts: dict[str, bytes]) -> list[str]:
    """The names of the texts that contain a fragment of a secret."""
    pattern = re.compile(b"|".join(map(re.escape, sorted(secrets))))
    return [name for name, text in texts.items() if pattern.search(text)]


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Signatures(set[str]):
    """The signatures of the URLs of all transfers."""

    def record(self, address: str) -> None:
        query = urlsplit(address).query
        assert query
        self.add(query)
        self.update(value for _name, value in parse_qsl(query) if len(value) > 20)


@pytest.fixture
def signatures(monkeypatch: pytest.MonkeyPatch) -> Signatures:
    """Records the URL of every transfer."""
    recorded = Signatures()
    upload, downloaded = Transfers.upload, Transfers.download

    async def recording_upload(self: Transfers, path: Path, url: str, **rest: Any) -> Any:
        recorded.record(url)
        return await upload(self, path, url, **rest)

    async def recording_download(self: Transfers, url: str, *rest: Any) -> Any:
        recorded.record(url)
        return await downloaded(self, url, *rest)

    monkeypatch.setattr(Transfers, "upload", recording_upload)
    monkeypatch.setattr(Transfers, "download", recording_download)
    return recorded
