"""The commands that the help names are understood, and those of the page for labs do what it says."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from batchwright.__main__ import main
from batchwright.base.resources import resource
from batchwright.cli.arguments.command_line import command_line
from batchwright.help.pages import help_folder

_BLOCK = re.compile(r"^```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PROGRAM = "batchwright-cli"
SURVEY = """
name: Survey
collection_items:
  - order: 0
    page_items:
      - order: 0
        type: free_text
        description: What do you think?
"""


def commands_of(page: Path) -> list[list[str]]:
    """The commands of this program in the code blocks of a page, without its name."""
    blocks = _BLOCK.findall(page.read_text(encoding="utf-8"))
    words = (shlex.split(line) for block in blocks for line in block.splitlines())
    return [arguments for program, *arguments in words if program == _PROGRAM]


@pytest.mark.parametrize("page", sorted(help_folder().glob("*.md")), ids=lambda page: page.stem)
def test_every_command_has_the_options_that_it_is_given(page: Path) -> None:
    for arguments in commands_of(page):
        command_line().parse_args(arguments)


def test_the_commands_for_labs_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in resource("samples", "preference").iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    (tmp_path / "survey.yaml").write_text(SURVEY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands = commands_of(help_folder() / "lab-staff.md")
    assert len(commands) > 4
    for arguments in commands:
        assert main(arguments) == 0, arguments
    assert (tmp_path / "report").is_dir()
    assert (tmp_path / "pseudonyms.csv").is_file()
