"""Many answers: three participants answer five questions of each task, and a task compares two systems."""

import itertools
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.analysis.answers import KINDS, layout, record

SYSTEMS = [
    {"topic": topic, "left": left, "right": right}
    for topic in ("law", "medicine", "sport")
    for left, right in itertools.permutations(("s1", "s2", "s3"), 2)
]


def answer_lines(answers: int) -> list[str]:
    """Response records as JSON."""
    random = np.random.default_rng(1)
    people = random.integers(0, 2000, answers).tolist()
    numbers = random.integers(0, 3, answers).tolist()
    values: dict[str, Callable[[int], object]] = {
        "better": lambda n: ("a", "b", "same")[n],
        "faults": lambda n: ("wrong", "short", "nothing")[n],
        "scale": lambda n: n + 1,
        "duration": lambda n: {"value": f"{n}.5", "unit": "h"},
        "reason": lambda n: ("Because it is so.", "It is clear.", "")[n],
    }
    assert set(values) < set(KINDS)
    asked = list(values)
    return [
        json.dumps(
            record(
                *(f"p{people[row // 5]}", f"t{row // 15}", question, values[question](numbers[row])),
                id=str(row),
                metadata={"source": f"s{row // 15 % 100}", **SYSTEMS[row // 15 % len(SYSTEMS)]},
            )
        )
        for row in range(answers)
        for question in [asked[row % 5]]
    ]


def write_archive(path: Path, answers: int) -> Path:
    """Write an export with these answers."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("batch.json", json.dumps({"batch_items": layout()}))
        with archive.open("responses.jsonl", "w") as file:
            for line in answer_lines(answers):
                file.write(f"{line}\n".encode())
    return path
