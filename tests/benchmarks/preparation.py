"""A preparation with most steps of a million rows, in a process that imports nothing else."""

import time
from array import array
from pathlib import Path

from batchwright.data_files.conversion.column_edits import FillColumn
from batchwright.prepare.preparation import results, write_records
from batchwright.prepare.steps.columns import ChangeColumn, KeepRows
from batchwright.prepare.steps.groups import TaskGroups
from batchwright.prepare.steps.known_answers import AttentionChecks, KnownAnswers
from batchwright.prepare.steps.pairs import ComparePairs, PairChoice
from batchwright.prepare.steps.samples import HoldOutPilot, SampleRows
from batchwright.prepare.steps.sides import DrawSides
from batchwright.prepare.tables import records_table

ROWS, SYSTEMS = 1_000_000, 8
STEPS = (
    ChangeColumn(FillColumn("title", "{topic}: {id}")),
    KeepRows("topic", without=("none",)),
    ComparePairs("prompt", "system", ("output",), PairChoice.BUDGET, 400_000, block="topic"),
    DrawSides(),
    SampleRows(350_000, "topic"),
    HoldOutPilot(1000),
    AttentionChecks(("left", "right"), {"output_left": "Please choose {answer}."}),
    TaskGroups(20, apart="prompt", shared=1, repeats=1),
    KnownAnswers(1),
)


def write_outputs(path: Path) -> "array[int]":
    """Write a long table; the byte offset of each record."""
    offsets = array("Q")
    with path.open("wb") as out:
        for row in range(ROWS):
            prompt = row // SYSTEMS
            offsets.append(out.tell())
            out.write(
                b'{"id":"%d","topic":"topic %d","prompt":"Which answer is better, number %d?",'
                b'"system":"system %d","output":"One answer, %d. One answer, %d."}\n'
                % (row, prompt % 30, prompt, row % SYSTEMS, row, row)
            )
    return offsets


def prepare_and_weigh(path: Path, offsets: "array[int]", target: Path, _notify: object) -> tuple[float, int]:
    """The CPU seconds of the preparation, and its peak memory in bytes, without the file that is mapped."""
    started = time.process_time()
    with records_table(path, offsets, ("id", "topic", "prompt", "system", "output")) as table:
        *_others, last = results(table, STEPS)
        with target.open("wb") as out:
            write_records(last.table, out)
    seconds = time.process_time() - started
    (line,) = (
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")
    )
    return seconds, int(line.split()[1]) * 1024 - path.stat().st_size
