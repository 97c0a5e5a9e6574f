"""How much there is to judge in a data file: lengths of texts, and the records in each task group."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from batchwright.data_files.checking import Progress, throttled
from batchwright.data_files.formats import RecordsFile
from batchwright.data_files.profiling import as_text, cells
from batchwright.data_files.reader import columns, rows
from batchwright.schema.record_validator import RecordError


@dataclass(frozen=True)
class RecordAmounts:
    """Amounts of a data file.

    `characters` is the mean length of the values of each field, missing ones included. `group_sizes` is how
    many task groups have each number of records; empty without a task group field.
    """

    records: int
    characters: Mapping[str, float]
    group_sizes: Mapping[int, int]

    @property
    def groups(self) -> int:
        """The number of task groups."""
        return sum(self.group_sizes.values())


def count_amounts(
    file: RecordsFile, fields: Sequence[str], group_field: str | None, on_progress: Progress
) -> RecordAmounts:
    """Count the amounts of all records that can be parsed.

    A record without a value in the task group field is a group of its own (wire reference, 5.4).

    Raises:
        UnreadableFile: the file as a whole cannot be read.
        OSError: it cannot be opened.
    """
    names, count, alone = columns(file.path, file.format), 0, 0
    lengths, groups, wanted = Counter[str](), Counter[str](), frozenset(fields)
    for entry in rows(file.path, file.format, throttled(file.path, on_progress)):
        if isinstance(entry.content, RecordError):
            continue
        count += 1
        group = ""
        for name, value in cells(names, entry.content):
            if value is None:
                continue
            if name == group_field:
                group = as_text(value)
            if name in wanted:
                lengths[name] += len(as_text(value))
        if group_field is not None and group:
            groups[group] += 1
        elif group_field is not None:
            alone += 1
    sizes = Counter(groups.values())
    sizes[1] += alone
    means = {name: lengths[name] / count if count else 0.0 for name in fields}
    return RecordAmounts(count, means, {size: number for size, number in sorted(sizes.items()) if number})
