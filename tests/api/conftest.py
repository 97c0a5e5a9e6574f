"""One real service in a process of its own for all tests of the client that need one."""

from collections.abc import Iterator

import pytest

from batchwright.service.host import LocalService, Running


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service that is ready."""
    with LocalService(tmp_path_factory.mktemp("service")) as running:
        yield running
