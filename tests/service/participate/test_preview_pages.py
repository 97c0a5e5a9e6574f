"""Content of pages, whatever records and layouts contain."""

from typing import Any
from urllib.parse import quote

import httpx
import pytest

from batchwright.base.json_values import Json
from batchwright.base.resources import SAMPLE_MEDIA
from tests.service.participate.study_store import (
    PageResponse,
    Participant,
    StudyStore,
    choice,
    free_text,
    page,
    rich,
    shows,
)

SCHEMA: Json = {
    "strict": False,
    "fields": {
        "prompt": {"type": "text", "label": "Prompt"},
        "plain": {"type": "text"},
        "photo": {"type": "image_url", "label": "Photo"},
        "clip": {"type": "audio_url", "label": "Clip"},
        "film": {"type": "video_url", "label": "Film"},
        "model": {"type": "metadata", "label": "Model"},
    },
}


def preview(studies: StudyStore, *items: dict[str, Any], record: Json = None, **more: Json) -> PageResponse:
    content = {"batch_items": [page(list(items))], "page": 0, "schema": SCHEMA, "record": record, **more}
    with Participant(studies.preview(content)) as person:
        return person.open()


@pytest.mark.spec("L-03")
def test_two_columns_are_in_one_row_in_their_order(studies: StudyStore) -> None:
    layout = [page(([shows("prompt")], [shows("plain"), free_text()]))]
    study = studies.study(layout, [{"prompt": "left", "plain": "right"}], schema=SCHEMA)
    with Participant(study.link) as person:
        response = person.start()
    row = response.element(".//div[@class='row two']")
    assert [len(list(column)) for column in row] == [1, 2]
    assert [element.text for element in row.findall(".//div[@class='text']")] == ["left", "right"]


@pytest.mark.spec("L-09")
def test_text_is_displayed_as_plain_text_with_line_breaks_under_its_label(studies: StudyStore) -> None:
    text = 'First line\n\n  <b>second</b> & "third"'
    response = preview(studies, shows("prompt"), shows("plain"), record={"prompt": text, "plain": 12.5})
    assert [element.text for element in response.find(".//div[@class='text']")] == [text, "12.5"]
    assert [element.text for element in response.find(".//p[@class='label']")] == ["Prompt", "plain"]


@pytest.mark.spec("L-09")
def test_images_and_recordings_have_alternative_text_and_controls(studies: StudyStore) -> None:
    record = {
        "photo": "https://img.example.net/a.png?x=1&y=2",
        "clip": "https://img.example.net/a.mp3",
        "film": "https://img.example.net/a.mp4",
    }
    response = preview(studies, shows("photo"), shows("clip"), shows("film"), record=record)
    image = response.element(".//main//img")
    assert (image.attrib["src"], image.attrib["alt"]) == (record["photo"], "Photo")
    for kind in ("audio", "video"):
        player = response.element(f".//{kind}")
        assert "controls" in player.attrib
        assert player.attrib["aria-label"] in ("Clip", "Film")


def test_the_media_of_templates_come_from_the_service_itself(studies: StudyStore) -> None:
    photo = shown_photo(studies, f"{SAMPLE_MEDIA}pictures/harbour.png")
    assert photo == "/participate/samples/pictures/harbour.png"
    with httpx.Client(base_url=studies.base_url) as http:
        response = http.get(photo)
        assert (response.status_code, response.headers["content-type"]) == (200, "image/png")
        partial = http.get("/participate/samples/voices/a/01.mp3", headers={"Range": "bytes=0-9"})
        assert (partial.status_code, len(partial.content)) == (206, 10)
        assert partial.headers["content-type"] == "audio/mpeg"


@pytest.mark.parametrize("name", ["pictures/none.png", "", "../../participant/page.html", "pictures"])
def test_only_sample_files_are_served_as_samples(studies: StudyStore, name: str) -> None:
    address = f"{SAMPLE_MEDIA}{name}"
    assert shown_photo(studies, address) == address
    with httpx.Client(base_url=studies.base_url) as http:
        assert http.get(f"/participate/samples/{quote(name, safe='')}").status_code == 404


def shown_photo(studies: StudyStore, address: str) -> str:
    return preview(studies, shows("photo"), record={"photo": address}).element(".//main//img").attrib["src"]


def test_a_recording_that_the_page_may_not_load_is_a_link(studies: StudyStore) -> None:
    link = preview(studies, shows("clip"), record={"clip": "http://img.example.net/a.mp3"}).element(
        ".//main//p/a"
    )
    assert link.attrib["href"] == "http://img.example.net/a.mp3"
    assert "noreferrer" in link.attrib["rel"]


@pytest.mark.parametrize("value", ["javascript:alert(1)", "ftp://x/y.mp3", "/local", "//host/a.mp3"])
def test_an_invalid_url_is_reported_and_not_opened(studies: StudyStore, value: str) -> None:
    response = preview(studies, shows("photo"), shows("clip"), record={"photo": value, "clip": value})
    assert response.text.count(f"The address in this record cannot be opened: {value}") == 2
    assert not response.find(".//main//img")
    assert not response.find(".//main//audio")


@pytest.mark.parametrize("record", [None, {}, {"prompt": None}, {"prompt": ""}])
def test_a_missing_value_is_reported(studies: StudyStore, record: Json) -> None:
    assert "This field is empty for this record." in preview(studies, shows("prompt"), record=record).text


