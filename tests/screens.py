"""The screen of tests without a real one: large enough for a window of the usual size."""

import os
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_name("offscreen.json")
_OFFSCREEN: Final = f"offscreen:configfile={_FILE.as_posix().removeprefix(_FILE.drive)}"
"""Qt's own screen without a display is 800 by 800; a colon, as in a drive of Windows, would end the name."""


def use_offscreen() -> None:
    """Show windows on that screen, unless another platform is asked for."""
    if os.environ.get("QT_QPA_PLATFORM", "offscreen") == "offscreen":
        os.environ["QT_QPA_PLATFORM"] = _OFFSCREEN
