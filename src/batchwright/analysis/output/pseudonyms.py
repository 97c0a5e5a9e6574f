"""Pseudonyms of participants. The key that belongs to them is a file of its own, stored apart."""

import csv
import io
import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.text_columns import TextColumn
from batchwright.base.i18n import _
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.spreadsheet_cells import CsvWriter, original_cell

COLUMNS = ("participant", "pseudonym")


class KeyInFolder(Exception):
    """The key would be stored in the folder of the results, and be passed on with them."""


def read_key(path: Path) -> dict[str, str]:
    """Read the pseudonyms by participant id; none if the file does not exist.

    Raises:
        UnreadableFile: the file does not contain a key.
        OSError: it cannot be opened.
    """
    if not path.exists():
        return {}
    with path.open(encoding="utf-8-sig", errors="surrogatepass", newline="") as file:
        try:
            rows = list(csv.reader(file))
        except (csv.Error, UnicodeDecodeError) as error:
            raise UnreadableFile(str(error)) from None
    if not rows or tuple(rows[0]) != COLUMNS or any(len(row) != len(COLUMNS) for row in rows):
        raise UnreadableFile(
            _("The file contains no pseudonyms."), _("Choose a new file, or one that was written as a key.")
        )
    return {original_cell(row[0]): original_cell(row[1]) for row in rows[1:]}


def with_new_pseudonyms(key: Mapping[str, str], table: AnswerTable) -> dict[str, str]:
    """The key with a pseudonym for each participant; new ones are in random order.

    The order is not derived from the ids, so that nobody can compute the key.
    """
    new = sorted(set(table.participants.values) - set(key))
    secrets.SystemRandom().shuffle(new)
    used = set(key.values())
    free = (name for number in range(1, len(key) + len(new) + 1) if (name := f"P{number:04}") not in used)
    return {**key, **dict(zip(new, free, strict=False))}


def key_file(key: Mapping[str, str]) -> bytes:
    """The key as CSV that is safe for spreadsheets, sorted by pseudonym."""
    text = io.StringIO()
    writer = CsvWriter(text, is_spreadsheet_safe=True)
    writer.writerow(COLUMNS)
    writer.writerows((id, key[id]) for id in sorted(key, key=key.__getitem__))
    return text.getvalue().encode("utf-8", "surrogatepass")


def is_separate(path: Path | str, folder: Path | str) -> bool:
    """Whether a key is outside of the folder with the results."""
    return Path(folder).resolve() not in Path(path).resolve().parents


def pseudonymized(
    table: AnswerTable, exclusions: Exclusions, key: Mapping[str, str]
) -> tuple[AnswerTable, Exclusions]:
    """Answers and exclusions with pseudonyms in place of the participants' ids.

    Answers get their number in the table as id: their own would lead to the participant in any other copy of
    the answers, and other programs make them from the id of the participant.
    """
    values = tuple(key.get(id, id) for id in table.participants.values)
    participants = {key[id]: reason for id, reason in exclusions.participants.items() if id in key}
    ids = tuple(f"A{number:07}" for number in range(1, len(table) + 1))
    answers = {
        new: exclusions.answers[old]
        for old, new in (zip(table.ids, ids, strict=True) if exclusions.answers else ())
        if old in exclusions.answers
    }
    return (
        replace(table, participants=TextColumn(table.participants.codes, values), ids=ids),
        replace(exclusions, participants=participants, answers=answers),
    )
