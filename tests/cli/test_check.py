"""`batchwright check` and `check-data`: text for users, JSON for programs, and the exit code."""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from batchwright.__main__ import main
from batchwright.base.limits import MAX_ITEMS
from batchwright.service.process import ServiceAddress
from tests.service.api_helpers import Researcher

SCHEMA = {"strict": True, "fields": {"prompt": {"type": "text"}, "topic": {"type": "metadata"}}}
GOOD = [{"rows": [{"columns": [{"items": [{"type": "free_text", "description": "Why?"}]}]}]}]


def page(*items: dict[str, Any]) -> dict[str, Any]:
    return {"rows": [{"columns": [{"items": list(items)}]}]}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    return tmp_path


def check(folder: Path, layout: Any, *options: str) -> int:
    (folder / "layout.json").write_text(json.dumps(layout), encoding="utf-8")
    return main(["check", str(folder / "layout.json"), *options])


def test_a_valid_layout_exits_with_zero_and_prints_nothing_on_standard_output(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(files, GOOD) == 0
    assert capsys.readouterr().out == ""


def test_a_problem_is_printed_as_a_line_with_code_path_and_message(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    invalid = {"type": "multiple_choice", "description": "Which?", "answer_limit": 3}
    invalid["options"] = [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}]
    assert check(files, [*GOOD, page(GOOD[0]["rows"][0]["columns"][0]["items"][0], invalid)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("LY")
    assert " page 2, row 1, column 1, item 2: " in line


def test_json_output_has_zero_based_indices_and_null_for_levels_that_do_not_apply(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(files, [{"rows": [{"columns": []}]}], "--json") == 1
    problems = json.loads(capsys.readouterr().out)
    (problem,) = [problem for problem in problems if problem["severity"] == "error"]
    assert set(problem) == {"code", "severity", "page", "row", "column", "item", "message"}
    assert (problem["page"], problem["row"], problem["column"], problem["item"]) == (0, 0, None, None)


def test_references_are_checked_only_with_a_schema(files: Path) -> None:
    layout = [
        page({"type": "dataset_field", "field": "nowhere"}, {"type": "free_text", "description": "Why?"})
    ]
    assert check(files, layout) == 0
    assert check(files, layout, "--schema", str(files / "schema.json")) == 1


def test_hints_alone_exit_with_zero(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(files, [page({"type": "rich_text", "content": "Hello"})]) == 0
    assert "page 1" in capsys.readouterr().out


def test_a_layout_within_an_object_is_checked(files: Path) -> None:
    assert check(files, {"name": "A batch", "batch_items": GOOD}) == 0


@pytest.mark.parametrize("value", [{}, 5, "text", None, []])
def test_a_value_that_is_not_a_layout_is_reported_as_a_problem(files: Path, value: Any) -> None:
    assert check(files, value) == 1


@pytest.mark.parametrize("content", [b"", b"[1,", b"\xff\xfe\x00", b"[NaN]", b"[" * 100_000])
def test_invalid_json_cannot_be_checked(
    files: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "layout.json").write_bytes(content)
    assert main(["check", str(files / "layout.json")]) == 2
    assert "layout.json" in capsys.readouterr().err


def test_a_missing_file_cannot_be_checked(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(files / "nowhere.json")]) == 2
    assert "nowhere.json" in capsys.readouterr().err


def check_data(folder: Path, name: str, content: str, *options: str) -> int:
    (folder / name).write_text(content, encoding="utf-8")
    return main(["check-data", str(folder / name), "--schema", str(folder / "schema.json"), *options])


def test_every_rejected_record_is_printed_as_a_line(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_data(files, "data.csv", 'prompt,topic\n"one\nline",a\n,b\nthree,c\n') == 1
    captured = capsys.readouterr()
    (line,) = captured.out.splitlines()
    assert line.startswith("line 4, prompt: ")
    assert "3 records: 2 accepted, 1 rejected." in captured.err


def test_json_output_has_counts_and_zero_based_record_indices(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = '{"prompt": "a", "topic": 1}\n\nnonsense\n'
    assert check_data(files, "data.jsonl", lines, "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["records"], report["accepted"], report["rejected"]) == (2, 1, 1)
    (error,) = report["errors"]
    assert (error["line"], error["record_index"], error["field"]) == (3, 1, "_raw")


def test_like_errors_are_listed_up_to_a_thousand_and_counted(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_data(files, "data.jsonl", "x\n" * 1500 + '{"prompt": "a"}\n') == 1
    captured = capsys.readouterr()
    *_first, thousandth, further, other = captured.out.splitlines()
    assert thousandth.startswith("line 1000, _raw: ")
    assert other.startswith("500 more records like those above, _raw: ")
    assert further.startswith("line 1501, topic: ")
    assert "1501 records: 0 accepted, 1501 rejected." in captured.err
    assert (
        main(["check-data", str(files / "data.jsonl"), "--schema", str(files / "schema.json"), "--json"]) == 1
    )
    report = json.loads(capsys.readouterr().out)
    assert len(report["errors"]) == 1001
    assert [(kind["count"], kind["field"]) for kind in report["further_errors"]] == [(500, "_raw")]


def test_like_problems_of_a_layout_are_listed_up_to_a_thousand_and_counted(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(files, [1] * 1500) == 1
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1001
    assert captured.out.endswith("LY03: 500 more problems like those above.\n")
    assert "Errors: 1500." in captured.err
    assert check(files, [1] * 1500, "--json") == 1
    *_listed, further = json.loads(capsys.readouterr().out)
    assert [further[key] for key in ("code", "severity", "page", "further")] == ["LY03", "error", None, 500]


def test_pages_that_no_collection_can_have_are_not_checked(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(files, {"name": "Survey", "collection_items": [1] * (3 * MAX_ITEMS)}) == 1
    assert f"Errors: {MAX_ITEMS + 1}." in capsys.readouterr().err


def test_valid_data_exits_with_zero(files: Path) -> None:
    assert check_data(files, "data.csv", "prompt,topic\none,a\n") == 0


def test_an_empty_file_cannot_be_checked(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_data(files, "data.csv", "") == 2
    assert "empty" in capsys.readouterr().err


def test_columns_with_invalid_names_are_listed(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_data(files, "data.csv", "prompt,note,topic,note,\none,x,a,y,z\n") == 0
    output = capsys.readouterr().err
    assert "Not read: “note”. Columns 2 and 4 have this name." in output
    assert "Not read: column 5. The column has no name." in output


def test_a_very_long_column_name_is_cut(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_data(files, "data.csv", f"prompt,topic,{'x' * 100_000}\none,a,b\n") == 0
    assert len(capsys.readouterr().err) < 1_000


def test_missing_data_cannot_be_checked(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-data", str(files / "nowhere.csv"), "--schema", str(files / "schema.json")]) == 2
    assert "nowhere.csv" in capsys.readouterr().err


def test_characters_that_a_console_cannot_show_are_escaped(files: Path) -> None:
    (files / "odd.jsonl").write_text('{"topic": 1}\n', encoding="utf-8")
    (files / "odd.json").write_text('{"strict": true, "fields": {"日": {"type": "text"}}}', encoding="utf-8")
    command = [sys.executable, "-m", "batchwright", "check-data", str(files / "odd.jsonl")]
    ended = subprocess.run(
        [*command, "--schema", str(files / "odd.json")],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
    )
    assert (ended.returncode, b"Traceback" in ended.stderr) == (1, False)
    assert b"line 1, \\u65e5: " in ended.stdout


def test_a_closed_output_pipe_is_not_an_error(files: Path) -> None:
    many = [page({"type": "image"})] * 5000
    (files / "layout.json").write_text(json.dumps(many), encoding="utf-8")
    command = [sys.executable, "-m", "batchwright", "check", str(files / "layout.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
@pytest.mark.parametrize("command", ["check", "check-data"])
def test_an_input_pipe_is_rejected_without_waiting(
    files: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(files / "pipe.csv")
    assert main([command, str(files / "pipe.csv"), "--schema", str(files / "schema.json")]) == 2
    assert "pipe.csv" in capsys.readouterr().err
    (files / "data.csv").write_text("prompt\none\n", encoding="utf-8")
    assert main(["check-data", str(files / "data.csv"), "--schema", str(files / "pipe.csv")]) == 2


def test_an_excessively_large_layout_is_not_read(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (files / "layout.json").open("wb") as file:
        file.truncate(1024**3)
    assert main(["check", str(files / "layout.json")]) == 2
    assert "larger than 64 MiB" in capsys.readouterr().err


def test_a_table_with_a_million_columns_is_rejected(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_data(files, "data.csv", ",".join(f"c{n}" for n in range(20_000)) + "\n") == 2
    assert "20000 columns" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["data.csv", "data.jsonl"])
def test_endless_blank_lines_are_not_read(files: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = "prompt\n" if name.endswith("csv") else '{"prompt": "a"}\n'
    assert check_data(files, name, line + "\n" * 1_200_000) == 2
    assert "blank" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["survey.json", "survey.yaml"])
def test_a_collection_is_checked_by_the_rules_for_collections(
    files: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    items: list[dict[str, Any]] = [
        {"type": "rich_text", "content": "Hello"},
        {"type": "dataset_field", "field": "prompt"},
    ]
    collection = json.dumps({"name": "Survey", "collection_items": [{"page_items": items}]})
    (files / name).write_text(collection, encoding="utf-8")
    if name.endswith(".yaml"):
        (files / name).write_text(yaml.safe_dump(json.loads(collection)), encoding="utf-8")
    assert main(["check", str(files / name)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("LY45 page 1, item 2: ")
    assert main(["check", str(files / name), "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)
    assert [problem[level] for level in ("page", "row", "column", "item")] == [0, None, None, 1]
    assert main(["check", str(files / name), "--schema", str(files / "schema.json")]) == 2


@pytest.mark.parametrize("dataset", ["none", "v3", "v4-without-schema"])
def test_without_a_schema_every_reference_is_rejected_as_by_the_service(
    files: Path, capsys: pytest.CaptureFixture[str], dataset: str, running: ServiceAddress
) -> None:
    layout = [
        page({"type": "dataset_field", "field": "prompt"}, {"type": "free_text", "description": "Why?"})
    ]
    assert check(files, layout, "--dataset", dataset) == 1
    (line,) = capsys.readouterr().out.splitlines()
    with closing(Researcher(running)) as researcher:
        ids = {
            "none": None,
            "v3": researcher.request(
                "POST", "/datasets", {"name": "D", "workspace_id": researcher.workspace}
            )["id"],
            "v4-without-schema": researcher.dataset(None)["id"],
        }
        rejected = researcher.batch(422, batch_items=layout, dataset_id=ids[dataset])
    assert line.endswith(rejected["issues"][0]["message"])


def test_a_schema_and_another_kind_of_dataset_exclude_each_other(files: Path) -> None:
    with pytest.raises(SystemExit):
        check(files, GOOD, "--schema", str(files / "schema.json"), "--dataset", "v3")


def test_ids_are_errors_in_a_new_layout(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    layout = [{**GOOD[0], "id": "11111111-1111-4111-8111-111111111111"}]
    assert check(files, layout) == 0
    capsys.readouterr()
    assert check(files, layout, "--new") == 1
    assert " page 1: " in capsys.readouterr().out


QUESTION = {"type": "free_text", "description": "Why?"}
OTHER = {"type": "free_text", "description": "How?"}
ID = "11111111-1111-4111-8111-111111111111"


def collection(folder: Path, pages: Any, name: str, *options: str) -> int:
    text = {"name": "Survey", "collection_items": pages}
    written = yaml.safe_dump(text) if name.endswith(".yaml") else json.dumps(text)
    (folder / name).write_text(written, encoding="utf-8")
    return main(["check", str(folder / name), *options])


@pytest.mark.parametrize("name", ["survey.json", "survey.yaml"])
@pytest.mark.parametrize(
    ("pages", "place"),
    [
        ([{"page_items": [{**QUESTION, "order": 0}, OTHER]}], "CO01 page 1, item 2: An instruction"),
        ([{"page_items": [{**QUESTION, "order": "0"}]}], "CO01 page 1, item 1: “order” must be a whole"),
        ([{"page_items": [{**QUESTION, "order": 0}], "order": "first"}], "CO01 page 1: “order” must be a"),
    ],
)
def test_missing_or_textual_order_in_a_collection_is_an_error(
    files: Path, capsys: pytest.CaptureFixture[str], name: str, pages: Any, place: str
) -> None:
    assert collection(files, pages, name) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(place)


def test_ids_in_a_collection_are_a_hint_and_in_a_new_one_an_error(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [{"id": ID, "page_items": [{**QUESTION, "order": 0, "id": ID.replace("1", "2")}]}]
    assert collection(files, pages, "survey.json") == 0
    assert "2 pages and items have ids" in capsys.readouterr().out
    assert collection(files, pages, "survey.json", "--new") == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in lines] == ["CO02 page 1", "CO02 page 1, item 1"]


@pytest.mark.parametrize(("page", "message"), [({"rows": []}, "“page_items”"), ("text", "“page_items”")])
def test_a_page_of_a_collection_lacks_items_not_rows(
    files: Path, capsys: pytest.CaptureFixture[str], page: Any, message: str
) -> None:
    assert collection(files, [page], "survey.json") == 1
    output = capsys.readouterr().out
    assert message in output
    assert "rows" not in output


def test_the_translations_of_a_study_are_checked_with_the_same_rules(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    item = {"type": "multiple_choice", "description": "Which?", "answer_limit": 1}
    item["options"] = [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}]
    entries = [
        {"key": "q", "attribute": "options", "value": json.dumps(value), "inner": "label", **texts}
        for value, texts in (("a", {"source": "A", "text": "Ja"}), ("b", {"source": "No", "text": "Ja"}))
    ]
    study = {
        "batchwright": 1,
        "name": "Cats",
        "batch_items": [page(item)],
        "keys": ["p", "r", "c", "q"],
        "translations": {"de": entries, "fr": []},
    }
    path = files / "cats.batchwright"
    path.write_text(json.dumps(study), encoding="utf-8")
    code = main(["check", str(path)])
    out, err = capsys.readouterr()
    (line,) = out.splitlines()
    assert line.startswith("de: LY52 ")
    assert "Ja" in line
    assert (code, "de: Errors: 0. Hints: 1." in err) == (0, True)
    assert "Without a translation: 2. Translated from another text: 1." in err
    assert "fr: No problems. Without a translation: 4." in err
    main(["check", str(path), "--json"])
    assert [problem["language"] for problem in json.loads(capsys.readouterr().out)] == ["de"]
