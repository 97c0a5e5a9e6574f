"""Which of two outputs stands on the left: drawn, balanced for each pair of systems and for each system."""

import numpy as np

from batchwright.prepare.random_numbers import RandomNumbers


def drawn_sides(first: np.ndarray, second: np.ndarray, random: RandomNumbers) -> np.ndarray:
    """Draw for each pair whether its first output stands on the left.

    Within each pair of systems, and for each system in all its pairs, the numbers of left and right sides
    differ by at most one.

    Args:
        first: the codes of the systems that have the first outputs, counted from 0.
        second: those of the second outputs.
        random: draws the sides.
    """
    low, high = np.minimum(first, second), np.maximum(first, second)
    systems = int(high.max(initial=-1)) + 1
    pairs = low * systems + high
    order = random.order(len(first))
    order = order[np.argsort(pairs[order], kind="stable")]
    is_new = np.diff(pairs[order], prepend=-1) != 0
    starts = np.flatnonzero(is_new)
    sizes = np.diff(np.append(starts, len(order)))
    is_low_left = (np.arange(len(order)) - np.repeat(starts, sizes)) % 2 == 0
    single = (starts + sizes - 1)[sizes % 2 == 1]
    for_single = single[random.order(len(single))]
    edges = np.stack((low[order[for_single]], high[order[for_single]]), axis=1)
    is_low_left[for_single] = _directed(edges, systems, random)
    is_left = np.zeros(len(first), bool)
    is_left[order] = is_low_left
    return is_left ^ (first > second)


def _directed(edges: np.ndarray, nodes: int, random: RandomNumbers) -> np.ndarray:
    """Give the edges of a graph directions so that each node has as many in as out, give or take one.

    They are those in which closed walks pass them, after an additional node was connected with those that
    have an odd number of edges (Euler). Each walk is reversed or not. Returns whether an edge leads from its
    first node.
    """
    degrees = np.bincount(edges.ravel(), minlength=nodes)
    odd = np.flatnonzero(degrees % 2)
    ends = np.concatenate((edges, np.stack((odd, np.full(len(odd), nodes)), axis=1))).tolist()
    at_node: list[list[int]] = [[] for _node in range(nodes + 1)]
    for edge, (a, b) in enumerate(ends):
        at_node[a].append(edge)
        at_node[b].append(edge)
    is_reversed = random.fractions(nodes + 1) < 1 / 2
    directions: list[bool | None] = [None] * len(ends)
    for start in range(nodes + 1):
        node = start
        while at_node[node]:
            edge = at_node[node].pop()
            if directions[edge] is None:
                is_from_first = ends[edge][0] == node
                directions[edge] = is_from_first != bool(is_reversed[start])
                node = ends[edge][is_from_first]
    return np.array(directions[: len(edges)], bool)
