"""Uses the window of the Windows program as a person does: `python3 packaging/windows_window_check.py`.

On Debian under Wine, with pointer and keyboard: the sample study from Home to an export, with an item that is
dragged onto a page, in the light and in the dark theme, at 100 and at 150 %. Arguments such as `dark-150`
select some of these. Texts are found in pictures of the screen by Tesseract; saved files and what the local
service has stored are checked, too. The program is the one that `windows_build.py` has built. Screenshots are
in `build/screenshots/windows`.
"""

import csv
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import PureWindowsPath

import system
from windows_build import PROGRAM
from windows_check import (
    LIMIT_S,
    USER,
    desktop,
    expect,
    new_home,
    output,
    passed,
    path_of,
    processes_of_windows,
    screenshot,
    wait_until,
)
from wine import windows_path, wine_process

SCREEN_KEY = r"HKCU\Control Panel\Desktop"
DPI = 96
"""Dots per inch at 100 %."""
SCREEN = 1440, 900
"""The size of the screen at 100 %; at others, it shows as much."""
ENLARGED_PERCENT = 200
"""Tesseract reads letters that are larger than those of a window at 100 %."""
MODES = "3", "11"
"""How Tesseract divides a picture, used by turns: as a page, and as texts anywhere. Each overlooks some."""
SETTLED_S = 0.5
"""Seconds between an action and the next picture."""
COMMANDS = PureWindowsPath(windows_path(PROGRAM / "batchwright-cli.exe"))
DATA = PureWindowsPath("D:/data of the program")
STUDY, EXPORT = PureWindowsPath("D:/study.batchwright"), PureWindowsPath("D:/export.zip")
DRAG_STEPS = 10

Point = tuple[int, int]
Line = tuple[str, str, str]
"""The block, the paragraph and the line of a word."""


