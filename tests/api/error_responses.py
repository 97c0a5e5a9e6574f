"""Checks of error responses: the class of the error, and its message for the user."""

from collections.abc import Awaitable
from typing import Final

import pytest

from batchwright.api.errors import ErrorResponse
from batchwright.workflows.messages import describe

NOWHERE: Final = "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff"
"""An id that nothing has."""


async def refusal(task: Awaitable[object], kind: type[ErrorResponse], status: int) -> str:
    """What a person is told of a call that is refused, with just this error and this status."""
    with pytest.raises(kind) as caught:
        await task
    assert (type(caught.value), caught.value.status) == (kind, status)
    message = describe(caught.value)
    assert message.remedy
    return message.what
