"""Error positions are found in constant memory, in short steps, and within a limit."""

import os
import re
import subprocess
import sys

import pytest

from batchwright.base.json_texts import json_error_positions
from batchwright.base.json_texts.json_error_positions import (
    UNKNOWN_POSITION,
    position_of_bad_token,
    position_of_duplicate_key,
    position_of_level,
)
from batchwright.base.json_values import InvalidJson, parse

MB = 1024 * 1024

LARGE = {
    "a long string": "'x' * {size}",
    "escapes": "chr(92) * 2 * ({size} // 2)",
}

READ = """
import resource
from batchwright.base.json_values import InvalidJson, parse
text = '["' + {content} + '", NaN]'
resource.setrlimit(resource.RLIMIT_AS, ({most}, {most}))
try:
    parse(text)
except InvalidJson as error:
    print(error)
"""


@pytest.mark.skipif(os.name == "nt", reason="memory is not limited there")
@pytest.mark.parametrize("content", LARGE.values(), ids=LARGE)
def test_an_error_after_a_long_string_is_located_in_constant_memory(content: str) -> None:
    size = 10 * MB
    script = READ.format(content=content.format(size=size), most=400 * MB)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == f"NaN is not a JSON number (line 1, column {size + 6})\n", done.stderr


@pytest.mark.parametrize("pattern", ["_STRING_PART", "_READABLE"])
@pytest.mark.parametrize("text", ["a", "\\\\", " ", "[]", '"a"', "1 ", "1e5 "])
def test_every_search_step_is_short(pattern: str, text: str) -> None:
    compiled: re.Pattern[str] = getattr(json_error_positions, pattern)
    actual = compiled.match(text * (8 * MB))
    assert actual is None or actual.end() <= 2 * MB


@pytest.mark.parametrize(
    "readable", ['"a\\"b"', '"' + "x" * 10_000 + '"', "0.5", "1e5", "true", "[{}]", '"NaN"']
)
def test_valid_content_before_an_error_does_not_change_its_position(readable: str) -> None:
    before = f"[{readable}, " * 90
    with pytest.raises(InvalidJson) as refused:
        parse(f"{before}NaN{']' * 90}")
    assert (refused.value.line, refused.value.column) == (1, len(before) + 1)


def test_an_error_beyond_the_limit_is_not_located(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_error_positions, "MAX_SEARCHED_CHARS", 100)
    blanks = " " * 200
    assert position_of_bad_token(f"[{blanks}NaN]", lambda _word: False) == UNKNOWN_POSITION
    assert position_of_level(f"[{blanks}[[]]]", 2) == UNKNOWN_POSITION
    assert position_of_duplicate_key(f'{{"a": 1,{blanks}"a": 2}}', "a") == UNKNOWN_POSITION
    with pytest.raises(InvalidJson) as refused:
        parse(f"[{blanks}NaN]")
    assert str(refused.value) == "NaN is not a JSON number"
