"""Random samples, and their sizes in strata."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from batchwright.prepare.designs.samples import equal_amounts, proportional_amounts, stratified_sample
from batchwright.prepare.random_numbers import RandomNumbers

SIZES = st.lists(st.integers(0, 50), min_size=1, max_size=8).map(np.array)


@given(SIZES, st.integers(0, 500))
def test_proportional_amounts_differ_from_the_exact_ones_by_less_than_one(
    sizes: np.ndarray, total: int
) -> None:
    amounts = proportional_amounts(sizes, total)
    wanted = min(total, int(sizes.sum()))
    assert amounts.sum() == wanted
    assert (amounts <= sizes).all()
    assert (np.abs(amounts - sizes * wanted / max(1, sizes.sum())) < 1).all()


@given(SIZES, st.integers(0, 500))
def test_equal_amounts_differ_by_at_most_one_unless_a_stratum_has_no_more(
    sizes: np.ndarray, total: int
) -> None:
    amounts = equal_amounts(sizes, total, RandomNumbers(1))
    assert amounts.sum() == min(total, sizes.sum())
    assert (amounts <= sizes).all()
    unfinished = amounts[amounts < sizes]
    assert not len(unfinished) or amounts.max() - unfinished.min() <= 1


@given(st.lists(st.integers(0, 3), min_size=1), st.integers(0, 9))
def test_a_stratified_sample_has_the_amount_of_each_stratum(strata: list[int], seed: int) -> None:
    codes = np.array(strata)
    amounts = np.bincount(codes, minlength=4) // 2
    rows = stratified_sample(codes, amounts, RandomNumbers(seed))
    assert np.bincount(codes[rows], minlength=4).tolist() == amounts.tolist()
    assert (np.diff(rows) > 0).all()
