"""Long tables of outputs, and steps that compare them."""

from pathlib import Path

import pytest

from batchwright.base.json_values import JsonObject

PAIRS: JsonObject = {"step": "pairs", "prompt": "prompt", "system": "system", "outputs": ["output"]}
SIDES: JsonObject = {"step": "sides"}


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    """The outputs of three systems for four prompts, one in each row."""
    path = tmp_path / "outputs.csv"
    rows = [f"Question {prompt}?,{system},{system} on {prompt}" for prompt in range(4) for system in "ABC"]
    path.write_text("\n".join(["prompt,system,output", *rows]) + "\n", encoding="utf-8")
    return path
