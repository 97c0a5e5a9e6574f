"""Fixtures: a service with slow jobs."""

from collections.abc import Iterator

import pytest

from batchwright.service.process import ServiceAddress, ServiceProcess


@pytest.fixture(scope="module")
def slow_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceAddress]:
    """A service whose jobs take long enough to be polled, and to block other operations, while they run."""
    with ServiceProcess(tmp_path_factory.mktemp("service"), job_delay=1.0) as running:
        yield running
