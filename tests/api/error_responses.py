"""Checks of error responses: the class of the error, and its message for the user."""

from collections.abc import Awaitable
from typing import Final

import pytest

from batchwright.api.http.errors import ErrorResponse
from batchwright.workflows.messages import describe

UNKNOWN_ID: Final = "0193a7c0-01ff-71ff-8a1b-4c5d6e7f01ff"
"""An id of no resource."""


async def rejection_message(task: Awaitable[object], kind: type[ErrorResponse], status: int) -> str:
    """The message to the user about a call that is rejected with exactly this error and status."""
    with pytest.raises(kind) as caught:
        await task
    assert (type(caught.value), caught.value.status) == (kind, status)
    message = describe(caught.value)
    assert message.remedy
    return message.what
