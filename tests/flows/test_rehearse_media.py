"""Rehearsals with folders of media: participants see files that are on this computer only."""

import csv
import json
import re
import shutil
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest

from batchwright.base.json_values import Json
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.sources.source import SourceOptions
from batchwright.layout.serialization import random_keys, read
from batchwright.local.projects import DataFile, Project
from batchwright.local.study_files.study_archive import write_archive
from batchwright.schema.parsing import read_schema
from tests.data_files.sources.test_media_folder import PICTURE, add
from tests.flows.browser import browser, page_after_start
from tests.flows.program import run
from tests.flows.user_actions import run_program, until

pytestmark = pytest.mark.whole_program

FIELD = {"type": "dataset_field", "field": "picture"}
QUESTION = {"type": "free_text", "description": "What is it?"}
LAYOUT = [{"rows": [{"columns": [{"items": [FIELD, QUESTION]}]}]}]
SCHEMA: Json = {
    "strict": False,
    "fields": {"picture": {"type": "image_url"}, "file_name": {"type": "metadata"}},
}


@pytest.mark.gui
async def test_the_pictures_of_a_folder_are_on_the_participant_page(tmp_path: Path) -> None:
    folder = add(tmp_path / "cats", "a cat.png", "b cat.png")
    with browser() as opened:
        async with run_program(tmp_path / "profile", folder) as user:
            await user.click("Upload 2 records")
            await user.click("Continue to Run")
            await user.click("Create batch")
            await user.click("Create 2 tasks")
            await user.click("Open as participant")
            await until(lambda: bool(opened.opened), "the browser")
            content = await picture_on_first_page(opened.opened[0])
    assert content == PICTURE


@pytest.mark.gui
async def test_a_study_with_its_pictures_is_rehearsed_on_another_computer(tmp_path: Path) -> None:
    options = SourceOptions(medium="picture")
    folder = add(tmp_path / "cats", "a cat.png")
    data = DataFile(folder, 0, Format(FormatKind.JSONL), conversion=Conversion(options))
    layout, schema = read(LAYOUT, random_keys()), read_schema(SCHEMA)
    file = tmp_path / "study.batchwright"
    write_archive(Project("Cats", layout, schema=schema, data=data), file)
    shutil.rmtree(folder)
    with browser() as opened:
        async with run_program(tmp_path / "other" / "profile", file) as user:
            await user.click("Data")
            await user.click("Upload 1 record")
            await user.click("Continue to Run")
            await user.click("Create batch")
            await user.click("Create 1 task")
            await user.click("Open as participant")
            await until(lambda: bool(opened.opened), "the browser")
            content = await picture_on_first_page(opened.opened[0])
    assert content == PICTURE


async def picture_on_first_page(link: str) -> bytes:
    """The picture on the page that follows the start page."""
    page = await page_after_start(link)
    address = re.search(r'<img[^>]* src="([^"]*%20cat\.png)"', page)
    assert address is not None
    async with httpx.AsyncClient() as http:
        return (await http.get(urljoin(link, address[1]))).content


def test_the_report_of_a_rehearsal_has_the_names_of_the_files(tmp_path: Path) -> None:
    add(tmp_path / "cats", "a.png", "b/ä.png")
    add(tmp_path / "more", "c.png")
    (tmp_path / "layout.json").write_text(json.dumps(LAYOUT))
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    files = ["--layout", "layout.json", "--schema", "schema.json", "--data", "cats", "--append", "more"]
    run("rehearse", *files, "--out", "out", home=tmp_path / "home", folder=tmp_path)
    with (tmp_path / "out" / "report.csv").open(encoding="utf-8", newline="") as report:
        rows = sorted((row["file_name"], row["picture"].rpartition("/")[2]) for row in csv.DictReader(report))
    assert rows == [("a.png", "a.png"), ("b/ä.png", "%C3%A4.png"), ("c.png", "c.png")]


def test_a_hosted_service_needs_the_address_of_the_files(tmp_path: Path) -> None:
    add(tmp_path / "cats", "a.png")
    (tmp_path / "layout.json").write_text(json.dumps(LAYOUT))
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    (tmp_path / "token").write_text("t")
    files = ["--layout", "layout.json", "--schema", "schema.json", "--data", "cats", "--out", "out"]
    hosted = ["--url", "https://localhost:9", "--workspace", "w", "--token-file", "token"]
    run("rehearse", *files, *hosted, home=tmp_path / "home", folder=tmp_path, code=2)
