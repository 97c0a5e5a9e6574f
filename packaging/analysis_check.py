"""Checks the files with answers that the built program has written: `python analysis_check.py FOLDER`.

Runs with the Python of the build: other programs' readers of the formats are among its packages.
"""

import csv
import subprocess
import sys
from pathlib import Path

import build_environment


def check_files(folder: Path) -> None:
    """Check the files in another process, with the Python of the build."""
    subprocess.run([build_environment.PYTHON, __file__, folder], check=True)


def main(folder: Path) -> None:
    import duckdb
    import pyreadstat

    def rows(name: str) -> int:
        with (folder / name).open(encoding="utf-8-sig", newline="") as file:
            return sum(1 for _row in csv.DictReader(file))

    long, wide = rows("answers-long.csv"), rows("answers-wide.csv")
    (parquet,) = duckdb.read_parquet(str(folder / "answers.parquet")).aggregate("count(*)").fetchall()[0]
    sav, _metadata = pyreadstat.read_sav(folder / "answers.sav")
    assert parquet == long > 0, (parquet, long)
    assert len(sav) == wide > 0, (len(sav), wide)
    assert (folder / "answers.xlsx").read_bytes().startswith(b"PK")
    print(f"ok      The files with answers can be read: {long} answers, {wide} tasks.", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
