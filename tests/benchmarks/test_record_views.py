"""What views of a million records and edits of them cost, compared with bare loops over the same values."""

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from multiprocessing import Pipe
from pathlib import Path

import pytest

from batchwright.data_files.conversion.column_edits import FillColumn, ReadColumn, RenameColumn, ValueType
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.conversion.convert import convert
from batchwright.data_files.conversion.edit_list import cell_edit
from batchwright.data_files.formats import Format, FormatKind, RecordsFile
from batchwright.data_files.views.answering import Question, answer_queries
from batchwright.data_files.views.record_query import (
    ConditionKind,
    CountsQuestion,
    RecordCondition,
    RecordQuery,
    Search,
)
from batchwright.data_files.views.record_store import RecordStore
from tests.figures import CheckFigure

RECORDS = 1_000_000
COLUMNS = ("id", "text", "kind")
JSONL = Format(FormatKind.JSONL)
WORDS = (
    "apple",
    "tree",
    "river",
    "stone",
    "cloud",
    "bird",
    "house",
    "light",
    "paper",
    "glass",
    "story",
    "dream",
)


def values() -> tuple[list[str], list[str], list[str]]:
    """The values of each column."""
    rng = random.Random(1)
    ids = [str(number) for number in range(RECORDS)]
    texts = [" ".join(rng.choices(WORDS, k=8)).capitalize() for _number in ids]
    return ids, texts, [WORDS[number % len(WORDS)] for number in range(RECORDS)]


@pytest.fixture(scope="module")
def columns() -> tuple[list[str], list[str], list[str]]:
    return values()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, columns: Sequence[Sequence[str]]) -> Path:
    path = tmp_path_factory.mktemp("views") / "records.jsonl"
    with path.open("w") as out:
        out.writelines(
            json.dumps(dict(zip(COLUMNS, row, strict=True))) + "\n" for row in zip(*columns, strict=True)
        )
    return path


def ask_all(path: Path, questions: Sequence[Question]) -> None:
    """Answer questions about all records of a file."""
    ours, theirs = Pipe()
    waiting = list(questions)
    ours.send(waiting.pop(0))

    def on_answer(answer: object) -> None:
        if not getattr(answer, "is_complete", False):
            return
        if waiting:
            ours.send(waiting.pop(0))
        else:
            ours.close()

    answer_queries(RecordsFile(path, JSONL), COLUMNS, theirs, on_answer)


def cpu(work: Callable[[], object]) -> float:
    """The processor time of some work, in seconds."""
    started = time.process_time()
    work()
    return time.process_time() - started


def read(path: Path) -> None:
    with path.open("rb") as lines:
        for line in lines:
            json.loads(line)


def test_the_first_answer_costs_little_more_than_reading_the_file(file: Path, figure: CheckFigure) -> None:
    def measure() -> tuple[float, float]:
        return cpu(lambda: ask_all(file, [RecordQuery(search=Search("bird dream"))])), cpu(lambda: read(file))

    figure("the first search in a million records, to reading them in a bare loop", measure, 3, runs=2)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, columns: Sequence[Sequence[str]]) -> RecordStore:
    store = RecordStore(tmp_path_factory.mktemp("store"), len(COLUMNS))
    for top in range(0, RECORDS, 20_000):
        store.add([column[top : top + 20_000] for column in columns])
    return store


def test_sorting_costs_less_than_a_bare_sort(
    store: RecordStore, columns: Sequence[Sequence[str]], figure: CheckFigure
) -> None:
    def measure() -> tuple[float, float]:
        texts = columns[1]
        sorting = cpu(lambda: store.view(RecordQuery(sorted_by=1), is_complete=True))
        return sorting, cpu(lambda: sorted(range(RECORDS), key=lambda number: texts[number].lower()))

    figure("sorting a million texts, to a bare sort", measure, 1.2, runs=3)


def test_filtering_costs_less_than_a_bare_loop(
    store: RecordStore, columns: Sequence[Sequence[str]], figure: CheckFigure
) -> None:
    condition = RecordCondition(ConditionKind.CONTAINS, 1, "bird")

    def measure() -> tuple[float, float]:
        filtering = cpu(lambda: store.view(RecordQuery((condition,)), is_complete=True))
        bare = cpu(lambda: [number for number, text in enumerate(columns[1]) if "bird" in text.lower()])
        return filtering, bare

    figure("filtering a million texts, to a bare loop", measure, 1.5, runs=3)


def test_counting_the_values_of_a_column_costs_little_more_than_a_bare_count(
    store: RecordStore, columns: Sequence[Sequence[str]], figure: CheckFigure
) -> None:
    def measure() -> tuple[float, float]:
        counting = cpu(lambda: store.counts(CountsQuestion(1), is_complete=True))
        return counting, cpu(lambda: (Counter(columns[1]).most_common(8), Counter(map(len, columns[1]))))

    figure("counting a million texts, to a bare count", measure, 2, runs=3)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of a process in /proc")
def test_the_memory_of_views_is_bounded(file: Path, figure: CheckFigure) -> None:
    def measure() -> tuple[float, float]:
        command = [sys.executable, "-m", __name__, str(file)]
        root = Path(__file__).parents[2]
        peak = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
        return float(peak), 100e6

    figure("memory of views of a million records, to 100 MB", measure, 2.5, runs=1, unit="B")


def test_edits_cost_little_more_than_in_a_bare_loop(
    file: Path, tmp_path: Path, columns: Sequence[Sequence[str]], figure: CheckFigure
) -> None:
    first = {name: column[0] for name, column in zip(COLUMNS, columns, strict=True)}
    edits = (
        cell_edit(COLUMNS, 0, first, "text", "edited"),
        RenameColumn("text", "prompt"),
        ReadColumn("id", ValueType.NUMBER),
        FillColumn("title", "{id}: {kind}"),
    )

    def bare() -> None:
        with file.open("rb") as lines, (tmp_path / "bare").open("wb") as out:
            for line in lines:
                record = json.loads(line)
                number, kind = int(record["id"]), record["kind"]
                changed = {"id": number, "prompt": record["text"], "kind": kind, "title": f"{number}: {kind}"}
                out.write(json.dumps(changed, ensure_ascii=False).encode() + b"\n")

    def measure() -> tuple[float, float]:
        conversion = Conversion(edits=edits, text_format=JSONL)
        converting = cpu(lambda: convert(file, conversion, tmp_path / "converted", lambda _message: None))
        return converting, cpu(bare)

    figure("converting a million records with edits, to a bare loop", measure, 2, runs=1)


if __name__ == "__main__":
    ask_all(Path(sys.argv[1]), [RecordQuery(sorted_by=1), CountsQuestion(1), RecordQuery(search=Search("x"))])
    status = Path("/proc/self/status").read_text().splitlines()
    (peak,) = (line for line in status if line.startswith("VmHWM"))
    print(int(peak.split()[1]) * 1024)
