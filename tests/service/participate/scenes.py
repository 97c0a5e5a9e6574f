"""Every kind of page that a participant can see, opened one after another in a browser."""

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page, expect

from batchwright.base.json_values import Json
from batchwright.base.resources import SAMPLE_MEDIA
from tests.service.api_helpers import Researcher
from tests.service.participate.browsing import EVERYTHING, answer_everything
from tests.service.participate.study_store import (
    Participant,
    StudyStore,
    choice,
    explained,
    free_text,
    page,
    rich,
    shows,
    with_unit,
)

TWO_HOURS = 2 * 3_600_000
LONG_TEXT = (
    "A recipe for a soup that nobody would forget, told at a length that fills some lines, with "
    "https://example.org/an/address/that/has/no/place/where/a/line/could/be/broken/without/help in its midst."
)
MEDIA: Json = {
    "strict": False,
    "fields": {
        "prompt": {"type": "text", "label": "Prompt"},
        "photo": {"type": "image_url", "label": "The photo"},
        "clip": {"type": "audio_url", "label": "The recording"},
        "film": {"type": "video_url"},
    },
}
RECORD: dict[str, Json] = {
    "prompt": LONG_TEXT,
    "photo": f"{SAMPLE_MEDIA}pictures/tram.png",
    "clip": f"{SAMPLE_MEDIA}recordings/garden.mp3",
    "film": "https://media.example.net/film.mp4",
}
PICTURE = {
    "type": "image",
    "url": f"{SAMPLE_MEDIA}pictures/bread.png",
    "alt_text": "Bread on a table",
    "caption": LONG_TEXT,
}
CONTENT = rich(
    "<h2>Before you begin</h2><p>Read <a href='https://guide.example'>the guide</a>.</p>"
    "<table><tr>" + "<th>Grade</th><th>Meaning</th>" * 9 + "</tr></table>"
    "<ul><li>One</li></ul><blockquote>Two</blockquote><pre>" + "three " * 30 + "</pre>"
)


def scenes(studies: StudyStore, researcher: Researcher, tab: Page) -> Iterator[str]:
    """Open each kind of page in turn, and yield its name."""
    yield from _a_study(studies, tab)
    yield from _ends(studies, tab)
    yield from _previews(studies, tab)
    yield from _a_collection(researcher, tab)
    yield from _nothing_to_do(researcher, tab)


def _press(tab: Page, name: str) -> None:
    tab.get_by_role("button", name=name).click()


def _expect_state(tab: Page, state: str) -> str:
    expect(tab.locator("main")).to_have_attribute("data-state", state)
    tab.wait_for_load_state()
    return state


def _a_study(studies: StudyStore, tab: Page) -> Iterator[str]:
    media = page(([shows("photo"), shows("clip")], [shows("film"), shows("prompt"), choice("A", "B")]))
    study = studies.study(
        [
            page([CONTENT, PICTURE], display_position="intro"),
            media,
            page(EVERYTHING),
            page([CONTENT], display_position="outro"),
        ],
        [RECORD],
        schema=MEDIA,
        annotators=2,
    )
    tab.goto(study.link)
    yield _expect_state(tab, "start")
    _press(tab, "Start")
    yield f"intro {_expect_state(tab, 'page')}"
    _press(tab, "Next page")
    yield f"media {_expect_state(tab, 'page')}"
    tab.check("#i0-0")
    _press(tab, "Next page")
    expect(tab.locator("#i2-0")).to_be_visible()
    tab.check("#i2-0")
    _press(tab, "Next page")
    expect(tab.locator("#faults")).to_be_visible()
    yield "questions with faults"
    answer_everything(tab)
    yield "questions answered"
    _press(tab, "Next page")
    yield f"outro {_expect_state(tab, 'page')}"
    tab.get_by_role("link", name="Back").click()
    expect(tab.locator(".kept")).to_be_visible()
    yield "questions looked at again"
    _press(tab, "Next page")
    _press(tab, "Finish")
    yield _expect_state(tab, "finished")
    tab.goto(study.link)
    _press(tab, "Start")
    yield _expect_state(tab, "nothing-left")


def _ends(studies: StudyStore, tab: Page) -> Iterator[str]:
    studies.reset_clock()
    study = studies.study([page([choice("A", "B")])], details=LONG_DETAILS)
    tab.goto(study.link)
    yield f"{_expect_state(tab, 'start')} with long texts"
    _press(tab, "Start")
    yield f"{_expect_state(tab, 'page')} with a long name"
    studies.now += TWO_HOURS
    with Participant(study.link) as somebody:
        somebody.start()
        tab.reload()
        yield _expect_state(tab, "lapsed")
        tab.goto(study.link)
        _press(tab, "Start")
        yield _expect_state(tab, "full")
    studies.reset_clock()
    study = studies.study([page([choice("A", "B")])])
    tab.goto(study.link)
    _press(tab, "Start")
    _expect_state(tab, "page")
    studies.set_up_again(study)
    tab.reload()
    yield _expect_state(tab, "replaced")
    tab.goto(study.link[:-3])
    yield _expect_state(tab, "unknown")


def _previews(studies: StudyStore, tab: Page) -> Iterator[str]:
    address = studies.preview({"batch_items": [page(EVERYTHING)], "page": 0, "record": {"prompt": LONG_TEXT}})
    tab.goto(address)
    answer_everything(tab)
    _press(tab, "Check answers")
    expect(tab.locator(".notice")).to_be_visible()
    yield "preview without faults"
    studies.now += TWO_HOURS
    tab.goto(address)
    yield _expect_state(tab, "expired")
    studies.reset_clock()


def _a_collection(researcher: Researcher, tab: Page) -> Iterator[str]:
    questions = [choice("A", "B", "Same"), explained(*"ABCDE"), with_unit(), free_text()]
    ordered: list[Any] = [{**question, "order": number} for number, question in enumerate(questions)]
    created = researcher.collection(
        collection_items=[{"page_items": [CONTENT, PICTURE]}, {"page_items": [CONTENT, *ordered]}]
    )
    link = researcher.request("GET", f"/local/v1/collections/{created['id']}/participation", status=200)[
        "url"
    ]
    tab.goto(link)
    yield f"collection {_expect_state(tab, 'start')}"
    _press(tab, "Start")
    yield f"collection content {_expect_state(tab, 'page')}"
    _press(tab, "Next page")
    _press(tab, "Finish")
    expect(tab.locator("#faults")).to_be_visible()
    yield "collection questions with faults"
    tab.check("#i0-1")
    tab.select_option("#i1", "2")
    tab.fill("#i1-e2", "It is C")
    tab.fill("#i2", "12")
    tab.select_option("#i2-unit", "0")
    tab.fill("#i3", "Simple words, no jargon")
    _press(tab, "Finish")
    yield f"collection {_expect_state(tab, 'finished')}"


def _nothing_to_do(researcher: Researcher, tab: Page) -> Iterator[str]:
    batch = researcher.batch(batch_items=[page([free_text()])])["id"]
    tab.goto(researcher.request("GET", f"/local/v1/batches/{batch}/participation", status=200)["url"])
    if tab.locator("main").get_attribute("data-state") == "start":
        _press(tab, "Start")
    yield _expect_state(tab, "not-ready")


LONG_DETAILS: dict[str, Json] = {
    "task_name": LONG_TEXT,
    "task_introduction": f"<h2>Why</h2><p>{LONG_TEXT}</p>",
    "task_steps": f"<ol><li>{LONG_TEXT}</li></ol>",
}
