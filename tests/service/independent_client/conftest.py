"""Fixtures: one service for these tests, started from the command line."""

from collections.abc import Iterator

import pytest

from tests.service.independent_client.client import Client
from tests.service.independent_client.serving import serving


@pytest.fixture(scope="package")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a new service, with the token of its data folder."""
    with serving(tmp_path_factory.mktemp("from_the_specification")) as client:
        yield client


@pytest.fixture(scope="package")
def slow_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a service whose jobs are slow, so that their running states can be tested."""
    with serving(tmp_path_factory.mktemp("slow"), "--job-delay", "2") as client:
        yield client
