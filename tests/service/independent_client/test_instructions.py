"""The deprecated instructions (specification, Instructions; wire reference, section 9).

The client checks both deprecation headers on every response.
"""

from typing import Any

import pytest

from tests.service.independent_client.batch_shapes import INSTRUCTION
from tests.service.independent_client.client import Client
from tests.service.independent_client.endpoints import UNKNOWN_ID
from tests.service.independent_client.researcher import PREFIX, batch, page, read_batch
from tests.service.independent_client.shapes import each, listed

ENTRIES: list[dict[str, Any]] = [
    {"type": "free_text", "description": "Say", "validation": {"type": "string", "min": 1, "max": None}},
    {
        "type": "multiple_choice",
        "description": "Pick",
        "answer_limit": -1,
        "options": [{"label": "A", "value": "a"}, {"label": "N", "value": "n", "exclusive": True}],
    },
    {
        "type": "multiple_choice_with_free_text",
        "description": "Why",
        "answer_limit": 1,
        "disable_dropdown": True,
        "options": [{"label": "A", "value": "a", "heading": "Why?"}],
    },
    {
        "type": "free_text_with_unit",
        "description": "Weight",
        "unit_options": [{"label": "kg", "value": "kg"}, {"label": "lb", "value": "lb"}],
        "default_unit": "kg",
        "unit_position": "prefix",
        "helper_text": "A number",
    },
    {"type": "file_upload", "description": "Files", "accepted_file_types": [".txt"], "max_file_count": 1},
]


def test_instructions_are_created_read_and_replaced(client: Client) -> None:
    created = batch(client, None)
    assert created.get("batch_items") is None
    path = f"{PREFIX}/batches/{created['id']}/instructions"
    posted = client.expect(201, "POST", path, {"instructions": ENTRIES})
    assert each(INSTRUCTION)(posted)
    for sent, record in zip(ENTRIES, posted, strict=True):
        assert sent.items() <= record.items()
        assert (record["parent_id"], record["parent_type"]) == (created["id"], "batch")
    fetched = client.expect(200, "GET", path)
    assert listed(INSTRUCTION)(fetched)
    assert fetched["results"] == posted
    more = client.expect(201, "POST", path, {"instructions": ENTRIES[:1]})
    everything = client.expect(200, "GET", path)["results"]
    assert {record["id"] for record in everything} == {record["id"] for record in posted + more}
    changed = {**everything[1], "description": "Pick again"}
    replaced = client.expect(200, "PUT", path, {"instructions": [ENTRIES[0], changed]})
    assert each(INSTRUCTION)(replaced)
    assert replaced[1] == changed
    assert replaced[0]["id"] not in {record["id"] for record in everything}
    assert client.expect(200, "GET", path)["results"] == replaced
    assert read_batch(client, created["id"])["total_instruction_count"] == 2


def test_a_put_of_no_instructions_empties_them_and_a_post_of_none_is_400(client: Client) -> None:
    path = f"{PREFIX}/batches/{batch(client, None)['id']}/instructions"
    posted = client.expect(201, "POST", path, {"instructions": ENTRIES})
    client.expect(400, "POST", path, {"instructions": []})
    assert client.expect(200, "GET", path)["results"] == posted
    assert client.expect(200, "PUT", path, {"instructions": []}) == []
    assert client.expect(200, "GET", path)["results"] == []


@pytest.mark.parametrize(
    "body",
    [
        *({}, {"instructions": None}, {"instructions": {}}, {"instructions": [5]}),
        *(
            {"instructions": [{"type": type, "description": "x"}]}
            for type in ("new", None, "multiple_choice")
        ),
        {"instructions": [{"type": "free_text"}]},
        {"instructions": [{**ENTRIES[1], "answer_limit": 3}]},
        {"instructions": [{**ENTRIES[3], "default_unit": "stone"}]},
    ],
)
def test_invalid_entries_are_400(client: Client, body: Any) -> None:
    path = f"{PREFIX}/batches/{batch(client)['id']}/instructions"
    for method in ("POST", "PUT"):
        client.expect(400, method, path, body)
    assert client.expect(200, "GET", path)["results"] == []


def test_a_foreign_id_is_rejected(client: Client) -> None:
    path = f"{PREFIX}/batches/{batch(client)['id']}/instructions"
    client.expect(400, "PUT", path, {"instructions": [{**ENTRIES[0], "id": UNKNOWN_ID}]})


def test_a_batch_with_a_layout_is_422_and_points_to_it(client: Client) -> None:
    created = batch(client, [page(*ENTRIES[:2])])
    path = f"{PREFIX}/batches/{created['id']}/instructions"
    for method in ("POST", "PUT"):
        assert "batch_items" in client.expect(422, method, path, {"instructions": ENTRIES})
    listing = client.expect(200, "GET", path)
    assert listed(INSTRUCTION)(listing)
    items = created["batch_items"][0]["rows"][0]["columns"][0]["items"]
    assert [record["id"] for record in listing["results"]] == [item["id"] for item in items]


def test_error_responses_have_the_headers(client: Client) -> None:
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        for _form in range(2):
            path = f"{PREFIX}/batches/{UNKNOWN_ID}/instructions"
            assert client.request(method, path, b"{", {}).status in (400, 405)
            assert client.request(method, path, {}, {"Authorization": "Token x"}).status in (401, 405)
