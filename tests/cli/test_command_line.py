"""The command line: usage errors, versions, and the imports of each command."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from batchwright.__main__ import main
from batchwright.api.http.retry import RetryPolicy
from batchwright.base import i18n
from batchwright.cli.arguments.command_line import COMMANDS, command_line, names_files
from batchwright.workflows.rehearsal.simulate import Behaviour
from tests.flows.program import ROOT, SAMPLE
from tests.policies import WritePolicy

REHEARSE = ["rehearse", "--layout", "l", "--schema", "s", "--data", "d"]


@pytest.mark.parametrize(
    ("option", "output"),
    [
        (["serve", "--port", "99999"], "from 0 to 65535"),
        (["serve", "--port", "x"], "from 0 to 65535"),
        (["serve", "--job-delay", "nan"], "number of seconds"),
        (["serve", "--job-delay", "-1"], "number of seconds"),
        ([*REHEARSE, "--participants", "-1"], "from 0 to"),
        ([*REHEARSE, "--participants", "many"], "whole number"),
        ([*REHEARSE, "--tasks-per-group", "0"], "from 1 to"),
        ([*REHEARSE, "--annotators-per-task", str(10**20)], "from 1 to"),
        ([*REHEARSE, "--random-share", "1.5"], "from 0 to 1"),
        ([*REHEARSE, "--first-option-share", "20%"], "from 0 to 1"),
        ([*REHEARSE, "--seconds-per-page", "nan"], "from 0 to 600"),
        ([*REHEARSE, "--seed", str(2**63)], "from -9223372036854775808 to 9223372036854775807"),
    ],
)
def test_an_invalid_number_is_rejected_with_a_message(
    option: list[str], output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(option)
    assert ended.value.code == 2
    assert output in capsys.readouterr().err


def test_rehearsals_on_the_command_line_and_in_the_window_have_the_same_default_behaviour() -> None:
    options = command_line().parse_args(REHEARSE)
    behaviour = Behaviour(options.random_share, options.first_option_share, options.seconds_per_page)
    assert behaviour == Behaviour()


def test_a_key_without_its_certificate_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--data-dir", str(tmp_path / "data"), "--tls-key", "key.pem"]) == 2
    assert "--tls-cert" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("arguments", [["fly"], ["rehearse"], ["check"], ["serve", "--port", "x"]])
def test_a_usage_error_exits_with_two(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


def test_the_version_matches_project_and_changelog(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert capsys.readouterr().out.split() == ["batchwright", version]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert changelog.partition("## [")[2].startswith(version)


@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["check", str(SAMPLE / "layout.json"), "--schema", str(SAMPLE / "schema.json")]],
)
def test_version_and_check_import_neither_qt_nor_the_network(arguments: list[str]) -> None:
    script = (
        "import sys\n"
        "from batchwright.__main__ import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "libraries = {'PySide6', 'qasync', 'httpx', 'starlette', 'uvicorn', 'keyring', 'numpy', 'duckdb'}\n"
        "heavy = libraries & sys.modules.keys()\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_a_rehearsal_of_an_invalid_layout_starts_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = tmp_path / "layout.json"
    layout.write_text("[]", encoding="utf-8")
    files = [
        "--layout",
        str(layout),
        "--schema",
        str(SAMPLE / "schema.json"),
        "--data",
        str(SAMPLE / "records.csv"),
    ]
    assert main(["rehearse", *files, "--out", str(tmp_path / "out")]) == 1
    assert "LY" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


ANYWHERE = ["--workspace", "w", "--token-file", __file__]


def test_an_error_in_the_policy_is_one_line_on_standard_error(
    write_policy: WritePolicy, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_policy("[lock]\nprxy = 1\n")
    main(["check", str(SAMPLE / "layout.json")])
    line = capsys.readouterr().err.splitlines()[0]
    problem = f"{path}, line 2: “prxy” is not a key of policies."
    assert line == f"{problem} The policy does not apply; tell your IT staff."


def test_commands_use_the_certificates_that_the_policy_locks(
    tmp_path: Path,
    write_policy: WritePolicy,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BATCHWRIGHT_HOME", str(tmp_path))
    path = write_policy("[lock]\ncertificates = '~/lab.pem'\nservice-url = 'https://lab.example.org'\n")
    files = ["--layout", str(SAMPLE / "layout.json"), "--schema", str(SAMPLE / "schema.json")]
    files += ["--data", str(SAMPLE / "records.csv"), "--out", str(tmp_path / "out")]
    there = ["--url", "https://api.example.org", *ANYWHERE]
    assert main(["rehearse", *files, *there, "--ca-file", __file__]) == 2
    assert f"--ca-file cannot be used. Set by your IT staff in {path}." in capsys.readouterr().err
    assert main(["service-data", "list", *there, "--ca-file", __file__]) == 2
    assert f"--ca-file cannot be used. Set by your IT staff in {path}." in capsys.readouterr().err
    assert main(["rehearse", *files, *there]) == 2
    assert "Only the service at https://lab.example.org is allowed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "output"),
    [
        (["--url", "http://127.0.0.1:9"], "--workspace and --token-file"),
        (["--url", "", "--workspace", "w", "--token-file", __file__], "not an http or https URL"),
        (["--url", "http://127.0.0.1:9", "--workspace", "w", "--token-file", "nowhere"], "nowhere cannot be"),
        (["--ca-file", __file__], "--ca-file requires --url"),
        (["--url", "https://127.0.0.1:9", *ANYWHERE, "--ca-file", "nowhere"], "nowhere"),
        (["--data", "nowhere.csv"], "nowhere.csv is not a file"),
        (["--schema", str(SAMPLE / "layout.json")], "is not a valid schema"),
        (["--out", str(SAMPLE / "layout.json" / "out")], "layout.json"),
    ],
)
def test_a_rehearsal_that_cannot_start_reports_the_reason(
    options: list[str],
    output: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BATCHWRIGHT_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    files = ["--layout", str(SAMPLE / "layout.json"), "--schema", str(SAMPLE / "schema.json")]
    files += ["--data", str(SAMPLE / "records.csv")]
    assert main(["rehearse", *files, *options]) == 2
    assert output in capsys.readouterr().err


def test_an_unreachable_service_of_a_rehearsal_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATCHWRIGHT_HOME", str(tmp_path))
    monkeypatch.setattr("batchwright.api.client.RetryPolicy", lambda: RetryPolicy(delays=lambda: ()))
    token = tmp_path / "token"
    token.write_text("canary", encoding="utf-8")
    files = ["--layout", str(SAMPLE / "layout.json"), "--schema", str(SAMPLE / "schema.json")]
    files += ["--data", str(SAMPLE / "records.csv"), "--out", str(tmp_path / "out")]
    there = ["--url", "http://127.0.0.1:9", "--workspace", "w", "--token-file", str(token)]
    assert main(["rehearse", *files, *there]) == 2
    output = capsys.readouterr().err
    assert "did not respond" in output
    assert "canary" not in output


@pytest.mark.parametrize(
    ("arguments", "are_files"),
    [
        ([], True),
        (["."], True),
        (["study folder"], True),
        (["study.batchwright"], True),
        (["nowhere/study"], True),
        (["check", "study folder"], False),
        (["fly"], False),
        (["--version"], False),
    ],
)
def test_files_and_folders_as_arguments_open_the_window(
    arguments: list[str], are_files: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "study folder").mkdir()
    (tmp_path / "check").touch()  # a command wins over a file of its name
    monkeypatch.chdir(tmp_path)
    assert names_files(arguments) is are_files


def test_every_command_is_recognised_by_name() -> None:
    (choices,) = [action.choices for action in command_line()._actions if action.dest == "command"]
    assert choices is not None
    assert set(choices) == COMMANDS


@pytest.mark.parametrize("table", ["lock", "preset"])
def test_the_language_of_the_policy_is_that_of_commands(
    table: str,
    write_policy: WritePolicy,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(i18n, "_program", [i18n.program_language()])
    monkeypatch.setenv(i18n.LANGUAGE_VARIABLE, "")
    write_policy(f'[{table}]\nlanguage = "{i18n.PSEUDO}"\n')
    with pytest.raises(SystemExit):
        main(["--help"])
    assert i18n.pseudo_translated("COMMAND") in capsys.readouterr().out
