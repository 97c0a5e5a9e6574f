"""The order in which boxes are read: lines from top to bottom, and columns from left to right."""

from collections.abc import Sequence

Box = tuple[int, int, int, int]
"""Left, top, width and height of a widget in its parent, in pixels."""

_X, _Y = 0, 1


def reading_order(boxes: Sequence[Box]) -> list[int]:
    """The indexes of boxes in reading order.

    Boxes are split by horizontal lines that cross none of them, otherwise by vertical lines. Where neither is
    possible, boxes that cover others come last.

    Args:
        boxes: the boxes of siblings in stacking order.
    """
    return _ordered(boxes, range(len(boxes)))


def _ordered(boxes: Sequence[Box], numbers: Sequence[int]) -> list[int]:
    if len(numbers) < 2:
        return list(numbers)
    for axis in (_Y, _X):
        bands = _bands(boxes, numbers, axis)
        if len(bands) > 1:
            return [number for band in bands for number in _ordered(boxes, band)]
    below: list[int] = []
    covering: list[int] = []
    for rank, number in enumerate(numbers):
        is_covering = any(_overlap(boxes[number], boxes[lower]) for lower in numbers[:rank])
        (covering if is_covering else below).append(number)
    if not covering:
        return _by_lines(boxes, below)
    return _ordered(boxes, below) + _by_lines(boxes, covering)


def _bands(boxes: Sequence[Box], numbers: Sequence[int], axis: int) -> list[list[int]]:
    """The groups of boxes that can be separated by lines along an axis."""
    bands: list[list[int]] = []
    end = 0
    for number in sorted(numbers, key=lambda index: boxes[index][axis]):
        start, extent = boxes[number][axis], boxes[number][axis + 2]
        if not bands or start >= end:
            bands.append([])
            end = start
        bands[-1].append(number)
        end = max(end, start + extent)
    return [sorted(band) for band in bands]


def _overlap(first: Box, second: Box) -> bool:
    """Whether the center of one box is inside the other; smaller overlaps are shadows."""
    return _contains_center(first, second) or _contains_center(second, first)


def _contains_center(box: Box, inner: Box) -> bool:
    x, y = inner[_X] + inner[2] / 2, inner[_Y] + inner[3] / 2
    return box[_X] <= x < box[_X] + box[2] and box[_Y] <= y < box[_Y] + box[3]


def _by_lines(boxes: Sequence[Box], numbers: Sequence[int]) -> list[int]:
    """The boxes line by line: a box belongs to a line if it starts above the middle of its first box."""
    lines: list[list[int]] = []
    for number in sorted(numbers, key=lambda index: boxes[index][_Y]):
        first = boxes[lines[-1][0]] if lines else None
        if first is not None and boxes[number][_Y] < first[_Y] + first[3] / 2:
            lines[-1].append(number)
        else:
            lines.append([number])
    return [number for line in lines for number in sorted(line, key=lambda index: boxes[index][_X])]
