"""Transfer rate and remaining time of a file transfer, smoothed for display."""

from dataclasses import dataclass
from math import exp

_MIN_INTERVAL_S = 0.5
"""Shortest interval in seconds over which a rate is measured."""
_TIME_CONSTANT_S = 5.0
"""Seconds after which a measurement has about a third (1/e) of its weight."""


@dataclass(frozen=True)
class TransferRate:
    """An exponentially smoothed rate; times are arguments, in seconds of any monotonic clock."""

    speed: float | None = None
    """Bytes per second; None before the first measurement."""
    _completed: int = 0
    _started_at: float | None = None
    _updated_at: float = 0.0

    def after(self, done: int, moment: float) -> "TransferRate":
        """The rate after `done` bytes; fewer bytes than before mean that the transfer restarted."""
        if self._started_at is None or done < self._completed:
            return TransferRate(None, done, moment, moment)
        seconds = moment - self._updated_at
        if seconds < _MIN_INTERVAL_S:
            return self
        now = (done - self._completed) / seconds
        # At first all measurements have the same weight; later, older ones have less.
        weight = max(seconds / (moment - self._started_at), 1 - exp(-seconds / _TIME_CONSTANT_S))
        speed = now if self.speed is None else self.speed + weight * (now - self.speed)
        return TransferRate(speed, done, self._started_at, moment)

    def seconds_for(self, remaining: int) -> float | None:
        """The seconds that `left` bytes will take; None if the rate is unknown."""
        return remaining / self.speed if self.speed else None


UNKNOWN = TransferRate()
"""The rate before the transfer."""
