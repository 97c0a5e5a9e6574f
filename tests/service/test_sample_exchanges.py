"""Replays the sample exchange of every endpoint against the real service."""

import csv
import io
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from batchwright.layout.answers import BYTES_PER_MB
from batchwright.service.process import ServiceAddress
from batchwright.wire.local_routes import simulated_participant
from tests.service.accounts import ANN, write_accounts
from tests.service.api_helpers import (
    QUESTION,
    Researcher,
    eventually,
    jsonl,
    page,
    storage_request,
    without_ids,
)
from tests.service.participant import FILE, Fields, answer_task_group
from tests.service.participate.study_store import Participant
from tests.service.sample_exchanges import differences, needs_samples, sample
from tests.service.trust import TRUST
from tests.service.v3_helpers import send, settled, v3_dataset

pytestmark = needs_samples

WORKSPACE = "65f0a1b2c3d4e5f607182930"
IDS = {
    "dataset": "0193a7c0-0010-7010-8a1b-4c5d6e7f0010",
    "v3": "0193a7c0-0011-7011-8a1b-4c5d6e7f0011",
    "batch": "0193a7c0-0020-7020-8a1b-4c5d6e7f0020",
    "later": "0193a7c0-0024-7024-8a1b-4c5d6e7f0024",
    "old": "0193a7c0-0022-7022-8a1b-4c5d6e7f0022",
    "survey": "0193a7c0-0030-7030-8a1b-4c5d6e7f0030",
}
FILE_MB = len(FILE[1]) / BYTES_PER_MB
GOOD = {
    "prompt": "Soup?",
    "answer_text": "Boil it.",
    "photo": "https://img.example.net/1.png",
    "clip_audio": "https://media.example.net/1.mp3",
    "clip_video": "https://media.example.net/1.mp4",
    "source_model": "m-7",
}


def replay(researcher: Researcher, exchange: Any, **ids: str) -> Any:
    """Send the request of an exchange with our ids; returns the response, which must match the sample."""
    replacements = {WORKSPACE: researcher.workspace, **{IDS[name]: id for name, id in ids.items()}}
    translate = partial(re.sub, "|".join(replacements), lambda match: replacements[match[0]])
    body = None if "request" not in exchange else _put_into(exchange["request"], translate)
    response = researcher.http.request(
        exchange["method"],
        translate(exchange["path"]),
        json=body,
        content=exchange.get("request_text"),
        headers=exchange.get("request_headers"),
    )
    assert response.status_code == exchange["status"], response.text
    if "response" not in exchange:
        assert response.text == exchange["response_text"]
        return None
    actual = response.json()
    assert differences(exchange["response"], actual) == []
    return actual


def _put_into(value: Any, translate: Callable[[str], str]) -> Any:
    match value:
        case dict():
            return {key: _put_into(inner, translate) for key, inner in value.items()}
        case list():
            return [_put_into(inner, translate) for inner in value]
        case str():
            return translate(value)
    return value


def _create_dataset(researcher: Researcher) -> str:
    """The dataset of the samples: sixteen records in six bundles, from files of twelve and four records."""
    dataset = str(replay(researcher, sample("02", 0))["id"])
    records = [{**GOOD, "bundle": f"k{number % 6}"} for number in range(16)]
    header = list(records[0])
    rows = "".join(",".join(record[key] for key in header) + "\n" for record in records[:12])
    researcher.imported(dataset, "wave1a.csv", f"{','.join(header)}\n{rows}".encode())
    researcher.imported(dataset, "wave1b.jsonl", _partly_good(records[12:]))
    return dataset


def _partly_good(records: list[dict[str, str]]) -> bytes:
    """Six lines, of which the second and the last are invalid."""
    invalid = {**records[0], "photo": "http://img.example.net/1.png"}
    return jsonl(records[0], invalid, *records[1:]) + b"[]\n"


@pytest.fixture(scope="module")
def dataset_id(running: ServiceAddress) -> Any:
    """The dataset of the samples, with its researcher."""
    researcher = Researcher(running)
    yield _create_dataset(researcher)
    researcher.close()


