"""Fixtures: a service with slow jobs, a data file, and the signatures of transfers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from batchwright.service.process import ServiceAddress, ServiceProcess
from tests.api.studies import prompts_file
from tests.secrecy import signatures

__all__ = ["signatures"]


@pytest.fixture(scope="module")
def slow_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceAddress]:
    """A service whose jobs take long enough to be polled, and to block other operations, while they run."""
    with ServiceProcess(tmp_path_factory.mktemp("service"), job_delay=0.5) as running:
        yield running


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data file of two records."""
    return prompts_file(tmp_path)
