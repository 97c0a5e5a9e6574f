"""Waiting for work that has to end before its owner may."""

import asyncio

import pytest

from batchwright.base.waiting import wait_until_done


async def test_a_cancelled_task_waits_until_the_future_is_done() -> None:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    waiting = asyncio.ensure_future(wait_until_done(future))
    for _cancelled in range(3):
        await asyncio.sleep(0)
        waiting.cancel()
    await asyncio.sleep(0)
    assert not waiting.done()
    assert not future.cancelled()
    future.set_result(None)
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_the_error_of_the_future_is_not_raised() -> None:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    future.set_exception(OSError())
    await wait_until_done(future)
    assert isinstance(future.exception(), OSError)