@pytest.fixture
def ann(sign_in: Callable[..., Researcher], accounts: Path) -> Researcher:
    """A researcher in another workspace, where no feature is on."""
    write_accounts(accounts, [ANN], [{"id": "f" * 24, "features": []}])
    return sign_in(token="ann-1", workspace="f" * 24)


def test_the_sample_of_the_account(researcher: Researcher) -> None:
    exchange = sample("01", 0)
    names = {"name": "Local Researcher", "first_name": "Local", "last_name": "Researcher"}
    replay(researcher, {**exchange, "response": {**exchange["response"], **names}})


def test_the_samples_of_test_participants(researcher: Researcher) -> None:
    first, again = sample("01", 1), sample("01", 2)
    replay(researcher, first)
    replay(researcher, again)


def test_invalid_datasets_are_rejected(researcher: Researcher, ann: Researcher) -> None:
    replay(researcher, sample("02", 1))
    rejected = sample("02", 2)
    replay(ann, {**rejected, "request": {**rejected["request"], "workspace_id": ann.workspace}})


def test_the_samples_of_a_v3_dataset(researcher: Researcher, waiting: Researcher) -> None:
    dataset = replay(researcher, sample("03", 0))["id"]
    upload = replay(researcher, sample("03", 1), v3=dataset)
    exchange = sample("03", 2)
    sent = storage_request(
        "PUT", upload["upload_url"], exchange["request_text"].encode(), exchange["request_headers"]
    )
    assert (sent.status, sent.body.decode()) == (exchange["status"], exchange["response_text"])
    settled(researcher, dataset)
    for number in (4, 5, 6):
        replay(researcher, sample("03", number), v3=dataset)
    processing = v3_dataset(waiting)
    send(waiting, processing, exchange["request_text"].encode())
    replay(waiting, sample("03", 3), v3=processing)


def test_the_samples_of_an_upload_url_and_its_import(researcher: Researcher, dataset_id: str) -> None:
    upload = replay(researcher, sample("04", 0), dataset=researcher.dataset()["id"])
    job = researcher.import_job(upload["dataset_id"], upload["import_id"])
    assert differences(sample("04", 1)["response"], job) == []
    replay(researcher, sample("04", 8), dataset=dataset_id)


def test_the_samples_of_running_imports(waiting: Researcher) -> None:
    dataset = waiting.dataset()["id"]
    jobs = [waiting.upload(dataset, "wave1b.jsonl", jsonl(GOOD)) for _time in range(2)]
    processing, queued = (waiting.import_job(dataset, job) for job in jobs)
    assert differences(sample("04", 2)["response"], queued) == []
    assert differences(sample("04", 3)["response"], processing) == []


def test_the_sample_of_a_dataset_with_ended_imports(researcher: Researcher, dataset_id: str) -> None:
    records = replay(researcher, sample("05", 0), dataset=dataset_id)
    partial_job, complete = (
        researcher.import_job(dataset_id, job["import_id"]) for job in records["imports"]
    )
    assert differences(sample("04", 4)["response"], partial_job) == []
    assert differences(sample("04", 5)["response"], complete) == []
    failed = researcher.imported(researcher.dataset()["id"], "broken.csv", b"")
    assert differences(sample("04", 6)["response"], failed) == []
    early = researcher.imported(researcher.dataset(None)["id"], "early.jsonl", jsonl(GOOD))
    assert differences(sample("04", 7)["response"], early) == []
    replay(researcher, sample("05", 1))


def test_the_sample_of_a_batch_with_every_item_type(researcher: Researcher, dataset_id: str) -> None:
    replay(researcher, sample("08", 0), dataset=dataset_id)
    replay(researcher, sample("10", 0), dataset=dataset_id)


