"""How much memory a service takes at its most."""

from pathlib import Path

from tests.service.api_helpers import eventually
from tests.service.kill_helpers import ServiceRun, workers_of

MB = 1024 * 1024


class MemoryMonitor:
    """The HTTP process of a service and its worker, their peaks counted from the moment this is made."""

    def __init__(self, life: ServiceRun) -> None:
        (worker,) = eventually(lambda: workers_of(life.pid), lambda found: len(found) == 1)
        self._processes = {"http": life.pid, "worker": worker}
        for pid in self._processes.values():
            Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="utf-8")
        self._before = self._peaks()

    def growth(self) -> dict[str, float]:
        """By how many megabytes each has been larger than it was."""
        return {name: round((peak - self._before[name]) / MB, 1) for name, peak in self._peaks().items()}

    def _peaks(self) -> dict[str, int]:
        return {name: _peak(pid) for name, pid in self._processes.items()}


def _peak(pid: int) -> int:
    """The most bytes that a process has had in memory since its peak was last forgotten."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    (line,) = [line for line in lines if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024
