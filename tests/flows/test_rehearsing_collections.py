"""`rehearse --collection`: from a file to verified results, on a service that the command starts itself."""

import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest
import yaml

from tests.flows.program import ROOT, run

pytestmark = pytest.mark.whole_program

SURVEY = ROOT / "resources" / "templates" / "survey" / "collection.json"


@pytest.mark.parametrize("name", ["survey.json", "survey.yaml"])
def test_a_collection_is_answered_and_exported(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    content = SURVEY.read_text(encoding="utf-8")
    path.write_text(
        content if name.endswith(".json") else yaml.safe_dump(json.loads(content)), encoding="utf-8"
    )
    output = run(
        "rehearse", "--collection", path, "--participants", 3, "--seed", 5, "--random-share", 0,
        "--language", "ar", "--out", "out", home=tmp_path / "home", folder=tmp_path,
    )  # fmt: skip
    assert "FAILED" not in output
    summary = json.loads((tmp_path / "out" / "summary.json").read_bytes())
    assert (summary["pages"], summary["participants"]) == (4, 3)
    assert summary["behaviour"]["random_share"] == 0
    responses = json.loads((tmp_path / "out" / "responses.json").read_bytes())
    assert len(responses) == summary["responses"] == 3 * 5
    assert len({entry["participant_id"] for entry in responses}) == 3
    choices = Counter(
        json.dumps(entry["response"]["answer"])
        for entry in responses
        if entry["response"]["type"] == "multiple_choice"
    )
    assert choices
    assert set(choices.values()) == {3}
    with zipfile.ZipFile(tmp_path / "out" / "export.zip") as archive:
        assert archive.testzip() is None


def test_a_collection_with_problems_is_not_sent(tmp_path: Path) -> None:
    collection = {"collection_items": [{"page_items": [{"type": "dataset_field", "field": "a"}]}]}
    (tmp_path / "survey.json").write_text(json.dumps(collection), encoding="utf-8")
    output = run("rehearse", "--collection", "survey.json", home=tmp_path, folder=tmp_path, code=1)
    assert output.startswith("LY45 page 1")
    assert not (tmp_path / "rehearsal").exists()


@pytest.mark.parametrize(
    "options",
    [["--collection", SURVEY, "--append", SURVEY], ["--layout", SURVEY], ["--collection", "none.json"]],
)
def test_options_that_do_not_fit_are_named(tmp_path: Path, options: list[object]) -> None:
    assert run("rehearse", *options, home=tmp_path, folder=tmp_path, code=2) == ""