def test_the_samples_of_a_batch_from_its_setup_to_an_update(researcher: Researcher, dataset_id: str) -> None:
    exchange = sample("09", 3)["response"]
    batch = researcher.batch(
        name=exchange["name"],
        task_details=exchange["task_details"],
        dataset_id=dataset_id,
        batch_items=without_ids(exchange["batch_items"]),
    )["id"]
    replay(researcher, sample("09", 0), batch=batch)
    researcher.ready(batch)
    replay(researcher, sample("09", 2), batch=batch)
    replay(researcher, sample("09", 6), batch=batch)
    replay(researcher, sample("09", 3), batch=batch)


def test_the_sample_of_the_list_of_batches(ann: Researcher) -> None:
    exchange = sample("09", 4)
    (old,) = exchange["response"]["results"]
    batch = ann.batch(name=old["name"], task_details=old["task_details"])["id"]
    instructions = [QUESTION] * old["total_instruction_count"]
    ann.request("POST", f"/batches/{batch}/instructions", {"instructions": instructions}, 201)
    replay(ann, exchange)


def test_the_sample_of_a_replaced_layout(researcher: Researcher, dataset_id: str) -> None:
    exchange = sample("09", 5)
    details = exchange["response"]["task_details"]
    first = [page(QUESTION), *without_ids(sample("09", 3)["response"]["batch_items"][1:])]
    created = researcher.batch(dataset_id=dataset_id, batch_items=first, task_details=details)
    unchanged = deepcopy(created["batch_items"][1])
    (sent,) = exchange["request"]["batch_items"]
    _items(unchanged).append(_items(sent)[1])
    request = {**exchange["request"], "batch_items": [unchanged]}
    changed = replay(researcher, {**exchange, "request": request}, later=created["id"])
    (after,) = changed["batch_items"]
    assert after["id"] == unchanged["id"]
    assert _items(after)[0] == _items(unchanged)[0]


def test_invalid_setups_are_rejected(researcher: Researcher) -> None:
    batch = researcher.batch(dataset_id=researcher.dataset()["id"])["id"]
    replay(researcher, sample("09", 7), later=batch)


def test_the_samples_of_errors(researcher: Researcher, ann: Researcher, running: ServiceAddress) -> None:
    for number in (0, 1, 2):
        replay(researcher, sample("11", number))
    exchange = sample("11", 3)
    rejected = httpx.get(running.url + exchange["path"], trust_env=False, verify=TRUST)
    assert rejected.status_code == exchange["status"]
    assert differences(exchange["response"], rejected.json()) == []
    replay(ann, sample("11", 4), batch=researcher.batch()["id"])
    replay(researcher, sample("11", 5))


def test_the_sample_of_appended_records(researcher: Researcher, ann: Researcher, waiting: Researcher) -> None:
    own = replay(researcher, sample("02", 0))["id"]
    replay(researcher, sample("07", 0), dataset=own)
    replay(researcher, sample("07", 1), dataset=own)
    lines = "{}\n" * 1001
    replay(researcher, {**sample("07", 2), "request_text": lines}, dataset=own)
    replay(ann, {**sample("07", 3), "request_text": lines}, dataset=own)
    busy = replay(waiting, sample("02", 0))["id"]
    waiting.upload(busy, "a.jsonl", b"{}\n")
    replay(waiting, {**sample("07", 4), "request_text": sample("07", 1)["request_text"]}, dataset=busy)


def test_the_samples_of_a_schema_update(researcher: Researcher, waiting: Researcher) -> None:
    scans = [f"https://img.example.net/{number}.png" for number in range(14)]
    records = jsonl(
        *({**GOOD, "answer_text": text, "bundle": "k1"} for text in [*scans, "Boil it.", "Rinse it."])
    )
    dataset = replay(researcher, sample("02", 0))["id"]
    researcher.append(dataset, records)
    changed = replay(researcher, sample("06", 0), dataset=dataset)
    path = f"/datasets/{dataset}/schema-migrations/{changed['migration_job_id']}"
    ended = eventually(
        lambda: researcher.request("GET", path, None, 200),
        lambda response: response["status"] != "processing",
    )
    assert differences(sample("06", 2)["response"], ended) == []
    still = replay(waiting, sample("02", 0))["id"]
    job = waiting.request("PATCH", f"/datasets/{still}", sample("06", 0)["request"], 200)["migration_job_id"]
    response = waiting.request("GET", f"/datasets/{still}/schema-migrations/{job}", None, 200)
    assert differences(sample("06", 1)["response"], response) == []


