"""The store of answers: adding, filtering, sorting, and what it makes of odd input."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from batchwright.analysis.store.answer_query import AnswerColumn, AnswerQuery, AnswerRow, Column, FieldColumn
from batchwright.analysis.store.answer_store import AnswerStore
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.questions import LARGEST_NUMBER
from batchwright.base.json_values import InvalidJson, Json
from batchwright.layout.item_types.typed_text import parse_number
from batchwright.layout.option_values import as_text, comparison_key
from tests.analysis.answers import COMPARISON, ITEMS, questions, record

START = datetime(2026, 3, 5, 14, tzinfo=UTC)
LABELS = {
    (item["id"], option["value"]): option["label"] for item in ITEMS for option in item.get("options", ())
}
VALUES: dict[str, Callable[[Random], list[Any]]] = {
    "better": lambda random: [random.choice(["a", "b", "same"])],
    "faults": lambda random: random.sample(["wrong", "short", "nothing", "other"], random.randrange(4)),
    "scale": lambda random: [random.randrange(1, 6)],
    "duration": lambda random: [{"value": str(random.randrange(20)), "unit": random.choice(["min", "h"])}],
    "reason": lambda random: [random.choice(["Because.", "ÄRGER im Büro", "", "10", "9", "because so"])],
    "picture": lambda random: [{"file_key": "k", "file_name": random.choice(["cat.png", "dog.JPG"])}],
    "old": lambda random: [random.choice(["x", "y"])],
}


def time_of(seconds: int) -> str:
    return (START + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


def random_records(random: Random, count: int = 120) -> list[dict[str, Any]]:
    """Answers of few people to few tasks at few times, so that many are equal."""
    records = []
    for number in range(count):
        question = random.choice(list(VALUES))
        task, person = random.randrange(8), random.randrange(5)
        seconds = (5 * task + person) % 7 if task < 7 else 20
        records.append(
            record(
                *(f"p{person}", f"t{task}", question, *VALUES[question](random)),
                id=f"a{number}",
                created_at=time_of(seconds) if random.random() < 0.9 else None,
                metadata={"source": f"S{task % 3}", **({"length": str(task)} if task % 2 else {})},
            )
        )
    return records


@pytest.fixture
def new_store() -> Iterator[Callable[..., AnswerStore]]:
    stores: list[AnswerStore] = []

    def create(records: list[Any] | None = None) -> AnswerStore:
        stores.append(AnswerStore(questions()))
        stores[-1].append(records or [])
        return stores[-1]

    yield create
    for store in stores:
        store.close()


NewStore = Callable[..., AnswerStore]


def all_rows(store: AnswerStore, query: AnswerQuery | None = None) -> list[AnswerRow]:
    """The rows of a query, without what depends on the order in which answers arrived."""
    rows = store.query(query or AnswerQuery())
    return [replace(row, number=0) for row in rows.rows(0, rows.count)]


def ids(store: AnswerStore, query: AnswerQuery) -> list[str]:
    return [row.id for row in all_rows(store, query)]


@pytest.mark.parametrize("seed", range(2))
def test_any_order_and_any_pages_give_the_same_rows(seed: int, new_store: NewStore) -> None:
    random = Random(seed)
    records = random_records(random)
    expected = all_rows(new_store(records))
    assert len(expected) == len(records)
    store, waiting = new_store(), records * 2
    random.shuffle(waiting)
    added = 0
    while waiting:
        size = random.randrange(1, 120)
        added += store.append(waiting[:size])
        waiting = waiting[size:]
    assert added == len(records)
    assert all_rows(store) == expected
    for sort in (AnswerColumn.QUESTION, AnswerColumn.ANSWER, FieldColumn("length")):
        query = AnswerQuery(sort=sort, is_descending=False)
        assert [row.id for row in all_rows(store, query)] == ids(new_store(records), query)


def text_of(one: dict[str, Any]) -> str:
    """The text of an answer, by the rules of the window and of the report."""
    question = one["response"]["instruction_id"]
    texts = []
    for entry in one["response"]["answer"]:
        if "file_name" in entry:
            texts.append(entry["file_name"])
        else:
            label = LABELS.get((question, entry["value"]), as_text(entry["value"]))
            texts.append(f"{label} {entry['unit']}" if "unit" in entry else label)
    return ", ".join(texts)


def matches(one: dict[str, Any], query: AnswerQuery, options: list[tuple[str, Any]]) -> bool:
    """Whether an answer meets the conditions of a query; `options` are its options with their values."""
    question = one["response"]["instruction_id"]
    values = [(question, entry.get("value")) for entry in one["response"]["answer"]]
    time = one["created_at"] and datetime.fromisoformat(one["created_at"])
    searched = [text_of(one), one["participant_id"], one["task_id"], *one["metadata"].values()]
    return (
        any(query.search.strip().lower() in text.lower() for text in searched)
        and question in (query.questions or (question,))
        and (not query.options or any(value in options for value in values))
        and one["participant_id"] in (query.participants or (one["participant_id"],))
        and one["task_id"] in (query.tasks or (one["task_id"],))
        and one["id"] in (query.answers or (one["id"],))
        and all(one["metadata"].get(name) == value for name, value in query.fields)
        and (query.since is None or bool(time and time >= query.since))
        and (query.until is None or bool(time and time < query.until))
    )


def random_query(random: Random) -> AnswerQuery:
    """A query with two random conditions."""
    moment = START + timedelta(seconds=random.randrange(7))
    conditions: list[dict[str, Any]] = [
        {"search": random.choice(["be", " ÄRGER", "short, wrong", "p1", "T2", "s1", "%", "_", "cat", "h"])},
        {"questions": tuple(random.sample([*VALUES, "unknown"], 2))},
        {"options": (("better", random.randrange(3)), ("faults", random.randrange(3)), ("scale", 9))},
        {"participants": ("p0", f"p{random.randrange(9)}")},
        {"tasks": ("t0", f"t{random.randrange(9)}")},
        {"answers": tuple(f"a{random.randrange(130)}" for _answer in range(20))},
        {"fields": (("source", f"S{random.randrange(4)}"),)},
        {"fields": (("source", "S1"), ("length", random.choice("1357")))},
        {"since": moment},
        {"until": moment},
        {},
    ]
    return AnswerQuery(**{**random.choice(conditions), **random.choice(conditions)})


@pytest.mark.parametrize("seed", range(3))
def test_every_filter_finds_what_a_loop_finds(seed: int, new_store: NewStore) -> None:
    random = Random(seed)
    records = random_records(random)
    store = new_store(records)
    for _query in range(25):
        query = random_query(random)
        options = [
            (id, ITEMS[index]["options"][option]["value"])
            for id, option in query.options
            for index, item in enumerate(ITEMS)
            if item["id"] == id and option < len(item["options"])
        ]
        expected = {one["id"] for one in records if matches(one, query, options)}
        rows = store.query(query)
        assert set(ids(store, query)) == expected, query
        assert rows.count == len(expected)
        people = {one["participant_id"] for one in records if one["id"] in expected}
        assert rows.participants == len(people)


SORT_KEYS: dict[Column, Callable[[AnswerRow], Any]] = {
    AnswerColumn.ANSWERED_AT: lambda row: row.answered_at,
    AnswerColumn.PARTICIPANT: lambda row: row.participant,
    AnswerColumn.TASK: lambda row: row.task,
    AnswerColumn.DATAPOINT: lambda row: row.datapoint,
    AnswerColumn.QUESTION: lambda row: [*VALUES].index(row.question.id),
    AnswerColumn.UNIT: lambda row: row.entries[0].unit if row.entries else None,
    AnswerColumn.FILE: lambda row: row.entries[0].file_name if row.entries else None,
    AnswerColumn.PAGE_SECONDS: lambda row: row.page_seconds,
    AnswerColumn.IS_NEW: lambda row: row.is_new,
    AnswerColumn.EXCLUSION: lambda row: row.exclusion or None,
    FieldColumn("length"): lambda row: row.fields.get("length"),
}


@pytest.mark.parametrize("text", ["ΛΟΓΟΣ", "λογοσ", "İyi", "ZÜRICH"])
def test_a_search_finds_letters_with_other_rules_for_case(text: str, new_store: NewStore) -> None:
    words = ("ΛΟΓΟΣ", "İyi", "Zürich")
    as_answers = new_store([record(f"p{number}", "t", "reason", word) for number, word in enumerate(words)])
    as_participants = new_store([record(word, "t", "reason", "x") for word in words])
    query = AnswerQuery(search=text)
    (row,), (same,) = all_rows(as_answers, query), all_rows(as_participants, query)
    assert row.text == same.participant


def test_sorting_is_stable_and_missing_values_come_last(new_store: NewStore) -> None:
    records = random_records(Random(1), 60)
    store = new_store(records[:40])
    store.set_exclusions(Exclusions({"p1": "Too fast"}, {"a3": "Test", "a50": "Double"}))
    store.mark_all_seen()
    store.append(records[40:])
    late = datetime.max.replace(tzinfo=UTC)
    rows = sorted(all_rows(store), key=lambda row: (row.answered_at or late, row.id))
    for column, key in SORT_KEYS.items():
        for is_descending in (False, True):
            with_value = sorted((row for row in rows if key(row) is not None), key=key, reverse=is_descending)
            expected = [*with_value, *(row for row in rows if key(row) is None)]
            assert all_rows(store, AnswerQuery(sort=column, is_descending=is_descending)) == expected, column


def test_answers_are_sorted_by_number_where_there_is_one(new_store: NewStore) -> None:
    records = [
        *(record("p", f"t{value}", "duration", {"value": str(value), "unit": "h"}) for value in (10, 9, 2)),
        *(record("p", f"t{text}", "reason", text) for text in ("b", "a")),
    ]
    query = AnswerQuery(sort=AnswerColumn.ANSWER, is_descending=False)
    assert [row.text for row in all_rows(new_store(records), query)] == ["2 h", "9 h", "10 h", "a", "b"]


def test_new_answers_are_those_since_they_were_all_seen(new_store: NewStore) -> None:
    store = new_store([record("p", "t1", "reason", "a")])
    assert store.new_answers == 1
    store.mark_all_seen()
    store.append([record("p", "t1", "reason", "a"), record("p", "t2", "reason", "b")])
    assert store.new_answers == 1
    assert ids(store, AnswerQuery(only_new=True)) == ["p-t2-reason"]
    assert [row.is_new for row in all_rows(store)] == [False, True]


def test_exclusions_are_shown_and_can_be_withdrawn(new_store: NewStore) -> None:
    store = new_store([record(person, "t", "reason", "a") for person in ("p1", "p2", "p3")])
    store.set_exclusions(Exclusions({"p1": "Too fast"}, {"p2-t-reason": "Test", "p1-t-reason": "Double"}))
    assert [row.exclusion for row in all_rows(store)] == ["Double", "Test", ""]
    assert ids(store, AnswerQuery(only_excluded=True)) == ["p1-t-reason", "p2-t-reason"]
    assert store.distinct(AnswerColumn.EXCLUSION) == ("Double", "Test")
    assert len(store.table()) == 3
    store.set_exclusions(Exclusions())
    assert store.query(AnswerQuery(only_excluded=True)).count == 0


def test_questions_can_be_set_before_and_after_the_answers(new_store: NewStore) -> None:
    records = random_records(Random(2))
    store = AnswerStore()
    store.append(records)
    assert {len(row.question.options) for row in all_rows(store)} == {0}
    store.set_questions(questions())
    assert all_rows(store) == all_rows(new_store(records))
    assert [question.id for question in store.questions] == [*(item["id"] for item in ITEMS), "old"]
    store.set_questions(questions(COMPARISON))
    assert store.questions[0].id == "better"
    assert store.table().questions == store.questions
    assert ids(store, AnswerQuery(options=(("faults", 0),))) == []
    store.close()


def test_values_of_records_are_datapoints_or_metadata_until_they_are_set(new_store: NewStore) -> None:
    store = new_store([record("p", "t1", "reason", "a", metadata={"source": "m", "gone": None, "n": [1, 2]})])
    answers = [record("q", task, "reason", "b", metadata={"source": "m"}) for task in ("t1", "t2")]
    store.append_lines(
        json.dumps({"task_id": one["task_id"], "datapoint": {"prompt": "Why?"}, "responses": [one]})
        for one in answers
    )
    assert store.task_values() == {"t1": {"source": "m", "n": "[1,2]"}, "t2": {"prompt": "Why?"}}
    store.set_fields({"t1": {"prompt": "How?", "é": "\ud800"}, "t9": {"x": "y"}}, {"t1": "7"})
    assert store.task_values()["t1"] == {"prompt": "How?", "é": "\ufffd"}
    assert store.distinct(FieldColumn("prompt")) == ("How?", "Why?")
    assert {row.datapoint for row in all_rows(store)} == {"7", "t2"}
    table = store.table()
    assert table.fields["prompt"].take(table.tasks.codes).texts() == ["How?", "How?", "Why?"]
    assert table.datapoints == ("7", "t2")


def test_records_and_lists_of_records_can_follow_each_other(new_store: NewStore) -> None:
    records = [record("p1", f"t{number}", "scale", 1, metadata={"source": "S1"}) for number in range(4)]
    listed = {"task_id": "t1", "datapoint": {"prompt": "Why?"}, "responses": records[1:3]}
    store = new_store()
    assert store.append_lines([json.dumps(records[0]), json.dumps(listed), "{}", json.dumps(records[3])]) == 4
    assert store.table().ids == tuple(one["id"] for one in records)
    assert store.task_values() == {
        "t0": {"source": "S1"},
        "t1": {"prompt": "Why?"},
        "t2": {"source": "S1"},
        "t3": {"source": "S1"},
    }


def test_an_option_is_recognized_by_the_value_with_its_json_type(new_store: NewStore) -> None:
    values: list[Json] = [
        1,
        1.0,
        "1",
        True,
        "true",
        False,
        0,
        -0.0,
        1e300,
        2**60,
        2.5,
        "a\x00b",
        None,
        [1],
        {"a": 1},
    ]
    options = [{"label": str(index), "value": value} for index, value in enumerate([1, "1", True, 0, 1e300])]
    options += [{"label": "more", "value": value} for value in (2**60, 2.5, "a\x00b", None)]
    (question,) = questions({"type": "multiple_choice", "id": "odd", "description": "?", "options": options})
    store = AnswerStore([question])
    store.append([record("p", f"t{index}", "odd", {"value": value}) for index, value in enumerate(values)])
    expected = [question.option_codes.get(comparison_key(value), -1) for value in values]
    assert store.table().options.tolist() == expected
    store.close()


def test_numbers_are_parsed_like_the_answers_of_participants(new_store: NewStore) -> None:
    texts = [
        "1",
        "-2.5",
        "+3",
        "1e3",
        "1E-2",
        ".5",
        "5.",
        "0x1",
        "1_0",
        "00012",
        "inf",
        "nan",
        "1,5",
        "１",
        "-",
    ]
    texts += [
        "e5",
        "1e5e5",
        "0",
        "-0",
        "1.7976931348623157e308",
        " 7 ",
        "\t8\n",
        "\u20099\u2009",
        "1 2",
        "",
        "\x001",
    ]
    store = new_store([record("p", f"t{index}", "duration", text) for index, text in enumerate(texts)])
    expected = [None if (number := parse_number(text)) is None else float(number) for text in texts]
    usable = [None if number is None or abs(number) > LARGEST_NUMBER else number for number in expected]
    numbers = [None if number != number else number for number in store.table().numbers.tolist()]
    assert numbers == usable, "larger ones could not be squared"
    assert {entry.number for row in all_rows(store) for entry in row.entries} == set(expected)


def test_times_are_read_with_their_zone(new_store: NewStore) -> None:
    times: dict[Any, datetime | None] = {
        "2026-03-05T14:00:00.123Z": datetime(2026, 3, 5, 14, microsecond=123000, tzinfo=UTC),
        "2026-03-05T14:00:00+02:00": datetime(2026, 3, 5, 12, tzinfo=UTC),
        "2026-03-05 14:00": START,
        "2026-03-05": datetime(2026, 3, 5, tzinfo=UTC),
        "1969-12-31T23:59:59.999Z": datetime(1969, 12, 31, 23, 59, 59, 999000, tzinfo=UTC),
        "0001-01-01T00:00:00Z": datetime.min.replace(tzinfo=UTC),
        **dict.fromkeys(["", "now", "infinity", "2026-02-30T00:00:00Z", "14:00", 5, None]),
        **dict.fromkeys(["0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59.9999Z", "10000-01-01"]),
    }
    store = new_store([record("p", str(time), "reason", "x", created_at=time) for time in times])
    assert {row.task: row.answered_at for row in all_rows(store)} == {
        str(time): expected for time, expected in times.items()
    }


def test_odd_records_are_omitted_or_stored_as_far_as_they_can_be(new_store: NewStore) -> None:
    huge = "x" * 9_000_000
    store = new_store(
        [
            *(None, 5, "text", [], {}, {"response": None}, {"response": 5}, {"response": []}),
            {"response": {}},
            {"response": {"answer": []}},
            {"id": 7, "participant_id": 8, "task_id": None, "response": {"instruction_id": "reason"}},
            {"id": "s", "response": {"instruction_id": "reason", "answer": [{"value": "a\ud800b\x00c"}]}},
            {"id": "h", "response": {"instruction_id": "reason", "answer": [{"value": huge}]}},
            {"id": "n", "response": {"instruction_id": "reason", "answer": [{"value": None}, None, {}, "v"]}},
            {"id": "o", "response": {"instruction_id": "reason", "answer": {"value": "x"}}},
        ]
    )
    rows = {row.id: row for row in all_rows(store)}
    assert list(rows) == sorted(["row 1", "7", "s", "h", "n", "o"])
    assert (rows["7"].participant, rows["7"].task) == ("8", "")
    assert rows["s"].text == "a\ufffdb\x00c"
    assert rows["h"].text == huge
    assert [entry.value for entry in rows["n"].entries] == ["null", "null", None, "v"]
    assert rows["o"].entries == rows["row 1"].entries == ()
    table = store.table()
    assert [table.ids[answer] for answer in table.is_empty.nonzero()[0]] == ["row 1", "7", "o"]
    assert table.values.texts() == ["a\ufffdb\x00c", huge, "null", "null", "", "v"]


def test_an_empty_store_has_nothing(new_store: NewStore) -> None:
    store = AnswerStore()
    assert (len(store), store.questions, store.fields, store.new_answers) == (0, (), (), 0)
    assert store.query(AnswerQuery(search="x", sort=FieldColumn("y"))).rows(0, 10) == ()
    assert store.distinct(AnswerColumn.PARTICIPANT) == store.distinct(FieldColumn("y")) == ()
    assert store.append([]) == store.append_lines(["", " \n"]) == 0
    assert len(store.table()) == 0
    store.close()


def test_invalid_json_is_reported_and_what_was_stored_stays(new_store: NewStore) -> None:
    store = new_store([record("p", "t", "reason", "a")])
    with pytest.raises(InvalidJson):
        store.append_lines([json.dumps(record("p", "t2", "reason", "a")), '{"id": '])
    assert len(store) == 1
    assert store.append([record("p", "t2", "reason", "a")]) == 1


def test_another_answer_with_the_same_id_is_noticed_and_other_spaces_are_not(new_store: NewStore) -> None:
    same, other = record("p", "t", "reason", "\N{SNOWMAN}"), record("p", "t", "reason", "b")
    store = new_store([same])
    store.set_questions(())
    assert store.append_lines([json.dumps(same, indent=1), json.dumps(same)]) == 0
    noticed = [store.has_other_answers]
    assert store.append([{**other, "id": same["id"]}]) == 0
    assert [*noticed, store.has_other_answers] == [False, True]
    assert [row.text for row in all_rows(store)] == ["\N{SNOWMAN}"]


def test_the_ids_of_answers_are_in_the_order_of_their_rows(new_store: NewStore) -> None:
    store = new_store([record(f"p{number}", f"t{number % 3}", "scale", number % 5) for number in range(20)])
    found = store.query(AnswerQuery(sort=AnswerColumn.ANSWER))
    assert found.ids(range(4, 17)) == [row.id for row in found.rows(4, 13)]
    assert found.ids(range(20, 30)) == []


def test_lists_stay_the_same_and_are_read_while_answers_arrive(new_store: NewStore) -> None:
    store = new_store([record("p0", f"t{number}", "reason", "a") for number in range(200)])
    rows = store.query(AnswerQuery(participants=("p0",)))
    before = rows.rows(0, 200)
    errors: list[BaseException] = []

    def add(person: str) -> None:
        try:
            for number in range(4):
                store.append([record(person, f"t{number}", "reason", "b")])
                assert store.query(AnswerQuery(participants=(person,))).count == number + 1
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=add, args=(f"p{number}",)) for number in range(1, 4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert rows.rows(0, 200) == before
    assert errors == []
    assert len(store) == len(store.table()) == 212
    assert rows.count == 200
    later = store.query(AnswerQuery())
    (moved,) = rows.indexes_in(later, [7]).values()
    assert later.rows(moved, 1) == (before[7],)
    assert rows.indexes_in(AnswerStore().query(AnswerQuery()), [7]) == {}
