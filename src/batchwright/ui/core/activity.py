"""The running operation, as the status bar of a window shows it."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class ActivityStatus:
    """The running operation; `fraction` is 0 to 1, or None if unknown."""

    text: str
    fraction: float | None = None


class ActivityDisplay(Protocol):
    """Shows the running operation of a window (`ui.shell.state.ShellState`)."""

    @property
    def activity(self) -> ActivityStatus | None:
        """What is shown; None for nothing."""

    def set_activity(self, activity: ActivityStatus | None) -> None:
        """Show an activity, or none."""
