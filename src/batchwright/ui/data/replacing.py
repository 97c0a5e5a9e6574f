"""Another data file in place of the one in view: read first, asked about, and undone on request."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from batchwright.base.i18n import _, ngettext
from batchwright.base.resources import resource
from batchwright.data_files.profiling import preview_file
from batchwright.data_files.sniffing import sniff
from batchwright.schema.model import Schema
from batchwright.ui.core.formatting import number
from batchwright.ui.data.data_file import FIRST, FileState
from batchwright.ui.data.file_dialog import info_line
from batchwright.ui.data.labels import columns_named
from batchwright.ui.data.state import DataState
from batchwright.ui.widgets.dialogs import Dialog

SAMPLE = resource("samples", "preference", "records.csv")
"""The sample records, which are no one's own."""


@dataclass(frozen=True)
class Replacement:
    """What replacing the data file means for the study.

    `lacks` are the fields of the schema that the new file has no column for: if there are any, another schema
    is proposed.
    """

    old: Path | None
    new: Path
    schema: Schema | None
    missing_fields: tuple[str, ...]
    has_dataset: bool

    @property
    def replaces_file(self) -> bool:
        """Whether a file is in view; the sample is no one's own."""
        return self.old is not None and self.old != SAMPLE

    @property
    def replaces_schema(self) -> bool:
        """Whether there is a schema that the new file does not fit; that of the sample is no one's own."""
        return self.old != SAMPLE and bool(self.missing_fields)


async def examine(model: DataState, path: Path) -> Replacement:
    """Read the beginning of a file, and compare its columns with the schema of the study.

    Raises:
        Unreadable: the file as a whole cannot be read.
        OSError: it cannot be opened.
    """
    columns = await asyncio.to_thread(lambda: preview_file(path, sniff(path), FIRST).columns)
    schema = model.study.schema
    lacks = tuple(name for name in schema.fields if name not in columns) if schema else ()
    old = model.file.path if model.file.state is FileState.SHOWN else None
    return Replacement(old, path, schema, lacks, model.dataset.remote.binding.dataset_id is not None)


class ReplaceDialog(Dialog):
    """Says what is replaced and what stays."""

    def __init__(self, replacement: Replacement) -> None:
        new, old = replacement.new.name, replacement.old
        title = (
            _("Replace “{old}” with “{new}”?").format(old=old.name, new=new)
            if old is not None
            else _("Replace the schema for “{new}”?").format(new=new)
        )
        sentence = _("Files on the disk are not changed.")
        super().__init__(title, sentence, _("Replace"), cancels_by_default=True)
        self.put(*map(info_line, _consequences(replacement)))


def _consequences(replacement: Replacement) -> tuple[str, ...]:
    """What stays and what goes, a sentence each."""
    sentences = []
    schema, lacks = replacement.schema, replacement.missing_fields
    if schema is not None and schema.fields:
        if lacks:
            sentence = _(
                "The schema is replaced by one suggested for the new file, with its types and labels: "
                "the new file has no column {names}."
            )
            sentences.append(sentence.format(names=columns_named(lacks)))
        else:
            sentence = ngettext(
                "The schema stays: the new file has its column.",
                "The schema stays: the new file has all of its {count} columns.",
                len(schema.fields),
            )
            sentences.append(sentence.format(count=number(len(schema.fields))))
    if replacement.has_dataset:
        sentences.append(_("The dataset that was uploaded is not changed. The new file is not in it."))
    sentences.append(_("The layout and everything else in the study stay."))
    return tuple(sentences)
