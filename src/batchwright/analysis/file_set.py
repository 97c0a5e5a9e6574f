"""Writes a set of files into a folder: all of them, or none."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from batchwright.analysis.output_files import OutputFile
from batchwright.base.atomic_files import replace_atomically, require_replaceable

OnFile = Callable[[int, str], object]
"""Called before each file with the number of complete files and its name; raises to end the work."""


def write_files(
    files: Sequence[OutputFile], folder: Path, on_file: OnFile = lambda _done, _name: None
) -> None:
    """Write all files, replacing those that exist; the folder is created if there is none.

    They are written to a temporary folder and moved when the last one is complete, so that an error, also one
    raised by `on_file`, leaves the folder as it was.

    Raises:
        OSError: a file cannot be written; the error names it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        require_replaceable(folder / file.name)
    with TemporaryDirectory(prefix=".batchwright-", dir=folder) as temp:
        for done, file in enumerate(files):
            on_file(done, file.name)
            try:
                file.write(Path(temp) / file.name)
            except OSError as error:
                error.filename = str(folder / file.name)
                raise
        on_file(len(files), "")
        for file in files:
            replace_atomically(Path(temp) / file.name, folder / file.name)