def test_the_samples_of_a_sync(researcher: Researcher) -> None:
    dataset = replay(researcher, sample("02", 0))["id"]
    first, later = (
        jsonl(*({**GOOD, "prompt": f"{name} {n}", "bundle": bundle} for n, bundle in enumerate(bundles)))
        for name, bundles in (("first", "aab"), ("later", "aabcc"))
    )
    researcher.imported(dataset, "first.jsonl", first)
    batch = researcher.batch(dataset_id=dataset)["id"]
    researcher.set_up(batch)
    researcher.append(dataset, later)
    queued = replay(researcher, sample("12", 0), batch=batch)
    ended = researcher.sync_ended(batch, queued["sync_id"])
    assert differences(sample("12", 2)["response"], ended) == []
    replay(researcher, sample("12", 4), batch=batch)


def test_the_samples_of_duplicated_batches(researcher: Researcher, dataset_id: str) -> None:
    for number in (2, 3):
        exchange = sample("14", number)["response"]
        created = researcher.batch(
            name=exchange["name"].removesuffix(" (Copy)"),
            task_details=exchange["task_details"],
            dataset_id=dataset_id,
            batch_items=without_ids(exchange["batch_items"]),
        )
        replay(researcher, sample("14", number), batch=created["id"])


def test_the_samples_of_responses_report_and_export(researcher: Researcher, dataset_id: str) -> None:
    items = without_ids(sample("08", 0)["response"]["batch_items"])
    batch = researcher.batch(dataset_id=dataset_id, batch_items=items)["id"]
    researcher.set_up(batch)
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", status=200)["url"]
    answer_task_group(link, simulated_participant(1, 1), _answers)
    records = researcher.request("GET", f"/batches/{batch}/responses", status=200)["results"]
    *typed_or_chosen, sent = sample("13", 0)["response"]["results"]
    sent["response"]["answer"][0] |= {"file_name": FILE[0], "file_size_mb": FILE_MB, "content_type": FILE[2]}
    for exchange in (*typed_or_chosen, sent):
        of_type = [record for record in records if record["response"]["type"] == exchange["response"]["type"]]
        assert of_type
        for record in of_type:
            assert differences(exchange, record) == []
    replay(researcher, sample("13", 1), old=researcher.batch()["id"])

    download = replay(researcher, sample("14", 0), batch=batch)
    report = storage_request("GET", download["url"])
    expected_header = next(csv.reader(io.StringIO(sample("14", 1)["response_text"])))
    header = next(csv.reader(io.StringIO(report.body.decode())))
    assert header == expected_header[: len(header)]
    assert report.headers["content-type"].startswith("text/csv")


def test_the_sample_of_a_running_export(waiting: Researcher) -> None:
    batch = waiting.batch()["id"]
    started = replay(waiting, sample("15", 0), batch=batch)
    assert replay(waiting, sample("15", 2), batch=batch) == started
    export = waiting.request("GET", f"/batches/{batch}/export/{started['export_id']}", status=200)
    assert differences(sample("15", 1)["response"], export) == []


def test_the_sample_of_a_complete_export(researcher: Researcher) -> None:
    batch = researcher.batch()["id"]
    researcher.exported(batch)
    complete = replay(researcher, sample("15", 4), batch=batch)
    export = researcher.request("GET", f"/batches/{batch}/export/{complete['export_id']}", status=200)
    assert differences(sample("15", 3)["response"], export) == []
    replay(researcher, sample("15", 6), batch=batch)


