"""Which rows of a sheet are proposed as its header."""

import pytest

from batchwright.data_files.sources.headers import proposed_header


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        (["prompt|id", "Which?|007"], (1, 1)),
        (["prompt|response|", "Which?|this|a remark", "Why?|that|"], (1, 1)),
        (["Our study", "", "prompt|id", "Which?|007"], (3, 1)),
        (["Our study|2024||", "prompt|id|a|b", "Which?|1|2|3"], (2, 1)),
        (["country|2020|2021", "DE|83.1|83.2"], (1, 1)),
        (["Ann|5", "Bob|6"], (0, 1)),
        (["Ann|5|2024-05-06", "Bob|6|2024-05-07"], (0, 1)),
        (["1|2", "3|4"], (0, 1)),
        (["https://example.org/1.png|cat", "https://example.org/2.png|dog"], (0, 1)),
        (["prompt", "Which?", "Why?"], (1, 1)),
        (["Response\nA|Response\nB", "yes|no"], (1, 1)),
        (["|Model A||Model B|", "id|text|score|text|score", "1|a|2|b|3"], (2, 2)),
        (["", ""], (0, 1)),
        ([], (0, 1)),
    ],
)
def test_the_header_is_the_first_row_with_names(rows: list[str], header: tuple[int, int]) -> None:
    assert proposed_header([row.split("|") for row in rows]) == header


def test_wide_cells_are_names_of_groups() -> None:
    rows = ["id|Model A||Model B|", "|text|score|text|score", "1|a|2|b|3"]
    assert proposed_header([row.split("|") for row in rows], wide_cells={1}) == (2, 2)


def test_a_title_over_all_columns_is_no_group() -> None:
    rows = ["Results||", "id|text|score", "1|a|2"]
    assert proposed_header([row.split("|") for row in rows], wide_cells={1}) == (2, 1)
