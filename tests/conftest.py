"""What all tests share."""

import pytest
from hypothesis import settings

# How long an example runs is asserted nowhere; drawn examples are the same in every run.
settings.register_profile("batchwright", deadline=None, derandomize=True)
settings.load_profile("batchwright")

pytest_plugins = ["tests.spec_report", "pytester"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=2026, help="draw the random samples from this seed")


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of all random samples of this run."""
    seed: int = request.config.getoption("--seed")
    return seed
