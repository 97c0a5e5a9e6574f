"""What the page for IT staff says about policies is what the program reads."""

from pathlib import Path

from batchwright.base.policy import POLICY_KEYS, read_policy
from tests.packaging.scripts import FOLDER

PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")


def test_the_table_lists_all_keys() -> None:
    rows = [f"| `{key.name}` | {key.title} | {key.kind} |" for key in POLICY_KEYS]
    head = "| key | what | its value must be |\n|---|---|---|\n"
    assert head + "\n".join(rows) + "\n\n" in PAGE


def test_the_example_is_a_policy(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(PAGE.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    found = read_policy(path)
    assert found is not None
    assert found.problem == ""
    assert (len(found.presets), len(found.locks)) == (2, 6)
