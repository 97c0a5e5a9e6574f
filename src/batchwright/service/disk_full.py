"""Waiting for room on a disk that is full: told of once, then looked for in growing pauses."""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from batchwright.base.durable_files import is_disk_full
from batchwright.base.i18n import _

_log = logging.getLogger(__name__)

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 5.0

T = TypeVar("T")


def retry_while_disk_full(work: Callable[[], T], wait: Callable[[float], object] = time.sleep) -> T:
    """What a work returns; while the disk is full it is tried again, so it may leave nothing half done."""
    pause = _FIRST_PAUSE
    while True:
        try:
            return work()
        except OSError as fault:
            if not is_disk_full(fault):
                raise
        if pause == _FIRST_PAUSE:
            log_disk_full()
        wait(pause)
        pause = min(_LONGEST_PAUSE, 2 * pause)


def log_disk_full() -> None:
    """Say in the log why nothing goes on."""
    _log.warning(_("The disk is full; work waits until there is room."))
