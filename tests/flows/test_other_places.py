"""A study file on another computer, which has a data folder of its own: the study is sent there as well."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from tests.flows.browser import browser
from tests.flows.user_actions import User, run_program, until

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

CSV = "question\nWhat is a cat?\nWhy is the sky blue?\n"
ELSEWHERE = "This study was sent from another computer or data folder."
CTRL = Qt.KeyboardModifier.ControlModifier


def sent_ids(study: Path) -> dict[str, list[str]]:
    """The ids of datasets, batches and collections in a study file."""
    remotes: list[dict[str, Any]] = list(json.loads(study.read_bytes())["remotes"].values())
    kinds = ("dataset_id", "batch_id", "collection_id")
    return {kind: sorted(remote[kind] for remote in remotes if remote[kind]) for kind in kinds}


def content(study: Path) -> bytes:
    """The content of a study file; empty if it was not saved yet."""
    return study.read_bytes() if study.exists() else b""


async def save(user: User, study: Path) -> None:
    before = content(study)
    await user.press(Qt.Key.Key_S, CTRL)
    if not before:
        await user.choose_file(study)
    await until(lambda: content(study) != before, "the saved study")


async def create_at_the_office(profile: Path, table: Path, study: Path) -> None:
    async with run_program(profile) as user:
        await user.click("Open a data file")
        await user.choose_file(table)
        await user.click("Upload 2 records")
        await user.click("Undo")
        await user.click("Lay out the pages")
        await user.click("question")
        await user.click("Free text")
        await user.write("What do you think of it?", "Question")
        await user.click("Continue to Run")
        await user.click("Create batch")
        await user.click("Create 2 tasks")
        await user.click("Open as participant")
        await save(user, study)


async def create_at_home(profile: Path, study: Path) -> None:
    async with run_program(profile, study) as user:
        await user.wait_for("All fields match the schema")
        await user.click("Results")
        await user.wait_for(ELSEWHERE, "Its answers are there, not here.")
        await user.click("Run")
        await user.wait_for(ELSEWHERE, "Next: upload its data here.")
        await user.click("Data")
        await user.wait_for(ELSEWHERE, "Next: upload its 2 records here.")
        await user.click("Upload here")
        await user.wait_for("2 records are in the dataset on this computer")
        await user.click("Run")
        await user.wait_for(ELSEWHERE, "Next: create its batch here.")
        await user.click("Create here")
        await user.click("Create 2 tasks")
        await user.wait_for("2 tasks in 2 groups are ready")
        await save(user, study)


async def test_a_study_is_sent_from_two_computers_and_keeps_the_ids_of_both(tmp_path: Path) -> None:
    table, study = tmp_path / "cats.csv", tmp_path / "cats.batchwright"
    table.write_text(CSV, encoding="utf-8")
    with browser():
        await create_at_the_office(tmp_path / "office", table, study)
        first = sent_ids(study)
        await create_at_home(tmp_path / "home", study)
        both = sent_ids(study)
        assert {kind: len(ids) for kind, ids in both.items()} == {
            "dataset_id": 2,
            "batch_id": 2,
            "collection_id": 0,
        }
        assert set(first["batch_id"]) < set(both["batch_id"])
        async with run_program(tmp_path / "office", study) as user:
            await user.wait_for("All fields match the schema")
            await user.click("Data")
            await user.wait_for("2 records are in the dataset on this computer")
            await user.click("Run")
            await user.wait_for("2 tasks in 2 groups are ready")
            await user.wait_for("Saved")
        assert sent_ids(study) == both
