"""How large the task groups of a setup are, as numbers and as a chart."""

from collections.abc import Iterator, Mapping
from math import ceil

from batchwright.analysis.charts import COUNT, Chart, Columns, Mark, grouped_bar_chart
from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number

_MAX_BARS = 8


def sizes_with(records: int, tasks_per_group: int) -> Mapping[int, int]:
    """How many groups have each number of tasks, if each has this number, and the last one the rest."""
    full, rest = divmod(records, tasks_per_group)
    return {size: count for size, count in ((rest, 1), (tasks_per_group, full)) if size and count}


def group_sizes_chart(sizes: Mapping[int, int], width: float) -> Chart:
    """A bar for each size of groups, or for each range of sizes if there are many."""
    title = _("Groups by number of tasks")
    marks = [
        Mark(_range_text(low, high), count, text=_groups_text(count), group=title)
        for low, high, count in _ranges(sizes)
    ]
    columns = Columns(_("Tasks in a group"), _("Groups"))
    return grouped_bar_chart(title, marks, width, form=COUNT, columns=columns)


def _ranges(sizes: Mapping[int, int]) -> Iterator[tuple[int, int, int]]:
    """Yield ranges of sizes that occur, with both ends, and the number of groups in each."""
    if len(sizes) <= _MAX_BARS:
        yield from ((size, size, sizes[size]) for size in sorted(sizes))
        return
    least, most = min(sizes), max(sizes)
    step = ceil((most - least + 1) / _MAX_BARS)
    counts: dict[int, int] = {}
    for size, count in sizes.items():
        place = (size - least) // step
        counts[place] = counts.get(place, 0) + count
    for place, count in sorted(counts.items()):
        low = least + place * step
        yield low, min(low + step - 1, most), count


def _range_text(low: int, high: int) -> str:
    if low == high:
        return ngettext("{count} task", "{count} tasks", low).format(count=number(low))
    return _("{low} to {high} tasks").format(low=number(low), high=number(high))


def _groups_text(count: int) -> str:
    return ngettext("{count} group", "{count} groups", count).format(count=number(count))
