"""The fields of the dataset that can name the systems of comparisons, and a guess which ones do."""

from batchwright.analysis.statistics.comparisons.system_results import MAX_SYSTEMS, SystemFields
from batchwright.analysis.store.answer_table import AnswerTable

_SIDES = (("left", "right"), ("a", "b"), ("1", "2"), ("first", "second"))


def system_fields(table: AnswerTable) -> list[str]:
    """The fields that can name systems: with few enough different values."""
    return [name for name, column in table.fields.items() if 0 < len(column.values) <= MAX_SYSTEMS]


def suggested_systems(table: AnswerTable) -> SystemFields | None:
    """Two fields that probably name the left and right system: they have values in common.

    If no two fields have, their values at least repeat, as texts to compare do not.
    """
    names = system_fields(table)
    values = {name: set(table.fields[name].values) for name in names}
    pairs = [
        (left, right)
        for left in names
        for right in names
        if differ_only_by_side(left, right) and len(values[left] | values[right]) > 1
    ]
    related = [pair for pair in pairs if values[pair[0]] & values[pair[1]]] or [
        pair for pair in pairs if all(2 * len(values[name]) <= len(table.fields[name]) for name in pair)
    ]
    return SystemFields(*related[0]) if related else None


def differ_only_by_side(left: str, right: str) -> bool:
    """Whether two names of fields differ only in naming the left and the right side."""
    words = [name.casefold().replace("-", "_").replace(" ", "_").split("_") for name in (left, right)]
    if len(words[0]) != len(words[1]):
        return False
    differences = [pair for pair in zip(*words, strict=True) if pair[0] != pair[1]]
    return len(differences) == 1 and _ends(*differences[0]) in _SIDES


def _ends(left: str, right: str) -> tuple[str, str]:
    """Two words without the letters that both start with, as `a` and `b` of `modela` and `modelb`."""
    for pair in _SIDES:
        if left.endswith(pair[0]) and right.endswith(pair[1]):
            stems = left[: -len(pair[0])], right[: -len(pair[1])]
            if stems[0] == stems[1]:
                return pair
    return left, right
