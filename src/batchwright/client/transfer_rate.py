"""How fast a file moves, and how long the rest of it will take, as progress of a transfer shows it."""

from dataclasses import dataclass
from math import exp

_MIN_INTERVAL_S = 0.5
"""Seconds below which a speed says nothing."""
_TIME_CONSTANT_S = 5.0
"""Seconds after which what was seen counts for a third."""


@dataclass(frozen=True)
class TransferRate:
    """A smoothed speed. It knows no clock: moments come in, as seconds of any steady clock."""

    speed: float | None = None
    """Bytes a second; None until there is something to say."""
    _completed: int = 0
    _started_at: float | None = None
    _updated_at: float = 0.0

    def after(self, done: int, moment: float) -> "TransferRate":
        """The pace when so many bytes are done; fewer than before mean that the file has begun again."""
        if self._started_at is None or done < self._completed:
            return TransferRate(None, done, moment, moment)
        seconds = moment - self._updated_at
        if seconds < _MIN_INTERVAL_S:
            return self
        now = (done - self._completed) / seconds
        # At first all that was seen counts alike; later what is older counts less.
        weight = max(seconds / (moment - self._started_at), 1 - exp(-seconds / _TIME_CONSTANT_S))
        speed = now if self.speed is None else self.speed + weight * (now - self.speed)
        return TransferRate(speed, done, self._started_at, moment)

    def seconds_for(self, left: int) -> float | None:
        """How long so many bytes will take; None where nobody knows."""
        return left / self.speed if self.speed else None


UNKNOWN = TransferRate()
"""Before anything has moved."""
