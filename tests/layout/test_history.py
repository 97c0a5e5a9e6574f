import pytest

from batchwright.layout.edits import EditRejected, Remove, SetAttributes
from batchwright.layout.history import History
from tests.layout.builders import sketch


def typed(text: str) -> SetAttributes:
    return SetAttributes("a", {"description": text})


def test_undo_gives_back_the_very_layout_before_and_redo_the_one_after() -> None:
    start = History(sketch("ab"))
    done = start.do(Remove(("a",)))
    assert done.undo().now is start.now
    assert done.undo().redo().now is done.now


def test_a_step_is_named_after_its_edit() -> None:
    start = History(sketch("ab"))
    done = start.do(Remove(("a",)))
    assert (start.undo_label, start.redo_label) == (None, None)
    assert (done.undo_label, done.redo_label) == (Remove.label, None)
    assert (done.undo().undo_label, done.undo().redo_label) == (None, Remove.label)


def test_the_step_next_in_turn_is_the_one_that_is_named() -> None:
    done = History(sketch("ab")).do(Remove(("a",))).do(SetAttributes("b", {"description": "Why?"}))
    assert done.undo_label == SetAttributes.label
    back = done.undo()
    assert (back.undo_label, back.redo_label) == (Remove.label, SetAttributes.label)
    assert back.undo().redo_label == Remove.label


def test_at_either_end_nothing_happens() -> None:
    start = History(sketch("ab"))
    assert start.undo() is start
    assert start.redo() is start
    assert start.lifted() is start


def test_an_edit_that_changes_nothing_is_no_step_and_keeps_what_can_be_redone() -> None:
    undone = History(sketch("ab")).do(Remove(("b",))).undo()
    assert undone.do(typed("a")) is undone


def test_an_edit_after_an_undo_takes_the_place_of_what_was_undone() -> None:
    again = History(sketch("ab")).do(Remove(("a",))).undo().do(Remove(("b",)))
    assert again.future == ()
    assert again.undo().now == sketch("ab")


def test_a_refused_edit_leaves_the_history_as_it_was() -> None:
    start = History(sketch("ab"))
    with pytest.raises(EditRejected):
        start.do(Remove(("z",)))
    assert start == History(sketch("ab"))


def test_typing_into_one_field_is_one_step() -> None:
    history = History(sketch("ab")).do(Remove(("b",)))
    for text in ("W", "Wh", "Why?"):
        history = history.do(typed(text), merge_key="a.description")
    assert len(history.past) == 2
    assert history.undo().now == sketch("a")
    assert history.undo().redo().now == history.now


def test_typing_back_what_stood_there_leaves_no_step() -> None:
    start = History(sketch("a"))
    history = start.do(typed("ab"), merge_key="s").do(typed("a"), merge_key="s")
    assert history == start
    assert history.now is start.now


def test_after_the_field_was_left_typing_is_a_step_of_its_own() -> None:
    left = History(sketch("a")).do(typed("W"), merge_key="s").lifted()
    assert left.lifted() is left
    assert len(left.do(typed("Wh"), merge_key="s").past) == 2


def test_typing_into_another_field_is_a_step_of_its_own() -> None:
    history = History(sketch("ab")).do(typed("W"), merge_key="s")
    history = history.do(SetAttributes("b", {"description": "X"}), merge_key="t").do(
        typed("Wh"), merge_key="s"
    )
    assert len(history.past) == 3


def test_after_undo_or_redo_typing_is_a_step_of_its_own() -> None:
    history = History(sketch("ab")).do(typed("W"), merge_key="s").do(Remove(("b",)))
    undone = history.undo()
    assert len(undone.do(typed("Wh"), merge_key="s").past) == 2
    redone = history.undo().undo().redo()
    assert len(redone.do(typed("Wh"), merge_key="s").past) == 2


def test_a_thousand_steps_can_all_be_taken_back() -> None:
    start = History(sketch("a"))
    history = start
    for number in range(1000):
        history = history.do(typed(str(number)))
    for _number in range(1000):
        history = history.undo()
    assert history.now is start.now
