"""A pytest plugin that runs `async def` tests and fixtures in the event loop of the fixture `loop`.

In window tests that is the loop that Qt and asyncio share; elsewhere it is an asyncio loop of its own. A
fixture with a `yield` runs as a task of its own from its first line to its last, so that it can contain task
groups and timeouts.
"""

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """The event loop of async tests and fixtures; unfinished tasks are cancelled after the test."""
    with asyncio.Runner() as runner:
        yield runner.get_loop()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let async tests request their loop first."""
    if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
        item.fixturenames.insert(0, "loop")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    loop = pyfuncitem.funcargs["loop"]
    assert isinstance(loop, asyncio.AbstractEventLoop)
    loop.run_until_complete(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Present an async fixture to pytest as one that is not."""
    function = fixturedef.func
    if inspect.isasyncgenfunction(function):
        run: Callable[..., object] = _yielding
    elif inspect.iscoroutinefunction(function):
        run = _returning
    else:
        return (yield)
    fixturedef.func = partial(run, request.getfixturevalue("loop"), function)  # type: ignore[misc]
    try:
        return (yield)
    finally:
        fixturedef.func = function  # type: ignore[misc]


def _returning(
    loop: asyncio.AbstractEventLoop, fixture: Callable[..., Awaitable[object]], /, **arguments: object
) -> object:
    return loop.run_until_complete(fixture(**arguments))


def _yielding(
    loop: asyncio.AbstractEventLoop, fixture: Callable[..., AsyncIterator[object]], /, **arguments: object
) -> Iterator[object]:
    """Yield the value of an async fixture; its end is the teardown."""
    value, is_ended = loop.create_future(), asyncio.Event()

    async def run() -> None:
        async with asynccontextmanager(fixture)(**arguments) as result:
            value.set_result(result)
            await is_ended.wait()

    async def first(task: asyncio.Task[None]) -> None:
        await asyncio.wait((task, value), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()

    task = loop.create_task(run())
    loop.run_until_complete(first(task))
    yield value.result()
    is_ended.set()
    loop.run_until_complete(task)
