"""Saving results: the dialog, the files, and what goes wrong."""

import asyncio
import csv
import errno
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton

from batchwright.analysis.output import text_files
from batchwright.analysis.output.output_kinds import OutputKind
from batchwright.analysis.output.pair_fields import PairFields
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.store.answer_table import AnswerTable
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.base.json_values import JsonObject
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.settings import Settings
from batchwright.ui.results.save.save_command import SaveContext, save
from batchwright.ui.results.save.save_dialog import SaveDialog
from batchwright.ui.results.save.save_options import SaveOptions, from_stored, to_stored
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.shell.window import Window
from batchwright.ui.widgets.toggles import Switch
from tests.analysis.answers import ratings, record, table_of
from tests.policies import WritePolicy
from tests.ui.conftest import until
from tests.ui.results.conftest import settled
from tests.ui.window_fixtures import FakeFileDialogs, press

pytestmark = pytest.mark.gui


FIELDS = {f"t{n}": {"prompt": f"Why {n}?", "left": "So.", "right": "No."} for n in range(5)}
OpenDialog = Callable[..., AbstractAsyncContextManager[SaveDialog]]


STEPS: list[JsonObject] = [{"step": "sample", "size": 5, "seed": 3}]


def answers() -> AnswerTable:
    better = ratings([["a", "b"], ["b", "b"], ["a", "a"], ["b", "b"], ["a", "a"]], "better")
    return table_of([*better, record("p1", "t1", "reason", "=1+1")], FIELDS)


@pytest.fixture
def open_dialog(window: Window, tasks: Tasks, tmp_path: Path, files: FakeFileDialogs) -> OpenDialog:
    """A function that opens the dialog for some answers; at the end, it waits until the dialog is closed."""

    @asynccontextmanager
    async def open_dialog(
        exclusions: Exclusions | None = None,
        table: AnswerTable | None = None,
        *,
        has_other_data: bool = False,
    ) -> AsyncIterator[SaveDialog]:
        shown = answers() if table is None else table
        settings = AnalysisSettings(exclusions or Exclusions())
        target = tmp_path / "Cats results"
        stage = window.stage_context(tasks)
        context = SaveContext(stage, files, lambda: shown, settings, "Cats", STEPS, target, has_other_data)
        tasks.start("save", lambda: save(context))
        await until(lambda: bool(window.findChildren(SaveDialog)))
        yield window.findChildren(SaveDialog)[0]
        await until(lambda: "save" not in tasks.running, 60)

    return open_dialog


def check(dialog: SaveDialog, *kinds: OutputKind) -> None:
    """Select what is written, and nothing else."""
    for kind, box in dialog._boxes.items():
        box.setChecked(kind in kinds)


async def test_all_kinds_are_written_and_the_notice_opens_the_folder(
    open_dialog: OpenDialog, window: Window, tmp_path: Path, settings: Settings
) -> None:
    async with open_dialog(Exclusions({"p1": "Too fast"})) as dialog:
        texts = [label.text() for label in dialog.findChildren(QLabel)]
        assert any(text.startswith("11 answers of 2 participants. 6 are excluded") for text in texts)
        check(dialog, *OutputKind)
        press(dialog, "Save")
    folder = tmp_path / "Cats results"
    names = {path.name for path in folder.iterdir()}
    formats = {"answers-long.csv", "answers.jsonl", "answers.parquet", "answers.sav", "answers.xlsx"}
    assert formats | {"report.html", "codebook.csv", "labels.jsonl", "preference-pairs.jsonl"} <= names
    assert "5 rows were drawn at random (seed 3)." in (folder / "report.html").read_text("utf-8")
    pairs = [json.loads(line) for line in (folder / "preference-pairs.jsonl").read_text().splitlines()]
    assert {(pair["prompt"], pair["chosen"], pair["rejected"]) for pair in pairs[:1]} == {
        ("Why 0?", "So.", "No.")
    }
    image = QImage(str(folder / "figure-choices-q1.png"))
    assert (image.isNull(), image.dotsPerMeterX()) == (False, 11811)
    notice = window.notices.cards[-1].notice
    assert notice.action_label == "Open folder"
    assert notice.text == f"{len(names)} files in Cats results. 6 answers are excluded."
    assert from_stored(settings.save_options).kinds == frozenset(OutputKind)


