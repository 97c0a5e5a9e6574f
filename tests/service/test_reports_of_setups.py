"""The report has the answers to the tasks of all setups, with the questions that were asked then."""

import sqlite3
from contextlib import closing
from pathlib import Path

from batchwright.wire.local_routes import simulated_participant
from tests.service.api_helpers import JsonDict, Researcher, jsonl, page
from tests.service.kill_helpers import service_run
from tests.service.participant import answer_task_group, same_text

FIELD = {"type": "dataset_field", "field": "prompt"}
OTHER_SCHEMA = {"strict": False, "fields": {"prompt": {"type": "text"}, "source": {"type": "text"}}}


def question(text: str) -> JsonDict:
    return {"type": "free_text", "description": text}


def answer(researcher: Researcher, batch: str, person: int) -> None:
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
    answer_task_group(link, simulated_participant(7, person), same_text)


def set_layout(researcher: Researcher, batch: str, *items: JsonDict) -> None:
    researcher.request("PATCH", f"/batches/{batch}", {"batch_items": [page(*items)]}, 200)


def answered_twice(researcher: Researcher) -> str:
    """Three tasks; one is answered, then all are set up again with another question, and one is answered."""
    batch = researcher.batch(
        dataset_id=researcher.filled_dataset(3), batch_items=[page(FIELD, question("Before?"))]
    )["id"]
    researcher.set_up(batch)
    answer(researcher, batch, 1)
    set_layout(researcher, batch, FIELD, question("After?"))
    researcher.set_up(batch)
    answer(researcher, batch, 2)
    return str(batch)


def test_answers_to_the_tasks_of_an_earlier_setup_follow_those_of_the_latest(researcher: Researcher) -> None:
    rows = researcher.report(answered_twice(researcher))
    assert [row["Question"] for row in rows] == ["After?"] * 3 + ["Before?"]
    assert [row["Annotator1_ID"] for row in rows if row["Annotator1_ID"]] == [
        simulated_participant(7, 2),
        simulated_participant(7, 1),
    ]
    earlier = rows[3]
    (again,) = [row for row in rows[:3] if row["DataPoint_ID"] == earlier["DataPoint_ID"]]
    assert earlier["prompt"] == again["prompt"]
    assert earlier["Task_Group_ID"] not in {row["Task_Group_ID"] for row in rows[:3]}


def test_every_answer_of_the_list_is_in_the_report(researcher: Researcher) -> None:
    batch = answered_twice(researcher)
    listed = researcher.request("GET", f"/batches/{batch}/responses", status=200)["results"]
    assert sorted((record["participant_id"], record["created_at"]) for record in listed) == sorted(
        (row["Annotator1_ID"], row["Annotator1_Timestamp"])
        for row in researcher.report(batch)
        if row["Annotator1_ID"]
    )


def test_the_columns_of_the_dataset_of_an_earlier_setup_follow_those_of_the_latest(
    researcher: Researcher,
) -> None:
    other = researcher.dataset(OTHER_SCHEMA)["id"]
    researcher.imported(other, "a.jsonl", jsonl({"prompt": "other", "source": "book"}))
    batch = researcher.batch(dataset_id=other, batch_items=[page(FIELD, question("Why?"))])["id"]
    researcher.set_up(batch)
    answer(researcher, batch, 1)
    researcher.request("PATCH", f"/batches/{batch}", {"dataset_id": researcher.filled_dataset(1)}, 200)
    researcher.set_up(batch)
    latest, earlier = researcher.report(batch)
    assert list(latest)[4:6] == ["prompt", "source"]
    assert (latest["prompt"], latest["source"], latest["Annotator1_ID"]) == ("p0", "", "")
    assert (earlier["prompt"], earlier["source"]) == ("other", "book")
    assert earlier["Annotator1_ID"] == simulated_participant(7, 1)


def test_without_answers_to_earlier_tasks_the_report_is_that_of_the_latest_setup(
    researcher: Researcher,
) -> None:
    batch = researcher.batch(dataset_id=researcher.filled_dataset(2))["id"]
    for _setup in range(2):
        researcher.set_up(batch)
    assert len(researcher.report(batch)) == 2


def test_a_question_whose_layout_was_not_stored_has_its_id(tmp_path: Path) -> None:
    """As in a data folder of an earlier version of the program."""
    with service_run(tmp_path) as run:
        researcher = run.researcher
        batch = answered_twice(researcher)
        set_layout(researcher, batch, FIELD, question("Last?"))
        researcher.set_up(batch)
        listed = researcher.request("GET", f"/batches/{batch}/responses", status=200)["results"]
        with closing(sqlite3.connect(tmp_path / "service.db")) as database, database:
            database.execute("DELETE FROM setup_layout WHERE setup < 3")
        rows = researcher.report(batch)
    assert [row["Question"] for row in rows[3:]] == [
        record["response"]["instruction_id"] for record in listed
    ]
    assert {row["Task_Type"] for row in rows} == {"free_text"}


def test_answers_of_several_people_share_the_columns_of_the_largest_number(
    researcher: Researcher,
) -> None:
    batch = researcher.batch(dataset_id=researcher.filled_dataset(1), batch_items=[page(question("Why?"))])[
        "id"
    ]
    path = f"/local/v1/batches/{batch}/annotators-per-task"
    researcher.request("PUT", path, {"annotators_per_task": 2}, 200)
    researcher.set_up(batch)
    for person in (1, 2):
        answer(researcher, batch, person)
    researcher.set_up(batch)
    answer(researcher, batch, 3)
    latest, earlier = researcher.report(batch)
    assert (latest["Annotator1_ID"], latest["Annotator2_ID"]) == (simulated_participant(7, 3), "")
    assert {earlier["Annotator1_ID"], earlier["Annotator2_ID"]} == {
        simulated_participant(7, 1),
        simulated_participant(7, 2),
    }
