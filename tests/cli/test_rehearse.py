"""The command `rehearse`: unexpected errors."""

import argparse
from pathlib import Path

import pytest

from batchwright.cli import rehearse
from batchwright.cli.input_files import InputError
from batchwright.local.projects import Project


def test_an_unexpected_error_is_logged_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    error = RuntimeError("the schema is inconsistent")

    def fail(_path: Path) -> None:
        raise error

    monkeypatch.setattr(rehearse, "read_schema_file", fail)
    options = {name: Path(name) for name in ("layout", "schema", "data")}
    assert rehearse.run(argparse.Namespace(**options, collection=None, language=None)) == 2
    (logged,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert logged.exc_info is not None
    assert logged.exc_info[1] is error
    assert "the schema is inconsistent" in capsys.readouterr().err


def test_a_study_is_rehearsed_in_its_language_or_in_one_that_it_is_translated_to() -> None:
    study = Project("Cats", language="en", translations={"de": {}, "pt-BR": {}})
    assert rehearse.in_language(study, "").language == "en"
    assert rehearse.in_language(study, "de").name == "Cats (de)"
    assert rehearse.in_language(Project("Cats"), "fr").language == "fr"
    with pytest.raises(InputError, match="only to: de, pt-BR"):
        rehearse.in_language(study, "fr")


@pytest.mark.parametrize("name", ["report.csv", "responses.json", "summary.json", "export.zip"])
def test_the_results_do_not_replace_the_data(tmp_path: Path, name: str) -> None:
    data = tmp_path / name
    data.write_text("precious")
    options = argparse.Namespace(out=tmp_path, data=data)
    with pytest.raises(InputError, match=f"{name} is read by this command"):
        rehearse.run_rehearsal(options, lambda _context: pytest.fail("it has started"))
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_token_file_may_start_with_a_byte_order_mark(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("secret\n", encoding="utf-8-sig")
    options = argparse.Namespace(url="https://example.org", workspace="w", token_file=token)
    assert rehearse.service_from_options(options).token == "secret"
