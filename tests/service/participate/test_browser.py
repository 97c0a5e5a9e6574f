"""Participant pages in a real browser: by keyboard, on a phone, with and without scripts."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from batchwright.base.json_values import Json
from batchwright.base.resources import SAMPLE_MEDIA
from tests.service.api_helpers import Researcher
from tests.service.participate.browsing import (
    DESKTOP,
    EVERYTHING,
    EXPECTED,
    IN_A_BROWSER,
    PHONE,
    TWO_DEFECTS,
    answer_everything,
    file,
    visit,
)
from tests.service.participate.study_store import (
    StudyStore,
    choice,
    explained,
    files,
    free_text,
    page,
    rich,
    shows,
    stored_values,
    with_unit,
)

pytestmark = IN_A_BROWSER


@pytest.mark.spec("B-05", "G-09", "L-08")
@pytest.mark.parametrize("scripted", [True, False])
def test_every_kind_of_question_can_be_answered(
    studies: StudyStore, screen: Page, plain: Page, scripted: bool
) -> None:
    study = studies.study([page(EVERYTHING)])
    tab = screen if scripted else plain
    tab.goto(study.link)
    expect(tab.get_by_role("heading", level=1)).to_have_text("Which answer is better?")
    tab.get_by_role("button", name="Start").click()
    answer_everything(tab)
    tab.get_by_role("button", name="Finish").click()
    expect(tab.locator("main")).to_have_attribute("data-state", "finished")
    answers = list(stored_values(studies.responses(study)))
    assert answers[:-1] == EXPECTED


@pytest.mark.parametrize("scripted", [True, False])
def test_a_second_click_on_start_before_the_response_starts_no_second_submission(
    studies: StudyStore, screen: Page, plain: Page, scripted: bool
) -> None:
    study = studies.study([page([choice("A", "B")])], [{"prompt": "1"}, {"prompt": "2"}])
    tab = screen if scripted else plain
    starts: list[str] = []

    def hold_first(route: Route) -> None:
        starts.append(route.request.method)
        if len(starts) > 1:
            route.continue_()
            return
        route.fetch()
        tab.context.clear_cookies()  # a browser does not read the response of a click that it has replaced

    tab.route("**/start", hold_first)
    tab.goto(study.link)
    box = tab.get_by_role("button", name="Start").bounding_box()
    assert box is not None
    tab.mouse.click(box["x"] + 5, box["y"] + 5)  # a click on a locator would wait for the next page
    while not any(group.in_progress for group in studies.progress(study)):
        tab.wait_for_timeout(20)
    tab.mouse.click(box["x"] + 5, box["y"] + 5)
    expect(tab.locator("main")).to_have_attribute("data-state", "page")
    assert starts == ["POST", "POST"]
    assert [group.in_progress for group in studies.progress(study)] == [1, 0]


def test_the_media_of_templates_are_displayed_without_a_network(studies: StudyStore, screen: Page) -> None:
    schema: Json = {
        "strict": True,
        "fields": {"photo": {"type": "image_url"}, "clip": {"type": "audio_url"}},
    }
    record = {"photo": f"{SAMPLE_MEDIA}pictures/tram.png", "clip": f"{SAMPLE_MEDIA}recordings/garden.mp3"}
    content: dict[str, Any] = {
        "batch_items": [page([shows("photo"), shows("clip")])],
        "page": 0,
        "schema": schema,
        "record": record,
    }
    screen.goto(studies.preview(content))
    screen.wait_for_function("document.querySelector('main img').naturalWidth === 600")
    screen.wait_for_function("document.querySelector('audio').duration > 1")


def start_study(studies: StudyStore, tab: Page, *items: Any) -> None:
    tab.goto(studies.study([page(list(items)), page([free_text()])]).link)
    tab.get_by_role("button", name="Start").click()
    expect(tab.locator("main")).to_have_attribute("data-state", "page")
    tab.wait_for_load_state()


def errors_shown(tab: Page) -> list[str]:
    return [text.strip() for text in tab.locator(".fault:visible p").all_inner_texts()]


Value = str | list[tuple[str, int]] | None
"""A text to type, names and sizes of files to choose, or None to tick the control."""
InvalidAnswer = Mapping[str, Value]
"""What is entered in which control."""


def enter_value(tab: Page, control: str, value: Value) -> None:
    """Type a text, choose files, or tick."""
    if value is None:
        tab.check(control)
    elif isinstance(value, str):
        tab.fill(control, value)
    else:
        tab.set_input_files(control, [file(name, size) for name, size in value])


INVALID_ANSWERS: list[tuple[dict[str, Any], InvalidAnswer]] = [
    (free_text(), {}),
    (free_text(validation={"type": "number", "min": 0.5, "max": None}), {"i0": "0.25"}),
    (free_text(validation={"type": "number", "min": None, "max": 9}), {"i0": "10"}),
    (free_text(validation={"type": "number"}), {"i0": "ten"}),
    (free_text(validation={"type": "string", "min": 1, "max": 2}), {"i0": "👩‍👧"}),
    (free_text(validation={"type": "string", "min": 4}), {"i0": "a\nb"}),
    (free_text(validation={"type": "string", "max": 1}), {"i0": "ab"}),
    (with_unit(), {"i0": "25"}),
    (with_unit(), {}),
    (choice("A", "B"), {}),
    (choice(*"ABCDE"), {}),
    (choice("A", "B", "C", limit=2), {"i0-0": None, "i0-1": None, "i0-2": None}),
    (explained("Good", "Poor", limit=2), {"i0-0": None, "i0-1": None}),
    (files(), {}),
    (files(min_file_count=3), {"i0": [("a.png", 1)]}),
    (files(max_file_count=2), {"i0": [("a.png", 1)] * 3}),
    (files(max_file_size_mb=0.001, accepted_file_types=[".png"]), {"i0": [("a.PNG", 9999), ("b.gif", 1)]}),
    (files(), {"i0": [("a.png", 0), ("b.png", 1)]}),
]


def errors_shown_for(
    tab: Page, studies: StudyStore, invalid: Sequence[tuple[dict[str, Any], InvalidAnswer]]
) -> tuple[list[str], str]:
    """The errors displayed for wrong answers on one page: at the questions, and in the summary."""
    start_study(studies, tab, *(item for item, _answer in invalid))
    for number, (_item, response) in enumerate(invalid):
        for id, value in response.items():
            enter_value(tab, "#" + id.replace("i0", f"i{number}", 1), value)
    tab.get_by_role("button", name="Next page").click()
    expect(tab.locator("#faults")).to_be_visible()
    expect(tab).to_have_title("Error: Page 1 of 2 · Which answer is better?")
    return errors_shown(tab), tab.locator("#faults").inner_text()


def test_browser_and_service_report_the_same_errors_in_the_same_wording(
    studies: StudyStore, screen: Page, plain: Page
) -> None:
    by_browser, by_service = (errors_shown_for(tab, studies, INVALID_ANSWERS) for tab in (screen, plain))
    assert by_browser == by_service
    assert len(by_browser[0]) >= len(INVALID_ANSWERS)


def _same_alone(
    studies: StudyStore, screen: Page, plain: Page, invalid: tuple[dict[str, Any], InvalidAnswer]
) -> None:
    by_browser, by_service = (errors_shown_for(tab, studies, [invalid]) for tab in (screen, plain))
    assert by_browser == by_service
    assert by_browser[0]


def test_an_invalid_answer_is_reported_in_the_same_wording(
    studies: StudyStore, screen: Page, plain: Page, seed: int
) -> None:
    _same_alone(studies, screen, plain, random.Random(seed).choice(INVALID_ANSWERS))


@pytest.mark.long
@pytest.mark.parametrize("invalid", INVALID_ANSWERS, ids=range(len(INVALID_ANSWERS)))
def test_each_invalid_answer_is_reported_in_the_same_wording(
    studies: StudyStore, screen: Page, plain: Page, invalid: tuple[dict[str, Any], InvalidAnswer]
) -> None:
    _same_alone(studies, screen, plain, invalid)


def test_the_browser_validates_without_a_request(studies: StudyStore, screen: Page) -> None:
    start_study(studies, screen, choice("A", "B"))
    screen.route("**", lambda route: route.abort())
    screen.get_by_role("button", name="Next page").click()
    expect(screen.locator("#i0-fault")).to_have_text("Please choose an option.")


def test_focus_moves_to_the_error_summary_and_from_there_to_the_question(
    studies: StudyStore, screen: Page
) -> None:
    start_study(studies, screen, choice("A", "B"), free_text())
    screen.get_by_role("button", name="Next page").press("Enter")
    expect(screen.locator("#faults")).to_be_focused()
    screen.keyboard.press("Tab")
    screen.keyboard.press("Tab")
    screen.keyboard.press("Enter")
    expect(screen.locator("#i1")).to_be_focused()
    screen.keyboard.type("Because it is")
    expect(screen.locator("#i1-fault")).to_be_hidden()
    expect(screen.locator("#i0-fault")).to_be_visible()


def test_without_scripts_the_errors_of_the_service_get_the_focus(studies: StudyStore, plain: Page) -> None:
    start_study(studies, plain, choice("A", "B"))
    plain.get_by_role("button", name="Next page").click()
    expect(plain.locator("#faults")).to_be_focused()
    expect(plain.locator("#i0-fault")).to_be_visible()


def test_a_complete_page_is_answered_by_keyboard_alone(studies: StudyStore, screen: Page) -> None:
    study = studies.study([page([choice("A", "B"), choice("C", "D", limit=2), free_text()])])
    screen.goto(study.link)
    for key in ("Tab", "Enter"):
        screen.keyboard.press(key)
    expect(screen.locator("#i0-0")).to_be_visible()
    for key in ("Tab", "Space", "ArrowDown", "Tab", "Space", "Tab", "Space", "Tab"):
        screen.keyboard.press(key)
    screen.keyboard.type("By keys")
    screen.keyboard.press("Tab")
    screen.keyboard.press("Enter")
    expect(screen.locator("main")).to_have_attribute("data-state", "finished")
    answers = [[{"value": "b"}], [{"value": "c"}, {"value": "d"}], [{"value": "By keys"}]]
    assert list(stored_values(studies.responses(study))) == answers


def test_an_exclusive_option_deselects_the_others(studies: StudyStore, screen: Page) -> None:
    options = [{"label": "Wrong", "value": 1}, {"label": "None", "value": 2, "exclusive": True}]
    start_study(studies, screen, TWO_DEFECTS | {"options": options})
    screen.check("#i0-0")
    screen.check("#i0-1")
    expect(screen.locator("#i0-0")).not_to_be_checked()
    screen.check("#i0-0")
    expect(screen.locator("#i0-1")).not_to_be_checked()


def test_the_text_field_of_an_option_appears_under_its_heading_once_it_is_chosen(
    studies: StudyStore, screen: Page
) -> None:
    start_study(studies, screen, explained("Good", "Poor"), explained(*"ABCDE"))
    expect(screen.get_by_label("Why Good?")).to_be_hidden()
    screen.check("#i0-0")
    expect(screen.get_by_label("Why Good?")).to_be_visible()
    expect(screen.get_by_label("Why Poor?")).to_be_hidden()
    screen.select_option("#i1", "3")
    expect(screen.get_by_label("Why D?")).to_be_visible()
    expect(screen.get_by_label("Why C?")).to_be_hidden()


def test_input_is_preserved_on_reload_and_on_going_back(studies: StudyStore, screen: Page) -> None:
    start_study(studies, screen, choice("A", "B"), free_text())
    screen.check("#i0-1")
    screen.fill("#i1", "Half a sen")
    screen.reload()
    expect(screen.locator("#i0-1")).to_be_checked()
    expect(screen.locator("#i1")).to_have_value("Half a sen")
    screen.get_by_role("button", name="Next page").click()
    screen.fill("#i0", "On the second page")
    screen.get_by_role("link", name="Back").click()
    expect(screen.locator("#i1")).to_have_value("Half a sen")
    screen.fill("#i1", "A whole sentence")
    screen.get_by_role("button", name="Next page").click()
    expect(screen.locator("#i0")).to_have_value("On the second page")
    screen.go_back()
    expect(screen.locator("#i1")).to_have_value("A whole sentence")


def test_the_back_button_of_the_browser_leads_to_the_page_before(studies: StudyStore, screen: Page) -> None:
    screen.goto(studies.study([page([free_text()])] * 3).link)
    screen.get_by_role("button", name="Start").click()
    for number in (1, 2):
        expect(screen.locator("#progress-text")).to_have_text(f"Page {number} of 3")
        screen.fill("#i0", f"Answer {number}")
        screen.get_by_role("button", name="Next page").click()
    expect(screen.locator("#progress-text")).to_have_text("Page 3 of 3")
    for number in (2, 1):
        screen.go_back()
        expect(screen.locator("#progress-text")).to_have_text(f"Page {number} of 3")
        expect(screen.locator("#i0")).to_have_value(f"Answer {number}")
    screen.go_forward()
    expect(screen.locator("#progress-text")).to_have_text("Page 2 of 3")


def test_input_that_was_not_sent_is_preserved_on_the_way_to_a_later_page(
    studies: StudyStore, screen: Page
) -> None:
    start_study(studies, screen, free_text())
    screen.fill("#i0", "First")
    screen.get_by_role("button", name="Next page").click()
    expect(screen.locator("#progress-text")).to_have_text("Page 2 of 2")
    screen.get_by_role("link", name="Back").click()
    screen.fill("#i0", "First, corrected")
    screen.go_back()
    expect(screen.locator("#progress-text")).to_have_text("Page 2 of 2")
    screen.get_by_role("link", name="Back").click()
    expect(screen.locator("#i0")).to_have_value("First, corrected")
    screen.get_by_role("button", name="Next page").click()
    expect(screen.locator("#progress-text")).to_have_text("Page 2 of 2")
    assert screen.evaluate("sessionStorage.length") == 0


def test_input_is_preserved_when_a_page_with_a_file_was_rejected(studies: StudyStore, screen: Page) -> None:
    start_study(studies, screen, free_text(), files())
    screen.fill("#i0", "\u200b")  # which only the service takes for blank
    screen.set_input_files("#i1", [file("a.png", 1)])
    screen.get_by_role("button", name="Next page").click()
    expect(screen.locator(".kept")).to_be_visible()
    screen.fill("#i0", "Fine")
    screen.goto(screen.url)
    expect(screen.locator(".kept")).to_have_count(0)
    expect(screen.locator("#i0")).to_have_value("Fine")


def test_a_double_click_sends_a_page_once(studies: StudyStore, screen: Page) -> None:
    study = studies.study([page([choice("A", "B")]), page([free_text()])])
    screen.goto(study.link)
    screen.get_by_role("button", name="Start").click()
    screen.check("#i0-1")
    screen.get_by_role("button", name="Next page").dblclick()
    expect(screen.locator("textarea")).to_be_visible()
    assert list(stored_values(studies.responses(study))) == [[{"value": "b"}]]


def test_a_page_is_sent_again_after_the_browser_was_told_to_stop(studies: StudyStore, screen: Page) -> None:
    start_study(studies, screen, free_text())
    screen.fill("#i0", "So")
    held: list[Route] = []
    screen.route("**/participate/**", lambda route: held.append(route), times=1)
    button = screen.locator("button.primary")
    with screen.expect_request(lambda request: request.method == "POST"):
        button.click(no_wait_after=True)
    screen.context.new_cdp_session(screen).send("Page.stopLoading")
    expect(button).to_have_text("Next page")
    expect(button).to_have_attribute("aria-disabled", "false")
    button.click()
    expect(screen.locator("#progress-text")).to_have_text("Page 2 of 2")


def test_without_storage_the_script_works_and_keeps_no_draft(studies: StudyStore, screen: Page) -> None:
    blocked = "() => { throw new DOMException('blocked', 'SecurityError') }"
    screen.add_init_script(f"Object.defineProperty(window, 'sessionStorage', {{ get: {blocked} }})")
    start_study(studies, screen, explained(*"ABCDE"))
    expect(screen.locator(".explanation:visible")).to_have_count(0)
    screen.select_option("#i0", "3")
    expect(screen.get_by_label("Why D?")).to_be_visible()
    screen.fill("#i0-e3", "It is D")
    screen.get_by_role("button", name="Next page").click()
    expect(screen.locator("#progress-text")).to_have_text("Page 2 of 2")


@pytest.mark.spec("L-03")
def test_two_columns_are_side_by_side_and_stacked_on_a_phone(studies: StudyStore, screen: Page) -> None:
    screen.goto(studies.preview({"batch_items": [page(([rich("left")], [rich("right")]))], "page": 0}))
    left, right = (screen.get_by_text(text).bounding_box() for text in ("left", "right"))
    assert left
    assert right
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    screen.set_viewport_size(PHONE)
    left, right = (screen.get_by_text(text).bounding_box() for text in ("left", "right"))
    assert left
    assert right
    assert left["x"] == right["x"]
    assert left["y"] + left["height"] <= right["y"]


@pytest.mark.parametrize("text", ["x" * 5_000, "\u05e9\u05dc\u05d5\u05dd " * 300, "👩‍👩‍👧‍👦" * 300])
def test_no_page_is_wider_than_a_phone(studies: StudyStore, screen: Page, text: str) -> None:
    items = [*EVERYTHING, rich(text), free_text(description=text), choice(text, f"{text}2"), shows("plain")]
    both = page((items[:6], items[6:]))
    screen.set_viewport_size(PHONE)
    screen.goto(
        studies.preview({"batch_items": [both], "page": 0, "record": {"prompt": text, "plain": text}})
    )
    assert screen.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_number_is_written_from_left_to_right_on_every_page(studies: StudyStore, screen: Page) -> None:
    items = [free_text(validation={"type": "number"}), with_unit()]
    screen.goto(studies.preview({"batch_items": [page(items)], "page": 0, "language": "ar"}))
    for field in ("#i0", "#i1"):
        for value, direction in (("-5.25", "ltr"), ("خمسة", "rtl")):
            screen.fill(field, value)
            expect(screen.locator(field)).to_have_css("direction", direction)
            expect(screen.locator(field)).to_have_css("text-align", "right")


def test_hostile_content_runs_no_script(studies: StudyStore, screen: Page) -> None:
    hostile = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    items = [
        shows("prompt"),
        rich(hostile),
        choice(hostile, description=hostile),
        free_text(helper_text=hostile),
    ]
    screen.goto(studies.preview({"batch_items": [page(items)], "page": 0, "record": {"prompt": hostile}}))
    expect(screen.get_by_text(hostile).first).to_be_visible()
    screen.get_by_role("button", name="Check answers").click()
    expect(screen.locator("#faults")).to_be_visible()
    expect(screen).to_have_title("Error: Page 1 of 1 · Preview")


def test_an_image_that_fails_to_load_is_replaced_by_text(studies: StudyStore, screen: Page) -> None:
    screen.route("https://**", lambda route: route.abort())
    image = {"type": "image", "url": "https://img.example.net/a.png", "alt_text": "A road sign in fog"}
    screen.goto(studies.preview({"batch_items": [page([image])], "page": 0}))
    expect(screen.get_by_text("This image could not be loaded: A road sign in fog")).to_be_visible()


@pytest.mark.spec("C-21")
@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_collection_is_answered_page_by_page(
    researcher: Researcher, chromium: Browser, console_errors: list[str], window: ViewportSize
) -> None:
    content = {"type": "rich_text", "content": "<h2>Your kitchen</h2><p>Two pages, one column.</p>"}
    questions = [choice("A", "B", "Same"), explained(*"ABCDE"), with_unit(), free_text()]
    ordered: list[Any] = [{**question, "order": number} for number, question in enumerate(questions)]
    created = researcher.collection(
        collection_items=[{"page_items": [content, *ordered]}, {"page_items": ordered[:1]}]
    )
    link = researcher.request("GET", f"/local/v1/collections/{created['id']}/participation", status=200)[
        "url"
    ]
    with visit(chromium, console_errors, viewport=window) as context:
        tab = context.new_page()
        tab.goto(link)
        tab.get_by_role("button", name="Start").click()
        expect(tab.get_by_role("heading", level=2)).to_have_text("Your kitchen")
        assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        tab.check("#i0-1")
        tab.select_option("#i1", "2")
        tab.fill("#i1-e2", "It is C")
        tab.fill("#i2", "12")
        tab.select_option("#i2-unit", "0")
        tab.fill("#i3", "Simple words, no jargon")
        tab.get_by_role("button", name="Next page").click()
        expect(tab.locator("#progress-text")).to_have_text("Page 2 of 2")
        tab.check("#i0-0")
        tab.get_by_role("button", name="Finish").click()
        expect(tab.locator("main")).to_have_attribute("data-state", "finished")
    assert console_errors == []
    responses = researcher.request("GET", f"/collections/{created['id']}/responses", status=200)["results"]
    assert [question["response"]["answer"] for question in responses[::-1]] == [
        [{"value": "b"}],
        [{"value": "c", "explanation": "It is C"}],
        [{"value": "12", "unit": "min"}],
        [{"value": "Simple words, no jargon"}],
        [{"value": "a"}],
    ]
