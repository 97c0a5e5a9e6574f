"""The sample exchanges over https with the service's own certificate."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress, ServiceProcess
from tests.service.api_helpers import Researcher
from tests.service.sample_exchanges import needs_samples
from tests.service.test_sample_exchanges import *  # noqa: F403 - the tests and their fixtures
from tests.service.trust import TRUST

pytestmark = [needs_samples, pytest.mark.long]  # type: ignore[assignment]  # one more than there


@pytest.fixture(scope="module")
def service_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a service with a certificate of its own."""
    return tmp_path_factory.mktemp("tls")


@pytest.fixture(scope="module")
def running(service_folder: Path) -> Iterator[ServiceAddress]:
    """A service reached over https, whose certificate these tests trust."""
    service = ServiceProcess(service_folder)
    service._command.append("--tls-self-signed")
    with service as running:
        assert running.url.startswith("https://")
        TRUST.load_verify_locations(service_folder / "tls-certificate.pem")
        yield running


def test_the_calls_use_https(researcher: Researcher) -> None:
    assert researcher.http.base_url.scheme == "https"
    assert researcher.upload_url(researcher.dataset()["id"], "a.csv")["upload_url"].startswith("https://")