def test_hidden_fields_are_never_shown(studies: StudyStore) -> None:
    response = preview(studies, shows("model"), record={"model": "secret-7"})
    assert "secret-7" not in response.response.text
    assert "never shown to participants" in response.text


def test_an_image_has_its_alternative_text_and_caption(studies: StudyStore) -> None:
    item = {"type": "image", "url": "https://x.example/y.png", "alt_text": "Scale", "caption": "Use this"}
    response = preview(studies, item)
    assert response.element(".//main//img").attrib["alt"] == "Scale"
    assert response.element(".//figcaption").text == "Use this"


def test_rich_text_is_cleaned_in_both_formats(studies: StudyStore) -> None:
    hostile = "<p onclick='x()'>Safe</p><script>alert(1)</script><img src=x onerror=alert(1)>"
    response = preview(studies, rich(hostile), rich("**bold** <script>alert(2)</script>", "markdown"))
    shown = response.find(".//div[@class='rich']")
    assert len(shown) == 2
    assert not [
        element
        for box in shown
        for element in box.iter()
        if element.tag == "script" or "onclick" in element.attrib
    ]
    assert shown[1].find(".//strong") is not None


def test_an_unknown_item_type_is_a_locked_note(studies: StudyStore) -> None:
    response = preview(studies, {"type": "video_narration", "description": "Say it"})
    assert "Batchwright does not know this item type; the item is kept unchanged." in response.text


HOSTILE = [
    "</script><script>document.title='owned'</script>",
    "\"' onfocus=alert(1) autofocus='",
    "<!--<script>",
    "{{ 7 * 7 }} {% raw %}",
    "\u05e9\u05dc\u05d5\u05dd \u202e gnirts",
    "👩‍👩‍👧‍👦 " * 20,
    "half \ud83d a pair \udc00",
    "\x00\x08\u2028\ufeff",
    "long " * 40_000,
    "x" * 200_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_displayed_as_text_everywhere(studies: StudyStore, text: str) -> None:
    options: list[Json] = [{"label": text, "value": text, "heading": text}]
    response = preview(
        studies,
        shows("prompt"),
        shows("photo"),
        rich(text),
        {"type": "image", "url": f"https://x.example/{text}", "alt_text": text, "caption": text},
        free_text(description=text, helper_text=text, placeholder_text_input=text),
        choice(description=text, options=options) | {"type": "multiple_choice_with_free_text"},
        {"type": text, text: text},
        record={"prompt": text, "photo": text},
    )
    assert response.status == 200
    scripts = [
        element.attrib.get("src") or element.attrib.get("type") for element in response.find(".//script")
    ]
    assert scripts[1:] == ["application/json", "application/json"]
    assert not [
        element
        for element in response.tree.iter()
        if any(name.startswith("onfocus") for name in element.attrib)
    ]
    assert response.data["instructions"][0]["description"] == text


def test_records_with_the_same_values_have_the_same_digest(studies: StudyStore) -> None:
    first = preview(studies, shows("prompt"), record={"prompt": "x", "plain": "y"}).data["record"]
    second = preview(studies, shows("prompt"), record={"plain": "y", "prompt": "x"}).data["record"]
    third = preview(studies, shows("prompt"), record={"plain": "y", "prompt": "z"}).data["record"]
    assert first == second != third


def test_a_preview_validates_answers_and_stores_nothing(studies: StudyStore) -> None:
    content: dict[str, Json] = {"batch_items": [page([free_text()]), page([choice("A", "B")])], "page": 1}
    with Participant(studies.preview(content)) as person:
        response = person.open()
        assert response.progress == "Page 2 of 2"
        rejected = person.send(response)
        assert (rejected.status, rejected.errors) == (
            422,
            ["Which answer is better? Please choose an option."],
        )
        right = person.send(response, {"i0": "1"})
        assert right.status == 200
        assert "These answers would be accepted. A preview does not store them." in right.text
        assert "checked" in right.find(".//input[@type='radio']")[1].attrib


def test_a_preview_ends_after_an_hour(studies: StudyStore) -> None:
    with Participant(studies.preview({"batch_items": [page([free_text()])], "page": 0})) as person:
        studies.now += 60 * 60 * 1000 - 1
        assert person.open().state == "page"
        studies.now += 1
        assert (person.open().status, person.open().state) == (410, "expired")
        assert person.get(f"{studies.base_url}/participate/preview/none").status == 410


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"batch_items": "none", "page": 3},
        {"batch_items": [1, {"rows": 5}], "page": 1},
        {"batch_items": [{"rows": [None, {"columns": [3, {"items": ["x", {}]}]}]}], "schema": {"x": 1}},
    ],
)
def test_an_unfinished_layout_can_be_previewed(studies: StudyStore, content: dict[str, Json]) -> None:
    with Participant(studies.preview(content)) as person:
        assert person.open().state == "page"


@pytest.mark.parametrize(
    "kind",
    [
        "dataset_field",
        "image",
        "rich_text",
        "free_text",
        "free_text_with_unit",
        "multiple_choice",
        "multiple_choice_with_free_text",
        "file_upload",
    ],
)
def test_an_item_without_any_attribute_can_be_previewed_and_sent(studies: StudyStore, kind: str) -> None:
    with Participant(studies.preview({"batch_items": [page([{"type": kind}])], "page": 0})) as person:
        response = person.open()
        assert response.status == 200
        assert person.send(response).status in (200, 422)
