"""The plugin that runs async tests and fixtures."""

import asyncio
from collections.abc import AsyncIterator

import pytest

events: list[str] = []


@pytest.fixture
async def number() -> AsyncIterator[int]:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(asyncio.sleep(0, 4))
        yield await task
    events.append("teardown")


@pytest.fixture
async def twice(number: int, loop: asyncio.AbstractEventLoop) -> int:
    assert asyncio.get_running_loop() is loop
    return 2 * number


async def test_a_test_and_its_fixtures_share_a_loop(
    twice: int, number: int, loop: asyncio.AbstractEventLoop
) -> None:
    assert asyncio.get_running_loop() is loop
    assert (number, twice) == (4, 8)
    assert events == []


def test_a_fixture_is_torn_down_after_its_test(number: int) -> None:
    assert events == ["teardown"]


def test_errors_of_tests_and_fixtures_are_reported(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest
        pytest_plugins = ["tests.async_tests"]

        @pytest.fixture
        async def broken():
            raise ValueError("no value")
            yield

        @pytest.fixture
        async def not_ended():
            yield
            raise ValueError("no end")

        async def test_broken(broken): ...
        async def test_not_ended(not_ended): ...
        async def test_failing():
            assert 1 == 2
        """
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1, errors=2)
    result.stdout.fnmatch_lines(["*ValueError: no value*", "*ValueError: no end*"])
