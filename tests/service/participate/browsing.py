"""A browser for participant pages: its window sizes, a page with every question, and answers to it."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    FilePayload,
    Page,
    ViewportSize,
)

from tests.service.participate.study_store import choice, explained, files, free_text, rich, shows, with_unit

TIMEOUT_MS = 30_000
CHROMIUM = Path("/usr/bin/chromium")
PHONE = ViewportSize(width=360, height=740)
DESKTOP = ViewportSize(width=1200, height=900)

IN_A_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed (/usr/bin/chromium)"),
]

TWO_DEFECTS = {"type": "multiple_choice", "description": "Which faults does it have?", "answer_limit": 2}
EVERYTHING: list[Any] = [
    shows("prompt"),
    rich("<h2>Look closer</h2><p>Read the <a href='https://guide.example'>guide</a>.</p>"),
    choice("A", "B", "Same"),
    TWO_DEFECTS
    | {
        "options": [
            {"label": "Wrong", "value": 1},
            {"label": "Unsafe", "value": 2},
            {"label": "Unclear", "value": 3},
            {"label": "None", "value": 4, "exclusive": True},
        ]
    },
    explained("Good", "Poor"),
    explained(*"ABCDE", description="Which letter?"),
    free_text(helper_text="One sentence", validation={"type": "string", "min": 10, "max": 40}),
    free_text(description="How sure are you?", validation={"type": "number", "min": 0, "max": 1}),
    with_unit(),
    files(accepted_file_types=[".png"], max_file_size_mb=1, max_file_count=2),
    {"type": "video_narration"},
]


def visit(browser: Browser, console_errors: list[str], **options: Any) -> BrowserContext:
    context = browser.new_context(**{"viewport": DESKTOP, **options})
    context.set_default_timeout(TIMEOUT_MS)

    def on_message(message: ConsoleMessage) -> None:
        # A 422 is an answer here, and images of example hosts never come.
        if message.type == "error" and "Failed to load resource" not in message.text:
            console_errors.append(message.text)

    context.on("console", on_message)
    context.on("weberror", lambda error: console_errors.append(str(error.error)))
    return context


def file(name: str, size: int) -> FilePayload:
    return FilePayload(name=name, mimeType="image/png", buffer=b"x" * size)


def answer_everything(screen: Page) -> None:
    screen.check("#i0-1")
    screen.check("#i1-0")
    screen.check("#i1-2")
    screen.check("#i2-0")
    screen.fill("#i2-e0", "It is short")
    screen.select_option("#i3", "2")
    screen.fill("#i3-e2", "It is C")
    screen.fill("#i4", "Simple words, no jargon")
    screen.fill("#i5", "0.75")
    screen.fill("#i6", "12")
    screen.select_option("#i6-unit", "1")
    screen.set_input_files("#i7", [file("a.png", 3)])


EXPECTED = [
    [{"value": "b"}],
    [{"value": 1}, {"value": 3}],
    [{"value": "good", "explanation": "It is short"}],
    [{"value": "c", "explanation": "It is C"}],
    [{"value": "Simple words, no jargon"}],
    [{"value": "0.75"}],
    [{"value": "12", "unit": "h"}],
]