async def test_the_report_says_that_the_data_has_changed_since_the_dataset_was_created(
    open_dialog: OpenDialog, tmp_path: Path
) -> None:
    async with open_dialog(has_other_data=True) as dialog:
        check(dialog, OutputKind.REPORT)
        press(dialog, "Save")
    report = (tmp_path / "Cats results" / "report.html").read_text("utf-8")
    assert (
        "5 rows were drawn at random (seed 3). The data of the study has changed since the dataset was "
        "created; these are its steps now." in report
    )


async def test_the_fields_of_preference_pairs_are_proposed(open_dialog: OpenDialog) -> None:
    texts = {
        "topic": "law",
        "model_a": "1",
        "model_b": "2",
        "prompt": "Why?",
        "reply_a": "So.",
        "reply_b": "No.",
    }
    async with open_dialog(table=table_of([record("p", "t", "better", "a")], {"t": texts})) as dialog:
        assert dialog.options.pair_fields == PairFields("prompt", "reply_a", "reply_b")
        press(dialog, "Cancel")


async def test_existing_files_are_replaced_after_one_question(
    open_dialog: OpenDialog, tmp_path: Path
) -> None:
    folder = tmp_path / "Cats results"
    folder.mkdir()
    (folder / "codebook.csv").write_text("mine")
    (folder / "notes.txt").write_text("mine")
    async with open_dialog() as dialog:
        check(dialog, OutputKind.CODEBOOK, OutputKind.CSV)
        press(dialog, "Save")
        await until(lambda: bool(dialog.message))
        assert dialog.message == "1 of these files exists in the folder: codebook.csv."
        assert (folder / "codebook.csv").read_text() == "mine"
        check(dialog, OutputKind.CODEBOOK)
        assert dialog.accept_button.text() == "Save"
        press(dialog, "Save")
        await until(lambda: dialog.accept_button.text() == "Replace and save")
        press(dialog, "Replace and save")
    assert (folder / "codebook.csv").read_text().startswith("column")
    assert {path.name for path in folder.iterdir()} == {"codebook.csv", "notes.txt"}
    assert (folder / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("code", "sentence"),
    [(errno.ENOSPC, "answers-long.csv: the disk is full"), (errno.EACCES, "answers-long.csv: ")],
)
async def test_an_error_is_shown_in_the_dialog_and_leaves_no_file(
    open_dialog: OpenDialog, code: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> None:
        raise OSError(code, "no", str(path))

    async with open_dialog() as dialog:
        check(dialog, OutputKind.CODEBOOK, OutputKind.CSV)
        monkeypatch.setattr(text_files, "_opened", fail)
        press(dialog, "Save")
        await until(lambda: bool(dialog.message))
        assert "codebook.csv" in dialog.message
        assert ("the disk is full" in dialog.message) == (code == errno.ENOSPC)
        assert not list((tmp_path / "Cats results").iterdir())
        monkeypatch.undo()
        press(dialog, "Save")
    assert len(list((tmp_path / "Cats results").iterdir())) == 5


async def test_cancelling_while_writing_leaves_no_file(
    open_dialog: OpenDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    async with open_dialog() as dialog:
        check(dialog, OutputKind.CSV)
        started, cancelled = asyncio.Event(), Event()
        loop = asyncio.get_running_loop()
        opened = text_files._opened

        def slow(path: Path) -> object:
            loop.call_soon_threadsafe(started.set)
            cancelled.wait()
            return opened(path)

        monkeypatch.setattr(text_files, "_opened", slow)
        press(dialog, "Save")
        await started.wait()
        assert not dialog.accept_button.isEnabled()
        press(dialog, "Cancel")
        cancelled.set()
        await until(lambda: not list((tmp_path / "Cats results").iterdir()))
    assert settings.save_options == ""


async def test_pseudonyms_need_a_key_outside_of_the_folder(
    open_dialog: OpenDialog, tmp_path: Path, files: FakeFileDialogs
) -> None:
    async with open_dialog(Exclusions({"p1": "Too fast"}, {"p0-t0-better": "Misread"})) as dialog:
        check(dialog, OutputKind.CSV)
        dialog._pseudonyms.setChecked(True)
        files.path = tmp_path / "Cats results" / "key.csv"
        press_choose(dialog, "Key of the pseudonyms")
        await until(lambda: dialog.options.key == str(files.path))
        assert not dialog.accept_button.isEnabled()
        files.path = tmp_path / "key.csv"
        press_choose(dialog, "Key of the pseudonyms")
        await until(dialog.accept_button.isEnabled)
        press(dialog, "Save")
    with (tmp_path / "key.csv").open(newline="") as file:
        key = dict(list(csv.reader(file))[1:])
    assert set(key) == {"p0", "p1"}
    with (tmp_path / "Cats results" / "answers-long.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["participant"] for row in rows} == set(key.values())
    assert rows[0]["answer"] == "A0000001"
    assert rows[0]["excluded"] == "Misread"
    assert rows[1]["excluded"] == "Too fast"
    for path in (tmp_path / "Cats results").iterdir():
        assert b"p0" not in path.read_bytes()


def press_choose(dialog: SaveDialog, field: str) -> None:
    """Press the button of a path field."""
    (button,) = (
        button
        for button in dialog.findChildren(QPushButton)
        if button.text() == "Choose…" and button.accessibleDescription() == field
    )
    button.click()


async def test_what_cannot_be_saved_is_disabled_with_a_reason(open_dialog: OpenDialog) -> None:
    async with open_dialog(table=table_of([record("p", "t", "reason", "x")])) as dialog:
        box = next(b for b in dialog.findChildren(QCheckBox) if b.text().startswith("Preference pairs"))
        assert not box.isEnabled()
        assert "compares two sides" in box.toolTip()
        check(dialog)
        assert dialog.accept_button.toolTip() == "Select what to save"
        assert not dialog.accept_button.isEnabled()
        press(dialog, "Cancel")


async def test_the_policy_can_require_pseudonyms_or_propose_them(
    open_dialog: OpenDialog, write_policy: WritePolicy
) -> None:
    path = write_policy("[lock]\npseudonyms = true\n")
    async with open_dialog() as dialog:
        (switch,) = (s for s in dialog.findChildren(Switch) if s.text().startswith("Pseudonyms"))
        assert (switch.isChecked(), switch.isEnabled()) == (True, False)
        assert switch.accessibleDescription() == f"Set by your IT staff in {path}"
        assert dialog.options.has_pseudonyms
        dialog.show_progress("Saving", None)
        dialog.show_error("No.")
        assert not switch.isEnabled()
        press(dialog, "Cancel")
    write_policy("[preset]\npseudonyms = true\n")
    async with open_dialog() as dialog:
        (switch,) = (s for s in dialog.findChildren(Switch) if s.text().startswith("Pseudonyms"))
        assert (switch.isChecked(), switch.isEnabled()) == (True, True)
        press(dialog, "Cancel")


@pytest.mark.parametrize("stored", ["", "{", "[]", '{"kinds": ["doc"]}'])
def test_unusable_stored_options_are_the_usual_ones(stored: str) -> None:
    assert from_stored(stored) == SaveOptions()
    assert from_stored(to_stored(SaveOptions(folder="x"))) == SaveOptions(folder="x")


@pytest.mark.parametrize("participants", [2])
async def test_results_of_the_shown_batch_are_saved_with_its_exclusions(
    stage: ResultsStage, tmp_path: Path, files: FakeFileDialogs
) -> None:
    await stage.analysis.load_settings()
    table = await asyncio.to_thread(stage.state.answers.read_table)
    (first, *_more) = table.participants.values
    stage.analysis.exclude_participants({first: "Test"})
    press(stage, "Save results…")
    window = stage.context.window.window
    await until(lambda: bool(window.findChildren(SaveDialog)), 30)
    (dialog,) = window.findChildren(SaveDialog)
    check(dialog, OutputKind.CSV)
    files.path = tmp_path / "results"
    press_choose(dialog, "Folder")
    await until(lambda: dialog.options.folder == str(files.path))
    press(dialog, "Save")
    await settled(stage.context.window.tasks)
    with (tmp_path / "results" / "answers-long.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["excluded"] for row in rows} == {"", "Test"}
    assert {row["question_text"] for row in rows} == {"Why?", "Which?", "Proof"}
