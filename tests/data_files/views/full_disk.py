"""Adds records to a store in a folder until its disk is full; prints the number of the error."""

import sys
from pathlib import Path

from batchwright.data_files.views.record_store import RecordStore


def fill(folder: Path) -> int | None:
    """The number of the error when no more records can be added."""
    store = RecordStore(folder, 1)
    part = 0
    try:
        while True:
            store.add([[f"{number}{number * 7919}" for number in range(part, part + 50_000)]])
            part += 50_000
    except OSError as error:
        return error.errno


if __name__ == "__main__":
    print(fill(Path(sys.argv[1])))
