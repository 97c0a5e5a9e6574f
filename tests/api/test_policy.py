"""The policy locks the service, the workspace and the certificates of every client."""

from pathlib import Path

import pytest

from batchwright.api.client import connect
from batchwright.api.http.errors import BadCertificates, NotAllowed
from tests.policies import WritePolicy

TOKEN = "canary-8Rt2"


async def test_only_the_locked_service_is_reached_and_this_computer(write_policy: WritePolicy) -> None:
    path = write_policy("[lock]\nservice-url = 'https://api.example.org/'\n")
    for url in ("https://api.example.org", "https://API.example.org/", "http://127.0.0.1:9"):
        await connect(url, TOKEN).close()
    for url in (
        "https://other.example.org",
        "https://api.example.org.evil.example",
        "https://api.example.org/v2",
    ):
        with pytest.raises(NotAllowed, match="Only the service at") as raised:
            connect(url, TOKEN)
        assert raised.value.reason.endswith(f"Set by your IT staff in {path}")


async def test_only_the_locked_workspace_is_used(write_policy: WritePolicy) -> None:
    write_policy("[lock]\nworkspace = 'w1'\n")
    await connect("https://api.example.org", TOKEN, workspace_id="w1").close()
    await connect("http://127.0.0.1:9", TOKEN, workspace_id="w2").close()
    with pytest.raises(NotAllowed, match="Only the workspace w1"):
        connect("https://api.example.org", TOKEN, workspace_id="w2")


async def test_locked_certificates_are_the_only_ones_that_are_added(
    write_policy: WritePolicy, tmp_path: Path
) -> None:
    with pytest.raises(BadCertificates):
        connect("https://api.example.org", TOKEN, certificates=tmp_path / "own.pem")
    write_policy("[lock]\ncertificates = '~/lab.pem'\n")
    await connect("https://api.example.org", TOKEN, certificates=tmp_path / "own.pem").close()
