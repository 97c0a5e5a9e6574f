"""`serve --tls-self-signed`: https with a certificate that the service creates."""

import os
import shutil
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509

from batchwright.service import self_signed as module
from batchwright.service.self_signed import CERTIFICATE_NAME, KEY_NAME, ensure_self_signed
from tests.service.command import ready_message, serve, start_error


def names_of(folder: Path) -> set[str]:
    certificate = x509.load_pem_x509_certificate((folder / CERTIFICATE_NAME).read_bytes())
    alternatives = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in alternatives}


@pytest.mark.spec("R-10")
def test_a_service_creates_its_certificate_and_returns_https_urls(tmp_path: Path) -> None:
    certificates = set()
    for _start in range(2):
        with serve("--data-dir", str(tmp_path), "--tls-self-signed") as process:
            ready = ready_message(process)
            file = Path(ready["certificate_file"])
            certificates.add(file.read_bytes())
            trust = ssl.create_default_context(cafile=str(file))
            trust.verify_flags |= ssl.VERIFY_X509_STRICT
            port = httpx.URL(ready["url"]).port
            for host in ("127.0.0.1", "localhost"):
                response = httpx.get(f"https://{host}:{port}/openapi.json", verify=trust, trust_env=False)
                assert response.json()["servers"] == [{"url": ready["url"]}]
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"{ready['url']}/openapi.json", trust_env=False)
            process.terminate()
    assert ready["url"].startswith("https://")
    assert len(certificates) == 1, "the certificate of the first start serves again"
    assert file.parent == tmp_path
    assert os.name == "nt" or stat.S_IMODE((tmp_path / KEY_NAME).stat().st_mode) == 0o600


def test_a_certificate_is_for_loopback_and_the_requested_hosts(tmp_path: Path) -> None:
    ensure_self_signed(tmp_path, ["192.168.7.1", "Lab.example.org"])
    loopback = {"localhost", "127.0.0.1", "::1"}
    assert names_of(tmp_path) == loopback | {"192.168.7.1", "lab.example.org"}
    ensure_self_signed(tmp_path, ["0.0.0.0"])
    assert len(names_of(tmp_path) - loopback) == 1


def test_a_certificate_for_an_address_with_a_zone_serves_again(tmp_path: Path) -> None:
    first, second = (
        ensure_self_signed(tmp_path, ["fe80::1%eth0"]).certificate.read_bytes() for _start in range(2)
    )
    assert first == second
    assert "fe80::1" in names_of(tmp_path)


def test_an_unusable_certificate_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def certificate_of(*hosts: str) -> bytes:
        return ensure_self_signed(tmp_path, hosts).certificate.read_bytes()

    first = certificate_of("127.0.0.1")
    assert certificate_of("localhost") == first
    second = certificate_of("lab.example.org")
    assert second != first
    assert certificate_of("127.0.0.1") == second, "more names do no harm"
    (tmp_path / KEY_NAME).unlink()
    third = certificate_of("127.0.0.1")
    assert third != second
    shutil.copy(tmp_path / CERTIFICATE_NAME, tmp_path / KEY_NAME)
    fourth = certificate_of("127.0.0.1")
    assert fourth != third
    monkeypatch.setattr(module, "datetime", _Later)
    fifth = certificate_of("127.0.0.1")
    assert fifth != fourth
    monkeypatch.undo()
    assert certificate_of("127.0.0.1") != fifth, "it was created while the clock was ahead"


class _Later(datetime):
    @classmethod
    def now(cls, tz: Any = None) -> "_Later":
        return super().now(UTC) + timedelta(days=340)


def test_only_one_certificate_option_is_allowed(tmp_path: Path) -> None:
    files = ("--tls-cert", str(tmp_path / "a.pem"))
    message = start_error(serve("--data-dir", str(tmp_path / "data"), "--tls-self-signed", *files))
    assert message == "Use either --tls-self-signed or --tls-cert, not both.\n"
