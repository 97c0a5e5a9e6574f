"""Every kind of participant page is accessible: by screen reader, enlarged, on a phone, by keyboard alone."""

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Browser, FileChooser, Page, expect

from tests.service.api_helpers import Researcher
from tests.service.participate.browsing import (
    DESKTOP,
    EVERYTHING,
    EXPECTED,
    IN_A_BROWSER,
    PHONE,
    file,
    visit,
)
from tests.service.participate.scenes import scenes
from tests.service.participate.study_store import StudyStore, page, stored_values

pytestmark = IN_A_BROWSER

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
DESKTOP_DISPLAY = {"viewport": DESKTOP, "color_scheme": "light"}
SMALL = {"viewport": {"width": 320, "height": 640}, "color_scheme": "dark", "has_touch": True}
DISPLAYS = {
    "320 pixels, dark": SMALL,
    "desktop, dark": {"viewport": DESKTOP, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "color_scheme": "light", "has_touch": True},
    "200 %": {"viewport": {"width": 640, "height": 450}, "device_scale_factor": 2},
    "high contrast": {"viewport": DESKTOP, "forced_colors": "active"},
}
FILM = "https://media.example.net/film.mp4"
WEIGHT = """
    performance.getEntries()
        .filter((one) => ["navigation", "resource"].includes(one.entryType))
        .filter((one) => !["img", "audio", "video"].includes(one.initiatorType))
        .reduce((sum, one) => sum + one.encodedBodySize, 0)
"""


def show(tab: Page, display: dict[str, Any]) -> None:
    """Change how the open page is displayed."""
    tab.set_viewport_size(display["viewport"])
    tab.emulate_media(color_scheme=display["color_scheme"])


def accessibility_violations(tab: Page) -> Iterator[str]:
    """The accessibility rules that the open page violates."""
    result = Axe().run(tab, options=RULES)
    if result.violations_count:
        yield result.generate_report()


def size_violations(tab: Page) -> Iterator[str]:
    """Whether the open page is too wide or too large."""
    hidden: int = tab.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    if hidden > 0:
        yield f"{hidden} pixels are outside of the viewport"
    weight: int = tab.evaluate(WEIGHT)
    if not 0 < weight <= 100_000:
        yield f"the page has {weight} bytes"


Findings = Callable[[Page], Iterable[str]]
CheckPages = Callable[[dict[str, Any], Findings], None]
"""Opens every kind of page with a display and checks each page."""


@pytest.fixture
def check_pages(
    studies: StudyStore, researcher: Researcher, chromium: Browser, console_errors: list[str]
) -> CheckPages:
    def check_pages(display: dict[str, Any], findings: Findings) -> None:
        requested: set[str] = set()
        with visit(chromium, console_errors, **display) as context:
            context.route("https://**", lambda route: route.abort())
            context.on("request", lambda request: requested.add(request.url))
            tab = context.new_page()
            problems = {scene: list(findings(tab)) for scene in scenes(studies, researcher, tab)}
        assert {scene: scene_problems for scene, scene_problems in problems.items() if scene_problems} == {}
        assert {url for url in requested if not url.startswith("http://127.0.0.1:")} == {FILM}
        assert console_errors == []

    return check_pages


def test_every_kind_of_page_is_accessible(check_pages: CheckPages, seed: int) -> None:
    random_source = random.Random(seed)

    def findings(tab: Page) -> Iterator[str]:
        """Problems of a page, also on a small screen in dark mode, where the rules are applied to a quarter
        of the pages.
        """
        yield from (*accessibility_violations(tab), *size_violations(tab))
        show(tab, SMALL)
        yield from (
            *size_violations(tab),
            *(accessibility_violations(tab) if random_source.random() < 0.25 else ()),
        )
        show(tab, DESKTOP_DISPLAY)

    check_pages(DESKTOP_DISPLAY, findings)


@pytest.mark.long
@pytest.mark.parametrize("display", DISPLAYS.values(), ids=DISPLAYS)
def test_every_kind_of_page_is_accessible_in_every_display(
    check_pages: CheckPages, display: dict[str, Any]
) -> None:
    check_pages(display, lambda tab: (*accessibility_violations(tab), *size_violations(tab)))


def test_every_kind_of_question_is_answered_by_keyboard_alone(studies: StudyStore, screen: Page) -> None:
    study = studies.study([page(EVERYTHING)])
    # Asked for early: the browser is told of it in the background, and must know before the key is pressed.
    choosers: list[FileChooser] = []
    screen.on("filechooser", lambda chooser: choosers.append(chooser))
    screen.goto(study.link)
    keys = screen.keyboard

    def focus(selector: str) -> None:
        for _ in range(30):
            if screen.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
            keys.press("Tab")
        raise AssertionError(f"{selector} is not reached by the Tab key")

    focus("button")
    keys.press("Enter")
    expect(screen.locator("#i0-0")).to_be_visible()
    focus("#i0-0")
    keys.press("ArrowDown")
    for control in ("#i1-0", "#i1-2", "#i2-0"):
        focus(control)
        keys.press("Space")
    for control, text in (("#i2-e0", "It is short"), ("#i3", "C"), ("#i3-e2", "It is C")):
        focus(control)
        keys.type(text)
    for control, text in (
        ("#i4", "Simple words, no jargon"),
        ("#i5", "0.75"),
        ("#i6", "12"),
        ("#i6-unit", "h"),
    ):
        focus(control)
        keys.type(text)
    focus("#i7")
    with screen.expect_file_chooser():
        keys.press("Enter")
    choosers[0].set_files([file("a.png", 3)])
    focus("button.primary")
    keys.press("Enter")
    expect(screen.locator("main")).to_have_attribute("data-state", "finished")
    assert list(stored_values(studies.responses(study)))[:-1] == EXPECTED
