"""Shows all stages of a window for the self-test, with the sample study open."""

import asyncio
from collections.abc import Callable, Sequence

from batchwright.base.i18n import _
from batchwright.ui.application import OpenWindow
from batchwright.ui.widgets.notices import ToastSeverity
from batchwright.ui.window_controller import WindowController

_LONGEST = 60.0
_PAUSE = 0.02
_LOOK = 0.3
"""Seconds that a stage is given to load."""


async def visit_all_stages(opened: OpenWindow, desk: WindowController, stages: Sequence[str]) -> list[str]:
    """Open the sample study and show these stages; returns a message for each problem."""
    try:
        async with asyncio.timeout(_LONGEST):
            await desk.session.context()
            desk.run_action("try_sample")
            await _until(lambda: desk.study.is_open)
            for stage in stages:
                opened.context.shell.set_stage(stage)
                await _until(lambda: opened.window.is_showing_stage)
                await asyncio.sleep(_LOOK)
    except TimeoutError:
        return [_("The window did not get further in {seconds} s.").format(seconds=_LONGEST)]
    failed = [card.toast for card in opened.window.toasts.cards if card.toast.severity is ToastSeverity.ERROR]
    desk.study.close()
    return [f"{notice.title} {notice.text}" for notice in failed]


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - Qt state sets no event
        await asyncio.sleep(_PAUSE)
