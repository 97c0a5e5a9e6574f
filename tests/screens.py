"""The offscreen display of tests, large enough for a window of the default size."""

import os
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_name("offscreen.json")
_OFFSCREEN: Final = f"offscreen:configfile={_FILE.as_posix().removeprefix(_FILE.drive)}"
"""Its default size is 800 by 800. The drive is cut off because a colon would end the value."""


def use_offscreen() -> None:
    """Use the offscreen display unless the environment selects another platform."""
    if os.environ.get("QT_QPA_PLATFORM", "offscreen") == "offscreen":
        os.environ["QT_QPA_PLATFORM"] = _OFFSCREEN
