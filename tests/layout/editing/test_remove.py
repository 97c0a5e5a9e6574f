import pytest

from batchwright.layout.editing.edits import Cut, Remove
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.model import Layout
from batchwright.layout.nodes import InvalidNode
from tests.layout.builders import after, sketch


@pytest.mark.parametrize(
    ("keys", "before", "expected"),
    [
        (("a",), "ab", "b"),
        (("a",), "a|b", "b"),
        (("a",), "a / b", "b"),
        (("a", "b"), "a|b / c", "c"),
        (("a", "rb", "pc"), "a / b // c // d", "- // d"),
        (("pa", "a"), "a // b", "b"),
        (("ca",), "a|b", "b"),
    ],
)
def test_removing_also_removes_emptied_columns_and_rows(
    keys: tuple[str, ...], before: str, expected: str
) -> None:
    assert after(Remove(keys), before) == expected


def test_the_last_page_can_be_removed_too() -> None:
    assert Remove(("pa",))(sketch("a")) == Layout()


def test_an_invalid_node_can_be_removed() -> None:
    assert Remove(("odd",))(Layout((InvalidNode("odd", None), *sketch("a").pages))) == sketch("a")


def test_removing_a_removed_node_is_rejected_completely() -> None:
    with pytest.raises(EditRejected, match="no longer in the layout"):
        after(Remove(("a", "z")), "ab")


def test_cutting_removes_under_its_own_name() -> None:
    assert after(Cut(("a",)), "ab") == "b"
    assert Cut.label != Remove.label
