import pytest

from batchwright.layout.editing.edits import Remove, SetAttributes
from batchwright.layout.editing.history import History
from batchwright.layout.editing.selection import EditRejected
from tests.layout.builders import sketch


def typed(text: str) -> SetAttributes:
    return SetAttributes("a", {"description": text})


def test_undo_and_redo_restore_the_same_layout_objects() -> None:
    start = History(sketch("ab"))
    history = start.do(Remove(("a",)))
    assert history.undo().now is start.now
    assert history.undo().redo().now is history.now


def test_a_step_is_named_after_its_edit() -> None:
    start = History(sketch("ab"))
    history = start.do(Remove(("a",)))
    assert (start.undo_label, start.redo_label) == (None, None)
    assert (history.undo_label, history.redo_label) == (Remove.label, None)
    assert (history.undo().undo_label, history.undo().redo_label) == (None, Remove.label)


def test_undo_and_redo_labels_name_the_next_step() -> None:
    history = History(sketch("ab")).do(Remove(("a",))).do(SetAttributes("b", {"description": "Why?"}))
    assert history.undo_label == SetAttributes.label
    back = history.undo()
    assert (back.undo_label, back.redo_label) == (Remove.label, SetAttributes.label)
    assert back.undo().redo_label == Remove.label


def test_undo_and_redo_without_steps_have_no_effect() -> None:
    start = History(sketch("ab"))
    assert start.undo() is start
    assert start.redo() is start
    assert start.with_step_closed() is start


def test_an_edit_without_effect_is_not_a_step_and_keeps_the_redo_steps() -> None:
    undone = History(sketch("ab")).do(Remove(("b",))).undo()
    assert undone.do(typed("a")) is undone


def test_an_edit_after_an_undo_replaces_the_undone_steps() -> None:
    again = History(sketch("ab")).do(Remove(("a",))).undo().do(Remove(("b",)))
    assert again.future == ()
    assert again.undo().now == sketch("ab")


def test_a_rejected_edit_does_not_change_the_history() -> None:
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


def test_typing_the_previous_text_again_leaves_no_step() -> None:
    start = History(sketch("a"))
    history = start.do(typed("ab"), merge_key="s").do(typed("a"), merge_key="s")
    assert history == start
    assert history.now is start.now


def test_a_step_with_an_attachment_stays_when_what_is_merged_with_it_returns_to_the_value_before() -> None:
    start = History(sketch("a"))
    history = start.do(typed("ab"), merge_key="s", attachment="records").do(typed("a"), merge_key="s")
    assert history.now == start.now
    assert [step.attachment for step in history.past] == ["records"]


def test_typing_after_leaving_the_field_is_another_step() -> None:
    history = History(sketch("a")).do(typed("W"), merge_key="s").with_step_closed()
    assert history.with_step_closed() is history
    assert len(history.do(typed("Wh"), merge_key="s").past) == 2


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


def test_a_thousand_steps_can_be_undone() -> None:
    start = History(sketch("a"))
    history = start
    for number in range(1000):
        history = history.do(typed(str(number)))
    for _number in range(1000):
        history = history.undo()
    assert history.now is start.now
