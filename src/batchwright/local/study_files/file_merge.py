"""Applies the changes of a study to the value of the file it was opened from, and to nothing else.

A study leaves out what only a service sets, and writes what has a default. So what it would write for the
unchanged file is compared with what it would write now, and the differences are applied to the file's value.
"""

from collections.abc import Sequence

from batchwright.base.json_values import Json, JsonObject, is_array, is_object, json_equal, to_json
from batchwright.base.sequence_matching import matching_runs

_ORDER = "order"
"""The position of a page or item; files that have it get the new positions."""


def with_differences(original: Json, before: Json, after: Json) -> Json:
    """The original value with the differences between two others; the first one is what a study has of it."""
    if json_equal(before, after):
        return original
    if is_object(original) and is_object(before) and is_object(after):
        return _object(original, before, after)
    if is_array(original) and is_array(before) and is_array(after) and len(original) == len(before):
        return _array(original, before, after)
    return after


def _object(original: JsonObject, before: JsonObject, after: JsonObject) -> JsonObject:
    merged: dict[str, Json] = {}
    for key, value in original.items():
        if key in before and key in after:
            merged[key] = with_differences(value, before[key], after[key])
        elif key in after:
            merged[key] = after[key]
        elif key not in before:
            merged[key] = value
    added = {key: value for key, value in after.items() if key not in original and key != _ORDER}
    return merged | {key: value for key, value in added.items() if not _is_in(before, key, value)}


def _is_in(value: JsonObject, key: str, inner: Json) -> bool:
    return key in value and json_equal(value[key], inner)


def _array(original: Sequence[Json], before: Sequence[Json], after: Sequence[Json]) -> list[Json]:
    old, new = ([to_json(_without_order(value)) for value in values] for values in (before, after))
    merged: list[Json] = []
    for first, last, start, end in matching_runs(old, new):
        paired = min(last - first, end - start)
        for offset in range(paired):
            index = first + offset
            merged.append(
                with_differences(
                    original[index], _without_order(before[index]), _without_order(after[start + offset])
                )
            )
        merged += [_without_order(value) for value in after[start + paired : end]]
    if any(is_object(value) and _ORDER in value for value in original):
        return [_placed(value, index) for index, value in enumerate(merged)]
    return merged


def _without_order(value: Json) -> Json:
    return {key: inner for key, inner in value.items() if key != _ORDER} if is_object(value) else value


def _placed(value: Json, index: int) -> Json:
    return {**value, _ORDER: index} if is_object(value) else value
