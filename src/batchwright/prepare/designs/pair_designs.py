"""Which outputs are compared with which: all pairs, those with a reference, or a balanced part of them.

A balanced part has each pair of systems as equally often as possible, and therefore each system. With
complete prompts, both differ by at most one; and if there are blocks, the systems of each are connected by
its pairs.
"""

import heapq
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from batchwright.prepare.designs.round_robin import round_robin
from batchwright.prepare.random_numbers import RandomNumbers


class Outputs(NamedTuple):
    """The outputs of systems for prompts: the codes of both, counted from 0, at most one output for each."""

    prompts: np.ndarray
    systems: np.ndarray


class Pairs(NamedTuple):
    """The indexes of the outputs that are compared with each other, prompt by prompt."""

    first: np.ndarray
    second: np.ndarray


def all_pairs(outputs: Outputs) -> Pairs:
    """Each output of a prompt with each other one."""
    prompts = _Prompts(outputs)
    firsts, seconds = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for size in np.unique(prompts.sizes):
        first, second = np.triu_indices(int(size), 1)
        starts = prompts.starts[prompts.sizes == size][:, None]
        firsts.append(prompts.outputs[(starts + first).ravel()])
        seconds.append(prompts.outputs[(starts + second).ravel()])
    return _in_order(outputs, Pairs(np.concatenate(firsts), np.concatenate(seconds)))


def pairs_with(outputs: Outputs, reference: int) -> Pairs:
    """Each output of a prompt with the one of a system, which comes first."""
    is_reference = outputs.systems == reference
    of_prompt = np.full(int(outputs.prompts.max(initial=-1)) + 1, -1)
    of_prompt[outputs.prompts[is_reference]] = np.flatnonzero(is_reference)
    others = np.flatnonzero(~is_reference)
    first = of_prompt[outputs.prompts[others]]
    return _in_order(outputs, Pairs(first[first >= 0], others[first >= 0]))


def number_of_pairs(outputs: Outputs) -> np.ndarray:
    """The number of pairs that each prompt could have."""
    sizes = np.bincount(outputs.prompts)
    return sizes * (sizes - 1) // 2


def balanced_pairs(
    outputs: Outputs, amounts: np.ndarray, random: RandomNumbers, blocks: np.ndarray | None = None
) -> Pairs:
    """Choose pairs so that each pair of systems is as often compared as each other one.

    Args:
        outputs: what can be compared.
        amounts: the number of pairs for each prompt; it gets fewer if it has fewer.
        random: draws the order of prompts and systems.
        blocks: the code of the block of each prompt; None if all prompts are in one.
    """
    prompts = _Prompts(outputs)
    choice = _Choice(int(outputs.systems.max(initial=-1)) + 1, random)
    blocks = np.zeros(len(amounts), np.int64) if blocks is None else blocks
    order = random.order(len(amounts))
    is_complete = prompts.sizes == choice.systems
    by_block = order[np.lexsort((is_complete[order], blocks[order]))]
    first, second = array("q"), array("q")
    block = -1
    for prompt in by_block.tolist():
        if blocks[prompt] != block:
            block = int(blocks[prompt])
            choice.start_block()
        own = prompts.of(prompt)
        amount = int(amounts[prompt])
        if is_complete[prompt]:
            chosen = choice.of_all(amount)
        else:
            chosen = choice.of_some(outputs.systems[own], amount)
        for one, other in chosen:
            first.append(int(own[one]))
            second.append(int(own[other]))
    return _in_order(outputs, Pairs(np.frombuffer(first, np.int64), np.frombuffer(second, np.int64)))


@dataclass(frozen=True, eq=False)
class PairBalance:
    """How balanced the pairs of systems are.

    `counts` has the number of comparisons of each system with each other one, symmetric. `efficiency` is the
    mean variance of differences between systems in a design of as many comparisons in which each pair is
    equally often, divided by that in this one: 1 if it is as precise, 0 if there are differences that cannot
    be estimated.
    """

    counts: np.ndarray
    efficiency: float
    unconnected_blocks: tuple[int, ...]
    """The codes of the blocks whose systems are not all connected by the pairs in them."""

    @property
    def of_systems(self) -> np.ndarray:
        """The number of comparisons of each system."""
        return self.counts.sum(axis=0)

    @property
    def of_pairs(self) -> np.ndarray:
        """The number of comparisons of each pair of systems."""
        return self.counts[np.triu_indices(len(self.counts), 1)]


def pair_balance(outputs: Outputs, pairs: Pairs, blocks: np.ndarray | None = None) -> PairBalance:
    """Count the pairs of systems, in all prompts and in each block."""
    systems = int(outputs.systems.max(initial=-1)) + 1
    first, second = outputs.systems[pairs.first], outputs.systems[pairs.second]
    of_pair = np.zeros(len(first), np.int64) if blocks is None else blocks[outputs.prompts[pairs.first]]
    order = np.argsort(of_pair, kind="stable")
    codes, starts = np.unique(of_pair[order], return_index=True)
    unconnected = [
        int(code)
        for code, rows in zip(codes, np.split(order, starts[1:]), strict=True)
        if not _is_connected(systems, first[rows], second[rows])
    ]
    counts = np.bincount(first * systems + second, minlength=systems * systems).reshape(systems, systems)
    counts = counts + counts.T
    return PairBalance(counts, efficiency(counts), tuple(unconnected))


