"""Measures the peak memory of a service."""

from pathlib import Path

from tests.service.api_helpers import eventually
from tests.service.kill_helpers import ServiceRun, workers_of

MB = 1024 * 1024


class MemoryMonitor:
    """Peak memory of the HTTP process and the worker since this object was created."""

    def __init__(self, run: ServiceRun) -> None:
        (worker,) = eventually(lambda: workers_of(run.pid), lambda pids: len(pids) == 1)
        self._processes = {"http": run.pid, "worker": worker}
        for pid in self._processes.values():
            Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="utf-8")
        self._before = self._peaks()

    def growth(self) -> dict[str, float]:
        """By how many MB the peak of each process has grown."""
        return {name: round((peak - self._before[name]) / MB, 1) for name, peak in self._peaks().items()}

    def _peaks(self) -> dict[str, int]:
        return {name: _peak(pid) for name, pid in self._processes.items()}


def _peak(pid: int) -> int:
    """The peak memory of a process in bytes since it was last reset."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    (peak,) = [peak for peak in lines if peak.startswith("VmHWM:")]
    return int(peak.split()[1]) * 1024
