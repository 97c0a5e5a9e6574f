"""The pages that differ between two layouts are found, whatever was inserted, removed or moved."""

from hypothesis import given
from hypothesis import strategies as st

from batchwright.layout.comparing.changed_pages import changed_pages

PAGES = [object() for _page in range(6)]

pages = st.lists(st.sampled_from(PAGES), max_size=8)


@given(pages, pages)
def test_the_pages_around_the_changed_ones_are_the_same(before: list[object], after: list[object]) -> None:
    changed = changed_pages(before, after)
    same_at_end = before[changed.start + len(changed.before) :]
    assert before == [*before[: changed.start], *changed.before, *same_at_end]
    assert after == [*before[: changed.start], *changed.after, *same_at_end]


@given(pages, pages)
def test_new_pages_were_not_there_before_and_gone_ones_are_not_there_now(
    before: list[object], after: list[object]
) -> None:
    changed = changed_pages(before, after)
    assert {after[number] for number, _page in changed.new} >= set(after) - set(before)
    assert all(after[number] is page for number, page in changed.new)
    assert set(changed.gone) >= set(before) - set(after)


def test_the_same_pages_have_no_changes() -> None:
    assert changed_pages(PAGES, list(PAGES)) == (6, [], [])


def test_only_the_changed_page_is_found_among_others() -> None:
    new = object()
    changed = changed_pages(PAGES, [*PAGES[:2], new, *PAGES[3:]])
    assert changed.new == [(2, new)]
    assert changed.gone == [PAGES[2]]
