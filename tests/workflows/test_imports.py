"""What the window imports at its start needs no libraries of the analysis."""

import subprocess
import sys

PROGRAM = (
    "import sys, batchwright.workflows.messages; print({'duckdb', 'numpy'} & set(sys.modules) or 'none')"
)


def test_messages_are_imported_without_the_libraries_of_the_analysis() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.split() == ["none"]