@dataclass(frozen=True)
class Appearance:
    """A theme and a scale of the screen, in percent."""

    theme: str
    percent: int

    @property
    def screen(self) -> tuple[int, int]:
        """Width and height of the screen."""
        width, height = (length * self.percent // 100 for length in SCREEN)
        return width, height

    def __str__(self) -> str:
        return f"{self.theme}-{self.percent}"


APPEARANCES = [Appearance(theme, percent) for percent in (100, 150) for theme in ("light", "dark")]
APPEARANCE_VARIABLE = "BATCHWRIGHT_CHECK_APPEARANCE"
"""The variable with the appearance that is checked on a screen of its own."""


@dataclass(frozen=True)
class Word:
    """A word on the screen, and where it is."""

    text: str
    line: Line
    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def of(cls, row: Mapping[str, str], enlarged_percent: int) -> "Word":
        """The word in a row of Tesseract's table."""
        left, top, width, height = (int(row[name]) for name in ("left", "top", "width", "height"))
        sides = (side * 100 // enlarged_percent for side in (left, top, left + width, top + height))
        return cls(row["text"], (row["block_num"], row["par_num"], row["line_num"]), *sides)


def main(names: list[str]) -> None:
    """Check the named appearances, or all, each on a screen of its own."""
    system.provide("wine")
    appearances = {str(appearance): appearance for appearance in APPEARANCES}
    if APPEARANCE_VARIABLE in os.environ:
        with desktop():
            Walk(appearances[os.environ[APPEARANCE_VARIABLE]]).run()
        return
    for name in names or appearances:
        width, height = appearances[name].screen
        session = ["xvfb-run", "-a", "-s", f"-screen 0 {width}x{height}x24", sys.executable, __file__]
        subprocess.run(session, check=True, env={**os.environ, APPEARANCE_VARIABLE: name})


class Walk:
    """One walk from Home to an export."""

    def __init__(self, appearance: Appearance) -> None:
        self._appearance = appearance
        self._enlarged_percent = ENLARGED_PERCENT * 100 // appearance.percent

    def run(self) -> None:
        """Start the program on an empty home folder, and check every step."""
        new_home()
        with scale(self._appearance.percent):
            program = wine_process(windows_path(PROGRAM / "batchwright.exe"), BATCHWRIGHT_HOME=str(DATA))
            processes_of_windows(["Batchwright"], self._name("start"))
            self.open_sample()
            self.upload()
            self.drag_item()
            self.publish()
            self.save_export()
            save()
            press("ctrl+q")
            program.wait(LIMIT_S)
        self.check_service()

    def open_sample(self) -> None:
        """Choose the theme, and open the sample study."""
        self.wait_for("Start with a table")
        run_command(f"{self._appearance.theme} theme")
        wait_until(lambda: is_dark() == (self._appearance.theme == "dark"), "the theme is shown")
        self.take_picture("home")
        run_command("Try the sample study")
        self.wait_for("All fields match the schema")
        self.passed("the sample study opens")

    def upload(self) -> None:
        """Upload the records to the local service."""
        press("ctrl+2")
        self.wait_for("24 records fit the schema")
        press("ctrl+shift+u")
        self.wait_for("24 accepted")
        self.take_picture("data")
        self.passed("24 records are uploaded")

    def drag_item(self) -> None:
        """Drag an item onto the page of the records, save the study, and undo it."""
        press("ctrl+3")
        self.wait_for("9 items")
        press("ctrl+Next")
        self.wait_for("Page 2 of 3")
        drag(self.wait_for("File upload"), self.wait_for("Which answer is better?"))
        self.wait_for("No question yet")
        self.take_picture("layout")
        press("ctrl+shift+s")
        save_as("Save the study", STUDY)
        types = item_types()
        assert types[types.index("multiple_choice") - 1] == "file_upload", types
        press("ctrl+z")
        self.wait_for("9 items")
        save()
        assert "file_upload" not in item_types(), item_types()
        self.passed("an item that is dragged onto the page is saved, undone, and saved again")

    def publish(self) -> None:
        """Create the batch and its tasks, and let simulated participants answer."""
        press("ctrl+4")
        self.wait_for("create the batch")
        press("ctrl+shift+b")
        self.wait_for("Answers for each record")
        press("Return")
        self.wait_for("24 tasks in 24 groups are ready")
        press("ctrl+shift+m")
        self.wait_for("How they answer")
        press("Return")
        self.wait_for("24 groups are answered")
        self.take_picture("run")
        self.passed("simulated participants have answered all groups")

    def save_export(self) -> None:
        """Look at the results, and save the export."""
        press("ctrl+5")
        self.wait_for("72 answers received")
        self.take_picture("results")
        press("ctrl+shift+e")
        save_as("Save the export", EXPORT)
        analysis = PureWindowsPath("D:/analysis")
        layout = USER / "studies" / "layout.json"
        output(COMMANDS, "analyse", EXPORT, "--layout", layout, "--out", analysis)
        self.passed("the export is saved, and can be analysed")

    def check_service(self) -> None:
        """Ask the service what it has stored."""
        listed = output(COMMANDS, "service-data", "list", "--json", "--data-dir", DATA / "data" / "service")
        (study,) = json.loads(listed)["studies"]
        assert (study["records"], study["participants"], study["answers"]) == (24, 24, 72), study
        self.passed("the service has the records, the participants and their answers")

    def passed(self, statement: str) -> None:
        """State what works with this appearance."""
        passed(f"{self._appearance}: {statement}.")

    def take_picture(self, name: str) -> None:
        """Take a screenshot."""
        screenshot(self._name(name))

    def _name(self, name: str) -> str:
        return f"window-{self._appearance}-{name}"

    def wait_for(self, text: str) -> Point:
        """Wait until a text is shown; returns its centre."""
        found: list[Point] = []
        modes = cycle(MODES)

        def is_shown() -> bool:
            found[:] = points(text, words(next(modes), self._enlarged_percent))
            return bool(found)

        wait_until(is_shown, f"“{text}” is shown")
        return found[0]


@contextmanager
def scale(percent: int) -> Iterator[None]:
    """A scale of the screen, which is 100 % again afterwards."""
    set_scale(percent)
    try:
        yield
    finally:
        set_scale(100)


def set_scale(percent: int) -> None:
    """Set the scale of the screen, for programs that start afterwards."""
    dots = str(DPI * percent // 100)
    expect(0, "reg", "add", SCREEN_KEY, "/v", "LogPixels", "/t", "REG_DWORD", "/d", dots, "/f")


def words(mode: str, enlarged_percent: int) -> list[Word]:
    """The words on the screen, in the order of reading."""
    picture = ["import", "-window", "root", "-colorspace", "gray", "-resize", f"{enlarged_percent}%", "png:-"]
    read = ["tesseract", "-", "-", "--psm", mode, "tsv"]
    png = subprocess.run(picture, check=True, capture_output=True).stdout
    one_thread = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    table = subprocess.run(read, check=True, capture_output=True, input=png, env=one_thread).stdout.decode()
    rows = csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [Word.of(row, enlarged_percent) for row in rows if row["text"].strip()]


def points(text: str, shown: Sequence[Word]) -> list[Point]:
    """The centres of a text on the screen."""
    wanted = [plain(word) for word in text.split()]
    found = []
    for start in range(len(shown) - len(wanted) + 1):
        part = shown[start : start + len(wanted)]
        if [plain(word.text) for word in part] == wanted and len({word.line for word in part}) == 1:
            first, last = part[0], part[-1]
            found.append(((first.left + last.right) // 2, (first.top + first.bottom) // 2))
    return found


def plain(word: str) -> str:
    """A word as it is compared: Tesseract adds what it takes for dots and lines."""
    return re.sub(r"\W", "", word).casefold()


def is_dark() -> bool:
    """Whether most of the screen is dark."""
    shade = ["import", "-window", "root", "-colorspace", "gray", "-resize", "1x1!", "-depth", "8", "gray:-"]
    return subprocess.run(shade, check=True, capture_output=True).stdout[0] < 128


def drag(start: Point, end: Point) -> None:
    """Drag with the pointer from one point to another, in steps as a hand does."""
    xdotool("mousemove", *start, "sleep", 0.2, "mousedown", 1, "sleep", 0.2)
    for step in range(1, DRAG_STEPS + 1):
        x, y = (round(a + (b - a) * step / DRAG_STEPS) for a, b in zip(start, end, strict=True))
        xdotool("mousemove", x, y, "sleep", 0.1)
    xdotool("mousemove", end[0] + 1, end[1], "sleep", 0.5, "mouseup", 1)


def press(keys: str) -> None:
    """Press keys, such as `ctrl+s`."""
    xdotool("key", "--clearmodifiers", keys)


def run_command(name: str) -> None:
    """Run a command of the program by its name."""
    press("ctrl+k")
    enter(name)


def enter(text: str) -> None:
    """Enter a text, and confirm it."""
    xdotool("type", "--delay", 50, text)
    xdotool("key", "Return")


def xdotool(*words: object) -> None:
    subprocess.run(["xdotool", *map(str, words)], check=True)
    time.sleep(SETTLED_S)


def save() -> None:
    """Save the study, whose window is marked until then."""
    press("ctrl+s")
    saved = f"{STUDY.name} ({STUDY.parent}) – Batchwright"
    wait_until(lambda: window_title(STUDY.name) == saved, "the study is saved")


def save_as(title: str, path: PureWindowsPath) -> None:
    """Enter the name of a file in the dialog of Wine with a title, and wait for the file.

    Then the window of the study is activated: Wine does not return the focus to it.
    """
    wait_until(lambda: window_title(title) == title, f"“{title}” is open")
    press("ctrl+a")
    enter(str(path))
    wait_until(path_of(path).exists, f"{path} exists")
    xdotool("search", "--onlyvisible", "--sync", "--name", STUDY.name, "windowactivate", "--sync")


def window_title(part: str) -> str:
    """The title of the window that contains a part of it; empty without one."""
    search = ["xdotool", "search", "--onlyvisible", "--name", part, "getwindowname"]
    return subprocess.run(search, capture_output=True, text=True).stdout.strip()


def item_types() -> list[str]:
    """The types of all items in the study that was saved."""
    pages = json.loads(path_of(STUDY).read_text("utf-8"))["batch_items"]
    columns = (column for page in pages for row in page["rows"] for column in row["columns"])
    return [item["type"] for column in columns for item in column["items"]]


if __name__ == "__main__":
    main(sys.argv[1:])