def test_the_samples_of_legacy_instructions(researcher: Researcher) -> None:
    batch = researcher.batch()["id"]
    _choice, text = replay(researcher, sample("19", 0), old=batch)
    replay(researcher, sample("19", 1), old=batch)
    exchange = sample("19", 2)
    (unchanged,) = exchange["request"]["instructions"]
    request = {"instructions": [{**unchanged, "id": text["id"]}]}
    assert replay(researcher, {**exchange, "request": request}, old=batch)[0]["id"] == text["id"]


def test_the_samples_of_collections(
    researcher: Researcher, sign_in: Callable[..., Researcher], accounts: Path
) -> None:
    write_accounts(accounts, [{**ANN, "workspaces": ["d" * 24]}], [])
    ann = sign_in(token="ann-1", workspace="d" * 24)
    survey = replay(ann, sample("16", 0))
    exchange = sample("16", 1)
    (summary,) = exchange["response"]["results"]
    summary["collection_items"] = sample("16", 2)["response"]["collection_items"]
    created = replay(ann, exchange)
    assert created["results"] == [survey]
    replay(ann, sample("16", 2), survey=survey["id"])
    exchange = sample("16", 3)
    ((page_sent,), (page_created,)) = exchange["request"]["collection_items"], survey["collection_items"]
    page_sent["id"] = page_created["id"]
    page_sent["page_items"][0]["id"] = page_created["page_items"][0]["id"]
    (after,) = replay(ann, exchange, survey=survey["id"])["collection_items"]
    assert after["id"] == page_created["id"]
    assert after["page_items"][0]["id"] == page_created["page_items"][0]["id"]
    replay(ann, sample("16", 4), survey=survey["id"])
    replay(researcher, sample("17", 2), survey=survey["id"])


def test_the_samples_of_answers_to_a_collection_and_their_export(
    researcher: Researcher, waiting: Researcher
) -> None:
    replay(waiting, sample("17", 0), survey=replay(waiting, sample("16", 0))["id"])
    survey = replay(researcher, sample("16", 0))["id"]
    link = researcher.request("GET", f"/local/v1/collections/{survey}/participation", status=200)["url"]
    exchange = sample("17", 4)
    ((typed,),) = (record["response"]["answer"] for record in exchange["response"]["results"])
    with Participant(link) as person:
        photo = ("i1", ("stove.jpg", b"stove", "image/jpeg"))
        assert person.send(person.start(), {"i0": typed["value"]}, [photo]).state == "finished"
    records = researcher.request("GET", f"/collections/{survey}/responses", status=200)["results"]
    texts = [record for record in records if record["response"]["type"] == "free_text"]
    assert differences(exchange["response"]["results"], texts) == []
    researcher.exported(survey, "collections")
    complete = researcher.request("POST", f"/collections/{survey}/export", status=200)
    export = researcher.request("GET", f"/collections/{survey}/export/{complete['export_id']}", status=200)
    assert differences(sample("17", 1)["response"], export) == []
    replay(researcher, sample("17", 3), survey=survey)


def test_the_sample_of_feedback(researcher: Researcher) -> None:
    upload = replay(researcher, sample("18", 0))
    exchange = sample("18", 1)
    sent = storage_request("PUT", upload["upload_url"], exchange["request_text"].encode())
    assert (sent.status, sent.body.decode()) == (exchange["status"], exchange["response_text"])
    replay(researcher, sample("18", 2))


def _answers(place: int, instruction: Mapping[str, Any]) -> Fields:
    """The answers of the sample records."""
    field = f"i{place}"
    match instruction["type"]:
        case "multiple_choice":
            return {field: ["0", "2"]}
        case "multiple_choice_with_free_text":
            return {field: ["0"], f"{field}.e0": ["Short and right."]}
        case "free_text_with_unit":
            return {field: ["25"], f"{field}.u": ["0"]}
    return {field: ["Rinse the rice three times, then simmer it."]}


def _items(first: Any) -> Any:
    """The items of the first column of a page."""
    return first["rows"][0]["columns"][0]["items"]
