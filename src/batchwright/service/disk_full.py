"""Waiting for room on a disk that is full: told of once, then looked for in growing pauses."""

import sys
import time
from collections.abc import Callable
from typing import TypeVar

from batchwright.base.durable_files import lacks_room
from batchwright.base.i18n import _

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0

T = TypeVar("T")


def once_there_is_room(work: Callable[[], T], wait: Callable[[float], object] = time.sleep) -> T:
    """What a work returns; while the disk is full it is tried again, so it may leave nothing half done."""
    pause = _FIRST_PAUSE
    while True:
        try:
            return work()
        except OSError as fault:
            if not lacks_room(fault):
                raise
        if pause == _FIRST_PAUSE:
            tell_of_full_disk()
        wait(pause)
        pause = min(_LONGEST_PAUSE, 2 * pause)


def tell_of_full_disk() -> None:
    """Say in the log why nothing goes on."""
    print(_("The disk is full; work waits until there is room."), file=sys.stderr)  # noqa: T201 - the log
