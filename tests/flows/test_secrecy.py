"""The token is in no output and no file of the program, neither in full nor in part."""

import subprocess
from pathlib import Path

import pytest

from tests.flows.program import PROGRAM, SAMPLE, environment, serving, study
from tests.secrecy import files_below, fragments, texts_with_secret

pytestmark = pytest.mark.whole_program


@pytest.mark.parametrize("is_right", [True, False])
def test_a_rehearsal_prints_and_writes_no_part_of_the_token(tmp_path: Path, *, is_right: bool) -> None:
    here = tmp_path / "here"
    with serving(tmp_path / "service") as service:
        token_file = Path(service["token_file"])
        token = token_file.read_text(encoding="utf-8").strip()
        if not is_right:
            token_file, token = tmp_path / "token", token[::-1]
            token_file.write_text(token, encoding="utf-8")
        at = ["--url", service["url"], "--workspace", service["workspace_id"], "--token-file", token_file]
        ended = subprocess.run(
            [*PROGRAM, "rehearse", *study(SAMPLE / "records.csv"), *map(str, at), "--out", str(here / "out")],
            env={**environment(here / "home"), "PYTHONASYNCIODEBUG": "1"},
            capture_output=True,
            timeout=110,
        )
    assert (ended.returncode == 0) is is_right, ended.stderr
    written = files_below(here)
    assert written or not is_right
    assert (
        texts_with_secret(fragments(token), {**written, "output": ended.stdout, "errors": ended.stderr}) == []
    )
