"""The memory of a conversion, in a process that imports nothing else."""

from pathlib import Path

from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.conversion.convert import convert


def convert_and_weigh(path: Path, target: Path, _notify: object) -> tuple[int, int]:
    """The number of records, and the peak memory of the process in bytes."""
    records = convert(path, Conversion(), target, lambda _message: None).records
    (line,) = (
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")
    )
    return records, int(line.split()[1]) * 1024
