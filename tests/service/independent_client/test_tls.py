"""The service with a certificate: every URL that it returns uses https."""

import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.independent_client.client import Client
from tests.service.independent_client.endpoints import USERS
from tests.service.independent_client.participants import participant
from tests.service.independent_client.researcher import PREFIX, batch, exported, filled, page, set_up
from tests.service.independent_client.serving import serving

SIGNALS = "/api/v1/submissions/signals/upload-url/a.csv"


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for this computer and its key, created with openssl."""
    paths = folder / "cert.pem", folder / "key.pem"
    arguments = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    files = ["-out", str(paths[0]), "-keyout", str(paths[1])]
    names = ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    subprocess.run([*arguments, *names, *files], check=True, capture_output=True)
    return paths


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client that trusts only the certificate of its service."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = certificate(folder)
    trust = ssl.create_default_context(cafile=str(cert))
    with serving(folder / "data", "--tls-cert", str(cert), "--tls-key", str(key), trust=trust) as client:
        yield client


def test_everything_is_https_from_the_first_upload_to_the_last_download(secure: Client) -> None:
    assert secure.base.startswith("https://")
    data = filled(secure, {"prompt": "a"})
    created = batch(secure, [page({"type": "free_text", "description": "Say"})], data)
    set_up(secure, created["id"])
    participant(secure, f"batches/{created['id']}").answer_all({"Say": "it"})
    job = exported(secure, f"batches/{created['id']}")
    report = secure.expect(200, "GET", f"{PREFIX}/batches/{created['id']}/report")
    feedback = secure.expect(201, "GET", f"{SIGNALS}?workspace_id={secure.workspace}")
    for address in (job["url"], report["url"], feedback["upload_url"]):
        assert address.startswith("https://")
    assert secure.store(job["url"], "GET").body.startswith(b"PK")
    assert b"prompt" in secure.store(report["url"], "GET").body


def test_a_client_that_does_not_trust_the_certificate_cannot_connect(secure: Client) -> None:
    untrusting = Client(secure.base, secure.workspace, secure.token, ssl.create_default_context())
    with pytest.raises(ssl.SSLCertVerificationError):
        untrusting.request("GET", USERS)
