"""All pairs in an order of which any beginning has each participant equally often, give or take one."""

from collections.abc import Iterator


def round_robin(count: int) -> Iterator[tuple[int, int]]:
    """Yield each pair of the numbers from 0 to `count`, without it, once.

    If the count is even, the pairs are those of the rounds of a tournament. If it is odd, they are the edges
    of circles through all numbers, of which every other one is taken, twice around.
    """
    if count % 2 == 0:
        for number in range(count - 1):
            yield count - 1, number
            for step in range(1, count // 2):
                yield (number + step) % (count - 1), (number - step) % (count - 1)
        return
    for circle in _circles(count):
        for position in range(0, 2 * count, 2):
            yield circle[position % count], circle[(position + 1) % count]


def _circles(count: int) -> Iterator[list[int]]:
    """Divide the pairs of an odd number of points into circles that go through all of them (Walecki)."""
    last = count - 1
    for turn in range(last // 2):
        zigzag = [(turn + (step + 1) // 2 * (1 if step % 2 else -1)) % last for step in range(last)]
        yield [last, *zigzag]
