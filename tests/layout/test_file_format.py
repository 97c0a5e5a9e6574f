import codecs
import json
from pathlib import Path

import pytest

from batchwright.base.json_values import json_equal, parse
from batchwright.layout.file_format import InvalidLayoutFile, LayoutFile, file_content, read_file
from batchwright.layout.model import Layout
from batchwright.layout.serialization import sequential_keys

PAGE = '{"id": "p", "rows": [{"columns": [{"items": [{"type": "free_text", "description": "Größe 📏"}]}]}]}'


def opened(text: str) -> LayoutFile:
    return read_file(text.encode(), sequential_keys())


def test_a_file_contains_an_array_of_pages_or_an_object_with_one() -> None:
    assert opened(f"[{PAGE}]").layout == opened(f'{{"batch_items": [{PAGE}]}}').layout
    assert opened("[]") == LayoutFile(Layout())


@pytest.mark.parametrize(
    "text",
    [
        f"[{PAGE}]",
        f'{{"name": "Study", "batch_items": [{PAGE}], "task_details": {{"n": 1.0}}, "new": true}}',
        '[{"rows": [], "n": [1, 1.0, true, 1e5, -0.0, 12345678901234567890, null, "\\ud800"]}]',
        '[1, 1.0, true, "page", null, [], {"rows": 5}, {"rows": [{"columns": [{"items": [[]]}]}]}]',
    ],
)
def test_writing_a_file_back_returns_the_same_json(text: str) -> None:
    written = file_content(opened(text))
    assert json_equal(parse(written), parse(text))
    assert written == file_content(read_file(written, sequential_keys()))


def test_the_order_of_keys_around_a_layout_is_preserved() -> None:
    written = file_content(opened('{"z": 1, "batch_items": [], "a": 2}'))
    assert list(json.loads(written)) == ["z", "batch_items", "a"]


def test_a_file_is_written_for_people_and_version_control() -> None:
    written = file_content(opened(f"[{PAGE}]")).decode()
    assert "Größe 📏" in written
    assert written.endswith("]\n")
    assert '\n    "rows": [\n' in written


def test_a_byte_order_mark_is_accepted() -> None:
    content = codecs.BOM_UTF8 + f"[{PAGE}]".encode()
    assert read_file(content, sequential_keys()) == opened(f"[{PAGE}]")


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ('[\n  {"rows": [}\n]', 2, 13, "The file is not valid JSON: a value is missing."),
        ("", 1, 1, "a value is missing"),
        ('\n  "layout"', 2, 3, "array of pages"),
        ("\ufeff 5", 1, 2, "array of pages"),
        ('{"pages": []}', 1, 1, "has no `batch_items`"),
        ('\n{"batch_items": null}', 2, 1, "null"),
        ('{"batch_items": {}}', 1, 1, "must be an array"),
        ("[1,\n NaN]", 2, 2, "NaN"),
    ],
)
def test_a_file_without_a_layout_is_rejected_with_the_position(
    text: str, line: int | None, column: int | None, message: str
) -> None:
    with pytest.raises(InvalidLayoutFile, match=message) as refused:
        opened(text)
    assert (refused.value.line, refused.value.column) == (line, column)


def test_invalid_utf_8_is_rejected_with_the_position() -> None:
    with pytest.raises(InvalidLayoutFile, match="UTF-8") as refused:
        read_file('[1,\n"é"]'.encode("latin-1"), sequential_keys())
    assert (refused.value.line, refused.value.column) == (2, 2)


def test_the_layouts_of_the_sample_exchanges_are_written_unchanged() -> None:
    folder = Path(__file__).parents[3] / "shared" / "wire-examples"
    if not folder.is_dir():
        pytest.skip("the sample exchanges are not beside the repository")
    layouts = [
        body["batch_items"]
        for file in sorted(folder.glob("*.json"))
        for exchange in json.loads(file.read_text(encoding="utf-8"))["exchanges"]
        for body in (exchange.get("request"), exchange.get("response"))
        if isinstance(body, dict) and isinstance(body.get("batch_items"), list)
    ]
    assert len(layouts) >= 3
    for pages in layouts:
        content = json.dumps(pages).encode()
        assert json_equal(parse(file_content(read_file(content, sequential_keys()))), pages)
