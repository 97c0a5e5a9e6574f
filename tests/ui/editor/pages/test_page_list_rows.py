"""The rows of the page list, updated after changes, equal rows that are created again."""

from hypothesis import given
from hypothesis import strategies as st

from batchwright.layout.model import Page
from batchwright.layout.rules.problems import Severity
from batchwright.ui.editor.pages.model import PageListRows

PAGES = [Page(f"p{number}", {}) for number in range(5)]

states = st.tuples(
    st.lists(st.sampled_from(PAGES), max_size=6),
    st.dictionaries(st.sampled_from([page.key for page in PAGES]), st.sampled_from(["Intro", "Main"])),
    st.dictionaries(st.integers(0, 5), st.sampled_from(Severity)),
)


@given(st.lists(states, max_size=6))
def test_updated_rows_equal_new_rows(
    changes: list[tuple[list[Page], dict[str, str], dict[int, Severity]]],
) -> None:
    rows = PageListRows()
    for pages, names, worst in changes:
        assert rows.update(pages, names, worst) == PageListRows().update(pages, names, worst)


def test_rows_of_unchanged_pages_stay_the_same_objects() -> None:
    rows = PageListRows()
    before = rows.update(PAGES, {}, {})
    after = rows.update([*PAGES[:2], Page("new", {}), *PAGES[3:]], {"p0": "Start"}, {4: Severity.ERROR})
    assert [old is new for old, new in zip(before, after, strict=True)] == [False, True, False, True, False]
