"""The checks of the proxy and the certificates that a user enters."""

from pathlib import Path

import certifi
import pytest

from batchwright.base.network_settings import NetworkSettings, certificates_error, proxy_error


@pytest.mark.parametrize(
    "url", ["http://proxy.example.org:8080", "https://127.0.0.1:1/", "socks5://[::1]:1080", "socks5h://p:1"]
)
def test_the_url_of_a_proxy_is_accepted(url: str) -> None:
    assert proxy_error(url) == ""


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "Enter a URL"),
        ("proxy.example.org:8080", "Enter a URL"),
        ("http://proxy.example.org", "Enter a URL"),
        ("http://:8080", "Enter a URL"),
        ("http://proxy:port", "Enter a URL"),
        ("http://[::1:8080", "Enter a URL"),
        ("ftp://proxy:21", "socks5://"),
        ("http://me:secret@proxy:8080", "in the fields below"),
        ("http://proxy:8080/path", "after the port"),
        ("http://proxy:8080?query", "after the port"),
    ],
)
def test_another_url_is_rejected_with_a_reason(url: str, reason: str) -> None:
    assert reason in proxy_error(url)
    assert "secret" not in proxy_error(url)


def test_user_name_and_password_are_inserted_into_the_url_of_the_proxy() -> None:
    network = NetworkSettings("http://proxy:8080", proxy_user="me@lab", proxy_password="p:/ ä")
    assert network.proxy_url == "http://me%40lab:p%3A%2F%20%C3%A4@proxy:8080"
    assert network.proxy_account == "me@lab@proxy:8080"
    assert "p:/ ä" not in repr(network)


def test_a_user_name_without_a_proxy_is_not_used() -> None:
    network = NetworkSettings(proxy_user="me", proxy_password="secret")
    assert (network.proxy_url, network.proxy_account) == ("", "")


def test_only_files_of_certificates_are_accepted(tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    other.write_text("no certificates")
    assert certificates_error(Path(certifi.where())) == ""
    assert "contains no certificates" in certificates_error(other)
    assert "No such file" in certificates_error(tmp_path / "missing.pem")