def efficiency(counts: np.ndarray) -> float:
    """The mean variance of differences in a complete design of the same size, divided by that in this one.

    `counts` has the number of comparisons of each system with each other one, symmetric.
    """
    others, comparisons = len(counts) - 1, counts.sum() / 2
    if others < 1 or not comparisons:
        return 0.0
    information = np.linalg.eigvalsh(np.diag(counts.sum(axis=0)) - counts)[1:]
    if information[0] < comparisons * 1e-12:
        return 0.0
    return float(others**2 / (2 * comparisons * (1 / information).sum()))


def _is_connected(systems: int, first: np.ndarray, second: np.ndarray) -> bool:
    parts = _Parts(systems)
    return (
        sum(parts.join(a, b) for a, b in {*zip(first.tolist(), second.tolist(), strict=True)}) == systems - 1
    )


def _in_order(outputs: Outputs, pairs: Pairs) -> Pairs:
    """The same pairs in the order of their prompts, and within them of their outputs."""
    order = np.lexsort((pairs.second, pairs.first, outputs.prompts[pairs.first]))
    return Pairs(pairs.first[order], pairs.second[order])


class _Prompts:
    """The outputs of each prompt in the order of their systems."""

    def __init__(self, outputs: Outputs) -> None:
        self.outputs = np.lexsort((outputs.systems, outputs.prompts))
        self.sizes = np.bincount(outputs.prompts)
        self.starts = np.cumsum(self.sizes) - self.sizes

    def of(self, prompt: int) -> np.ndarray:
        """The indexes of the outputs of a prompt."""
        return self.outputs[self.starts[prompt] : self.starts[prompt] + self.sizes[prompt]]


class _Choice:
    """Chooses the pairs of systems that were chosen least often, and of these the next one in a round robin.

    In a block, pairs that connect systems that are not yet connected in it come first.
    """

    def __init__(self, systems: int, random: RandomNumbers) -> None:
        self.systems = systems
        names = random.order(systems)
        self._pairs = [_sorted(int(names[a]), int(names[b])) for a, b in round_robin(systems)]
        self._ranks = np.zeros((systems, systems), np.int64)
        for rank, (a, b) in enumerate(self._pairs):
            self._ranks[a, b] = rank
        self._counts = np.zeros(len(self._pairs), np.int64)
        self._heap = [(0, rank) for rank in range(len(self._pairs))]
        self._parts = _Parts(systems)

    def start_block(self) -> None:
        """Begin a block, in which no systems are connected so far."""
        self._parts = _Parts(self.systems)

    def of_all(self, amount: int) -> Iterator[tuple[int, int]]:
        """Choose pairs of all systems."""
        used = list[int]()
        for _number in range(min(amount, len(self._pairs))):
            others = list[int]()
            while self._heap:
                rank = self._least_often()
                if self._parts.is_one or self._parts.join(*self._pairs[rank]):
                    break
                others.append(rank)
            else:
                rank = others.pop(0)
            for other in others:
                heapq.heappush(self._heap, (int(self._counts[other]), other))
            self._counts[rank] += 1
            used.append(rank)
            yield self._pairs[rank]
        for rank in used:
            heapq.heappush(self._heap, (int(self._counts[rank]), rank))

    def of_some(self, systems: np.ndarray, amount: int) -> Iterator[tuple[int, int]]:
        """Choose pairs of these systems, in ascending order, as positions among them."""
        first, second = np.triu_indices(len(systems), 1)
        ranks = self._ranks[systems[first], systems[second]]
        order = np.argsort(self._counts[ranks] * len(self._pairs) + ranks, kind="stable").tolist()
        joining = [] if self._parts.is_one else [k for k in order if self._parts.join(*self._pairs[ranks[k]])]
        chosen = list(dict.fromkeys((*joining[:amount], *order)))[:amount]
        self._counts[ranks[chosen]] += 1
        return ((int(first[k]), int(second[k])) for k in chosen)

    def _least_often(self) -> int:
        """Take the rank of a pair from the heap, whose entries may be older than the counts."""
        while True:
            count, rank = heapq.heappop(self._heap)
            if count == self._counts[rank]:
                return rank
            heapq.heappush(self._heap, (int(self._counts[rank]), rank))


def _sorted(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


class _Parts:
    """Which systems are connected with each other (disjoint sets)."""

    def __init__(self, systems: int) -> None:
        self._above = list(range(systems))
        self._parts = systems

    @property
    def is_one(self) -> bool:
        """Whether all are connected."""
        return self._parts <= 1

    def join(self, a: int, b: int) -> bool:
        """Connect two systems; returns whether they were not yet connected."""
        a, b = self._root(a), self._root(b)
        if a == b:
            return False
        self._above[a] = b
        self._parts -= 1
        return True

    def _root(self, system: int) -> int:
        while self._above[system] != system:
            self._above[system] = self._above[self._above[system]]
            system = self._above[system]
        return system
