"""The entries of two lists are matched, whatever they are."""

from hypothesis import given
from hypothesis import strategies as st

from batchwright.base.sequence_matching import Run, matching_runs

TEXTS = st.lists(st.sampled_from("abcd"), max_size=12)


@given(TEXTS, TEXTS)
def test_runs_contain_every_entry_once_and_keep_equal_ends(old: list[str], new: list[str]) -> None:
    runs = list(matching_runs(old, new))
    assert [index for run in runs for index in range(run.first, run.last)] == list(range(len(old)))
    assert [place for run in runs for place in range(run.start, run.end)] == list(range(len(new)))
    if old == new:
        assert runs == [Run(index, index + 1, index, index + 1) for index in range(len(old))]


@given(st.lists(st.integers(), unique=True, max_size=20), st.data())
def test_what_was_added_and_removed_is_found(entries: list[int], data: st.DataObject) -> None:
    removed = data.draw(st.sets(st.sampled_from(entries))) if entries else set()
    old = [str(entry) for entry in entries]
    kept = [str(entry) for entry in entries if entry not in removed]
    place = data.draw(st.integers(0, len(kept)))
    new = [*kept[:place], "added", *kept[place:]]
    equal = [
        old[run.first]
        for run in matching_runs(old, new)
        if old[run.first : run.last] == new[run.start : run.end]
    ]
    assert equal == kept


def test_an_entry_that_moved_leaves_the_others_matched() -> None:
    runs = matching_runs(list("abcde"), list("bcdea"))
    assert list(runs) == [Run(0, 1, 0, 0), *(Run(n, n + 1, n - 1, n) for n in range(1, 5)), Run(5, 5, 4, 5)]
    assert list(matching_runs([], [])) == []
