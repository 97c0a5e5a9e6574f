"""The ids of a study belong to one place each: a data folder, or the workspace of a hosted service."""

from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from batchwright.local.connections import THIS_COMPUTER
from batchwright.local.places import at_places, elsewhere, is_other_data_folder, with_replaced_elsewhere
from batchwright.local.projects import Project, RemoteBinding
from batchwright.local.study_files.study_file import StudyFile, read_study, write_study

HERE = THIS_COMPUTER.name
OFFICE, HOME = RemoteBinding("office", "d1", "i1", "b1"), RemoteBinding("home", "d2", "i2", "b2")

IDS = st.none() | st.sampled_from(["1", "2", "3"])
BINDINGS = st.builds(RemoteBinding, st.sampled_from(["", "office", "home", "w"]), IDS, IDS, IDS, IDS)
NAMES = st.sampled_from([HERE, "Lab", "Other lab", f"{HERE} (office)", f"{HERE} (home)"])
REMOTES = st.dictionaries(NAMES, BINDINGS)
PLACES = st.fixed_dictionaries(
    {HERE: st.sampled_from(["", "office", "home"])}, optional={"Lab": st.sampled_from(["w", "home"])}
)


def test_ids_of_another_data_folder_are_not_those_of_this_computer() -> None:
    placed = at_places({HERE: OFFICE}, {HERE: "home"})
    assert HERE not in placed
    assert list(elsewhere(placed, [HERE]).values()) == [OFFICE]
    assert all(map(is_other_data_folder, placed))


def test_a_study_has_the_ids_of_each_data_folder_in_turn(tmp_path: Path) -> None:
    file = StudyFile(tmp_path / "study.batchwright")
    write_study(Project("Study", remotes={HERE: OFFICE}), file)
    at_home = {**at_places(read_study(file.path)[0].remotes, {HERE: "home"}), HERE: HOME}
    write_study(Project("Study", remotes=at_home), file)
    stored = read_study(file.path)[0].remotes
    assert at_places(stored, {HERE: "home"})[HERE] == HOME
    at_the_office = at_places(stored, {HERE: "office"})
    assert at_the_office[HERE] == OFFICE
    assert list(elsewhere(at_the_office, [HERE]).values()) == [HOME]


def test_ids_without_a_workspace_stay_until_the_service_says_that_it_has_them_not() -> None:
    unknown = RemoteBinding(dataset_id="d1")
    assert at_places({HERE: unknown}, {HERE: "home"}) == {HERE: unknown}


def test_a_connection_with_another_name_has_the_ids_of_its_workspace() -> None:
    assert at_places({"Lab": OFFICE}, {HERE: "", "Our lab": "office"}) == {"Our lab": OFFICE}
    both = {HERE: "", "Lab": "office", "Our lab": "office"}
    assert at_places({"Lab": OFFICE}, both) == {"Lab": OFFICE}


def test_a_hosted_connection_keeps_the_dataset_of_another_workspace() -> None:
    assert at_places({"Lab": OFFICE}, {HERE: "home", "Lab": "w"}) == {"Lab": OFFICE}


def test_replaced_ids_of_another_workspace_are_kept() -> None:
    changed = with_replaced_elsewhere({"Lab": OFFICE}, "Lab", HOME)
    assert changed == {"Lab": HOME, "Lab (office)": OFFICE}
    unknown = RemoteBinding(batch_id="b1")
    assert with_replaced_elsewhere({HERE: unknown}, HERE, HOME) == {HERE: HOME, f"{HERE} (b1)": unknown}


def test_replaced_ids_of_the_same_workspace_are_not_kept() -> None:
    newer = RemoteBinding("office", "d3")
    assert with_replaced_elsewhere({HERE: OFFICE}, HERE, newer) == {HERE: newer}
    attached = RemoteBinding("home", "d1", "i1", "b1", is_filled=True)
    assert with_replaced_elsewhere({HERE: OFFICE}, HERE, attached) == {HERE: attached}


@given(REMOTES, PLACES, PLACES)
def test_no_ids_are_lost_wherever_a_study_is_opened(
    remotes: dict[str, RemoteBinding], first: dict[str, str], second: dict[str, str]
) -> None:
    there = at_places(remotes, first)
    again = at_places(at_places(there, second), first)
    for placed in (there, again):
        assert with_ids(placed) == with_ids(remotes)
        local = placed.get(HERE, RemoteBinding())
        assert not local.resources or not first[HERE] or local.workspace_id in ("", first[HERE])
    assert at_places(there, first) == there


def with_ids(remotes: dict[str, RemoteBinding]) -> Counter[str]:
    """How often each binding with ids occurs."""
    return Counter(repr(remote) for remote in remotes.values() if remote.resources)
