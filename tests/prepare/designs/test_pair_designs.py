"""Pairs of outputs: complete, with a reference, and balanced parts."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchwright.prepare.designs.pair_designs import (
    Outputs,
    Pairs,
    all_pairs,
    balanced_pairs,
    number_of_pairs,
    pair_balance,
    pairs_with,
)
from batchwright.prepare.designs.round_robin import round_robin
from batchwright.prepare.random_numbers import RandomNumbers

PRESENT = st.lists(st.sets(st.integers(0, 6), min_size=1), min_size=1, max_size=30)
"""The systems that have an output for each prompt."""


def complete(prompts: int, systems: int) -> Outputs:
    return Outputs(np.repeat(np.arange(prompts), systems), np.tile(np.arange(systems), prompts))


def outputs_of(present: list[set[int]]) -> Outputs:
    rows = [(prompt, system) for prompt, systems in enumerate(present) for system in systems]
    prompts, systems = np.array(rows).T
    return Outputs(prompts, systems)


def compared(outputs: Outputs, pairs: Pairs) -> list[tuple[int, int, int]]:
    """The prompt and the two systems of each pair; both outputs are for the same prompt."""
    assert (outputs.prompts[pairs.first] == outputs.prompts[pairs.second]).all()
    systems = np.sort([outputs.systems[pairs.first], outputs.systems[pairs.second]], axis=0)
    return list(map(tuple, np.stack((outputs.prompts[pairs.first], *systems), axis=1).tolist()))


@pytest.mark.parametrize("count", range(30))
def test_a_round_robin_has_each_pair_once_and_every_beginning_is_balanced(count: int) -> None:
    pairs = list(round_robin(count))
    assert sorted(tuple(sorted(pair)) for pair in pairs) == list(combinations(range(count), 2))
    times = [0] * count
    for one, other in pairs:
        times[one] += 1
        times[other] += 1
        assert max(times) - min(times) <= 1


@given(PRESENT)
def test_all_pairs_are_those_of_each_prompt(present: list[set[int]]) -> None:
    outputs = outputs_of(present)
    expected = [(p, *pair) for p, systems in enumerate(present) for pair in combinations(sorted(systems), 2)]
    assert sorted(compared(outputs, all_pairs(outputs))) == expected
    assert number_of_pairs(outputs).sum() == len(expected)


@given(PRESENT, st.integers(0, 6))
def test_pairs_with_a_reference_have_it_first(present: list[set[int]], reference: int) -> None:
    outputs = outputs_of(present)
    pairs = pairs_with(outputs, reference)
    assert (outputs.systems[pairs.first] == reference).all()
    expected = sum(len(systems) - 1 for systems in present if reference in systems)
    assert len(compared(outputs, pairs)) == expected


@given(st.integers(2, 9), st.integers(1, 20), st.integers(1, 40), st.integers(0, 5))
def test_with_complete_prompts_pairs_and_systems_differ_by_at_most_one(
    systems: int, prompts: int, amount: int, seed: int
) -> None:
    outputs = complete(prompts, systems)
    pairs = balanced_pairs(outputs, np.full(prompts, amount), RandomNumbers(seed))
    balance = pair_balance(outputs, pairs)
    assert np.ptp(balance.of_pairs) <= 1
    assert np.ptp(balance.of_systems) <= 1
    chosen = compared(outputs, pairs)
    assert len(chosen) == len(set(chosen)) == prompts * min(amount, systems * (systems - 1) // 2)


@given(PRESENT, st.integers(1, 10), st.integers(0, 5))
def test_with_missing_outputs_no_pair_is_repeated_and_each_prompt_has_its_amount(
    present: list[set[int]], amount: int, seed: int
) -> None:
    outputs = outputs_of(present)
    pairs = balanced_pairs(outputs, np.full(len(present), amount), RandomNumbers(seed))
    chosen = compared(outputs, pairs)
    assert len(chosen) == len(set(chosen))
    of_prompts = np.bincount([prompt for prompt, *_pair in chosen], minlength=len(present))
    assert of_prompts.tolist() == np.minimum(number_of_pairs(outputs), amount).tolist()


@given(st.integers(2, 8), st.integers(1, 6), st.integers(1, 4), st.integers(0, 5))
def test_the_systems_of_each_block_with_enough_pairs_are_connected(
    systems: int, blocks: int, amount: int, seed: int
) -> None:
    amount = min(amount, systems * (systems - 1) // 2)
    of_block = -(-(systems - 1) // amount)
    outputs = complete(blocks * of_block, systems)
    of_prompts = np.arange(blocks * of_block) % blocks
    pairs = balanced_pairs(outputs, np.full(len(of_prompts), amount), RandomNumbers(seed), of_prompts)
    balance = pair_balance(outputs, pairs, of_prompts)
    assert balance.unconnected_blocks == ()
    assert balance.efficiency > 0


def test_a_block_that_is_not_connected_is_named() -> None:
    outputs = complete(3, 4)
    blocks = np.array([0, 1, 1])
    pairs = Pairs(np.array([0, 4, 5, 6, 8]), np.array([1, 5, 6, 7, 9]))
    assert pair_balance(outputs, pairs, blocks).unconnected_blocks == (0,)


def test_the_efficiency_is_that_of_the_variances_of_differences() -> None:
    complete_design = complete(4, 5)
    assert pair_balance(complete_design, all_pairs(complete_design)).efficiency == pytest.approx(1)
    path = Pairs(np.array([0, 1]), np.array([1, 2]))  # variances 1, 1 and 2 instead of 1 each
    assert pair_balance(complete(1, 3), path).efficiency == pytest.approx(3 / 4)
    apart = Pairs(np.array([0, 2]), np.array([1, 3]))
    assert pair_balance(complete(1, 4), apart).efficiency == 0


def test_another_seed_gives_another_design_and_the_same_seed_the_same() -> None:
    outputs = complete(20, 6)
    first, again, other = (
        compared(outputs, balanced_pairs(outputs, np.full(20, 2), RandomNumbers(seed))) for seed in (1, 1, 2)
    )
    assert first == again != other
