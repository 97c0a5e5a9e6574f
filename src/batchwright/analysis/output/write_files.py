"""Analyses answers and writes the chosen files, all of them or none, with pseudonyms if a key is given."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from batchwright.analysis.analyse import Analysis, analyse
from batchwright.analysis.output.output_files import OnRows, OutputChoices, OutputFile, output_files
from batchwright.analysis.output.pseudonyms import (
    KeyInFolder,
    is_separate,
    key_file,
    pseudonymized,
    read_key,
    with_new_pseudonyms,
)
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.base.files.atomic_files import replace_atomically, require_replaceable, write_atomically
from batchwright.base.files.temporary_files import temporary_subfolder


class KeyChanged(Exception):
    """The key has other pseudonyms than when the answers were analysed: they must be analysed again."""


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
    require_replaceable_files(files, folder)
    folder.mkdir(parents=True, exist_ok=True)
    with temporary_subfolder(folder) as temp:
        for done, file in enumerate(files):
            on_file(done, file.name)
            try:
                file.write(temp / file.name)
            except OSError as error:
                error.filename = str(folder / file.name)
                raise
        on_file(len(files), "")
        for file in files:
            replace_atomically(temp / file.name, folder / file.name)


def require_replaceable_files(files: Sequence[OutputFile], folder: Path) -> None:
    """Check that no file with the name of one of the files is read-only or a folder.

    Raises:
        OSError: there is one; the error names it.
    """
    for file in files:
        require_replaceable(folder / file.name)


@dataclass(frozen=True)
class ResultFiles:
    """Files that can be written, and the key of their pseudonyms."""

    analysis: Analysis
    files: Sequence[OutputFile]
    folder: Path
    key_path: Path | None = None
    key: Mapping[str, str] = field(default_factory=dict)
    """The pseudonyms by participant id."""

    def existing(self) -> list[str]:
        """The names of the files that would be replaced. The key is never replaced, only extended."""
        return [file.name for file in self.files if (self.folder / file.name).exists()]

    def write(self, on_file: OnFile = lambda _done, _name: None) -> None:
        """Write the key first, so that no pseudonym is without it, then all files or none.

        Raises:
            KeyChanged: another save has changed the key meanwhile; nothing is written.
            UnreadableFile: the key was replaced by another file meanwhile; nothing is written.
            OSError: a file cannot be written.
        """
        require_replaceable_files(self.files, self.folder)
        if self.key_path is not None:
            if not read_key(self.key_path).items() <= self.key.items():
                raise KeyChanged
            self.key_path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.key_path, key_file(self.key), is_private=True)
        write_files(self.files, self.folder, on_file)


def result_files(
    table: AnswerTable,
    settings: AnalysisSettings,
    choices: OutputChoices,
    folder: Path,
    key_path: Path | None = None,
    on_rows: OnRows = lambda _count: None,
) -> ResultFiles:
    """Analyse answers and return the files that are written from them; nothing is written yet.

    `on_rows` is called often while files are written.

    Raises:
        UnusableField: a field in the settings or choices cannot be used; the message is its name.
        KeyInFolder: the key would be stored with the files.
        UnreadableFile: `key_path` is another file, not a key.
        OSError: the key cannot be read.
    """
    if key_path is None:
        analysis = analyse(table, settings)
        return ResultFiles(analysis, output_files(analysis, choices, on_rows), folder)
    if not is_separate(key_path, folder):
        raise KeyInFolder
    key = with_new_pseudonyms(read_key(key_path), table)
    table, exclusions = pseudonymized(table, settings.exclusions, key)
    analysis = analyse(table, replace(settings, exclusions=exclusions))
    files = output_files(analysis, choices, on_rows)
    return ResultFiles(analysis, files, folder, key_path, key)
